// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension AuditSummary {
    /// The version of the JSON schema. A new key keeps the version. A removed or changed key raises it.
    static let schemaVersion = 1

    /// Returns the summary as JSON (Documentation/AuditSummary.md), one member per line, with a line feed at the end.
    func json(_ run: AuditRun) -> [UInt8] {
        var json = JSONWriter(isIndented: true)
        json.object { json in
            json.member("schemaVersion", Self.schemaVersion)
            json.object("run", run.write)
            json.member("complete", isComplete(run))
            json.object("verdicts", verdicts.write)
            json.object("reasons", reasons.write)
            json.object("codes", codes.write)
            json.object("issuers", issuers.write)
            json.object("roots", roots.write)
            json.object("keys", keys.write)
            json.object("signatureAlgorithms", signatureAlgorithms.write)
            json.object("validity", validity.write)
            json.object("expiry", expiry.write)
            json.object("transparency", transparency.write)
            json.object("revocation", revocation.write)
        }
        json.lineFeed()
        return json.bytes
    }

    /// Whether each line has an answer, and the summary counts each answer.
    func isComplete(_ run: AuditRun) -> Bool { run.hasAllAnswers && run.answers == verdicts.answers }
}

extension AuditRun {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("inputs", inputs.prefix(Self.maximumInputs).map { $0.abridged(toBytes: Self.maximumInputName) })
        json.member("inputsOmitted", max(0, inputs.count - Self.maximumInputs))
        json.member("format", format)
        json.member("lines", lines)
        json.member("answers", answers)
        json.member("evaluationDate", evaluationDate?.description)
    }
}

extension AuditCount {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("answers", answers)
        json.member("trusted", trusted)
        json.member("rejected", rejected)
        json.member("unreadable", unreadable)
    }
}

extension AuditTable {
    fileprivate func write(to json: inout JSONWriter) {
        json.objects("rows", of: ranked) { json, row in
            json.member("name", row.name)
            row.count.write(to: &json)
        }
        json.object("other", other.write)
        json.object("none", none.write)
    }
}

extension AuditValidity {
    fileprivate func write(to json: inout JSONWriter) {
        json.objects("rows", of: zip(Self.steps, counts)) { json, row in
            json.member("name", row.0.name)
            json.member("maximumDays", row.0.maximumDays)
            json.member("meaning", row.0.meaning)
            row.1.write(to: &json)
        }
        json.object("none", none.write)
    }
}

extension AuditWeeks {
    fileprivate func write(to json: inout JSONWriter) {
        json.objects("weeks", of: weeks) { json, entry in
            json.member("week", String(Self.monday(of: entry.week).description.prefix(10)))
            entry.count.write(to: &json)
        }
        json.object("before", before.write)
        json.object("after", after.write)
        json.object("none", none.write)
    }
}
