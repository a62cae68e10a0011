// SPDX-License-Identifier: Apache-2.0

/// The longest validity that the CA/Browser baseline allows for certificates of servers, by the date of issuance (§ 6.3.2).
///
/// It binds the CAs of root programs alone. The date of issuance is the leaf's notBefore.
enum ValidityPeriodCheck {
    /// The beginnings of the limits, the latest first, and the days.
    private static let limits: [(from: Time, days: Int64)] = [
        (Time(secondsSinceEpoch: 1_868_227_200), 47),  // 2029-03-15T00:00:00Z
        (Time(secondsSinceEpoch: 1_805_068_800), 100),  // 2027-03-15T00:00:00Z
        (Time(secondsSinceEpoch: 1_773_532_800), 200),  // 2026-03-15T00:00:00Z
        (Time(secondsSinceEpoch: 1_598_918_400), 398),  // 2020-09-01T00:00:00Z
    ]

    /// Returns the days for which a leaf is valid, a part of a day as a whole one, and the days that are allowed; nil for a leaf within its
    /// limit, and for one from before the limits.
    static func excess(_ leaf: Certificate) -> ValidityExcess? {
        guard let limit = limits.first(where: { leaf.notBefore >= $0.from }) else { return nil }
        // Dates of certificates are in the years 0 to 9999; the last second belongs to the period (RFC 5280 § 4.1.2.5).
        let seconds = leaf.notAfter.secondsSinceEpoch - leaf.notBefore.secondsSinceEpoch + 1
        guard seconds > limit.days * 86_400 else { return nil }
        return ValidityExcess(days: Int((seconds + 86_399) / 86_400), allowed: Int(limit.days))
    }

    static func run(_ path: CandidatePath, _ list: inout FailureList) {
        guard let excess = excess(path.certificates[0]) else { return }
        list.certificate = 0
        list.role = .leaf
        list.add(.strictValidityPeriod, expected: .number(excess.allowed), found: .number(excess.days))
    }
}

/// A validity that is longer than allowed.
package struct ValidityExcess: Sendable, Hashable {
    /// The days from notBefore to notAfter.
    package let days: Int
    /// The days that the CA/Browser baseline allows.
    package let allowed: Int
}
