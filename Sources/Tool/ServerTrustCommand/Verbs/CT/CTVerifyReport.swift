// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The report of `servertrust ct verify`, for people and programs.
struct CTVerifyReport {
    let leaf: Certificate
    let issuer: Certificate
    let list: CTLogList
    /// The name of the list file.
    let file: String
    let time: Time
    /// One finding for each policy. All findings contain the same SCTs, but different reasons.
    let findings: [TransparencyFinding]
}

// MARK: - Text

extension CTVerifyReport {
    /// Returns the leaf, the list, the SCTs and the policies.
    func text(_ palette: Palette) -> String {
        let days = (leaf.notAfter.secondsSinceEpoch - leaf.notBefore.secondsSinceEpoch) / 86_400
        let age = (time.secondsSinceEpoch - list.date.secondsSinceEpoch) / 86_400
        var lines = [
            palette.bold(printable(leaf.abridgedDescription(toBytes: 100)))
                + ", \(leaf.notBefore) to \(leaf.notAfter), \(counted(Int(days), "day"))",
            "  issuer  " + printable(issuer.abridgedDescription(toBytes: 100)),
            "  logs    \(printable(file)), \(list.versionText)\(list.date), \(counted(list.count, "log"))",
            "  time    \(time)" + (age >= 0 ? ", the list is \(counted(Int(age), "day")) old" : ", the list is newer"),
            "", "timestamps",
        ]
        let timestamps = findings.first?.timestamps ?? []
        if timestamps.isEmpty { lines.append("  none") }
        for (index, timestamp) in timestamps.enumerated() {
            lines.append("  \(index + 1) \(timestamp.origin.padded(to: 10)) " + Self.log(timestamp))
            lines.append(
                String(repeating: " ", count: 15) + "\(timestamp.moment), "
                    + Self.signature(timestamp.signature, palette))
        }
        lines.append("")
        for finding in findings { lines += Self.lines(finding, palette) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func log(_ timestamp: TransparencyFinding.Timestamp) -> String {
        guard let log = timestamp.log else { return "unknown log \(timestamp.logID)" }
        return printable(
            [log, timestamp.operatorName.map { "of \($0)" }, timestamp.state].compactMap { $0 }.joined(separator: ", "))
    }

    private static func signature(_ signature: TransparencyFinding.Timestamp.Signature, _ palette: Palette) -> String {
        switch signature {
        case .valid: palette.good("signature valid")
        case .invalid: palette.bad("signature invalid")
        case .unknownLog: "signature not verified: the log isn't on the list"
        }
    }

    private static func lines(_ finding: TransparencyFinding, _ palette: Palette) -> [String] {
        let number =
            "\(finding.count) \(finding.count == 1 ? "timestamp counts" : "timestamps count"), \(finding.required) are needed"
        let outcome =
            switch finding.status {
            case .complies: palette.good("OK") + "    \(finding.policy.padded(to: 8)) \(number)"
            case let status where status.isChecked:
                palette.bad("FAIL") + "  \(finding.policy.padded(to: 8)) \(status.rawValue): \(number)"
            case let status:
                palette.bold("----") + "  \(finding.policy.padded(to: 8)) not checked: \(status.rawValue)"
            }
        guard finding.status.isChecked else { return [outcome] }
        let indent = String(repeating: " ", count: 15)
        return [outcome]
            + finding.timestamps.enumerated().compactMap { index, timestamp in
                timestamp.reason.map { "\(indent)\(index + 1) doesn't count: \($0.rawValue)" }
            }
    }
}

extension CTLogList {
    /// `version 1.2 of `, or empty without a version.
    var versionText: String { version.map { "version \(printable(clipped($0, to: 40))) of " } ?? "" }
}

extension TransparencyFinding.Timestamp {
    /// The date in RFC 3339 format, with milliseconds.
    var moment: String {
        let fraction = String(milliseconds % 1000)
        return time.description.dropLast() + "." + String(repeating: "0", count: 3 - fraction.count) + fraction + "Z"
    }
}

// MARK: - JSON

extension CTVerifyReport {
    /// Returns an array with one object.
    func json() -> [UInt8] {
        JSONWriter.answer { json in
            json.member("leaf", Hex.encode(leaf.sha256))
            json.member("issuer", Hex.encode(issuer.sha256))
            json.member("time", time.description)
            json.object("logs", list.write)
            json.objects("policies", of: findings) { Self.write($1, &$0) }
        }
    }

    private static func write(_ finding: TransparencyFinding, _ json: inout JSONWriter) {
        json.member("policy", finding.policy)
        json.member("outcome", finding.outcome)
        if finding.status != .complies { json.member("code", finding.status.rawValue) }
        json.member("count", finding.count)
        json.member("required", finding.required)
        json.objects("scts", of: finding.timestamps) { write($1, &$0) }
    }

    private static func write(_ timestamp: TransparencyFinding.Timestamp, _ json: inout JSONWriter) {
        json.member("origin", timestamp.origin)
        json.member("log", timestamp.logID)
        json.member("name", timestamp.log)
        json.member("operator", timestamp.operatorName)
        json.member("state", timestamp.state)
        json.member("timestamp", Int(clamping: timestamp.milliseconds))
        json.member("signature", timestamp.signature.rawValue)
        json.member("counts", timestamp.reason == nil)
        if let reason = timestamp.reason { json.member("reason", reason.rawValue) }
    }
}

extension CTLogList {
    /// Writes the list's version, date and number of logs.
    func write(_ json: inout JSONWriter) {
        json.member("version", version)
        json.member("date", date.description)
        json.member("count", count)
    }
}
