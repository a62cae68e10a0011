// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dispatch
import Foundation

/// Keeps the main thread. An asynchronous `main` would end it, which valgrind doesn't survive.
@main
enum Program {
    static func main() {
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            if let process = FreshProcess(arguments: CommandLine.arguments) { await process.main() }
            await Main.main()
            end.signal()
        }
        end.wait()
    }
}

struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "servertrust-benchmarks",
        abstract: "Measures swift-server-trust beside swift-certificates, OpenSSL and the signatures alone.",
        discussion: """
            Benchmarks:
            \(Main.benchmarks.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))

            A measure over its limit is told as OVER. Exit 0, whatever was measured; 1 if an answer was wrong.
            """)

    static let benchmarks: [any Benchmark] = {
        var all: [any Benchmark] = [
            PathBenchmark(.p256), PathBenchmark(.rsa2048), RememberedBenchmark(.p256), RememberedBenchmark(.rsa2048),
            VerdictBenchmark(.p256), VerdictBenchmark(.rsa2048), HostsBenchmark(), ParseBenchmark(), RootsBenchmark(),
            RootOverlayBenchmark(), AllocationsBenchmark(), CRLBenchmark(), OCSPBenchmark(), FilterBenchmark(),
            TransparencyBenchmark(), HostileBenchmark(), StressBenchmark(),
            WireBenchmark(), HTTP2Benchmark(), StartBenchmark(), RecordingBenchmark(),
        ]
        #if canImport(FoundationNetworking)
        all.append(SessionBenchmark())
        #endif
        return all
    }()

    @Option(help: ArgumentHelp("Only benchmarks whose name contains TEXT (repeatable).", valueName: "text"))
    var filter: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only contenders and hostile cases whose name contains TEXT, as for a profiler.", valueName: "text"))
    var contender: String?

    @Option(
        help: ArgumentHelp(
            "Measure costs against sizes instead, and write Scaling.md and its charts into FOLDER.",
            valueName: "folder"))
    var scaling: String?

    @Option(help: "Rounds in which the contenders take turns.")
    var rounds = 60

    @Option(help: "Evaluations of the stress test.")
    var count = 1_000_000

    @Flag(help: "Count instructions, too, with valgrind, and run only benchmarks that count them. Takes some minutes.")
    var instructions = false

    @Flag(help: "Read TEXT of --filter as the whole name of a benchmark.")
    var exactly = false

    @Flag(help: "Print JSON instead of tables.")
    var json = false

    func validate() throws {
        guard rounds >= 1, count >= 1 else { throw ValidationError("--rounds and --count are at least 1") }
        guard !chosen.isEmpty else {
            let names = filter.joined(separator: ", ")
            let kind = instructions ? "benchmark that counts instructions" : "benchmark"
            throw ValidationError("no \(kind) has such a name: \(names)")
        }
    }

    private var chosen: [any Benchmark] {
        Self.benchmarks.filter { benchmark in
            (benchmark.countsInstructions || !instructions)
                && (filter.isEmpty || filter.contains { exactly ? benchmark.name == $0 : benchmark.name.contains($0) })
        }
    }

    func run() async throws {
        if let scaling { return try await ScalingRun(folder: scaling, rounds: min(rounds, 25)).run() }
        let settings = Settings(rounds: rounds, count: count, contender: contender, roots: try SystemRoots())
        if Instructions.isCounting {
            settings.instructions = Instructions()
            for benchmark in chosen { _ = try await settings.run(benchmark) }
            guard let counts = settings.instructions else { return }
            return try counts.write()
        }
        if instructions {
            settings.instructions = try Instructions.count(benchmarks: chosen.map(\.name), contender: contender)
        }
        var sections: [Section] = []
        for benchmark in chosen {
            let section = try await settings.run(benchmark)
            sections.append(section)
            if !json {
                print(section)
                // A section that took a minute can be read while the next is measured.
                fflush(nil)
            }
        }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(sections), as: UTF8.self))
        }
    }
}
