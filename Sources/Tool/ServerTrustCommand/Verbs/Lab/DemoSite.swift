// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX
import ServerObservation
import ServerTrust
import ServerTrustLab

/// The pages of `servertrust lab demo --html`: an index, and a page with a report for each server.
///
/// The index is `index.html`, and the other pages are named after the scenarios. Links are relative, so the site works
/// as local files and within another site.
struct DemoSite {
    /// The entries in the order of the groups.
    private let entries: [DemoEntry]
    private let date: Time

    /// Creates the site from runs. The targets of redirects have no separate pages.
    init(_ runs: [ScenarioRun], at date: Time) {
        let entries = runs.compactMap(DemoEntry.init)
        self.entries = LabScenario.Group.allCases.flatMap { group in
            group.scenarios.compactMap { scenario in entries.first { $0.run.scenario == scenario } }
        }
        self.date = date
    }

    /// The pages with their names, starting with the index.
    var pages: [(name: HTMLFileName, bytes: [UInt8])] {
        guard let index = HTMLFileName("index") else { return [] }
        let home = (words: "All demonstrations", target: HTMLLink.page(index))
        let all = HTMLPage(
            title: "Ways trust fails · servertrust lab demo", kind: "Demonstrations",
            version: ToolVersion.current,
            date: date, content: writeIndex)
        return [(index, all.bytes())]
            + entries.indices.map { place in
                let entry = entries[place]
                let page = HTMLPage(
                    title: "\(entry.name) · servertrust lab demo", kind: "Demonstration", version: ToolVersion.current,
                    date: date, home: home
                ) { html in
                    html.write(entry.content)
                    writeNeighbors(of: place, to: &html)
                }
                return (entry.file, page.bytes())
            }
    }

    // MARK: - Index

    private func writeIndex(_ html: inout HTMLWriter) {
        let refused = entries.count { !$0.run.expected.isTrusted }
        html.write([.heading("Ways trust fails")], level: 1)
        html.write([
            .lead(
                "\(entries.count) TLS servers. Of these, \(refused) are refused, each for one reason. Each page shows the certificates that the server presented, the path that was found, the checks, and the remedy."
            ),
            .quiet([
                "They ran on this machine. The command ", .code("servertrust lab demo"),
                " connects to all of them, and ", .code("servertrust lab"),
                " starts them for any other client. Each run creates new certificates, which no trust store contains.",
            ]),
            .contents(
                "Groups",
                groups.enumerated().map { place, group in
                    (Report.Words(stringLiteral: group.title), HTMLIdentifier("group", place), group.entries.count)
                }),
        ])
        for (place, group) in groups.enumerated() {
            html.section([.text(group.title)], id: HTMLIdentifier("group", place)) { html in
                html.element(.ul, [.classes("tiles")]) { html in
                    for entry in group.entries { writeTile(entry, to: &html) }
                }
            }
        }
    }

    private func writeTile(_ entry: DemoEntry, to html: inout HTMLWriter) {
        html.element(.li) { html in
            html.element(.div, [.classes("first")]) { html in
                html.element(.a, [.link(.page(entry.file))]) { $0.element(.strong, text: entry.name) }
                html.badge(entry.tone, entry.run.expected.description)
            }
            html.element(.p, text: entry.sentence)
            entry.report.writeMiniature(to: &html)
        }
    }

    private var groups: [(title: String, entries: [DemoEntry])] {
        LabScenario.Group.allCases.compactMap { group in
            let members = entries.filter { $0.run.scenario.group == group }
            let title = group.title.prefix(1).uppercased() + group.title.dropFirst()
            return members.isEmpty ? nil : (title, members)
        }
    }

    // MARK: - Links

    /// Writes links to the previous and the next page.
    private func writeNeighbors(of place: Int, to html: inout HTMLWriter) {
        guard entries.count > 1 else { return }
        html.element(.nav, [.classes("around"), .label("Other demonstrations")]) { html in
            for (words, place) in [("Previous: ", place - 1), ("Next: ", place + 1)]
            where entries.indices.contains(place) {
                html.element(.a, [.link(.page(entries[place].file))], text: words + entries[place].name)
            }
        }
    }
}
