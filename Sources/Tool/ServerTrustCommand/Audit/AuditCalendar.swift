// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustReports

/// The weeks of an audit as at most 55 periods of a chart: weeks, or months or years if the certificates end over a longer time.
///
/// With a date the chart begins in its week, unless most certificates have ended before. Otherwise it begins where 2 % have ended. It goes on
/// for the shortest of 53 weeks and 36 months that has three quarters of the others, or else for years. The rest stands in a period before and
/// one behind. A week counts in the month and the year of its Monday.
struct AuditCalendar {
    enum Unit: String, Sendable { case week, month, year }

    /// A week, month or year, or the time before or behind them.
    struct Period: Sendable, Hashable {
        /// The name for a table: `week of 2026-11-23`.
        var name: String
        /// The name below a column: `Nov 23`.
        var label: String
        /// The year below a column; nil where it is that of the column before.
        var year: String?
        var tone: HTMLTone
        var count = AuditCount()
        /// Whether it is all the time before or behind the others.
        var isRest = false
    }

    let unit: Unit
    private(set) var periods: [Period] = []

    private static let weeks = 53
    private static let months = 36

    /// - Parameter date: the date of the run; nil if each row has its own.
    init(_ expiry: AuditWeeks, from date: Time?) {
        let all = expiry.sorted
        let now = date.map(AuditWeeks.week)
        let first = Self.first(all, expiry, now)
        let shown = all.filter { $0.week >= first }
        unit = Self.unit(shown, from: first)
        let behind = Self.end(unit, from: first)
        var before = expiry.before
        for entry in all where entry.week < first { before += entry.count }
        var after = expiry.after
        for entry in shown where entry.week >= behind { after += entry.count }
        let day = Self.day(first)
        if before.answers > 0 {
            let tone: HTMLTone = now == nil ? .note : .bad
            periods.append(
                Period(
                    name: "before \(day)", label: now == first ? "ended" : "earlier", tone: tone, count: before,
                    isRest: true))
        }
        append(shown.filter { $0.week < behind }, from: first, now)
        if after.answers > 0 {
            periods.append(Period(name: "later", label: "later", tone: .note, count: after, isRest: true))
        }
    }

    // MARK: - Limits

    private static func first(
        _ all: [(week: AuditWeeks.Week, count: AuditCount)], _ expiry: AuditWeeks, _ now: AuditWeeks.Week?
    ) -> AuditWeeks.Week {
        let total = all.reduce(expiry.before.answers + expiry.after.answers) { $0 + $1.count.answers }
        if let now {
            let left = all.reduce(expiry.after.answers) { $0 + ($1.week >= now ? $1.count.answers : 0) }
            if left >= total - left { return min(max(now, AuditWeeks.range.lowerBound), AuditWeeks.range.upperBound) }
        }
        var passed = expiry.before.answers
        for entry in all {
            passed += entry.count.answers
            if passed > total / 50 { return entry.week }
        }
        return all.last?.week ?? AuditWeeks.range.lowerBound
    }

    private static func unit(
        _ shown: [(week: AuditWeeks.Week, count: AuditCount)], from first: AuditWeeks.Week
    ) -> Unit {
        let total = shown.reduce(0) { $0 + $1.count.answers }
        for unit in [Unit.week, .month] {
            let behind = end(unit, from: first)
            let within = shown.reduce(0) { $0 + ($1.week < behind ? $1.count.answers : 0) }
            if within >= total - total / 4 { return unit }
        }
        return .year
    }

    /// The week behind the last of the chart.
    private static func end(_ unit: Unit, from first: AuditWeeks.Week) -> AuditWeeks.Week {
        switch unit {
        case .week: first + weeks
        // A month begins with its first Monday.
        case .month: firstWeek(ofMonth: month(first) + months)
        case .year: AuditWeeks.range.upperBound
        }
    }

    // MARK: - Periods

    private mutating func append(
        _ shown: [(week: AuditWeeks.Week, count: AuditCount)], from first: AuditWeeks.Week, _ now: AuditWeeks.Week?
    ) {
        guard let last = shown.last else { return }
        let start = number(first)
        var year = ""
        var counts = [AuditCount](repeating: AuditCount(), count: number(last.week) - start + 1)
        for entry in shown { counts[number(entry.week) - start] += entry.count }
        for (index, count) in counts.enumerated() {
            let week = self.week(start + index)
            let label = DateLabel(AuditWeeks.monday(of: week))
            var period = Period(name: "", label: "", tone: tone(start + index, now), count: count)
            switch unit {
            case .week: (period.name, period.label) = ("week of \(Self.day(week))", label.day)
            case .month: (period.name, period.label) = ("\(label.month) \(label.year)", label.month)
            case .year: (period.name, period.label) = (label.year, label.year)
            }
            if unit != .year, label.year != year { period.year = label.year }
            year = label.year
            periods.append(period)
        }
    }

    private func tone(_ period: Int, _ now: AuditWeeks.Week?) -> HTMLTone {
        guard let now else { return .note }
        let distance = period - number(now)
        // The certificates to renew next: a month ahead.
        return distance < 0 ? .bad : distance <= (unit == .week ? 4 : unit == .month ? 1 : 0) ? .caution : .note
    }

    /// The number of the period that a week is in.
    private func number(_ week: AuditWeeks.Week) -> Int {
        switch unit {
        case .week: week
        case .month: Self.month(week)
        case .year: Self.month(week) / 12
        }
    }

    /// The first week of a period.
    private func week(_ number: Int) -> AuditWeeks.Week {
        switch unit {
        case .week: number
        case .month: Self.firstWeek(ofMonth: number)
        case .year: Self.firstWeek(ofMonth: number * 12)
        }
    }

    private static func day(_ week: AuditWeeks.Week) -> String {
        String(AuditWeeks.monday(of: week).description.prefix(10))
    }

    /// The number of months from the year 0 to the Monday of a week.
    private static func month(_ week: AuditWeeks.Week) -> Int {
        let parts = day(week).split(separator: "-")
        guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]) else { return 0 }
        return year * 12 + month - 1
    }

    /// The week of the first Monday of a month.
    private static func firstWeek(ofMonth month: Int) -> AuditWeeks.Week {
        let text = String(month % 12 + 101).suffix(2)
        guard let seventh = try? Time(rfc3339: "\(month / 12)-\(text)-07") else { return AuditWeeks.range.upperBound }
        return AuditWeeks.week(of: seventh)
    }
}
