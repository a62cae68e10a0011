// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX
import ServerTrust

/// The sections of a replay's report, for a page or a screen.
struct ReplaySections {
    let report: ReplayReport
    /// The maximum number of rows of a table, or nil for all.
    let maximum: Int?
    /// The place of the other rows, in words.
    let others: String

    private var total: ReplayCount { report.total }

    /// The files and the changes.
    var lead: [Report.Block] {
        let lines: Report.Words = "\(AuditWords.count(total.allLines, "line")) of "
        let inputs = report.inputs.prefix(10).map { Report.Span.foreign(InputFile.displayName($0), maximum: 300) }
        let options = report.changes.options.map { Report.Span.command($0.words) }
        var blocks: [Report.Block] = [.paragraph(lines + Report.Words(listing: inputs) + ".")]
        if options.isEmpty {
            blocks.append(.quiet("Replayed as recorded, without changes."))
        } else {
            blocks.append(.paragraph(Report.Words(["Replayed with "]) + Report.Words(listing: options) + "."))
        }
        if let note = report.forecastNote { blocks.append(.paragraph("\(note)")) }
        return blocks
    }

    /// The counts, the hosts that break or aren't known, the timeline, and further tables and examples.
    var blocks: [Report.Block] {
        let further = report.summary.hosts.other.allLines
        var blocks = [tally]
        if total.otherDetails > 0 {
            let records = AuditWords.count(total.otherDetails, "record")
            let words = report.changes.isEmpty ? "code, path or warning" : "code or path"
            blocks.append(.quiet("\(records) with the same verdict, but another \(words)."))
        }
        blocks += [
            .section("What breaks", id: HTMLIdentifier("breaks"), hosts(.breaks)),
            .section("What isn't known", id: HTMLIdentifier("unknown"), hosts(.notKnown)),
        ]
        if further > 0 {
            blocks.append(.quiet("\(AuditWords.count(further, "record")) of further hosts aren't listed."))
        }
        let obstacles = table("Not reproducible", "Reason", report.summary.obstacles, .notReproducible)
        blocks += [
            .section("Timeline", id: HTMLIdentifier("timeline"), timeline),
            .section("Newly refused", id: HTMLIdentifier("refused"), tables(.newlyRefused, "Newly refused")),
            .section("Newly trusted", id: HTMLIdentifier("trusted"), tables(.newlyTrusted, "Newly trusted")),
            .section("Not reproducible", id: HTMLIdentifier("obstacles"), obstacles),
            .section("Examples", id: HTMLIdentifier("examples"), examples),
        ]
        return blocks
    }

    // MARK: - Tables

    private var tally: Report.Block {
        let tones: [ReplayOutcome: HTMLTone] = [
            .newlyRefused: .bad, .newlyTrusted: .caution, .notReproducible: .caution, .unreadable: .bad,
        ]
        return .tally(
            ReplayOutcome.allCases.map { outcome in
                let (tone, lines) = (tones[outcome] ?? .note, total.lines(outcome))
                if outcome == .unreadable { return Report.Count(tone, AuditWords.number(lines), "unreadable lines") }
                let connections = total.connections(outcome)
                let share = AuditWords.share(connections, of: total.readable)
                return Report.Count(
                    tone, AuditWords.number(connections),
                    ["\(outcome.words)", .quiet(" · \(share), \(AuditWords.count(lines, "record"))")])
            })
    }

    /// Returns a table with its first rows, and a line about the others.
    private func table(_ label: String, _ columns: [Report.Column], _ rows: [[Report.Cell]]) -> [Report.Block] {
        let shown = maximum.map { rows.prefix($0) } ?? rows[...]
        let table = Report.Block.table(label, columns, Array(shown))
        guard shown.count < rows.count else { return [table] }
        let more: Report.Words = "And \(AuditWords.count(rows.count - shown.count, "other")): \(others)."
        return [table, .quiet(more)]
    }

    /// Returns the rows of an outcome by a name.
    private func table(
        _ title: String, _ column: String, _ table: CountTable<ReplayCount>, _ outcome: ReplayOutcome
    ) -> [Report.Block] {
        let rows = ReplaySummary.rows(of: table, with: outcome).map { row -> [Report.Cell] in
            let connections = row.count.connections(outcome)
            return [
                Self.name(row.name), "\(AuditWords.number(connections))",
                "\(AuditWords.share(connections, of: total.connections(outcome)))",
                "\(AuditWords.number(row.count.lines(outcome)))",
            ]
        }
        guard !rows.isEmpty else { return [] }
        let columns: [Report.Column] = [.title(column), .number("Connections"), .number("Share"), .number("Records")]
        let heading: Report.Words = "By \(column.lowercased())"
        return [.heading(heading)] + self.table("\(title) by \(column.lowercased())", columns, rows)
    }

    private func tables(_ outcome: ReplayOutcome, _ title: String) -> [Report.Block] {
        let summary = report.summary
        // The hosts that break have a table with reasons. The rules may just be the hosts.
        let hosts = outcome == .newlyTrusted ? table(title, "Host", summary.hosts, outcome) : []
        let names = [summary.rules, summary.hosts].map { Set(ReplaySummary.rows(of: $0, with: outcome).map(\.name)) }
        let rules = names[0] != names[1] ? table(title, "Rule", summary.rules, outcome) : []
        return hosts + rules + table(title, "Code", summary.codes, outcome)
    }

    /// A name from a record. Long ones are cut.
    private static func name(_ name: String?) -> Report.Cell {
        guard let name else { return "records without a host" }
        return name.isEmpty ? [.quiet("empty")] : [.foreign(name, maximum: 160)]
    }

    // MARK: - Hosts

    private func hosts(_ outcome: RehearsalOutcome) -> [Report.Block] {
        let rows = report.rows.filter { $0.outcome == outcome }
        let isBroken = outcome == .breaks
        let commands = Set(rows.map(\.command))
        var columns: [Report.Column] = [.title("Host")]
        if isBroken { columns += [.plain("First code"), .date("Since"), .number("Connections")] }
        columns += [.words("Why"), .words("Fix")]
        let cells = rows.map { row -> [Report.Cell] in
            var cells = [Self.name(row.host)]
            if isBroken {
                let refused = AuditWords.number(row.count.connections(.newlyRefused))
                cells += [Self.code(row.cause), "\(row.since?.description ?? "")", "\(refused)"]
            }
            var why: [Report.Span] = row.cause.reason.map { [.sentence($0)] } ?? []
            if row.isAllowed { why.append(.note("Allowed.")) }
            if commands.count > 1, let command = row.command { why.append(.note([.command(command)])) }
            return cells + [Report.Words(why), Self.remedy(row.cause)]
        }
        var blocks = rows.isEmpty ? [] : table(isBroken ? "What breaks" : "What isn't known", columns, cells)
        if commands.count == 1, let command = rows.first?.command {
            blocks.append(.paragraph(["Run: ", .command(command)]))
        }
        return blocks
    }

    private static func code(_ cause: ReplayCause) -> Report.Cell {
        let spans: [Report.Span] = cause.code.map { [.code($0)] } ?? []
        return Report.Words(spans)
    }

    private static func remedy(_ cause: ReplayCause) -> Report.Words {
        guard let remedy = cause.remedy else { return [] }
        let party: [Report.Span] = remedy.party.map { [.text("\($0.title): ")] } ?? []
        return Report.Words(party + [.sentence(remedy.text)])
    }

    // MARK: - Timeline

    private var timeline: [Report.Block] {
        guard let timeline = report.summary.timeline else { return [] }
        let period = timeline.period
        var blocks: [Report.Block] = [.quiet("From \(period.start) to \(period.end).")]
        if let note = report.timelineNote { blocks.append(.quiet("\(note)")) }
        if timeline.count(.breaks).records > 0 {
            blocks.append(
                .drawing(
                    StepDrawing(
                        label: "Chart of broken connections", counts: timeline.broken,
                        start: String(period.start.description.prefix(10)),
                        end: String(period.end.description.prefix(10)), words: AuditWords.short
                    ).write))
        }
        let rows = report.timelineRows.map { row -> [Report.Cell] in
            var why: [Report.Span] = [.sentence(report.reason(of: row.fact))]
            if let until = row.fact.until { why.append(.note("Until \(until).")) }
            return [
                "\(row.fact.from)", Self.name(row.host), "\(row.fact.kind.words)", Self.code(row.fact.cause),
                Report.Words(why), Self.remedy(row.fact.cause),
            ]
        }
        let columns: [Report.Column] = [
            .date("From"), .title("Host"), .plain("Kind"), .plain("First code"), .words("Why"), .words("Fix"),
        ]
        if rows.isEmpty { blocks.append(.paragraph("Nothing changes.")) }
        blocks += table("Timeline", columns, rows)
        if let rest = report.timelineRest { blocks.append(.quiet("\(rest)")) }
        return blocks
    }

    // MARK: - Examples

    /// The examples that no row of a host tells.
    private var examples: [Report.Block] {
        report.sortedExamples.filter { $0.result != .newlyRefused && $0.result != .notReproducible }.enumerated()
            .map { place, example -> Report.Block in
                let details = example.hasOtherDetails ? ", with other details" : ""
                var facts: [(name: String, value: Report.Words)] = [
                    ("Line", [.foreign(example.place, maximum: 300)]),
                    ("Connections", "\(AuditWords.number(example.connections))"),
                ]
                for (name, value) in [
                    ("Rule", example.rule), ("Recorded", example.before?.words), ("Replayed", example.after?.words),
                    ("Why", example.cause.reason),
                ] {
                    if let value { facts.append((name, [.sentence(value)])) }
                }
                if example.cause.remedy != nil { facts.append(("Fix", Self.remedy(example.cause))) }
                return .card(
                    ["\(example.result.words)\(details): ", .foreign(example.host ?? example.place, maximum: 300)],
                    id: HTMLIdentifier("example", place), tone: example.result == .unreadable ? .bad : .caution,
                    isOpen: place == 0, [.facts(facts)])
            }
    }
}

// MARK: - Page

extension ReplayReport {
    /// Returns the report as an HTML page in UTF-8 that loads nothing else. It contains no current time, so a repeated
    /// run has the same page.
    func page(version: String) -> [UInt8] {
        let sections = ReplaySections(report: self, maximum: 1000, others: "--format json and csv list all")
        let kind = changes.isEmpty ? "Replay" : "Rehearsal"
        // The worse answer first.
        var answers = [(replayOutcome, headline)]
        if let timelineOutcome, let timelineHeadline {
            answers.insert((timelineOutcome, timelineHeadline), at: timelineOutcome > replayOutcome ? 0 : 1)
        }
        let words = answers.map { ($0.0 == .notKnown ? "Not known: " : "") + $0.1 }
        var lead: [Report.Block] = words.dropFirst().map { .paragraph("\($0).") }
        if let lintHeadline { lead.append(.paragraph("Pins: \(lintHeadline).")) }
        var blocks = sections.blocks
        blocks.insert(.section("Before and after", id: HTMLIdentifier("chart"), chart), at: 1)
        if let lint { blocks.append(.section("Lint and forecast", id: HTMLIdentifier("lint"), lint.openFindings)) }
        let tone: HTMLTone = outcome == .breaks ? .bad : hasProblems ? .caution : .good
        return Report(tone: tone, headline: "\(words[0])", lead: lead + sections.lead, blocks: blocks)
            .page(title: "\(headline) · \(kind.lowercased())", kind: kind, version: version, date: nil).bytes()
    }

    private var chart: [Report.Block] {
        guard total.evaluated > 0 else { return [] }
        let drawing = FlowDrawing(
            label: "Chart of verdicts before and after",
            stillTrusted: total.connections(.stillTrusted), newlyRefused: total.connections(.newlyRefused),
            newlyTrusted: total.connections(.newlyTrusted), stillRefused: total.connections(.stillRefused),
            words: AuditWords.short)
        return [
            .quiet("Connections by their recorded verdict on the left, and by the replay’s on the right."),
            .drawing(drawing.write),
        ]
    }
}

// MARK: - Text

extension ReplayReport {
    /// - Parameter isCut: whether long lists are cut, for a screen.
    func text(_ palette: Palette, isCut: Bool) -> String {
        let sections = ReplaySections(report: self, maximum: isCut ? 10 : nil, others: "--all lists them")
        var lines = [label(replayOutcome, palette) + headline]
        if let timelineOutcome, let timelineHeadline {
            lines.append(label(timelineOutcome, palette) + timelineHeadline)
        }
        if let lintHeadline { lines.append(label(.breaks, palette) + lintHeadline) }
        lines += ReportLines(sections.lead, palette).lines.map { "      \($0)" } + [""]
        lines += ReportLines(sections.blocks, palette).lines
        if let lint {
            lines += ["", palette.bold("Lint and forecast"), String(lint.text(palette, isByRule: true).dropLast())]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func label(_ outcome: RehearsalOutcome, _ palette: Palette) -> String {
        switch outcome {
        case .ok: palette.good("OK") + "    "
        case .breaks: palette.bad("FAIL") + "  "
        case .notKnown: palette.bold("NOT KNOWN") + "  "
        }
    }

    /// The examples, most important first.
    var sortedExamples: [ReplayExample] {
        let order: [ReplayOutcome] = [
            .newlyRefused, .newlyTrusted, .unreadable, .notReproducible, .stillTrusted, .stillRefused,
        ]
        return order.flatMap { outcome in summary.examples.filter { $0.result == outcome } }
    }
}

extension Advice.Party {
    /// The party at the beginning of a sentence.
    fileprivate var title: String {
        switch self {
        case .server, .peer: "The server's administrator"
        case .client: "The client's owner"
        case .user: "You"
        case .machine: "This machine's administrator"
        case .authority: "The CA"
        case .program: "The author of the pins"
        }
    }
}
