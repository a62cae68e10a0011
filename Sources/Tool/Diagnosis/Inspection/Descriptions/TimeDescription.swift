// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Dates and time spans in words, for people on call.
enum TimeDescription {
    private static let day: Int64 = 86_400

    /// Returns `in 41 days`, `in 5 hours`, `3 days ago` or `just now`.
    static func relative(_ moment: Time, at now: Time) -> String {
        let seconds = DaysLeft(until: moment, at: now).seconds
        let span = span(abs(seconds))
        return abs(seconds) < 60 ? "just now" : seconds > 0 ? "in \(span)" : "\(span) ago"
    }

    /// Returns `expires in 41 days (2027-01-02T10:00:00Z)`, `EXPIRED 3 days ago (…)` or `NOT VALID YET, valid in …`.
    static func validity(from start: Time?, to end: Time?, at now: Time) -> String {
        if let start, now < start { return "NOT VALID YET, valid \(relative(start, at: now)) (\(start))" }
        guard let end else { return "no readable end of validity" }
        let words = now > end ? "EXPIRED" : "expires"
        return "\(words) \(relative(end, at: now)) (\(end))"
    }

    private static func span(_ seconds: Int64) -> String {
        func counted(_ count: Int64, _ unit: String) -> String { "\(count) \(unit)\(count == 1 ? "" : "s")" }
        if seconds >= 1095 * day { return counted(seconds / (365 * day + day / 4), "year") }
        if seconds >= 2 * day { return counted(seconds / day, "day") }
        if seconds >= 2 * 3600 { return counted(seconds / 3600, "hour") }
        return counted(max(1, seconds / 60), "minute")
    }
}
