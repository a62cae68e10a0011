// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// The CA/Browser baseline's limits on validity by notBefore, which apply only to public anchors.
@Suite("Validity periods")
struct ValidityPeriodTests {
    static let rows: [(name: String, from: String, days: Int64, extra: Int64, isTooLong: Bool)] = [
        ("398 days", "2020-09-01", 398, -1, false), ("a second more", "2020-09-01", 398, 0, true),
        ("399 whole days", "2020-09-01", 398, 86_399, true),
        ("825 days from before the limit", "2020-08-31", 825, -1, false),
        ("398 days until March 2026", "2026-03-14", 398, -1, false),
        ("200 days from March 2026 on", "2026-03-15", 200, -1, false),
        ("201 days", "2026-03-15", 200, 0, true), ("201 days later", "2026-12-31", 200, 0, true),
        ("100 days from March 2027 on", "2027-03-15", 100, -1, false),
        ("101 days", "2027-03-15", 100, 0, true), ("200 days on the day before", "2027-03-14", 200, -1, false),
        ("47 days from March 2029 on", "2029-03-15", 47, -1, false), ("48 days", "2029-03-15", 47, 0, true),
    ]

    @Test(
        "Strict rules refuse a validity period over the limit, and without strict rules the path reports it",
        arguments: rows)
    func limits(name: String, from: String, days: Int64, extra: Int64, isTooLong: Bool) throws {
        let notBefore = try Time(rfc3339: from)
        let authority = CertificateTemplate.authority("CA").with {
            $0.notBefore = Time(secondsSinceEpoch: 0)
            $0.notAfter = Time(secondsSinceEpoch: 4_000_000_000)
        }
        let root = try TestAuthority.root(authority)
        let leaf = try root.issue(
            .leaf("www.example.com").with {
                $0.notBefore = notBefore
                $0.notAfter = notBefore.advanced(by: days * 86_400 + extra)
            }
        ).certificate
        // Checking a condition of the anchor doesn't change the failure's certificate.
        var constraints = AnchorConstraints()
        constraints.dates = [IssuanceLimit(.after, Time(secondsSinceEpoch: 0), clock: .notBefore)]
        let conditions = AnchorConditions(source: "Example", alternatives: [constraints])
        for isPublic in [true, false] {
            let anchors = AnchorStore([TrustAnchor(root.certificate, conditions: [conditions], isPublic: isPublic)])
            for policy in [ValidationPolicy(), .strict, .strictPlain] {
                let validation = PathValidator(anchors: anchors, policy: policy, memory: nil)
                    .validate(leaf, host: nil, at: notBefore)
                let isRefused = isTooLong && isPublic && policy == .strict
                #expect(validation.codes == (isRefused ? [.strictValidityPeriod] : []))
                #expect(validation.failures.allSatisfy { $0.certificate == 0 && $0.expected == .number(Int(days)) })
                #expect(validation.failures.allSatisfy { $0.role == .leaf })
                guard let path = validation.path else { continue }
                #expect(
                    path.validityExcess
                        == (isTooLong && isPublic ? ValidityExcess(days: Int(days) + 1, allowed: Int(days)) : nil))
            }
        }
    }
}
