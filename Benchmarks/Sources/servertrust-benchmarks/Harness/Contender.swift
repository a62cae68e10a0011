// SPDX-License-Identifier: Apache-2.0

import AllocationCounter

/// One way of doing the work of a benchmark.
protocol Contender: Sendable {
    var name: String { get }

    /// Does it `iterations` times, on one thread.
    /// - Throws: ``WrongAnswer`` as soon as an answer is not the expected one. Wrong answers are not measured.
    func run(_ iterations: Int) async throws
}

extension Contender {
    /// Returns the heap allocations of one iteration in all threads. Nil if this platform can't count them.
    func allocations() async throws -> Double? {
        guard allocation_counter_is_available() else { return nil }
        let iterations = 200
        try await run(10)
        allocation_counter_start()
        defer { _ = allocation_counter_stop() }
        try await run(iterations)
        return Double(allocation_counter_stop().allocations) / Double(iterations)
    }
}

/// A contender, or the engine in a case, answered wrongly.
struct WrongAnswer: Error, CustomStringConvertible {
    var contender: String
    var what: String

    var description: String { "\(contender): \(what)" }
}
