// SPDX-License-Identifier: Apache-2.0

/// The counts of answers by the validity of their leaf certificates. The steps are present and past limits of the
/// Baseline Requirements of the CA/Browser Forum (§ 1.6.1 for short-lived certificates, § 6.3.2 for all others).
struct AuditValidity: Sendable, Equatable {
    /// A step with its limit.
    struct Step: Sendable, Hashable {
        /// The longest validity in days, or nil for a step without a limit.
        var maximumDays: Int?
        var name: String
        /// The rule that sets the limit.
        var meaning: String
    }

    /// The steps, shortest first. The last ones are for certificates beyond all limits and for certificates without a
    /// valid period.
    static let steps: [Step] = [
        Step(7, "short-lived, needs no revocation status, from 2026-03-15 on"),
        Step(10, "short-lived, issued from 2024-03-15 until 2026-03-15"),
        Step(47, "the limit from 2029-03-15 on"),
        Step(90, "usual for certificates that are renewed automatically"),
        Step(100, "the limit from 2027-03-15 on"),
        Step(200, "the limit from 2026-03-15 on"),
        Step(398, "the limit from 2020-09-01 until 2026-03-15"),
        Step(825, "the limit from 2018-03-01 until 2020-09-01"),
        Step(maximumDays: nil, name: "more than 825 days", meaning: "beyond every limit since 2018"),
        Step(maximumDays: nil, name: "no valid period", meaning: "the certificate ends before it begins"),
    ]

    /// The answers for each of ``steps``.
    private(set) var counts = [AuditCount](repeating: AuditCount(), count: steps.count)
    /// The answers without a leaf certificate.
    private(set) var none = AuditCount()

    /// Counts an answer.
    /// - Parameter days: the validity of the leaf in days, rounded up.
    mutating func add(_ days: Int?, _ verdict: AuditVerdict) {
        guard let days else { return none.add(verdict) }
        counts[Self.step(of: days)].add(verdict)
    }

    private static func step(of days: Int) -> Int {
        guard days > 0 else { return steps.count - 1 }
        return steps.firstIndex { ($0.maximumDays ?? .max) >= days } ?? steps.count - 2
    }
}

extension AuditValidity.Step {
    fileprivate init(_ days: Int, _ meaning: String) {
        self.init(maximumDays: days, name: "up to \(days) days", meaning: meaning)
    }
}

extension AuditValidity: Codable {
    /// - Throws: `DecodingError` if the number of steps differs.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        none = try container.decode(AuditCount.self, forKey: .none)
        counts = try container.decode([AuditCount].self, forKey: .counts)
        guard counts.count == Self.steps.count else {
            throw DecodingError.dataCorruptedError(
                forKey: .counts, in: container,
                debugDescription: "expected \(Self.steps.count) steps, found \(counts.count)")
        }
    }
}
