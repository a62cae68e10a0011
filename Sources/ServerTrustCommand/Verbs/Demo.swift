// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrustLab

/// `servertrust demo`: connects to servers of the lab over TLS.
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Start TLS servers that misbehave in known ways, connect to each, report the verdicts.",
        usage: "servertrust demo [--scenario <name> ...] [--format <format>]",
        discussion: """
            The servers are those of servertrust lab, on ports of the system's choice. A
            client connects to each over TLS, with the lab's anchors and pins, and sends
            a request only where the verdict allows it. The exit code is 0 only if every
            verdict is the expected one and no byte of a request has reached a server
            that was refused.

            $ servertrust demo
                  server      expected             found

            trusted servers
            OK    good        trusted              trusted
                    path: CN=api.lab.test < CN=Lab CA,O=Test < CN=Lab Root,O=Test
            ...

            dates
            OK    expired     certificateExpired   certificateExpired
                    certificate 0 (leaf) expired 2026-11-17T07:06:40Z, verify date ...
            ...

            $ servertrust demo --scenario name-excluded
            Shows the whole verdict, as servertrust verify does; servertrust explain
            names a scenario for each code.
            """)

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Which servers; servertrust lab --list has the names. (default: all)", valueName: "name"),
        completion: LabScenario.completion, transform: LabScenario.named(inArgument:))
    var scenario: [LabScenario] = []

    @Option(help: "The format of the report.")
    var format: OutputFormat = .text

    func run() async throws {
        let chosen = Set(scenario)
        let runs = try await ScenarioRun.all(LabScenario.all.filter { chosen.isEmpty || chosen.contains($0) })
        let report = DemoReport(runs: runs, isChosen: !chosen.isEmpty)
        switch format {
        case .text: try StandardStream.output.write(Array(report.text(Palette.forStandardOutput()).utf8))
        case .json: try StandardStream.output.write(report.json)
        }
        guard runs.allSatisfy(\.agrees) else { throw ExitCodes.rejected }
    }
}
