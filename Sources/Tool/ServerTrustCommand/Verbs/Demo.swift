// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerObservation
import ServerTrustLab

/// `servertrust lab demo`: connects to the lab's servers over TLS.
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "lab demo", abstract: "Connect to every lab server and report.")

    @Option(
        parsing: .upToNextOption, help: .book("lab demo --scenario"), completion: LabScenario.completion,
        transform: LabScenario.named(inArgument:))
    var scenario: [LabScenario] = []

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    @Option(help: .book("lab demo --html"), completion: .directory)
    var html: String?

    @OptionGroup var recording: RecordOptions

    func validate() throws {
        try OptionRule.check(.that(html?.isEmpty != true, "--html requires the name of a folder"))
    }

    func run() async throws {
        // Checked before a server starts, so that a folder with other files is reported immediately.
        let folder: SiteFolder? = if let html { try SiteFolder(html) } else { nil }
        let chosen = Set(scenario)
        let scenarios = LabScenario.all.filter { chosen.isEmpty || chosen.contains($0) }
        let recorder = recording.recorder()
        let runs = try await CommandFailure.awaiting("the lab can't be started") {
            try await ScenarioRun.all(scenarios, observer: recorder)
        }
        await recorder?.flush()
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
