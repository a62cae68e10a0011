// SPDX-License-Identifier: Apache-2.0

import CostlyChains
import Foundation

/// The input is a ``CostPlan``. The target writes a chain of up to a megabyte from it, then parses and evaluates the
/// chain. A finding is a chain that takes more than 50 ms of processor time in each of several measurements, or writes
/// more than 64 KB in addition to the certificates.
///
/// The fuzzer's instrumentation makes evaluation several times slower. So chains over the limit are measured again by
/// `CostTable`, which is built without instrumentation. `run.sh` sets `COST_TABLE` to its path. Without that variable,
/// as in `Fuzz/replay`, the smallest of several measurements in this process decides.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let plan = CostPlan([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
    let chain = CostlyChain(plan)
    // A plan's last list may exceed the limit, which is for a megabyte.
    guard chain.size <= CostlyChain.maximumSize + 2_000 else { return -1 }
    let table = ProcessInfo.processInfo.environment["COST_TABLE"]
    let cost = Cost.measure(chain, attempts: table == nil ? 5 : 1)
    if cost.isTooHigh, cost.output > Cost.maximumOutput || isTooHighWithoutInstrumentation(plan, table) {
        fatalError("\(cost.milliseconds) ms, \(cost.output) bytes of output for \(chain.size) bytes: \(cost.outcome)")
    }
    return 0
}

private func isTooHighWithoutInstrumentation(_ plan: CostPlan, _ table: String?) -> Bool {
    guard let program = table else { return true }
    let file = FileManager.default.temporaryDirectory.appending(
        path: "cost-\(ProcessInfo.processInfo.processIdentifier)")
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = [file.path]
    process.standardOutput = FileHandle.nullDevice
    do {
        try Data(plan.bytes).write(to: file)
        try process.run()
    } catch {
        fatalError("\(program) can't be run: \(error)")
    }
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus <= 1 else { fatalError("\(program) failed") }
    return process.terminationStatus == 1
}
