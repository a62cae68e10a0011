// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX
import ServerObservation
import ServerTrust
import ServerTrustLab

/// A scenario on the site, with its report.
struct DemoEntry {
    let run: ScenarioRun
    let file: HTMLFileName
    let report: TrustReport

    /// Creates an entry. Returns nil for a scenario that isn't listed, such as the target of a redirect, and for a name
    /// that can't name a page.
    init?(_ run: ScenarioRun) {
        // The only character that is allowed in a scenario's name, but not in a file's.
        let stem = run.scenario.name.replacing(".", with: "-")
        guard run.scenario.group != nil, stem != "index", let file = HTMLFileName(stem) else { return nil }
        self.run = run
        self.file = file
        let name = run.certificates.host.description
        if let verdict = run.verdict {
            report = TrustReport(verdict, presented: run.presentedChain, name: name)
        } else {
            report = TrustReport(
                undecided: name, problem: run.reason, code: nil, at: run.certificates.verifyDate,
                remedy: "Make the port speak TLS, and send the whole chain before closing the connection.")
        }
    }

    var name: String { run.scenario.name }

    var tone: HTMLTone {
        switch run.expected {
        case .trusted: .good
        case .refused: .bad
        case .noHandshake: .caution
        }
    }

    /// The scenario's summary as a sentence. A name at its start keeps its spelling.
    var sentence: String { ReportText.capitalized(run.scenario.summary) + "." }

    // MARK: - The page

    /// The page's content.
    var content: Report {
        let meaning = code.flatMap(Guides.of)?.meaning
        let request =
            run.requestBytes > 0
            ? "sent after the verdict, \(run.requestBytes) bytes" : "not sent: no part of it left the client"
        let facts: [(name: String, value: Report.Words)] = [
            ("Behavior", "\(sentence)"), ("Requested name", [.foreign(run.certificates.host.description)]),
            ("Expected", [.badge(tone, run.expected.description)]),
            ("Verdict", [.badge(tone, run.foundText), " ", .foreign(run.reason, maximum: 800)]),
            ("Request", "\(request)"),
        ]
        return Report(
            tone: tone, headline: "\(name): \(run.expected)",
            lead: [.lead("\(sentence)")] + (meaning.map { [.paragraph([.prose($0)])] } ?? []),
            blocks: [.section("The server", id: HTMLIdentifier("server"), [.box("panel", [.facts(facts)])])]
                + report.sections(id: HTMLIdentifier("report")) + [
                    .section(
                        "See it yourself", id: HTMLIdentifier("commands"),
                        [
                            .paragraph("The servers are part of the command, with new keys in each run:"),
                            .lines(commands),
                        ])
                ])
    }

    private var code: TrustFailure.Code? {
        if case .refused(let code) = run.expected { code } else { nil }
    }

    /// The commands that show the scenario, start its server for other clients, and explain its code.
    private var commands: String {
        var lines = [
            "servertrust lab demo --scenario \(name)          # connects, and shows the whole verdict",
            "servertrust lab --scenario \(name)           # for other clients, until Ctrl-C",
        ]
        if let code { lines.append("servertrust explain \(code.name)") }
        return lines.joined(separator: "\n")
    }
}
