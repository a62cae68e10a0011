// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

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
        if seconds >= 1095 * day { return counted(Int(seconds / (365 * day + day / 4)), "year") }
        if seconds >= 2 * day { return counted(Int(seconds / day), "day") }
        if seconds >= 2 * 3600 { return counted(Int(seconds / 3600), "hour") }
        return counted(Int(max(1, seconds / 60)), "minute")
    }
}

/// The time from a date to a certificate's expiry, in whole days.
package struct DaysLeft: Hashable, Sendable {
    /// The seconds until expiry. Negative afterwards.
    package let seconds: Int64

    package init(until end: Time, at now: Time) {
        // A decoded report may contain any times. The number can always be negated.
        let (seconds, isOverflow) = end.secondsSinceEpoch.subtractingReportingOverflow(now.secondsSinceEpoch)
        self.seconds = isOverflow ? end < now ? -.max : .max : max(seconds, -.max)
    }

    /// The days until expiry, rounded down. Negative afterwards.
    package var days: Int64 { seconds >= 0 ? seconds / 86_400 : -((-(seconds + 1)) / 86_400) - 1 }

    /// The whole days before or after expiry: `41 days`, `1 day` or `less than a day`.
    package var span: String {
        let count = Int(clamping: days >= 0 ? days : -days - 1)
        return count == 0 ? "less than a day" : counted(count, "day")
    }
}

extension DaysLeft: CustomStringConvertible {
    /// `41 days left`, `less than a day left` or `expired 3 days ago`.
    package var description: String { days >= 0 ? "\(span) left" : "expired \(span) ago" }
}

extension Fact {
    /// The whole days until a date, or no number without a date.
    static func daysLeft(until end: Time?, at now: Time) -> Fact {
        Fact("daysLeft", .number(end.map { Int(DaysLeft(until: $0, at: now).days) }))
    }
}
