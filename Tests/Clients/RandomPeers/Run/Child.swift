// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import TrustScenes

/// Runs exchanges in a process that a client may crash, and writes a line for each event to standard output:
///
///     B INDEX                          an exchange begins
///     E INDEX CLIENT ATTEMPTS KINDS    an exchange ends
///     F INDEX KIND CLIENT TEXT         a finding
///     R DESCRIPTORS HEAP RESIDENT      the resources after a batch, in bytes
///
/// A tab separates the fields.
struct Child: Sendable {
    let options: Options
    /// The number of exchanges between two measurements of resources.
    private static let batch = 500

    func run() async throws {
        let trial = Trial(site: try Site(), fault: options.fault)
        let warm = Trial(site: trial.site)
        // The resources of one exchange show nothing.
        guard options.count > 1 else { return await run(options.from, trial) }
        // The first exchanges of each client open descriptors and allocate memory that stay.
        for kind in ClientKind.allCases where options.only == nil || options.only == kind {
            for index in 0..<2 { _ = await warm.run(try Exchange(seed: 0, index: index, only: kind)) }
        }
        let descriptors = Counted.descriptors()
        var first: Int?
        var start = options.from
        let end = options.from + options.count
        while start < end {
            let next = min(start + Self.batch, end)
            await runBatch(start..<next, trial)
            first = await measure(next - 1, descriptors: descriptors, heap: first, exchanges: next - options.from)
            start = next
        }
    }

    private func runBatch(_ range: Range<Int>, _ trial: Trial) async {
        let next = Locked(range.lowerBound)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<options.lanes {
                group.addTask {
                    while true {
                        let index = next.withLock { next in
                            defer { next += 1 }
                            return next
                        }
                        guard index < range.upperBound else { return }
                        if options.skipped.contains(index) { continue }
                        await run(index, trial)
                    }
                }
            }
        }
    }

    private func run(_ index: Int, _ trial: Trial) async {
        do {
            let exchange = try Exchange(seed: options.seed, index: index, only: options.only)
            Self.write("B\t\(index)")
            let report = await trial.run(exchange)
            for finding in report.findings {
                Self.write("F\t\(index)\t\(finding.kind)\t\(exchange.client.rawValue)\t\(finding.text)")
            }
            Self.write(
                "E\t\(index)\t\(exchange.client.rawValue)\t\(report.attempts)\t\(report.kinds.joined(separator: "|"))")
        } catch {
            Self.write("F\t\(index)\tharness\tno client\t\(error)")
        }
    }

    /// Checks the resources after a batch, when connections have had time to close.
    /// - Returns: the size of the heap after the first batch.
    private func measure(_ index: Int, descriptors: Int, heap first: Int?, exchanges: Int) async -> Int? {
        // Foundation keeps two descriptors of a few sessions in a thousand after they are invalidated.
        let kept = 12
        var isDown = await Counted.comesDown { Counted.descriptors() <= descriptors + kept }
        // async-http-client waits for up to a minute for a connection to a silent server.
        for _ in 0..<(options.fault == nil ? 15 : 0) where !isDown {
            try? await Task.sleep(for: .seconds(5))
            isDown = Counted.descriptors() <= descriptors + kept
        }
        var heap = Counted.heapBytes() ?? 0
        let limit = (first ?? heap) + 32 << 20 + exchanges * 1024
        // Timers hold closed connections for up to a minute.
        for _ in 0..<(options.fault == nil ? 15 : 1) where heap > limit {
            try? await Task.sleep(for: .seconds(5))
            heap = Counted.heapBytes() ?? 0
            Self.write("R\t\(Counted.descriptors())\t\(heap)\t\(Counted.residentBytes())")
        }
        Self.write("R\t\(Counted.descriptors())\t\(heap)\t\(Counted.residentBytes())")
        if !isDown {
            Self.write(
                "F\t\(index)\tdescriptors\tall\t\(descriptors) descriptors before, \(Counted.descriptors()) after")
        }
        if let first, heap > limit {
            Self.write(
                "F\t\(index)\tmemory\tall\t\(first) bytes after the first batch, \(heap) after \(exchanges) exchanges")
        }
        return first ?? heap
    }

    /// Writes a line at once, so that a crash doesn't lose it.
    private static func write(_ line: String) {
        let clean = line.prefix(3000).replacing("\n", with: " ")
        let bytes = Array((clean + "\n").utf8)
        _ = bytes.withUnsafeBytes { Foundation.write(1, $0.baseAddress, $0.count) }
    }
}
