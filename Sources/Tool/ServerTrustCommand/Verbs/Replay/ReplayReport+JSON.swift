// SPDX-License-Identifier: Apache-2.0

import ServerTrust

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
                json.key("outcome")
                json.string(outcome.rawValue)
                json.key("gaps")
                json.array(of: gaps) { json, gap in
                    json.object { json in
                        json.key("host")
                        json.string(gap.host)
                        json.key("reason")
                        json.string(gap.reason)
                    }
                }
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
                json.key("hosts")
                json.array(of: rows) { Self.write($1, to: &$0) }
                // The lines of hosts beyond the maximum of a table.
                json.key("otherHosts")
                json.object { Self.write(summary.hosts.other, to: &$0) }
                for (key, table) in [
                    ("rules", summary.rules), ("codes", summary.codes),
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
                json.key("timeline")
                writeTimeline(&json)
                guard let lint else { return }
                json.key("lint")
                json.string(lintHeadline == nil ? RehearsalOutcome.ok.rawValue : "fails")
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

    private static func write(_ row: ReplayRow, to json: inout JSONWriter) {
        json.object { json in
            json.key("name")
            json.string(row.host)
            json.key("outcome")
            json.string(row.outcome.rawValue)
            json.key("allowed")
            json.boolean(row.isAllowed)
            write(row.count, to: &json)
            for (key, value) in [
                ("code", row.code), ("since", row.since?.description),
                ("breaksFrom", row.firstBreak?.from.description), ("breaksCode", row.firstBreak?.code),
                ("party", row.party?.rawValue),
                ("reason", row.reason), ("remedy", row.remedy), ("command", row.command),
            ] {
                json.key(escaping: key)
                json.string(value)
            }
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
            json.key("party")
            json.string(example.party?.rawValue)
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

// MARK: - CSV

extension ReplayReport {
    /// Returns one line for each host, after a line with the names of the columns.
    func csv() -> [UInt8] {
        var bytes: [UInt8] = []
        TableCell.appendCSV(
            [
                "host", "outcome", "allowed", "connections", "refused", "records", "code", "since", "party", "reason",
                "remedy", "command", "breaksFrom", "breaksCode",
            ], to: &bytes)
        for row in rows {
            TableCell.appendCSV(
                [
                    row.host, row.outcome.rawValue, "\(row.isAllowed)", "\(row.count.readable)",
                    "\(row.count.connections(.newlyRefused))", "\(row.count.allLines)", row.code,
                    row.since?.description, row.party?.rawValue, row.reason, row.remedy, row.command,
                    row.firstBreak?.from.description, row.firstBreak?.code,
                ], to: &bytes)
        }
        return bytes
    }
}
