// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import ServerTrust

/// The format of a replay's report.
enum ReplayFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, csv, junit, html
}

/// The answer of a rehearsal. Raw values are stable.
enum RehearsalOutcome: String, Sendable, CaseIterable, Comparable {
    /// No connection would be refused. Without changes: every record that can be replayed has its recorded verdict.
    case ok
    /// A connection would be refused. Without changes: a record differs, or a line can't be read.
    case breaks
    /// The records don't say whether a connection would be refused. Without changes: no record can be replayed.
    case notKnown

    /// Whether an outcome is better than another.
    static func < (left: Self, right: Self) -> Bool { left != right && (left == .ok || right == .breaks) }

    var exitCode: ExitCode? {
        switch self {
        case .ok: nil
        case .breaks: ExitCodes.rejected
        case .notKnown: ExitCodes.notKnown
        }
    }
}

/// The report of a replay, for people, programs and CI systems.
struct ReplayReport {
    /// The files and folders on the command line.
    let inputs: [String]
    let changes: ReplayChanges
    let summary: ReplaySummary
    /// The hosts about which nothing needs to be known (`--allow-unknown`), in lower case.
    let allowed: Set<String>
    /// Whether a text has all hosts.
    let isLong: Bool
    /// Whether `pins rehearse` writes the report.
    let isRehearsal: Bool
    /// The hosts of the pin file and the selectors that no record has.
    let unused: (hosts: [String], selectors: [String])
    /// One row for each host: first those that break, then those that aren't known.
    private(set) var rows: [ReplayRow] = []
    /// The report on the pin file of a rehearsal, or nil for a replay.
    var lint: LintReport?

    init(
        inputs: [String], changes: ReplayChanges, summary: ReplaySummary, allowed: Set<String> = [],
        isLong: Bool = false, isRehearsal: Bool = false
    ) {
        self.inputs = inputs
        self.changes = changes
        self.summary = summary
        self.allowed = allowed
        self.isLong = isLong
        self.isRehearsal = isRehearsal
        unused = changes.unused(summary.used)
        let rows = allRows()
        self.rows = [RehearsalOutcome.breaks, .notKnown, .ok].flatMap { outcome in
            rows.filter { $0.outcome == outcome }
        }
    }

    var total: ReplayCount { summary.total }

    /// The assumptions of the forecasts, or nil without a forecast.
    var forecastNote: String? {
        guard summary.forecasts > 0 else { return nil }
        return
            "\(AuditWords.count(summary.forecasts, "record")) with a forecast: another CA issues the same leaf again. "
            + "Assumed: the CA’s signature on the leaf, timestamps and revocation data. "
            + "Checked: the CA’s path with its signatures, dates, names, constraints, denied certificates and pins."
    }

    /// The result as one line. Lint has its own: ``lintHeadline``.
    var headline: String {
        var parts: [String] = []
        if changes.isEmpty {
            let records = total.allLines - total.lines(.notReproducible) - total.lines(.unreadable)
            parts.append(
                total.differences == 0
                    ? "\(AuditWords.count(records, "record")) replayed without a difference"
                    : "\(AuditWords.number(total.differences)) of \(AuditWords.count(records, "record")) "
                        + (total.differences == 1 ? "differs" : "differ"))
        } else if total.evaluated == 0 {
            parts.append("no connection could be evaluated")
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
        if !changes.isEmpty, total.evaluated > 0, total.evaluated == total.connections(.stillRefused) {
            parts.append("no recorded connection was trusted")
        }
        let hosts = unused.hosts.count
        if hosts > 0 { parts.append("\(AuditWords.count(hosts, "host")) \(hosts == 1 ? "has" : "have") no record") }
        return parts.joined(separator: "; ")
    }

    /// The result of lint as one line, or nil if it has no finding or wasn't asked.
    var lintHeadline: String? {
        let findings = lint?.findings.count(where: \.isFailure) ?? 0
        return findings > 0 ? "lint has \(AuditWords.count(findings, "finding"))" : nil
    }

    func written(as format: ReplayFormat) -> [UInt8] {
        switch format {
        case .text: Array(text(Palette.forStandardOutput(), isCut: StandardStream.output.isTerminal && !isLong).utf8)
        case .json: json()
        case .csv: csv()
        case .junit: junit().xml()
        case .html: page(version: ToolVersion.current)
        }
    }
}

// MARK: - The answer

extension ReplayReport {
    /// The answer for all hosts, without lint.
    var outcome: RehearsalOutcome { max(replayOutcome, timelineOutcome ?? .ok) }

    /// The answer of the replay, without the timeline.
    var replayOutcome: RehearsalOutcome {
        if changes.isEmpty ? total.differences > 0 : total.lines(.newlyRefused) > 0 { return .breaks }
        guard changes.isEmpty, summary.timeline == nil else { return replayGaps.isEmpty ? .ok : .notKnown }
        // A replay without changes compares what it can.
        if total.lines(.unreadable) > 0 { return .breaks }
        return total.evaluated == 0 ? .notKnown : .ok
    }

    /// Whether a connection would be refused, something isn't known, or lint has a finding.
    var hasProblems: Bool { outcome != .ok || lintHeadline != nil }

    /// Returns the exit code, or nil for success.
    /// - Parameter outcomes: the outcomes that fail, too.
    func exitCode(failingOn outcomes: [ReplayOptions.FailOn]) -> ExitCode? {
        let fails = lintHeadline != nil || outcomes.contains { total.lines($0.outcome) > 0 }
        return fails ? ExitCodes.rejected : outcome.exitCode
    }

    /// A question that the records don't answer.
    struct Gap {
        /// The host, or nil if it isn't about one.
        var host: String?
        var reason: String
    }

    /// The questions that the records don't answer, without the allowed hosts.
    var gaps: [Gap] { replayGaps + timelineGaps }

    /// The questions about the replay that the records don't answer.
    private var replayGaps: [Gap] {
        // The reason of a host whose records break later is about that.
        var gaps = rows.filter { $0.replayed == .notKnown && !$0.isAllowed }
            .map { Gap(host: $0.host, reason: ($0.outcome == .breaks ? nil : $0.cause.reason) ?? "not reproducible") }
        let cut = summary.hosts.other.lines(.notReproducible)
        if cut > 0 { gaps.append(Gap(reason: "\(AuditWords.count(cut, "record")) of further hosts can't be replayed")) }
        if total.lines(.unreadable) > 0 {
            gaps.append(Gap(reason: "\(AuditWords.count(total.lines(.unreadable), "line")) can't be read"))
        }
        if total.evaluated == 0 {
            gaps.append(Gap(reason: "no connection could be evaluated"))
        } else if total.evaluated == total.connections(.stillRefused) {
            // The default of `TrustRecorder` is to record refusals only.
            gaps.append(Gap(reason: "no record is of a trusted connection, which a change could break"))
        }
        return gaps
    }

    /// The allowed hosts about which everything is known.
    var needlesslyAllowed: [String] {
        let used = Set(rows.filter(\.isAllowed).compactMap { $0.host?.lowercased() })
        return allowed.filter { !used.contains($0) }.sorted()
    }
}

// MARK: - Rows

/// The answer for one host.
struct ReplayRow {
    /// The host or its hash. Nil for the records without a host.
    var host: String?
    /// The answer of the replay.
    var replayed: RehearsalOutcome
    /// The answer of the timeline.
    var later = RehearsalOutcome.ok
    /// Whether the user allows that the answer isn't known.
    var isAllowed = false
    var count = ReplayCount()
    /// The earliest evaluated date with a refusal.
    var since: Time?
    /// The first break of the timeline, or nil for none.
    var firstBreak: TimelineFact?
    /// The first failure of the first refused connection, or the reason why the answer isn't known.
    var cause = ReplayCause()
    /// The command that shows the line, or checks a changed pin file.
    var command: String?

    var outcome: RehearsalOutcome { max(replayed, later) }
}

extension ReplayReport {
    private func allRows() -> [ReplayRow] {
        var rows = summary.hosts.ranked.map { row($0.name, $0.count) }
        if summary.hosts.none.allLines > 0 { rows.append(row(nil, summary.hosts.none)) }
        return rows
            + unused.hosts.map { host in
                let remedy = ReplayRemedy(
                    party: nil, text: "Record a connection: servertrust check \(host.shellWord) --record FOLDER.")
                return ReplayRow(
                    host: host, replayed: .notKnown, isAllowed: allowed.contains(host.lowercased()),
                    cause: ReplayCause(reason: "no record is about this host", remedy: remedy))
            }
    }

    private func row(_ host: String?, _ count: ReplayCount) -> ReplayRow {
        let name = host ?? ""
        let isBroken = changes.isEmpty ? count.differences > 0 : count.lines(.newlyRefused) > 0
        let isUnknown = count.lines(.notReproducible) > 0
        var row = ReplayRow(host: host, replayed: isBroken ? .breaks : isUnknown ? .notKnown : .ok, count: count)
        let facts = facts(of: name)
        row.firstBreak = facts.first { $0.kind == .breaks }
        row.later = row.firstBreak != nil ? .breaks : facts.contains { $0.kind == .notKnown } ? .notKnown : .ok
        row.isAllowed = row.outcome == .notKnown && allowed.contains(name.lowercased())
        if row.later > row.replayed,
            let fact = facts.first(where: { $0.kind == (row.later == .breaks ? .breaks : .notKnown) })
        {
            row.since = row.later == .breaks ? fact.from : nil
            row.cause = fact.cause
            row.cause.reason = reason(of: fact)
            return row
        }
        guard let details = summary.details[name] else { return row }
        row.since = isBroken ? details.since.map { Time(secondsSinceEpoch: $0) } : nil
        guard row.replayed != .ok, let example = details.example else { return row }
        row.cause = example.cause
        row.command = command(for: example)
        return row
    }

    /// Returns the command that checks a changed pin file, or that shows a line in full.
    private func command(for example: ReplayExample) -> String {
        func words(_ options: [ReplayChanges.Option]) -> String {
            options.map { option in " \(option.name)" + (option.value.map { " \($0.shellWord)" } ?? "") }.joined()
        }
        if isRehearsal, example.result == .newlyRefused, let file = changes.options.first?.value {
            let against = inputs.map { " --against \($0.shellWord)" }.joined()
            let until = summary.timeline.map { " --until \($0.period.end)" } ?? ""
            return "servertrust pins rehearse \(file.shellWord)" + against + words(Array(changes.options.dropFirst()))
                + until
        }
        return "servertrust audit --replay \(inputs.map(\.shellWord).joined(separator: " "))" + words(changes.options)
            + " --explain \(example.place.shellWord)"
    }
}
