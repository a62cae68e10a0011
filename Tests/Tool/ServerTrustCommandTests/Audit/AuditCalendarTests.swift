// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrustCommand

@Suite("The periods in an audit chart") struct AuditCalendarTests {
    private func calendar(_ ends: [(String, Int)], from date: String?) throws -> AuditCalendar {
        var weeks = AuditWeeks()
        for (end, count) in ends {
            for _ in 0..<count { weeks.add(try Time(rfc3339: end), .trusted) }
        }
        let calendar = AuditCalendar(weeks, from: try date.map { try Time(rfc3339: $0) })
        #expect(calendar.periods.count <= 55)
        #expect(calendar.periods.reduce(0) { $0 + $1.count.answers } == ends.reduce(0) { $0 + $1.1 })
        return calendar
    }

    private func names(_ calendar: AuditCalendar) -> [String] {
        calendar.periods.filter { $0.count.answers > 0 }.map { "\($0.name): \($0.count.answers)" }
    }

    @Test("The chart shows weeks from the date onward, with one period for expired and one for later certificates")
    func weeks() throws {
        let found = try calendar(
            [("2026-11-20", 2), ("2026-11-23", 1), ("2026-12-30", 5), ("2020-01-01", 1), ("2036-01-01", 1)],
            from: "2026-11-23")
        #expect(found.unit == .week)
        #expect(names(found) == ["before 2026-11-23: 3", "week of 2026-11-23: 1", "week of 2026-12-28: 5", "later: 1"])
        #expect(
            found.periods.map(\.label) == [
                "ended", "Nov 23", "Nov 30", "Dec 07", "Dec 14", "Dec 21", "Dec 28", "later",
            ])
        #expect(found.periods.map(\.year) == [nil, "2026", nil, nil, nil, nil, nil, nil])
        #expect(found.periods.map(\.tone) == [.bad, .caution, .caution, .caution, .caution, .caution, .note, .note])
    }

    @Test("The chart shows months or years if expiries span a longer time")
    func longer() throws {
        let months = try calendar([("2026-12-10", 1), ("2028-06-01", 3), ("2028-06-05", 1)], from: "2026-11-23")
        #expect(months.unit == .month)
        // Thursday 2028-06-01 is in the week of 2028-05-29.
        #expect(names(months) == ["Dec 2026: 1", "May 2028: 3", "Jun 2028: 1"])
        #expect(months.periods.first?.label == "Nov")
        let years = try calendar([("2026-12-10", 1), ("2036-06-01", 3), ("2060-01-01", 1)], from: "2026-11-23")
        #expect(years.unit == .year)
        #expect(names(years) == ["2026: 1", "2036: 3", "later: 1"])
    }

    @Test("Without a date, or if most certificates have expired, the chart begins with the first expiries")
    func past() throws {
        let ended = try calendar([("2020-02-03", 60), ("2020-03-02", 60), ("2026-12-01", 1)], from: "2026-11-23")
        #expect(ended.unit == .week)
        #expect(names(ended) == ["week of 2020-02-03: 60", "week of 2020-03-02: 60", "later: 1"])
        #expect(ended.periods.dropLast().allSatisfy { $0.tone == .bad })
        let dateless = try calendar([("1999-01-01", 1), ("2020-02-03", 60), ("2020-03-02", 60)], from: nil)
        #expect(names(dateless) == ["before 2020-02-03: 1", "week of 2020-02-03: 60", "week of 2020-03-02: 60"])
        #expect(dateless.periods.allSatisfy { $0.tone == .note })
    }

    @Test(
        "The chart includes expiries and dates outside all weeks",
        arguments: [nil, "1990-01-01", "2026-11-23", "2070-01-01"])
    func beyond(_ date: String?) throws {
        #expect(names(try calendar([("1995-01-01", 2)], from: date)).count == 1)
        #expect(names(try calendar([("2095-01-01", 2)], from: date)) == ["later: 2"])
        #expect(
            try calendar([("1995-01-01", 2), ("2095-01-01", 2), ("2049-12-31", 3)], from: date).periods.count <= 55)
        #expect(try calendar([], from: date).periods.isEmpty)
    }
}
