// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs the fuzz targets without libFuzzer, on their files and on a fixed number of mutated inputs. `Fuzz/replay`
/// builds and documents it.
@main
enum Replay {
    static func main() {
        do {
            try run(Arguments(Array(CommandLine.arguments.dropFirst())))
        } catch let error as UsageError {
            write("replay: \(error.message)\n", to: .standardError)
            exit(64)
        } catch {
            write("replay: \((error as? ReplayError)?.message ?? "\(error)")\n", to: .standardError)
            exit(1)
        }
    }

    private static func run(_ arguments: Arguments) throws -> Never {
        switch arguments.mode {
        case .child(let child): child.run()
        case .list:
            for target in FuzzTarget.all { print(target.name) }
            exit(0)
        case .selfTest:
            let problems = try SelfTest.run(jobs: arguments.supervisor.jobs)
            for problem in problems { print("self-test: \(problem)") }
            print(problems.isEmpty ? "self-test: passed" : "self-test: \(problems.count) failed")
            exit(problems.isEmpty ? 0 : 1)
        case .targets(let targets): try run(targets, arguments.supervisor)
        }
    }

    private static func run(_ targets: [FuzzTarget], _ supervisor: Supervisor) throws -> Never {
        let outcomes = try supervisor.run(targets) { outcome in
            var lines = [outcome.line]
            lines += outcome.output.map { "    \($0)" }
            if let finding = outcome.finding { lines += describe(finding, outcome, supervisor) }
            write(lines.joined(separator: "\n") + "\n", to: .standardOutput)
        }
        let passed = outcomes.filter { $0.kind == .passed }.count
        // Targets that didn't run because of an interruption count as failed too.
        write("\(passed) passed, \(targets.count - passed) failed\n", to: .standardOutput)
        exit(Interruption.isRequested ? 130 : passed == targets.count ? 0 : 1)
    }

    /// Writes a finding's input to a file and returns the lines about it.
    private static func describe(_ finding: Outcome.Finding, _ outcome: Outcome, _ supervisor: Supervisor) -> [String] {
        let name = outcome.target.name
        let origin =
            finding.isMutated
            ? "input \(finding.number) of seed \(supervisor.seed), a mutation of \(finding.base)" : finding.base
        // If the input is a single file, it already contains the finding, so nothing is written.
        guard supervisor.file == nil else { return ["    input: \(origin), \(finding.bytes.count) bytes"] }
        let folder = URL(filePath: "Findings").appending(path: name)
        let checksum = Checksum.text(Checksum.of(finding.bytes), digits: 16)
        let file = folder.appending(path: "\(outcome.findingKind)-\(checksum)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(finding.bytes).write(to: file)
        } catch {
            return ["    input: \(origin); \(file.path) can't be written: \(error)"]
        }
        return [
            "    input: \(origin), \(finding.bytes.count) bytes, in \(file.path)",
            "    again: Fuzz/replay --file \(file.path) \(name)",
        ]
    }

    private static func write(_ text: String, to file: FileHandle) { file.write(Data(text.utf8)) }
}
