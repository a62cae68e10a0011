// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ReplayReport {
    /// Returns a JSON array with one element.
    func json() -> [UInt8] {
        JSONWriter.answer { json in
            json.member("headline", headline)
            json.member("outcome", outcome.rawValue)
            json.objects("gaps", of: gaps) { json, gap in
                json.member("host", gap.host)
                json.member("reason", gap.reason)
            }
            json.member("inputs", inputs.map(InputFile.displayName))
            json.objects("changes", of: changes.options) { json, option in
                json.member("option", option.name)
                json.member("value", option.value)
            }
            json.member("forecasts", summary.forecasts)
            total.write(to: &json)
            json.objects("hosts", of: rows) { json, row in
                json.member("name", row.host)
                json.member("outcome", row.outcome.rawValue)
                json.member("allowed", row.isAllowed)
                row.count.write(to: &json)
                for (key, value) in row.facts { json.member(key, value) }
            }
            // The lines of hosts beyond the maximum of a table.
            json.object("otherHosts", summary.hosts.other.write)
            let tables: [(StaticString, CountTable<ReplayCount>)] = [
                ("rules", summary.rules), ("codes", summary.codes), ("obstacles", summary.obstacles),
            ]
            for (key, table) in tables {
                json.objects(key, of: table.ranked) { json, row in
                    json.member("name", row.name)
                    row.count.write(to: &json)
                }
            }
            json.member("hostsWithoutRecord", unused.hosts)
            json.objects("examples", of: sortedExamples) { $1.write(to: &$0) }
            json.key("timeline")
            if let timeline = summary.timeline { json.object { write(timeline, to: &$0) } } else { json.null() }
            guard let lint else { return }
            json.member("lint", lintHeadline == nil ? RehearsalOutcome.ok.rawValue : "fails")
            json.objects("findings", of: lint.findings.filter { !$0.isAccepted }) { LintReport.write($1, to: &$0) }
        }
    }

    private func write(_ timeline: TimelineSummary, to json: inout JSONWriter) {
        json.member("from", timeline.period.start.description)
        json.member("until", timeline.period.end.description)
        json.member("headline", timelineHeadline)
        json.member("outcome", timelineOutcome?.rawValue)
        json.member("assumed", timelineNote)
        json.object("connections") { json in
            for kind in TimelineKind.allCases {
                json.member(escaping: kind.rawValue, timeline.count(kind).connections)
            }
        }
        json.object("records") { json in
            for kind in TimelineKind.allCases { json.member(escaping: kind.rawValue, timeline.count(kind).records) }
        }
        json.member("unlistedFacts", timeline.further)
        json.member("unlistedRecords", timeline.unlistedRecords)
        json.objects("facts", of: timelineRows) { json, row in
            json.member("host", row.host)
            json.member("from", row.fact.from.description)
            json.member("until", row.fact.until?.description)
            json.member("kind", row.fact.kind.rawValue)
            row.fact.cause.write(to: &json)
            json.member("withoutChange", row.fact.withoutChange)
        }
    }

    /// Returns one line for each host, after a line with the names of the columns.
    func csv() -> [UInt8] {
        var bytes: [UInt8] = []
        let columns = ["host", "outcome", "allowed", "connections", "refused", "records"]
        TableCell.appendCSV(columns + ReplayRow(replayed: .ok).facts.map { "\($0.key)" }, to: &bytes)
        for row in rows {
            let counts = [row.count.readable, row.count.connections(.newlyRefused), row.count.allLines]
            var cells = [row.host, row.outcome.rawValue, "\(row.isAllowed)"]
            for count in counts { cells.append("\(count)") }
            TableCell.appendCSV(cells + row.facts.map(\.value), to: &bytes)
        }
        return bytes
    }
}

extension ReplayRow {
    /// The facts about a host after its counts, by their names in JSON and CSV.
    fileprivate var facts: [(key: StaticString, value: String?)] {
        [
            ("code", cause.code), ("since", since?.description), ("party", cause.remedy?.party?.rawValue),
            ("reason", cause.reason), ("remedy", cause.remedy?.text), ("command", command),
            ("breaksFrom", firstBreak?.from.description), ("breaksCode", firstBreak?.cause.code),
        ]
    }
}

extension ReplayCount {
    fileprivate func write(to json: inout JSONWriter) {
        json.object("connections") { json in
            // Unreadable lines don't say how many connections they represent.
            for outcome in ReplayOutcome.allCases where outcome != .unreadable {
                json.member(escaping: outcome.name, connections(outcome))
            }
        }
        json.object("records") { json in
            for outcome in ReplayOutcome.allCases { json.member(escaping: outcome.name, lines(outcome)) }
            json.member("otherDetails", otherDetails)
        }
    }
}

extension ReplayCause {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("code", code)
        json.member("reason", reason)
        json.member("party", remedy?.party?.rawValue)
        json.member("remedy", remedy?.text)
    }
}

extension ReplayExample {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("outcome", result.name)
        json.member("otherDetails", hasOtherDetails)
        json.member("file", InputFile.displayName(file))
        json.member("line", line)
        json.member("id", id)
        json.member("host", host)
        json.member("rule", rule)
        json.member("connections", connections)
        let verdicts: [(StaticString, Verdict?)] = [("recorded", before), ("replayed", after)]
        for (key, verdict) in verdicts {
            json.key(key)
            if let verdict { json.object(verdict.write) } else { json.null() }
        }
        json.member("message", cause.reason)
        json.member("remedy", cause.remedy?.text)
        json.member("party", cause.remedy?.party?.rawValue)
    }
}

extension ReplayExample.Verdict {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("verdict", isTrusted ? "trusted" : "rejected")
        json.member("codes", codes)
    }
}
