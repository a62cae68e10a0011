// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The counts of answers by the UTC week when their leaf certificates expire, from 2000 to 2049. Weeks begin on Monday
/// (ISO 8601).
struct AuditWeeks: Sendable, Equatable {
    /// A week, as the number of weeks after the one that begins on 1969-12-29.
    typealias Week = Int

    /// The weeks that have their own counts: those of the Mondays from 2000-01-03 to 2049-12-27.
    static let range = 1566..<4175

    /// The answers of each week that has any.
    private(set) var counts: [Week: AuditCount] = [:]
    /// The answers whose certificates expire before the first week.
    private(set) var before = AuditCount()
    /// The answers whose certificates expire after the last week.
    private(set) var after = AuditCount()
    /// The answers without a leaf certificate.
    private(set) var none = AuditCount()

    /// The weeks that have answers, in chronological order.
    var sorted: [(week: Week, count: AuditCount)] {
        counts.map { (week: $0.key, count: $0.value) }.sorted { $0.week < $1.week }
    }

    /// Counts an answer.
    mutating func add(_ end: Time?, _ verdict: AuditVerdict) {
        guard let end else { return none.add(verdict) }
        let week = Self.week(of: end)
        if week < Self.range.lowerBound {
            before.add(verdict)
        } else if week >= Self.range.upperBound {
            after.add(verdict)
        } else {
            counts[week, default: AuditCount()].add(verdict)
        }
    }

    /// Returns the week that contains a time.
    static func week(of time: Time) -> Week {
        // 1970-01-01 was a Thursday.
        let days = floor(time.secondsSinceEpoch, dividedBy: 86_400)
        return Int(floor(days + 3, dividedBy: 7))
    }

    /// Returns the first second of a week.
    static func monday(of week: Week) -> Time { Time(secondsSinceEpoch: (Int64(week) * 7 - 3) * 86_400) }

    private static func floor(_ value: Int64, dividedBy divisor: Int64) -> Int64 {
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}

extension AuditWeeks: Codable {
    private enum Key: String, CodingKey { case weeks, before, after, none }

    private struct Entry: Codable {
        var week: Week
        var count: AuditCount
    }

    /// Encodes the weeks in chronological order, so that equal values produce equal bytes.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(sorted.map { Entry(week: $0.week, count: $0.count) }, forKey: .weeks)
        try container.encode(before, forKey: .before)
        try container.encode(after, forKey: .after)
        try container.encode(none, forKey: .none)
    }

    /// - Throws: `DecodingError` if weeks are out of order or outside ``range``.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        before = try container.decode(AuditCount.self, forKey: .before)
        after = try container.decode(AuditCount.self, forKey: .after)
        none = try container.decode(AuditCount.self, forKey: .none)
        var list = try container.nestedUnkeyedContainer(forKey: .weeks)
        var last = Int.min
        while !list.isAtEnd {
            let entry = try list.decode(Entry.self)
            guard entry.week > last, Self.range.contains(entry.week) else {
                throw DecodingError.dataCorruptedError(
                    in: list, debugDescription: "week \(entry.week) is out of order or range")
            }
            last = entry.week
            counts[entry.week] = entry.count
        }
    }
}
