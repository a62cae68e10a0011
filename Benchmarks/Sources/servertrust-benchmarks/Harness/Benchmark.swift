/// Something that is measured and reported as one table.
protocol Benchmark {
    var name: String { get }
    /// What it measures, in a line.
    var summary: String { get }

    func run(_ settings: Settings) async throws -> Section
}

/// What the command line asks of all benchmarks.
struct Settings {
    var rounds: Int
    /// How many evaluations the stress test makes.
    var count: Int
    /// Only contenders whose name contains this; all if nil.
    var contender: String?
    var roots: SystemRoots

    func race(_ contenders: [any Contender]) async throws -> [Timing] {
        try await Race(rounds: rounds).run(chosen(contenders))
    }

    func chosen(_ contenders: [any Contender]) -> [any Contender] {
        guard let contender else { return contenders }
        return contenders.filter { $0.name.contains(contender) }
    }
}

/// Names under which contenders are reported.
enum ContenderName {
    static let ours = "swift-server-trust"
    static let certificates = "swift-certificates"
    static let openSSL = "OpenSSL"
    static let raw = "raw signatures"
}
