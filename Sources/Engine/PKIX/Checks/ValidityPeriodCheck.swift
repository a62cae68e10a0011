// SPDX-License-Identifier: Apache-2.0

/// Checks that a server certificate isn't valid for longer than the CA/Browser baseline allows at its date of issuance
/// (§ 6.3.2).
///
/// The rule applies only to CAs in root programs. The date of issuance is the leaf's notBefore.
enum ValidityPeriodCheck {
    /// The start of each limit, latest first, and the limit in days.
    private static let limits: [(from: Time, days: Int64)] = [
        (Time(secondsSinceEpoch: 1_868_227_200), 47),  // 2029-03-15T00:00:00Z
        (Time(secondsSinceEpoch: 1_805_068_800), 100),  // 2027-03-15T00:00:00Z
        (Time(secondsSinceEpoch: 1_773_532_800), 200),  // 2026-03-15T00:00:00Z
        (Time(secondsSinceEpoch: 1_598_918_400), 398),  // 2020-09-01T00:00:00Z
    ]

    /// Returns a leaf's validity in days, rounded up, and the days allowed. Returns nil if the leaf is within
    /// its limit, or older than all limits.
    static func excess(_ leaf: Certificate) -> ValidityExcess? {
        guard let limit = limits.first(where: { leaf.notBefore >= $0.from }) else { return nil }
        // Dates of certificates are in the years 0 to 9999, and the period includes the last second (RFC 5280 §
        // 4.1.2.5).
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

/// A validity period that is too long.
package struct ValidityExcess: Sendable, Hashable {
    /// The number of days from notBefore to notAfter.
    package let days: Int
    /// The number of days that the CA/Browser baseline allows.
    package let allowed: Int
}
