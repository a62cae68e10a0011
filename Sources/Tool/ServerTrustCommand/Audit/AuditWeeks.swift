// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The counts of answers by the UTC week when their leaf certificates expire, from 2000 to 2049. Weeks begin on Monday
/// (ISO 8601).
struct AuditWeeks: Sendable, Equatable {
    /// A week, as the number of weeks after the one that begins on 1969-12-29.
    typealias Week = Int

    /// The weeks that have their own counts: those of the Mondays from 2000-01-03 to 2049-12-27.
    static let range = 1566..<4175

    /// The answers of a week.
    struct Entry: Codable, Sendable, Equatable {
        var week: Week
        var count = AuditCount()
    }

    /// The weeks that have answers, in chronological order.
    private(set) var weeks: [Entry] = []
    /// The answers whose certificates expire before the first week.
    private(set) var before = AuditCount()
    /// The answers whose certificates expire after the last week.
    private(set) var after = AuditCount()
    /// The answers without a leaf certificate.
    private(set) var none = AuditCount()

    /// Counts an answer.
    mutating func add(_ end: Time?, _ verdict: AuditVerdict) {
        guard let end else { return none.add(verdict) }
        let week = Self.week(of: end)
        if week < Self.range.lowerBound {
            before.add(verdict)
        } else if week >= Self.range.upperBound {
            after.add(verdict)
        } else {
            let place = weeks.firstIndex { $0.week >= week } ?? weeks.count
            if place == weeks.count || weeks[place].week > week { weeks.insert(Entry(week: week), at: place) }
            weeks[place].count.add(verdict)
        }
    }

    /// Returns the week that contains a time.
    static func week(of time: Time) -> Week {
        // 1970-01-01 was a Thursday.
        Int(((Double(time.secondsSinceEpoch) + 3 * 86_400) / (7 * 86_400)).rounded(.down))
    }

    /// Returns the first second of a week.
    static func monday(of week: Week) -> Time { Time(secondsSinceEpoch: (Int64(week) * 7 - 3) * 86_400) }
}

extension AuditWeeks: Codable {
    /// - Throws: `DecodingError` if weeks are out of order or outside ``range``.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        before = try container.decode(AuditCount.self, forKey: .before)
        after = try container.decode(AuditCount.self, forKey: .after)
        none = try container.decode(AuditCount.self, forKey: .none)
        weeks = try container.decode([Entry].self, forKey: .weeks)
        let isInOrder = zip(weeks, weeks.dropFirst()).allSatisfy { $0.week < $1.week }
        guard isInOrder, weeks.allSatisfy({ Self.range.contains($0.week) }) else {
            throw DecodingError.dataCorruptedError(
                forKey: .weeks, in: container, debugDescription: "a week is out of order or range")
        }
    }
}
