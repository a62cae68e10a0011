// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

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

    /// All facts of the timeline, soonest first, with the host or its hash. Nil for the records without a host.
    var timelineRows: [(host: String?, fact: TimelineFact)] {
        let rows = (summary.timeline?.hosts ?? [:]).flatMap { name, facts in
            facts.map { (host: name.isEmpty ? nil : name, fact: $0) }
        }
        return rows.sorted { left, right in
            if left.fact.comesBefore(right.fact) { return true }
            if right.fact.comesBefore(left.fact) { return false }
            return (left.host ?? "", left.fact.cause.code ?? "") < (right.host ?? "", right.fact.cause.code ?? "")
        }
    }

    /// The hosts without an answer in the timeline. Allowed hosts, and hosts without an answer in the replay, are left out.
    var timelineGaps: [Gap] {
        guard let timeline = summary.timeline else { return [] }
        var gaps = rows.filter { $0.later == .notKnown && $0.replayed != .notKnown && !$0.isAllowed }
            .map { row in
                let fact = facts(of: row.host).first { $0.kind == .notKnown }
                return Gap(host: row.host, reason: fact?.cause.reason ?? "not known")
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
        let reason = fact.cause.reason ?? ""
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
        let records = timeline.unlistedRecords
        var parts: [String] = []
        if timeline.further > 0 {
            parts.append("\(AuditWords.count(timeline.further, "later fact")) about these hosts")
        }
        if records > 0 { parts.append("\(AuditWords.count(records, "record")) of further hosts") }
        return parts.isEmpty ? nil : "Counted, but not listed: \(parts.joined(separator: ", "))."
    }
}
