// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A parser for dates in header fields (RFC 9110 § 5.6.7).
enum HTTPDate {
    /// Parses the three formats that a recipient must accept: IMF-fixdate (`Sun, 06 Nov 1994 08:49:37 GMT`), the
    /// obsolete RFC 850 format (`Sunday, 06-Nov-94 08:49:37 GMT`), and the format of C's `asctime` (`Sun Nov  6
    /// 08:49:37 1994`).
    ///
    /// Names of days and months and `GMT` are case-sensitive. Not checked: whether the day of the week fits the date.
    /// - Parameters:
    ///   - text: the field's value, without space at either end.
    ///   - now: the current time, which determines the century of a two-digit year. A date more than 50 years ahead
    ///     counts as past.
    /// - Returns: the time, or nil for any other text and for a day that doesn't exist.
    static func parse(_ text: Substring, now: Time) -> Time? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        switch parts.count {
        case 6 where parts[5] == "GMT": return fixedLength(parts)
        case 4 where parts[3] == "GMT": return rfc850(parts, now)
        case 5: return asctime(parts[0], parts[1], parts[2], parts[3], parts[4])
        // A one-digit day has a space instead of its first digit.
        case 6 where parts[2].isEmpty && parts[3].utf8.count == 1:
            return asctime(parts[0], parts[1], "0" + parts[3], parts[4], parts[5])
        default: return nil
        }
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    private static func isShortDay(_ text: Substring) -> Bool { days.contains { $0.prefix(3) == text } }

    private static func fixedLength(_ parts: [Substring]) -> Time? {
        guard parts[0].last == ",", isShortDay(parts[0].dropLast()) else { return nil }
        return time(year: parts[3], month: parts[2], day: parts[1], clock: parts[4])
    }

    private static func asctime(
        _ name: Substring, _ month: Substring, _ day: Substring, _ clock: Substring, _ year: Substring
    ) -> Time? {
        guard isShortDay(name) else { return nil }
        return time(year: year, month: month, day: day, clock: clock)
    }

    private static func rfc850(_ parts: [Substring], _ now: Time) -> Time? {
        let date = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard parts[0].last == ",", days.contains(String(parts[0].dropLast())), date.count == 3,
            date[2].utf8.count == 2, let century = Int(now.description.prefix(2)), century < 99
        else { return nil }
        // The latest year with these digits that isn't more than 50 years ahead.
        for century in [century + 1, century, century - 1] where century >= 0 {
            let digits = century < 10 ? "0\(century)" : "\(century)"
            guard let found = time(year: digits + date[2], month: date[1], day: date[0], clock: parts[2]) else {
                continue
            }
            if found <= fiftyYears(after: now) { return found }
        }
        return nil
    }

    private static func fiftyYears(after now: Time) -> Time {
        let text = now.description
        guard let year = Int(text.prefix(4)) else { return now }
        let rest = text.dropFirst(4)
        // February 29 doesn't exist in a common year, so use the day before.
        let later = "\(year + 50)"
        return (try? Time(rfc3339: later + rest))
            ?? (try? Time(rfc3339: later + "-02-28" + rest.dropFirst("-02-29".count))) ?? now
    }

    private static func time(year: Substring, month: Substring, day: Substring, clock: Substring) -> Time? {
        guard let index = months.firstIndex(of: String(month)), year.utf8.count == 4, day.utf8.count == 2,
            clock.utf8.count == 8
        else { return nil }
        let number = index < 9 ? "0\(index + 1)" : "\(index + 1)"
        // Parses digits and colons, and rejects days and hours that don't exist.
        return try? Time(rfc3339: "\(year)-\(number)-\(day)T\(clock)Z")
    }
}
