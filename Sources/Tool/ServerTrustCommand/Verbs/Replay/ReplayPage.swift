// SPDX-License-Identifier: Apache-2.0

import Diagnosis

extension ReplayReport {
    /// Returns the report as an HTML page in UTF-8 that loads nothing else. It contains no current time, so a repeated
    /// run has the same page.
    func page(version: String) -> [UInt8] {
        let page = ReplayPage(report: self)
        let kind = changes.isEmpty ? "Replay" : "Rehearsal"
        return HTMLPage(
            title: "\(headline) · \(kind.lowercased())", kind: kind, version: version, date: nil, content: page.write
        )
        .bytes()
    }
}

/// The content of a replay's page: the counts, a chart of before and after, tables and examples.
private struct ReplayPage {
    let report: ReplayReport

    private var total: ReplayCount { report.total }

    func write(_ html: inout HTMLWriter) {
        // The worse answer first.
        var headlines = [Self.answer(report.replayOutcome) + report.headline]
        if let timeline = report.timelineHeadline, let outcome = report.timelineOutcome {
            headlines.insert(Self.answer(outcome) + timeline, at: outcome > report.replayOutcome ? 0 : 1)
        }
        html.banner(tone, title: { $0.text(headlines[0]) }) { html in
            for headline in headlines.dropFirst() { html.element(.p, text: "\(headline).") }
            if let lint = report.lintHeadline { html.element(.p, text: "Pins: \(lint).") }
            html.element(.p) { html in
                html.text("\(AuditWords.count(total.allLines, "line")) of ")
                for (place, name) in report.inputs.prefix(10).enumerated() {
                    if place > 0 { html.text(", ") }
                    html.foreign(InputFile.displayName(name), maximum: 300)
                }
                html.text(".")
            }
            guard !report.changes.isEmpty else {
                return html.element(.p, [.classes("quiet")], text: "Replayed as recorded, without changes.")
            }
            html.element(.p) { html in
                html.text("Replayed with ")
                for (place, option) in report.changes.options.enumerated() {
                    if place > 0 { html.text(", ") }
                    html.code(option.words, maximum: 300)
                }
                html.text(".")
            }
            if let note = report.forecastNote { html.element(.p, text: note) }
        }
        tally(&html)
        chart(&html)
        TimelineSection(report: report).write(&html)
        hosts(&html, .breaks, "What breaks", id: HTMLIdentifier("breaks"))
        hosts(&html, .notKnown, "What isn't known", id: HTMLIdentifier("unknown"))
        for outcome in [ReplayOutcome.newlyRefused, .newlyTrusted] where total.lines(outcome) > 0 {
            let title = Self.title(outcome)
            html.section(title, id: HTMLIdentifier(outcome == .newlyRefused ? "refused" : "trusted")) { html in
                // The hosts that break have a table with reasons.
                if outcome == .newlyTrusted { table(&html, title, "Host", report.summary.hosts, outcome) }
                if report.rulesDiffer(outcome) { table(&html, title, "Rule", report.summary.rules, outcome) }
                table(&html, title, "Code", report.summary.codes, outcome)
            }
        }
        if total.lines(.notReproducible) > 0 {
            html.section("Not reproducible", id: HTMLIdentifier("obstacles")) { html in
                table(&html, "Not reproducible", "Reason", report.summary.obstacles, .notReproducible)
            }
        }
        examples(&html)
        findings(&html)
    }

    private var tone: HTMLTone {
        switch report.outcome {
        case .breaks: .bad
        case .notKnown: .caution
        case .ok: report.hasProblems ? .caution : .good
        }
    }

    private static func answer(_ outcome: RehearsalOutcome) -> String {
        switch outcome {
        case .ok, .breaks: ""
        case .notKnown: "Not known: "
        }
    }

    private static func title(_ outcome: ReplayOutcome) -> String {
        outcome.words.prefix(1).uppercased() + outcome.words.dropFirst()
    }

    private func tally(_ html: inout HTMLWriter) {
        let tones: [ReplayOutcome: HTMLTone] = [
            .newlyRefused: .bad, .newlyTrusted: .caution, .notReproducible: .caution, .unreadable: .bad,
        ]
        html.element(.ul, [.classes("tally")]) { html in
            for outcome in ReplayOutcome.allCases {
                let isLines = outcome == .unreadable
                let number = isLines ? total.lines(outcome) : total.connections(outcome)
                html.element(.li, number > 0 ? [.tone(tones[outcome] ?? .note)] : [.classes("zero")]) { html in
                    html.element(.strong, text: AuditWords.number(number))
                    html.text(isLines ? "unreadable lines" : outcome.words)
                    guard !isLines else { return }
                    html.element(
                        .span, [.classes("quiet")], text: " · \(AuditWords.share(number, of: total.readable))")
                }
            }
        }
    }

    private func chart(_ html: inout HTMLWriter) {
        guard report.total.evaluated > 0 else { return }
        html.section("Before and after", id: HTMLIdentifier("chart")) { html in
            html.element(
                .p, [.classes("quiet")],
                text: "Connections by their recorded verdict on the left, and by the replay’s on the right.")
            FlowDrawing(
                label: "Chart of verdicts before and after",
                stillTrusted: total.connections(.stillTrusted), newlyRefused: total.connections(.newlyRefused),
                newlyTrusted: total.connections(.newlyTrusted), stillRefused: total.connections(.stillRefused),
                words: AuditWords.short
            )
            .write(&html)
        }
    }

    private func table(
        _ html: inout HTMLWriter, _ title: String, _ column: String, _ table: CountTable<ReplayCount>,
        _ outcome: ReplayOutcome
    ) {
        let rows = ReplaySummary.rows(of: table, with: outcome)
        guard !rows.isEmpty else { return }
        html.element(.h3, text: "By \(column.lowercased())")
        html.table(
            label: "\(title) by \(column.lowercased())", columns: [column, "Connections", "Share", "Records"],
            numbers: [1, 2, 3]
        ) { html in
            for row in rows {
                html.element(.tr) { html in
                    html.element(.th, [.rowScope, .classes("name")]) { $0.name(row.name) }
                    for text in [
                        AuditWords.number(row.count.connections(outcome)),
                        AuditWords.share(row.count.connections(outcome), of: total.connections(outcome)),
                        AuditWords.number(row.count.lines(outcome)),
                    ] {
                        html.element(.td, [.classes("number")], text: text)
                    }
                }
            }
        }
    }

    /// Writes a table with all hosts of an answer.
    private func hosts(_ html: inout HTMLWriter, _ outcome: RehearsalOutcome, _ title: String, id: HTMLIdentifier) {
        let rows = report.rows.filter { $0.outcome == outcome }
        guard !rows.isEmpty else { return }
        html.section(title, id: id) { html in
            let isBroken = outcome == .breaks
            html.table(
                label: title,
                columns: ["Host"] + (isBroken ? ["First code", "Since", "Connections"] : []) + ["Why", "What to do"],
                numbers: isBroken ? [3] : []
            ) { html in
                for row in rows {
                    html.element(.tr) { html in
                        html.element(.th, [.rowScope, .classes("name")]) {
                            $0.name(row.host ?? "records without a host")
                        }
                        if isBroken {
                            html.element(.td) { html in if let code = row.code { html.code(code) } }
                            html.element(.td, text: row.since.map { String($0.description.prefix(10)) } ?? "")
                            html.element(
                                .td, [.classes("number")],
                                text: AuditWords.number(row.count.connections(.newlyRefused)))
                        }
                        html.element(.td, [.classes("words")]) { html in
                            if let reason = row.reason { html.sentence(reason, maximum: 1100) }
                            if row.isAllowed { html.element(.div, [.classes("quiet")], text: "Allowed.") }
                        }
                        html.element(.td, [.classes("words")]) { html in
                            if let party = row.party {
                                html.element(.div, [.classes("quiet")], text: "\(party.title):")
                            }
                            if let remedy = row.remedy { html.element(.div) { $0.sentence(remedy, maximum: 1100) } }
                        }
                    }
                }
            }
            if let command = rows.lazy.compactMap(\.command).first {
                html.element(.p) { html in
                    html.text("For example: ")
                    html.code(command, maximum: 600)
                }
            }
        }
    }

    private func findings(_ html: inout HTMLWriter) {
        guard let lint = report.lint else { return }
        html.section("Lint and forecast", id: HTMLIdentifier("lint")) { html in
            let findings = lint.findings.filter { !$0.isAccepted }
            guard !findings.isEmpty else { return html.element(.p, text: "No findings in the pin file.") }
            LintTable(findings[...], label: "Findings in the pin file").write(&html)
        }
    }

    private func examples(_ html: inout HTMLWriter) {
        let examples = report.otherExamples
        guard !examples.isEmpty else { return }
        html.section("Examples", id: HTMLIdentifier("examples")) { html in
            for (place, example) in examples.enumerated() {
                let isBad = example.result == .newlyRefused || example.result == .unreadable
                html.card(id: HTMLIdentifier("example", place), tone: isBad ? .bad : .caution, isOpen: place == 0) {
                    html in
                    html.text("\(Self.title(example.result)): ")
                    html.foreign(example.host ?? example.place, maximum: 300)
                } _: { html in
                    html.facts { html in
                        html.row("Line") { $0.foreign(example.place, maximum: 300) }
                        if let rule = example.rule { html.row("Rule") { $0.foreign(rule) } }
                        html.row("Connections") { $0.text(AuditWords.number(example.connections)) }
                        if let before = example.before { html.row("Recorded") { $0.foreign(before.words) } }
                        if let after = example.after { html.row("Replayed") { $0.foreign(after.words) } }
                    }
                    if let message = example.message { html.element(.p) { $0.sentence(message, maximum: 1100) } }
                    if let remedy = example.remedy { html.element(.p) { $0.sentence(remedy, maximum: 1100) } }
                }
            }
        }
    }
}

extension HTMLWriter {
    /// Writes a name from a table. Names are text from records, and long ones are cut.
    mutating func name(_ name: String) {
        guard !name.isEmpty else { return element(.span, [.classes("quiet")], text: "empty") }
        foreign(name, maximum: 160)
    }
}
