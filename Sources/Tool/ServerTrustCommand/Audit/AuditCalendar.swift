// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX

/// The expiry weeks of an audit, grouped into at most 55 periods of a chart.
///
/// A period is a week. If the certificates expire over a longer time, a period is a month or a year.
///
/// If the run has a date, the chart starts in the week of that date, unless most certificates have expired by then.
/// Otherwise it starts where the first 2 % have expired. It covers 53 weeks if three quarters of the remaining
/// certificates expire within them, else 36 months if three quarters expire within those, else years. All other
/// certificates are counted in one period before the chart and one after it. A week belongs to the month and the year
/// of its Monday.
struct AuditCalendar {
    enum Unit: String, Sendable { case week, month, year }

    /// A week, a month or a year, or all the time before or after the chart.
    struct Period: Sendable, Hashable {
        /// The name in the table: `week of 2026-11-23`.
        var name: String
        /// The label below the column: `Nov 23`.
        var label: String
        /// The year below the column, or nil if the previous column has the same year.
        var year: String?
        var tone: HTMLTone
        var count = AuditCount()
        /// Whether the period is all the time before or after the chart.
        var isRest = false
    }

    let unit: Unit
    private(set) var periods: [Period] = []

    private static let weeks = 53
    private static let months = 36

    /// - Parameter date: the date of the run, or nil if each row has its own date.
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

    /// Returns the first week after the chart.
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
        // Highlights the certificates to renew next: those that expire within about a month.
        return distance < 0 ? .bad : distance <= (unit == .week ? 4 : unit == .month ? 1 : 0) ? .caution : .note
    }

    /// Returns the number of the period that contains a week.
    private func number(_ week: AuditWeeks.Week) -> Int {
        switch unit {
        case .week: week
        case .month: Self.month(week)
        case .year: Self.month(week) / 12
        }
    }

    /// Returns the first week of a period.
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

    /// Returns the number of months from year 0 to the Monday of a week.
    private static func month(_ week: AuditWeeks.Week) -> Int {
        let parts = day(week).split(separator: "-")
        guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]) else { return 0 }
        return year * 12 + month - 1
    }

    /// Returns the week of the first Monday of a month.
    private static func firstWeek(ofMonth month: Int) -> AuditWeeks.Week {
        let text = String(month % 12 + 101).suffix(2)
        guard let seventh = try? Time(rfc3339: "\(month / 12)-\(text)-07") else { return AuditWeeks.range.upperBound }
        return AuditWeeks.week(of: seventh)
    }
}
