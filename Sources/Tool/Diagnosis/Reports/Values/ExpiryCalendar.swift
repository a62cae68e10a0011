// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The expiry dates of certificates by week or month, starting at a date.
struct ExpiryCalendar {
    /// A week, a month, or the entire time before or after them.
    struct Period: Hashable {
        /// The name for a table: `week of 2026-11-23`.
        var name: String
        /// The name below a bar: `Nov 23`.
        var label: String
        /// The year below a bar, or nil if the previous bar has the same year.
        var year: String?
        var urgency: Urgency
        /// Whether the period is the entire time before or after the others.
        var isRest = false
        /// The hosts, in the order of their expiry dates.
        var hosts: [Int] = []
    }

    enum Urgency: Hashable { case past, soon, later }

    /// The periods in chronological order. The first may be the past, and the last the time after all others.
    private(set) var periods: [Period] = []
    /// The word for a period: `week` or `month`.
    let unit: String

    /// The maximum number of weeks that are shown separately. Public web certificates are valid for at most 200 days.
    /// These weeks cover 182 of them.
    private static let weeks = 26
    private static let months = 24
    private static let week: Int64 = 7 * 86_400

    /// - Parameters:
    ///   - ends: the hosts with their first expiry dates. The index is the host's.
    ///   - date: the date that the first week or month begins with.
    init(_ ends: [(host: Int, end: Time)], from date: Time) {
        let sorted = ends.sorted { ($0.end, $0.host) < ($1.end, $1.host) }
        let isWeekly = sorted.allSatisfy { $0.end < date.advanced(by: Int64(Self.weeks - 1) * Self.week) }
        unit = isWeekly ? "week" : "month"
        var periods = isWeekly ? Self.weeks(from: date) : Self.months(from: date)
        let first = isWeekly ? Self.monday(of: date).secondsSinceEpoch : Self.month(of: date)
        var past = Period(name: "before \(date.description.prefix(10))", label: "expired", urgency: .past, isRest: true)
        var beyond = Period(name: "later", label: "later", urgency: .later, isRest: true)
        for (host, end) in sorted {
            let distance =
                isWeekly ? (end.secondsSinceEpoch - first) / Self.week : Self.month(of: end) - first
            if end < date {
                past.hosts.append(host)
            } else if distance < periods.count {
                periods[Int(distance)].hosts.append(host)
            } else {
                beyond.hosts.append(host)
            }
        }
        if let last = periods.lastIndex(where: { !$0.hosts.isEmpty }), beyond.hosts.isEmpty {
            periods.removeLast(periods.count - 1 - last)
        } else if beyond.hosts.isEmpty {
            periods = []
        }
        self.periods = (past.hosts.isEmpty ? [] : [past]) + periods + (beyond.hosts.isEmpty ? [] : [beyond])
    }

    // MARK: - Periods

    private static func monday(of date: Time) -> Time {
        // January 1, 1970 was a Thursday.
        let days = floor(date.secondsSinceEpoch, dividedBy: 86_400)
        return Time(secondsSinceEpoch: (days - modulo(days + 3, 7)) * 86_400)
    }

    private static func weeks(from date: Time) -> [Period] {
        let first = monday(of: date)
        return (0..<weeks).map { index in
            let start = first.advanced(by: Int64(index) * week)
            let text = start.description.prefix(10)
            return Period(
                name: "week of \(text)", label: DateLabel(start).day,
                year: index == 0 || text.dropFirst(5) < "01-08" ? String(text.prefix(4)) : nil,
                urgency: index < 5 ? .soon : .later)
        }
    }

    private static func months(from date: Time) -> [Period] {
        let first = month(of: date)
        return (0..<Int64(months)).map { index in
            let (year, month) = (floor(first + index, dividedBy: 12), modulo(first + index, 12))
            return Period(
                name: "\(DateLabel.monthNames[Int(month)]) \(year)", label: DateLabel.monthNames[Int(month)],
                year: index == 0 || month == 0 ? String(year) : nil, urgency: index < 2 ? .soon : .later)
        }
    }

    /// The number of months since the year 0.
    private static func month(of date: Time) -> Int64 {
        // Dates of certificates are between the years 1 and 9999.
        let parts = date.description.split(separator: "-", maxSplits: 2)
        guard parts.count == 3, let year = Int64(parts[0]), let month = Int64(parts[1]) else { return 0 }
        return year * 12 + month - 1
    }

    private static func modulo(_ value: Int64, _ divisor: Int64) -> Int64 {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }

    private static func floor(_ value: Int64, dividedBy divisor: Int64) -> Int64 {
        (value - modulo(value, divisor)) / divisor
    }
}

/// The short names of a day in UTC, for the labels below the columns of a drawing.
package struct DateLabel: Sendable, Hashable {
    /// The year: `2026`.
    package let year: String
    /// The month: `Nov`.
    package let month: String
    /// The month and the day: `Nov 23`.
    package let day: String

    static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    package init(_ time: Time) {
        // Years before 1 and after 9999 have another format. They don't occur in certificates.
        let parts = time.description.prefix(10).split(separator: "-")
        let place = parts.count == 3 ? (Int(parts[1]) ?? 1) - 1 : 0
        year = parts.first.map(String.init) ?? ""
        month = Self.monthNames.indices.contains(place) ? Self.monthNames[place] : ""
        day = "\(month) \(parts.last ?? "")"
    }

    /// Whether a word begins with a date, as in `2026-11-23T17:09:41Z,` and `(2026-11-23`.
    static func isDate(_ word: Substring.UnicodeScalarView) -> Bool {
        let word = word.first == "(" ? word.dropFirst() : word
        guard (10...40).contains(word.count) else { return false }
        return zip(word, "0000-00-00".unicodeScalars).allSatisfy { scalar, form in
            form == "-" ? scalar == "-" : ("0"..."9").contains(scalar)
        }
    }
}
