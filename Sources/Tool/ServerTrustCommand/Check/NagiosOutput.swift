// SPDX-License-Identifier: Apache-2.0

import Diagnosis

/// The line and the exit code of a monitoring plugin for Nagios, Icinga and compatible systems.
///
/// - 0 OK: all servers are trusted.
/// - 1 WARNING: a certificate expires within `--expires-within`.
/// - 2 CRITICAL: a server was rejected.
/// - 3 UNKNOWN: a server couldn't be checked.
///
/// If several apply, CRITICAL takes precedence over UNKNOWN, and UNKNOWN over WARNING.
enum NagiosOutput {
    /// The status of a plugin. Raw values are its exit codes.
    enum Status: Int32 {
        case ok = 0
        case warning
        case critical
        case unknown

        var name: String { ["OK", "WARNING", "CRITICAL", "UNKNOWN"][Int(rawValue)] }

        init(_ tally: CheckTally) {
            if tally[.rejected] > 0 {
                self = .critical
            } else if tally[.undecided] + tally.unchecked > 0 {
                self = .unknown
            } else {
                self = tally[.expiring] > 0 ? .warning : .ok
            }
        }
    }

    /// The maximum number of servers that the line names. Monitoring systems cut lines after 4 to 8 KB.
    private static let maximumNamed = 10

    /// Returns the line for a run without results.
    static func line(_ failure: CommandFailure) -> String {
        "SERVERTRUST UNKNOWN - " + escaped(failure.errors.prefix(maximumNamed).joined(separator: "; "))
    }

    static func line(_ rows: [CheckRow], _ tally: CheckTally, warningDays: Int64?) -> String {
        let status = Status(tally)
        var text = "SERVERTRUST \(status.name) - "
        let bad = rows.filter { $0.outcome != .trusted }.sorted { $0.outcome.rank < $1.outcome.rank }
        if tally.total == 1, let row = rows.first {
            let days = row.outcome.isTrusted ? row.daysLeft.map { ", \($0)" } ?? "" : ""
            text += "\(row.endpoint) \(row.headline)\(days)"
        } else {
            text += tally.text
            for row in bad.prefix(maximumNamed) { text += "; \(row.endpoint) \(row.headline)" }
            if bad.count > maximumNamed { text += "; and \(bad.count - maximumNamed) more" }
        }
        return escaped(text) + " | " + performance(rows, tally, warningDays).joined(separator: " ")
    }

    /// Returns `'label'=value[unit];[warning];[critical];[minimum];[maximum]` for the totals, and for each server if
    /// there are only a few.
    private static func performance(_ rows: [CheckRow], _ tally: CheckTally, _ warningDays: Int64?) -> [String] {
        // The range `30:` means an alert below 30.
        let limits = "\(warningDays.map { "\($0):" } ?? "");0:"
        var values = [
            "trusted=\(tally[.trusted] + tally[.expiring]);;;0;\(tally.total)",
            "rejected=\(tally[.rejected]);;;0;\(tally.total)",
            "undecided=\(tally[.undecided] + tally.unchecked);;;0;\(tally.total)",
        ]
        if let least = rows.compactMap(\.daysLeft?.days).min() { values.append("days_left=\(least);\(limits)") }
        guard rows.count > 1, rows.count <= maximumNamed else { return values }
        for row in rows {
            guard let days = row.daysLeft?.days else { continue }
            // Host names and ports contain no apostrophe or equals sign.
            values.append("'\(row.endpoint)'=\(days);\(limits)")
        }
        return values
    }

    /// Returns the text on one line, without the vertical bar, which starts the performance data.
    static func escaped(_ text: String) -> String {
        let line = printable(text.split(whereSeparator: \.isNewline).joined(separator: " "))
        return String(String.UnicodeScalarView(line.unicodeScalars.map { $0 == "|" ? "/" : $0 }))
    }
}
