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

    /// Writes the page's content.
    func write(_ html: inout HTMLWriter) {
        html.banner(tone, title: { $0.text("\(name): \(run.expected)") }) { html in
            html.element(.p, [.classes("lead")], text: sentence)
            if let meaning = code.flatMap(Guides.of)?.meaning { html.element(.p) { $0.prose(meaning) } }
        }
        html.section("The server", id: HTMLIdentifier("server")) { html in
            html.element(.div, [.classes("panel")]) { html in
                html.facts { html in
                    html.row("Behavior") { $0.text(sentence) }
                    html.row("Requested name") { $0.foreign(run.certificates.host.description) }
                    html.row("Expected") { $0.badge(tone, run.expected.description) }
                    html.row("Verdict") { html in
                        html.badge(tone, run.foundText)
                        html.text(" ")
                        html.foreign(run.reason, maximum: 800)
                    }
                    html.row("Request") { html in
                        html.text(
                            run.requestBytes > 0
                                ? "sent after the verdict, \(run.requestBytes) bytes"
                                : "not sent: no part of it left the client")
                    }
                }
            }
        }
        report.writeSections(to: &html, id: HTMLIdentifier("report"), level: 2)
        html.section("See it yourself", id: HTMLIdentifier("commands")) { html in
            html.element(.p, text: "The servers are part of the command, with new keys in each run:")
            html.lines(commands)
        }
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
