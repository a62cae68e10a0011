// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A row of a timeline: a fact about a host.
struct TimelineRow {
    /// The host or its hash. Nil for the records without a host.
    var host: String?
    var fact: TimelineFact
}

extension ReplayReport {
    /// The answer of the timeline, or nil without one.
    var timelineOutcome: RehearsalOutcome? {
        guard let timeline = summary.timeline else { return nil }
        if timeline.count(.breaks).records > 0 { return .breaks }
        return timelineGaps.isEmpty ? .ok : .notKnown
    }

    /// The result of the timeline as one line, or nil without one.
    var timelineHeadline: String? {
        guard let timeline = summary.timeline else { return nil }
        func count(_ kind: TimelineKind) -> Int { timeline.count(kind).connections }
        let first = timeline.firstBreak.map { ", the first at \($0.from)" } ?? ""
        var parts = [
            "\(AuditWords.number(count(.breaks))) of \(AuditWords.count(timeline.connections, "connection")) "
                + "\(timeline.connections == 1 ? "breaks" : "break") by \(timeline.period.end)\(first)"
        ]
        if count(.needsRenewal) > 0 {
            parts.append(
                "\(AuditWords.number(count(.needsRenewal))) \(count(.needsRenewal) == 1 ? "needs" : "need") a renewal")
        }
        if count(.notKnown) > 0 {
            parts.append(
                "\(AuditWords.number(count(.notKnown))) \(count(.notKnown) == 1 ? "isn't" : "aren't") known")
        }
        return parts.joined(separator: "; ")
    }

    /// The assumptions of the timeline, or nil for none.
    var timelineNote: String? {
        guard let timeline = summary.timeline else { return nil }
        let isRenewed =
            timeline.hosts.values.contains { $0.contains { $0.kind == .needsRenewal } }
            || timeline.count(.needsRenewal).records > 0
        guard isRenewed else { return nil }
        return
            "Assumed: each CA renews its leaves for the same keys in time, and the evidence, timestamps and log lists "
            + "of then are as good as the recorded ones. Nothing checks that."
    }

    /// All facts of the timeline, soonest first.
    var timelineRows: [TimelineRow] {
        let rows = (summary.timeline?.hosts ?? [:]).flatMap { name, facts in
            facts.map { TimelineRow(host: name.isEmpty ? nil : name, fact: $0) }
        }
        return rows.sorted { left, right in
            if left.fact.comesBefore(right.fact) { return true }
            if right.fact.comesBefore(left.fact) { return false }
            return (left.host ?? "", left.fact.code ?? "") < (right.host ?? "", right.fact.code ?? "")
        }
    }

    /// The hosts without an answer in the timeline. Allowed hosts, and hosts without an answer in the replay, are left out.
    var timelineGaps: [Gap] {
        guard let timeline = summary.timeline else { return [] }
        var gaps = rows.compactMap { row -> Gap? in
            guard row.later == .notKnown, row.replayed != .notKnown, !row.isAllowed else { return nil }
            let fact = facts(of: row.host).first { $0.kind == .notKnown }
            return Gap(host: row.host, reason: fact?.reason ?? "not known")
        }
        let cut = timeline.unlisted(.notKnown).records
        if cut > 0 {
            gaps.append(Gap(reason: "the timeline of \(AuditWords.count(cut, "record")) of further hosts isn't known"))
        }
        return gaps
    }

    /// The facts about a host, soonest first.
    func facts(of host: String?) -> [TimelineFact] { summary.timeline?.hosts[host ?? ""] ?? [] }

    /// The reason of a fact, with its relation to the changes.
    func reason(of fact: TimelineFact) -> String {
        let reason = fact.reason ?? ""
        guard fact.kind == .breaks, !changes.isEmpty else { return reason }
        return switch fact.withoutChange {
        case true: "also without the change: \(reason)"
        case false: "because of the change: \(reason)"
        default: "\(reason) (whether it breaks without the change isn't known)"
        }
    }

    /// The number of facts and records that the tables leave out, or nil for none.
    var timelineRest: String? {
        guard let timeline = summary.timeline else { return nil }
        let records = TimelineKind.allCases.reduce(0) { $0 + timeline.unlisted($1).records }
        var parts: [String] = []
        if timeline.further > 0 {
            parts.append("\(AuditWords.count(timeline.further, "later fact")) about these hosts")
        }
        if records > 0 { parts.append("\(AuditWords.count(records, "record")) of further hosts") }
        return parts.isEmpty ? nil : "Counted, but not listed: \(parts.joined(separator: ", "))."
    }
}

// MARK: - Text

extension ReplayReport {
    /// Returns the table of the timeline.
    /// - Parameter maximum: the maximum number of rows, or nil for all.
    func timelineText(_ maximum: Int?, _ palette: Palette) -> [String] {
        guard let timeline = summary.timeline else { return [] }
        let rows = timelineRows
        var lines = ["", palette.bold("timeline from \(timeline.period.start) to \(timeline.period.end)")]
        if rows.isEmpty { lines.append("nothing changes") }
        let shown = rows.prefix(maximum ?? rows.count)
        let host = { (row: TimelineRow) in printable(row.host ?? "records without a host") }
        let width = min(40, shown.map { host($0).count }.max() ?? 0)
        for row in shown {
            let words = [
                row.fact.from.description.padded(to: 20), host(row).padded(to: width),
                row.fact.kind.words.padded(to: 15), row.fact.code.map(printable) ?? "",
            ]
            lines.append(words.filter { !$0.isEmpty }.joined(separator: "  "))
            let until = row.fact.until.map { "until \($0). " } ?? ""
            lines += wrapped(printable(until + reason(of: row.fact)), to: 76).map { "  " + $0 }
        }
        if rows.count > shown.count {
            lines.append("and \(AuditWords.count(rows.count - shown.count, "other")); --all lists them")
        }
        if let rest = timelineRest { lines.append(rest) }
        return lines
    }
}

// MARK: - JSON

extension ReplayReport {
    /// Writes the timeline as the value of a key.
    func writeTimeline(_ json: inout JSONWriter) {
        guard let timeline = summary.timeline else { return json.null() }
        json.object { json in
            json.key("from")
            json.string(timeline.period.start.description)
            json.key("until")
            json.string(timeline.period.end.description)
            json.key("headline")
            json.string(timelineHeadline)
            json.key("outcome")
            json.string(timelineOutcome?.rawValue)
            json.key("assumed")
            json.string(timelineNote)
            for (key, value) in [("connections", \TimelineSummary.Count.connections), ("records", \.records)] {
                json.key(escaping: key)
                json.object { json in
                    for kind in TimelineKind.allCases {
                        json.key(escaping: kind.rawValue)
                        json.number(timeline.count(kind)[keyPath: value])
                    }
                }
            }
            json.key("unlistedFacts")
            json.number(timeline.further)
            json.key("unlistedRecords")
            json.number(TimelineKind.allCases.reduce(0) { $0 + timeline.unlisted($1).records })
            json.key("facts")
            json.array(of: timelineRows) { Self.write($1, to: &$0) }
        }
    }

    private static func write(_ row: TimelineRow, to json: inout JSONWriter) {
        json.object { json in
            for (key, value) in [
                ("host", row.host), ("from", row.fact.from.description), ("until", row.fact.until?.description),
                ("kind", row.fact.kind.rawValue), ("code", row.fact.code), ("reason", row.fact.reason),
                ("party", row.fact.party?.rawValue), ("remedy", row.fact.remedy),
            ] {
                json.key(escaping: key)
                json.string(value)
            }
            json.key("withoutChange")
            if let also = row.fact.withoutChange { json.boolean(also) } else { json.null() }
        }
    }
}
