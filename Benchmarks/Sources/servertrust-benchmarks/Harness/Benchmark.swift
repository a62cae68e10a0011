// SPDX-License-Identifier: Apache-2.0

/// Something that is measured and reported as one table.
protocol Benchmark: Sendable {
    var name: String { get }
    /// The measured work, in a line.
    var summary: String { get }

    func run(_ settings: Settings) async throws -> Section
}

/// The options of the command line for all benchmarks.
struct Settings {
    var rounds: Int
    /// The number of evaluations of the stress test.
    var count: Int
    /// Only contenders, and hostile cases, whose name contains this; all if nil.
    var contender: String?
    var roots: SystemRoots

    func race(_ contenders: [any Contender]) async throws -> [Timing] {
        try await Race(rounds: rounds).run(chosen(contenders))
    }

    func chosen(_ contenders: [any Contender]) -> [any Contender] { contenders.filter { includes($0.name) } }

    func includes(_ name: String) -> Bool { contender.map { name.contains($0) } ?? true }
}

/// Names under which contenders are reported.
enum ContenderName {
    static let ours = "swift-server-trust"
    static let certificates = "swift-certificates"
    static let openSSL = "OpenSSL"
    static let raw = "raw signatures"
}
