// SPDX-License-Identifier: Apache-2.0

import Foundation
import MutationSwitch

/// The entry point of Swift Testing for tools, which its documentation describes in `ABI/EntryPoints`.
private typealias EntryPoint =
    @convention(thin) @Sendable (
        _ configuration: UnsafeRawBufferPointer?, _ record: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
    ) async throws -> Bool

@_silgen_name("swt_abiv0_getEntryPoint") private func entryPoint() -> UnsafeRawPointer

/// Runs tests and ends the process at the first failure.
@_cdecl("mutation_run")
public func run(_ configuration: UnsafePointer<CChar>) {
    // Never deallocated, because the process ends with the run.
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: strlen(configuration), alignment: 1)
    bytes.copyMemory(from: UnsafeRawBufferPointer(start: configuration, count: bytes.count))
    let input = UnsafeRawBufferPointer(bytes)
    // Exit tests start the program again with these arguments. Without them, it would run XCTest, which has no tests and passes.
    CommandLine.arguments = [CommandLine.arguments[0], "--testing-library", "swift-testing"]
    let counter = Counter()
    Task.detached {
        let entry = unsafeBitCast(entryPoint(), to: EntryPoint.self)
        let passed = try? await entry(input) { counter.note($0) }
        mutation_ended(passed ?? false, Int32(counter.count))
    }
    // `dispatchMain` ends the main thread, which isn't possible before the main function.
    while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
}

/// Counts the tests that ran.
private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var tests = 0

    var count: Int { lock.withLock { tests } }

    func note(_ record: UnsafeRawBufferPointer) {
        // Most records aren't of interest, and reading JSON takes time.
        if record.contains("\"issueRecorded\"") {
            guard !record.contains("\"isKnown\":true") else { return }
            mutation_noticed(test(record))
        } else if record.contains("\"testEnded\"") {
            lock.withLock {
                tests += 1
                // Tests run one after the other.
                mutation_test_ended(test(record))
            }
        }
    }

    private func test(_ record: UnsafeRawBufferPointer) -> String {
        let text = String(decoding: record, as: UTF8.self)
        return text.components(separatedBy: "\"testID\":\"").dropFirst().first?.components(separatedBy: "\"").first
            ?? text
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func contains(_ text: StaticString) -> Bool {
        guard let start = baseAddress else { return false }
        return mutation_contains(start, count, text.utf8Start, text.utf8CodeUnitCount)
    }
}
