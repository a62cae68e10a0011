// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension ReplayReport {
    /// The maximum number of rows of each part on a screen.
    private static var maximumRows: Int { 10 }

    /// - Parameter isCut: whether long lists are cut, for a screen.
    func text(_ palette: Palette, isCut: Bool) -> String {
        var lines = [label(replayOutcome, palette) + headline]
        if let timelineOutcome, let timelineHeadline {
            lines.append(label(timelineOutcome, palette) + timelineHeadline)
        }
        if let lintHeadline { lines.append(label(.breaks, palette) + lintHeadline) }
        for option in changes.options { lines.append("      \(printable(option.words))") }
        if let note = forecastNote { lines += wrapped(note, to: 76).map { "      \($0)" } }
        if let note = timelineNote { lines += wrapped(note, to: 76).map { "      \($0)" } }
        lines += ["", palette.bold("connections    share   records")]
        for outcome in ReplayOutcome.allCases {
            let isShown = total.lines(outcome) > 0 || outcome == .newlyRefused || outcome == .stillTrusted
            guard isShown else { continue }
            lines.append(row(total, outcome, of: total.readable, outcome.words))
        }
        if total.otherDetails > 0 {
            let details = changes.isEmpty ? "code, path or warning" : "code or path"
            lines += [
                "", "\(AuditWords.count(total.otherDetails, "record")) with the same verdict, but another \(details)",
            ]
        }
        for outcome in [ReplayOutcome.newlyRefused, .newlyTrusted] where total.lines(outcome) > 0 {
            // The hosts that break have a paragraph each.
            if outcome == .newlyTrusted {
                lines += table(summary.hosts, outcome, "\(outcome.words), by host", isCut, palette)
            }
            if rulesDiffer(outcome) {
                lines += table(summary.rules, outcome, "\(outcome.words), by rule", isCut, palette)
            }
            lines += table(summary.codes, outcome, "\(outcome.words), by code", isCut, palette)
        }
        lines += table(summary.obstacles, .notReproducible, "not reproducible, by reason", isCut, palette)
        let rows = rows
        lines += hosts(rows.filter { $0.outcome == .breaks }, "what breaks", isCut, palette)
        lines += hosts(rows.filter { $0.outcome == .notKnown }, "what isn't known", isCut, palette)
        let other = summary.hosts.other.allLines
        if other > 0 { lines += ["", "\(AuditWords.count(other, "record")) of further hosts aren't listed"] }
        lines += timelineText(isCut ? Self.maximumRows : nil, palette)
        lines += examples(palette)
        if let lint {
            lines += ["", palette.bold("lint and forecast"), String(lint.text(palette, isByRule: true).dropLast())]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func row(_ count: ReplayCount, _ outcome: ReplayOutcome, of whole: Int, _ name: String) -> String {
        func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        let connections = outcome == .unreadable ? "" : AuditWords.number(count.connections(outcome))
        let share = outcome == .unreadable ? "" : AuditWords.share(count.connections(outcome), of: whole)
        return right(connections, 11) + right(share, 9) + right(AuditWords.number(count.lines(outcome)), 10)
            + "  \(printable(name))"
    }

    private func label(_ outcome: RehearsalOutcome, _ palette: Palette) -> String {
        switch outcome {
        case .ok: palette.good("OK") + "    "
        case .breaks: palette.bad("FAIL") + "  "
        case .notKnown: palette.bold("NOT KNOWN") + "  "
        }
    }

    /// Whether the rules aren't just the hosts.
    func rulesDiffer(_ outcome: ReplayOutcome) -> Bool {
        Set(ReplaySummary.rows(of: summary.rules, with: outcome).map(\.name))
            != Set(ReplaySummary.rows(of: summary.hosts, with: outcome).map(\.name))
    }

    /// Returns a paragraph for each host. Hosts with the same reason and remedy share one.
    private func hosts(_ rows: [ReplayRow], _ title: String, _ isCut: Bool, _ palette: Palette) -> [String] {
        guard !rows.isEmpty else { return [] }
        var lines = ["", palette.bold(title)]
        let shown = isCut ? rows.prefix(Self.maximumRows) : rows[...]
        let commands = Set(rows.map(\.command))
        for (place, row) in zip(shown.indices, shown) {
            var facts = [printable(row.host ?? "records without a host")]
            if let code = row.code { facts.append(printable(code)) }
            if let since = row.since { facts.append("since \(since)") }
            let refused = row.count.connections(.newlyRefused)
            if refused > 1 { facts.append("\(AuditWords.number(refused)) connections") }
            if row.isAllowed { facts.append("allowed") }
            lines.append(facts.joined(separator: "  "))
            let next = place + 1 < shown.endIndex ? shown[place + 1] : nil
            if next?.reason == row.reason, next?.remedy == row.remedy { continue }
            lines += labelled("why", row.reason)
            if let remedy = row.remedy {
                lines += labelled("fix", row.party.map { "\($0.words): \(remedy)" } ?? remedy)
            }
            if commands.count > 1, let command = row.command { lines.append("  run       \(printable(command))") }
        }
        let others = rows.count - shown.count
        if others > 0 { lines.append("and \(AuditWords.count(others, "other host")); --all lists them") }
        if commands.count == 1, let command = rows[0].command { lines.append("run       \(printable(command))") }
        return lines
    }

    private func table(
        _ table: CountTable<ReplayCount>, _ outcome: ReplayOutcome, _ title: String, _ isCut: Bool, _ palette: Palette
    ) -> [String] {
        let rows = ReplaySummary.rows(of: table, with: outcome)
        guard !rows.isEmpty else { return [] }
        var lines = ["", palette.bold(title)]
        lines += rows.prefix(isCut ? Self.maximumRows : rows.count).map {
            row($0.count, outcome, of: total.connections(outcome), $0.name.isEmpty ? "(empty)" : $0.name)
        }
        let others = isCut ? rows.count - Self.maximumRows : 0
        if others > 0 { lines.append("and \(AuditWords.count(others, "other")); --all lists them") }
        return lines
    }

    private func examples(_ palette: Palette) -> [String] {
        let examples = otherExamples
        guard !examples.isEmpty else { return [] }
        var lines = ["", palette.bold("examples")]
        for example in examples {
            let host = example.host.map { "  \($0)" } ?? ""
            let name = example.hasOtherDetails ? "\(example.result.words), with other details" : example.result.words
            lines.append("\(printable(example.place))\(printable(host))  \(name)")
            if let before = example.before { lines.append("  recorded  \(printable(before.words))") }
            if let after = example.after, after != example.before {
                lines.append("  replayed  \(printable(after.words))")
            }
            lines += labelled("why", example.message) + labelled("fix", example.remedy)
        }
        return lines
    }

    /// The examples that no row of a host tells, most important first.
    var otherExamples: [ReplayExample] {
        sortedExamples.filter { $0.result != .newlyRefused && $0.result != .notReproducible }
    }

    /// The examples, most important first.
    var sortedExamples: [ReplayExample] {
        let order: [ReplayOutcome] = [
            .newlyRefused, .newlyTrusted, .unreadable, .notReproducible, .stillTrusted, .stillRefused,
        ]
        return order.flatMap { outcome in summary.examples.filter { $0.result == outcome } }
    }

    private func labelled(_ label: String, _ text: String?) -> [String] {
        guard let text else { return [] }
        return wrapped(printable(text), to: 76).enumerated().map { index, line in
            "  " + (index == 0 ? label : "").padded(to: 10) + line
        }
    }
}

extension Advice.Party {
    /// The party as a person calls it.
    var words: String {
        switch self {
        case .server, .peer: "the server's administrator"
        case .client: "the client's owner"
        case .user: "you"
        case .machine: "this machine's administrator"
        case .authority: "the CA"
        case .program: "the author of the pins"
        }
    }

    /// The party at the beginning of a line.
    var title: String { words.prefix(1).uppercased() + words.dropFirst() }
}
