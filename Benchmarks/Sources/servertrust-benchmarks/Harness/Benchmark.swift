// SPDX-License-Identifier: Apache-2.0

/// Something that is measured and reported as one table.
protocol Benchmark: Sendable {
    var name: String { get }
    /// The measured work, in a line.
    var summary: String { get }
    /// Whether instructions are counted: not if it waits, doesn't race, or reads a file that differs between machines.
    var countsInstructions: Bool { get }

    func run(_ settings: Settings) async throws -> Section
}

extension Benchmark {
    var countsInstructions: Bool { true }
}

/// The options of the command line for all benchmarks.
final class Settings {
    var rounds: Int
    /// The number of evaluations of the stress test.
    var count: Int
    /// Only contenders, and hostile cases, whose name contains this; all if nil.
    var contender: String?
    var roots: SystemRoots

    /// The instructions of each contender, if they are counted.
    var instructions: Instructions?
    /// The running benchmark, and the number of races that it has run.
    private var benchmark = ""
    private var races = 0

    init(rounds: Int, count: Int, contender: String?, roots: SystemRoots) {
        (self.rounds, self.count, self.contender, self.roots) = (rounds, count, contender, roots)
    }

    func run(_ benchmark: any Benchmark) async throws -> Section {
        (self.benchmark, races) = (benchmark.name, 0)
        return try await benchmark.run(self)
    }

    /// Measures the chosen contenders side by side. While instructions are counted, each runs by itself and its times are NaN.
    func race(_ contenders: [any Contender], atMost limit: Int = .max) async throws -> [Timing] {
        defer { races += 1 }
        var timings: [Timing] = []
        if Instructions.isCounting {
            for contender in chosen(contenders) {
                instructions?[benchmark, races, contender.name] = try await Instructions.measure(contender)
                timings.append(Timing(name: contender.name, samples: [.nan]))
            }
        } else {
            timings = try await Race(rounds: min(rounds, limit)).run(chosen(contenders))
        }
        return timings.map {
            Timing(name: $0.name, samples: $0.samples, instructions: instructions?[benchmark, races, $0.name])
        }
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
