// SPDX-License-Identifier: Apache-2.0

/// One way of doing the work of a benchmark.
protocol Contender: Sendable {
    var name: String { get }

    /// Does it `iterations` times, on one thread.
    /// - Throws: ``WrongAnswer`` as soon as an answer is not the expected one. Wrong answers are not measured.
    func run(_ iterations: Int) async throws
}

/// A contender, or the engine in a case, answered wrongly.
struct WrongAnswer: Error, CustomStringConvertible {
    var contender: String
    var what: String

    var description: String { "\(contender): \(what)" }
}
