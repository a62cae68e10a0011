// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension AuditSummary {
    /// The version of the JSON schema. A new key keeps the version. A removed or changed key raises it.
    static let schemaVersion = 1

    /// Returns the summary as JSON (Documentation/AuditSummary.md), one member per line, with a line feed at the end.
    func json(_ run: AuditRun) -> [UInt8] {
        var json = JSONWriter(isIndented: true)
        json.object { json in
            json.key("schemaVersion")
            json.number(Self.schemaVersion)
            write(run, to: &json)
            json.key("complete")
            json.boolean(isComplete(run))
            json.key("verdicts")
            json.object { verdicts.write(to: &$0) }
            json.key("reasons")
            reasons.write(to: &json)
            json.key("codes")
            codes.write(to: &json)
            json.key("issuers")
            issuers.write(to: &json)
            json.key("roots")
            roots.write(to: &json)
            json.key("keys")
            keys.write(to: &json)
            json.key("signatureAlgorithms")
            signatureAlgorithms.write(to: &json)
            json.key("validity")
            validity.write(to: &json)
            json.key("expiry")
            expiry.write(to: &json)
            json.key("transparency")
            transparency.write(to: &json)
            json.key("revocation")
            revocation.write(to: &json)
        }
        json.lineFeed()
        return json.bytes
    }

    /// Whether each line has an answer, and the summary counts each answer.
    func isComplete(_ run: AuditRun) -> Bool { run.hasAllAnswers && run.answers == verdicts.answers }

    private func write(_ run: AuditRun, to json: inout JSONWriter) {
        json.key("run")
        json.object { json in
            json.key("inputs")
            json.array(of: run.inputs.prefix(AuditRun.maximumInputs)) { json, name in
                json.string(name.abridged(toBytes: AuditRun.maximumInputName))
            }
            json.key("inputsOmitted")
            json.number(max(0, run.inputs.count - AuditRun.maximumInputs))
            json.key("format")
            json.string(run.format)
            json.key("lines")
            json.number(run.lines)
            json.key("answers")
            json.number(run.answers)
            json.key("evaluationDate")
            json.string(run.evaluationDate?.description)
        }
    }
}

extension AuditCount {
    /// Writes the members of an object.
    func write(to json: inout JSONWriter) {
        json.key("answers")
        json.number(answers)
        json.key("trusted")
        json.number(trusted)
        json.key("rejected")
        json.number(rejected)
        json.key("unreadable")
        json.number(unreadable)
    }
}

extension AuditTable {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("rows")
            json.array(of: ranked) { json, row in
                json.object { json in
                    json.key("name")
                    json.string(row.name)
                    row.count.write(to: &json)
                }
            }
            json.key("other")
            json.object { other.write(to: &$0) }
            json.key("none")
            json.object { none.write(to: &$0) }
        }
    }
}

extension AuditValidity {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("rows")
            json.array(of: zip(Self.steps, counts)) { json, row in
                json.object { json in
                    json.key("name")
                    json.string(row.0.name)
                    json.key("maximumDays")
                    json.number(row.0.maximumDays)
                    row.1.write(to: &json)
                }
            }
            json.key("none")
            json.object { none.write(to: &$0) }
        }
    }
}

extension AuditWeeks {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("weeks")
            json.array(of: sorted) { json, entry in
                json.object { json in
                    json.key("week")
                    json.string(String(Self.monday(of: entry.week).description.prefix(10)))
                    entry.count.write(to: &json)
                }
            }
            json.key("before")
            json.object { before.write(to: &$0) }
            json.key("after")
            json.object { after.write(to: &$0) }
            json.key("none")
            json.object { none.write(to: &$0) }
        }
    }
}
