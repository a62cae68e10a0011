// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TrustSupport

/// The format of a replay's report.
enum ReplayFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, junit, html
}

/// The report of a replay, for people, programs and CI systems.
struct ReplayReport {
    /// The files and folders on the command line.
    var inputs: [String]
    var changes: ReplayChanges
    var summary: ReplaySummary
    /// The report on the pin file of a rehearsal, or nil for a replay.
    var lint: LintReport?

    /// The maximum number of hosts, rules and codes in a text.
    private static let maximumRows = 10

    var total: ReplayCount { summary.total }

    /// The hosts of the pin file and the selectors that no record has.
    var unused: (hosts: [String], selectors: [String]) { changes.unused(summary.used) }

    /// Whether a replay without changes found a difference, or one with changes a newly refused connection. Unreadable
    /// lines count.
    var hasProblems: Bool {
        total.lines(.unreadable) > 0 || lint?.findings.contains(where: \.isFailure) == true
            || (changes.isEmpty ? total.differences > 0 : total.lines(.newlyRefused) > 0)
    }

    /// Whether the run ends with exit code 1.
    func fails(on outcomes: [ReplayOptions.FailOn]) -> Bool {
        guard outcomes.isEmpty else {
            return total.lines(.unreadable) > 0 || outcomes.contains { total.lines($0.outcome) > 0 }
        }
        return changes.isEmpty && hasProblems
    }

    /// The assumptions of the forecasts, or nil without a forecast.
    var forecastNote: String? {
        guard summary.forecasts > 0 else { return nil }
        return "\(AuditWords.count(summary.forecasts, "record")) with a forecast: another CA issues the same leaf. "
            + "Assumed: the CA’s signature on the leaf, timestamps and revocation data. "
            + "Checked: the CA’s path with its signatures, dates, names, constraints, denied certificates and pins."
    }

    /// The result as one line.
    var headline: String {
        var parts: [String] = []
        if changes.isEmpty {
            let records = total.allLines - total.lines(.notReproducible) - total.lines(.unreadable)
            parts.append(
                total.differences == 0
                    ? "\(AuditWords.count(records, "record")) replayed without a difference"
                    : "\(AuditWords.number(total.differences)) of \(AuditWords.count(records, "record")) "
                        + (total.differences == 1 ? "differs" : "differ"))
        } else {
            parts.append(
                "\(AuditWords.number(total.connections(.newlyRefused))) of "
                    + "\(AuditWords.count(total.evaluated, "connection")) would be refused")
            if total.connections(.newlyTrusted) > 0 {
                parts.append("\(AuditWords.number(total.connections(.newlyTrusted))) would be newly trusted")
            }
        }
        if total.lines(.notReproducible) > 0 {
            parts.append("\(AuditWords.count(total.lines(.notReproducible), "record")) can't be replayed")
        }
        if total.lines(.unreadable) > 0 {
            parts.append("\(AuditWords.count(total.lines(.unreadable), "line")) can't be read")
        }
        let hosts = unused.hosts.count
        if hosts > 0 { parts.append("\(AuditWords.count(hosts, "host")) \(hosts == 1 ? "has" : "have") no record") }
        let findings = lint?.findings.count(where: \.isFailure) ?? 0
        if findings > 0 { parts.append("lint has \(AuditWords.count(findings, "finding"))") }
        return parts.joined(separator: "; ")
    }

    func written(as format: ReplayFormat) -> [UInt8] {
        switch format {
        case .text: Array(text(Palette.forStandardOutput()).utf8)
        case .json: json()
        case .junit: junit().xml()
        case .html: page(version: ToolVersion.current)
        }
    }
}

// MARK: - Text

extension ReplayReport {
    func text(_ palette: Palette) -> String {
        let label = hasProblems ? palette.bad("FAIL") + "  " : palette.good("OK") + "    "
        var lines = [label + headline]
        for option in changes.options { lines.append("      \(printable(option.words))") }
        if let note = forecastNote { lines += wrapped(note, to: 76).map { "      \($0)" } }
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
            lines += table(summary.hosts, outcome, "\(outcome.words), by host", palette)
            lines += table(summary.rules, outcome, "\(outcome.words), by rule", palette)
            lines += table(summary.codes, outcome, "\(outcome.words), by code", palette)
        }
        lines += table(summary.obstacles, .notReproducible, "not reproducible, by reason", palette)
        let hosts = unused.hosts
        if !hosts.isEmpty {
            lines += ["", palette.bold("hosts without a record")]
            lines += hosts.prefix(Self.maximumRows).map { "  \(printable($0))" }
            if hosts.count > Self.maximumRows { lines.append("  and \(hosts.count - Self.maximumRows) more") }
        }
        lines += examples(palette)
        if let lint { lines += ["", palette.bold("lint and forecast"), String(lint.text(palette).dropLast())] }
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

    private func table(
        _ table: CountTable<ReplayCount>, _ outcome: ReplayOutcome, _ title: String, _ palette: Palette
    ) -> [String] {
        let rows = ReplaySummary.rows(of: table, with: outcome)
        guard !rows.isEmpty else { return [] }
        var lines = ["", palette.bold(title)]
        lines += rows.prefix(Self.maximumRows).map {
            row($0.count, outcome, of: total.connections(outcome), $0.name.isEmpty ? "(empty)" : $0.name)
        }
        let others = rows.count - Self.maximumRows
        if others > 0 { lines.append("and \(AuditWords.count(others, "other")); --format json has all") }
        return lines
    }

    private func examples(_ palette: Palette) -> [String] {
        guard !summary.examples.isEmpty else { return [] }
        var lines = ["", palette.bold("examples")]
        for example in sortedExamples {
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

// MARK: - JSON

extension ReplayReport {
    /// Returns a JSON array with one element.
    func json() -> [UInt8] {
        var json = JSONWriter(isIndented: true)
        json.array { json in
            json.object { json in
                json.key("schemaVersion")
                json.number(1)
                json.key("headline")
                json.string(headline)
                json.key("inputs")
                json.array(of: inputs) { $0.string(InputFile.displayName($1)) }
                json.key("changes")
                json.array(of: changes.options) { json, option in
                    json.object { json in
                        json.key("option")
                        json.string(option.name)
                        json.key("value")
                        json.string(option.value)
                    }
                }
                json.key("forecasts")
                json.number(summary.forecasts)
                Self.write(total, to: &json)
                for (key, table) in [
                    ("hosts", summary.hosts), ("rules", summary.rules), ("codes", summary.codes),
                    ("obstacles", summary.obstacles),
                ] {
                    json.key(escaping: key)
                    json.array(of: table.ranked) { json, row in
                        json.object { json in
                            json.key("name")
                            json.string(row.name)
                            Self.write(row.count, to: &json)
                        }
                    }
                }
                json.key("hostsWithoutRecord")
                json.array(of: unused.hosts) { $0.string($1) }
                json.key("examples")
                json.array(of: sortedExamples) { Self.write($1, to: &$0) }
                guard let lint else { return }
                json.key("findings")
                json.array(of: lint.findings.filter { !$0.isAccepted }) { LintReport.write($1, to: &$0) }
            }
        }
        json.lineFeed()
        return json.bytes
    }

    private static func write(_ count: ReplayCount, to json: inout JSONWriter) {
        json.key("connections")
        json.object { json in
            // Unreadable lines don't say how many connections they represent.
            for outcome in ReplayOutcome.allCases where outcome != .unreadable {
                json.key(escaping: outcome.name)
                json.number(count.connections(outcome))
            }
        }
        json.key("records")
        json.object { json in
            for outcome in ReplayOutcome.allCases {
                json.key(escaping: outcome.name)
                json.number(count.lines(outcome))
            }
            json.key("otherDetails")
            json.number(count.otherDetails)
        }
    }

    private static func write(_ example: ReplayExample, to json: inout JSONWriter) {
        json.object { json in
            json.key("outcome")
            json.string(example.result.name)
            json.key("otherDetails")
            json.boolean(example.hasOtherDetails)
            json.key("file")
            json.string(InputFile.displayName(example.file))
            json.key("line")
            json.number(example.line)
            json.key("id")
            json.string(example.id)
            json.key("host")
            json.string(example.host)
            json.key("rule")
            json.string(example.rule)
            json.key("connections")
            json.number(example.connections)
            json.key("recorded")
            write(example.before, to: &json)
            json.key("replayed")
            write(example.after, to: &json)
            json.key("message")
            json.string(example.message)
            json.key("remedy")
            json.string(example.remedy)
        }
    }

    private static func write(_ verdict: ReplayExample.Verdict?, to json: inout JSONWriter) {
        guard let verdict else { return json.null() }
        json.object { json in
            json.key("verdict")
            json.string(verdict.isTrusted ? "trusted" : "rejected")
            json.key("codes")
            json.array(of: verdict.codes) { $0.string($1) }
        }
    }
}

// MARK: - JUnit

extension ReplayReport {
    /// Returns a report with a case for each host. A case fails if a connection to the host is newly refused, or if a
    /// replay without changes differs. Unreadable lines are an error.
    func junit() -> JUnit {
        let group = "servertrust.replay"
        var cases = summary.hosts.ranked.map { row in
            var host = JUnit.Case(name: row.name, group: group)
            let count = row.count
            if changes.isEmpty, count.differences > 0 {
                host.outcome = failure(row.name, "\(AuditWords.count(count.differences, "record")) with differences")
            } else if !changes.isEmpty, count.lines(.newlyRefused) > 0 {
                let refused = count.connections(.newlyRefused)
                host.outcome = failure(
                    row.name,
                    "\(AuditWords.number(refused)) of \(AuditWords.count(count.evaluated, "connection")) would be refused"
                )
            }
            return host
        }
        if total.lines(.unreadable) > 0 {
            let examples = summary.examples.filter { $0.result == .unreadable }
            cases.append(
                JUnit.Case(
                    name: "unreadable lines", group: group,
                    outcome: .error(
                        type: "unreadable", message: AuditWords.count(total.lines(.unreadable), "unreadable line"),
                        details: examples.map { "\($0.place): \($0.message ?? "")" }.joined(separator: "\n"))))
        }
        return JUnit(suite: "servertrust audit --replay", cases: cases)
    }

    private func failure(_ host: String, _ message: String) -> JUnit.Outcome {
        let example = sortedExamples.first { $0.host == host && $0.after != nil }
        let details = [example.map { "\($0.place): \($0.message ?? "")" }, example?.remedy.map { "fix: \($0)" }]
        return .failure(
            type: example?.after?.codes.first ?? "replay", message: message,
            details: details.compactMap(\.self).joined(separator: "\n"))
    }
}
