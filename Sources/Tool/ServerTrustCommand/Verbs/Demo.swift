// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerObservation
import ServerTrustLab

/// `servertrust lab demo`: connects to the lab's servers over TLS.
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Connect to every lab server and report.",
        usage: "servertrust lab demo [--scenario <name> ...] [<options>]",
        discussion: HelpDetail.discussion(
            """
            Starts the servers of servertrust lab on ports that the system chooses. A client
            connects to each over TLS, with the lab's anchors and pins, and sends a request
            only if the verdict allows it. The exit code is 0 only if every verdict is the
            expected one and no refused server received any request data.

            $ servertrust lab demo
                  server      expected             found

            trusted servers
            OK    good        trusted              trusted
                    path: CN=api.lab.test < CN=Lab CA,O=Test < CN=Lab Root,O=Test
            ...

            dates
            OK    expired     certificateExpired   certificateExpired
                    certificate sent as number 1 (leaf) expired 2026-11-17T07:06:40Z, ...
            ...

            $ servertrust lab demo --scenario name-excluded
            Shows the whole verdict, as servertrust verify does; servertrust explain
            names a scenario for each code.

            $ servertrust lab demo --html lab-site
            Writes a site with a page for each server: a drawing of its chain, the checks,
            the cause and the remedy.
            """))

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Choose servers; servertrust lab --list shows the names. (default: all)", valueName: "name"),
        completion: LabScenario.completion, transform: LabScenario.named(inArgument:))
    var scenario: [LabScenario] = []

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    @Option(
        help: ArgumentHelp(
            "Write a page on each server to a new or empty folder, or to one from an earlier run. (default: none)",
            valueName: "folder"),
        completion: .directory)
    var html: String?

    @OptionGroup var recording: RecordOptions

    func validate() throws {
        try OptionRule.check(.that(html?.isEmpty != true, "--html requires the name of a folder"))
    }

    func run() async throws {
        // Checked before a server starts, so that a folder with other files is reported immediately.
        let folder: SiteFolder? = if let html { try SiteFolder(html) } else { nil }
        let chosen = Set(scenario)
        let runs: [ScenarioRun]
        do {
            let scenarios = LabScenario.all.filter { chosen.isEmpty || chosen.contains($0) }
            let recorder = recording.recorder()
            runs = try await ScenarioRun.all(scenarios, observer: recorder)
            await recorder?.flush()
        } catch {
            throw CommandFailure("the lab can't be started: \(error)")
        }
        let report = DemoReport(runs: runs, isChosen: !chosen.isEmpty)
        try format.write(text: report.text) { report.json }
        guard runs.allSatisfy(\.agrees) else {
            if folder != nil {
                Diagnostics.error("the site was not written, because not all verdicts are the expected ones")
            }
            throw ExitCodes.rejected
        }
        guard let folder else { return }
        let pages = DemoSite(runs, at: .now()).pages
        try folder.write(pages)
        guard format == .text else { return }
        try StandardStream.output.writeLine("\n\(pages.count) pages; start with \(printable(folder.path))/index.html")
    }
}
