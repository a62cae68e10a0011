// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// Certificates without revocation information: noRevAvail (RFC 9608) and short validity, each with a case that meets
/// and one that breaks each rule.
@Suite("Revocation exemptions")
struct RevocationExemptionTests {
    let scene: PublicScene

    init() throws { scene = try PublicScene() }

    private static let noRevAvail = Extension(
        identifier: OID("2.5.29.56") ?? .anyPolicy, isCritical: false, value: [0x05, 0x00])

    /// A leaf with noRevAvail and 90 days of validity.
    private func leafWithoutRevocation(_ change: (inout CertificateTemplate) -> Void = { _ in }) throws -> Certificate {
        try scene.issuer.issue(
            .leaf("www.example.com").with {
                $0.extensions = [Self.noRevAvail]
                change(&$0)
            }
        ).certificate
    }

    // MARK: - noRevAvail

    @Test("RFC 9608 § 2: a leaf with noRevAvail is exempt, with any anchor")
    func noRevAvail() throws {
        for isPublic in [true, false] {
            #expect(try scene.status(leafWithoutRevocation(), isPublic: isPublic) == .exempt(.noRevAvail))
        }
    }

    @Test("RFC 9608 § 3: noRevAvail in a certificate that names revocation information is ignored with a note")
    func ignored() throws {
        let changes: [(inout CertificateTemplate) -> Void] = [
            { $0.crlDistributionPoints = ["http://crl.test/ca.crl"] },
            { $0.ocspResponders = ["http://ocsp.test/"] },
            {
                $0.extensions.append(
                    Extension(
                        identifier: OID("2.5.29.46") ?? .anyPolicy, isCritical: false,
                        // A point with the name http://d.test.
                        value: [0x30, 0x13, 0x30, 0x11, 0xa0, 0x0f, 0xa0, 0x0d, 0x86, 0x0b] + Array("http://d.te".utf8))
                )
            },
        ]
        for change in changes {
            let status = try scene.status(leafWithoutRevocation(change))
            #expect(status == .unobtainable(.noEvidence, .noRevAvailIgnored))
        }
        // Addresses of issuer certificates aren't revocation information.
        #expect(try scene.status(leafWithoutRevocation { $0.caIssuers = ["http://ca.test/"] }) == .exempt(.noRevAvail))
    }

    @Test("RFC 9608 § 2: noRevAvail in a CA's certificate is ignored with a note")
    func authority() throws {
        let issuer = try scene.root.intermediate(
            .authority("CA without revocation").with { $0.extensions = [Self.noRevAvail] })
        let leaf = try issuer.issue(.leaf("www.example.com")).certificate
        let findings = try scene.findings(leaf, [issuer.certificate])
        #expect(findings.map(\.status).last == .unobtainable(.noEvidence, .noRevAvailIgnored))
    }

    @Test("noRevAvail with contents other than NULL exempts no certificate")
    func malformed() throws {
        for value: [UInt8] in [[], [0x05], [0x05, 0x01, 0x00], [0x30, 0x00], [0x05, 0x00, 0x00]] {
            let leaf = try leafWithoutRevocation {
                $0.extensions = [
                    Extension(identifier: Self.noRevAvail.identifier, isCritical: false, value: value)
                ]
            }
            #expect(try scene.status(leaf) == .unobtainable(.noEvidence), "\(value)")
        }
    }

    @Test("RFC 9608 § 3: noRevAvail is ignored next to an unreadable location of revocation information")
    func unreadablePlaces() throws {
        // cRLDistributionPoints, freshestCRL, authorityInfoAccess
        for identifier in ["2.5.29.31", "2.5.29.46", "1.3.6.1.5.5.7.1.1"] {
            let leaf = try leafWithoutRevocation {
                $0.extensions.append(.named(identifier, ASN1.null))
            }
            #expect(try scene.status(leaf) == .unobtainable(.noEvidence, .noRevAvailIgnored), "\(identifier)")
        }
    }

    // MARK: - Short-lived leaves

    static let rows: [(notBefore: String, seconds: Int64, isExempt: Bool)] = [
        ("2024-03-14", 86_400, false), ("2024-03-14T23:59:59Z", 60, false), ("2024-03-15", 864_000, true),
        ("2024-03-15", 864_001, false), ("2026-03-14T23:59:59Z", 864_000, true), ("2026-03-15", 604_800, true),
        ("2026-03-15", 604_801, false), ("2026-03-15", 864_000, false), ("2027-01-01", 604_800, true),
        ("2027-01-01", 604_801, false),
    ]

    @Test(
        "A leaf's validity, including the last second, and its notBefore date decide whether it is exempt",
        arguments: rows
    )
    func shortLived(notBefore: String, seconds: Int64, isExempt: Bool) throws {
        let start = try Time(rfc3339: notBefore)
        let leaf = try scene.issuer.issue(
            .leaf("www.example.com").with {
                $0.notBefore = start
                $0.notAfter = start.advanced(by: seconds - 1)
            }
        ).certificate
        #expect(
            try scene.status(leaf, at: start) == (isExempt ? .exempt(.shortLived) : .unobtainable(.noEvidence)))
    }

    @Test("The exemption applies to public anchors, to all anchors, or to none, as the policy says")
    func anchors() throws {
        let leaf = try shortLivedLeaf()
        let rows: [(RevocationPolicy.Anchors?, isPublic: Bool, isExempt: Bool)] = [
            (nil, true, true), (nil, false, false), (.publicAnchors, true, true), (.publicAnchors, false, false),
            (.all, true, true), (.all, false, true), (RevocationPolicy.Anchors.none, true, false),
            (RevocationPolicy.Anchors.none, false, false),
        ]
        for row in rows {
            var policy = RevocationPolicy.bestEffort
            if let anchors = row.0 { policy.shortLivedExemption = anchors }
            let status = try scene.status(leaf, isPublic: row.isPublic, policy: policy)
            #expect(status == (row.isExempt ? .exempt(.shortLived) : .unobtainable(.noEvidence)), "\(row)")
        }
    }

    @Test("A short-lived CA certificate isn't exempt")
    func shortLivedAuthority() throws {
        let issuer = try scene.root.intermediate(
            .authority("Short-lived CA").with {
                $0.notBefore = .days(-1)
                $0.notAfter = .days(3)
            })
        let leaf = try issuer.issue(.leaf("www.example.com").with { $0.notAfter = .days(2) }).certificate
        #expect(try scene.findings(leaf, [issuer.certificate]).last?.status == .unobtainable(.noEvidence))
        // Not even as the first certificate of a path.
        let first = try scene.issuer.issue(
            .authority("Short-lived CA").with { ($0.notBefore, $0.notAfter) = (.days(-1), .days(3)) }
        ).certificate
        #expect(try scene.status(first) == .unobtainable(.noEvidence))
    }

    // MARK: - Evidence first

    @Test(
        "Available evidence takes precedence over an exemption: a revocation, a good status or an unknown status"
    )
    func evidence() throws {
        for leaf in [try leafWithoutRevocation(), try shortLivedLeaf()] {
            let (issuer, exemption) = (scene.issuer, leaf.hasNoRevAvail ? RevocationExemption.noRevAvail : .shortLived)
            func status(crls: [TestCRL] = [], ocsp: [TestOCSPResponse] = []) throws -> RevocationFinding.Status {
                try scene.status(leaf, crls: crls, ocsp: ocsp)
            }
            #expect(try status(crls: [issuer.crl { $0.revoke(leaf) }]) == .revoked())
            #expect(try status(crls: [issuer.crl()]) == .good)
            #expect(try status(ocsp: [issuer.ocspResponse { $0.add(leaf, .revoked) }]) == .revoked())
            #expect(try status(ocsp: [issuer.ocspResponse { $0.add(leaf) }]) == .good)
            #expect(try status(ocsp: [issuer.ocspResponse { $0.add(leaf, .unknown) }]) == .unobtainable(.ocspUnknown))
            // An expired list revokes, but without an entry it isn't evidence.
            let expired = try issuer.crl {
                $0.thisUpdate = .days(-9)
                $0.nextUpdate = .days(-2)
                $0.revoke(leaf)
            }
            #expect(try status(crls: [expired]) == .revoked())
            #expect(
                try status(
                    crls: [
                        issuer.crl {
                            $0.thisUpdate = .days(-9)
                            $0.nextUpdate = .days(-2)
                        }
                    ]) == .exempt(exemption))
        }
    }

    @Test("An exhausted budget isn't an exemption")
    func budget() throws {
        let leaf = try leafWithoutRevocation()
        let found = try scene.findings(
            leaf, crls: [scene.issuer.crl()], budget: RevocationBudget(signatures: 0)
        ).first
        #expect(found?.status == .unobtainable(.budgetExceeded))
    }

    private func shortLivedLeaf() throws -> Certificate {
        try scene.issuer.issue(
            .leaf("www.example.com").with {
                $0.notBefore = .days(-1)
                $0.notAfter = .days(5)
            }
        ).certificate
    }
}

/// A root that is public or private, a CA below it, and the findings for leaves.
struct PublicScene {
    let root: TestAuthority
    let issuer: TestAuthority

    init() throws {
        let unlimited = { (template: inout CertificateTemplate) in
            template.notBefore = Time(secondsSinceEpoch: 0)
            template.notAfter = Time(secondsSinceEpoch: 4_000_000_000)
        }
        root = try .root(CertificateTemplate.authority("Public Root").with(unlimited))
        issuer = try root.intermediate(CertificateTemplate.authority("Public CA").with(unlimited))
    }

    /// Returns the findings for a leaf and for the CAs above it except the root.
    func findings(
        _ leaf: Certificate, _ presented: [Certificate]? = nil, isPublic: Bool = true, crls: [TestCRL] = [],
        ocsp: [TestOCSPResponse] = [], filters: [RevocationFilter] = [], policy: RevocationPolicy = .bestEffort,
        at time: Time = TestAuthority.now, budget: RevocationBudget = RevocationBudget()
    ) throws -> [RevocationFinding] {
        let anchors = AnchorStore([TrustAnchor(root.certificate, conditions: [], isPublic: isPublic)])
        let path = try #require(
            PathValidator(anchors: anchors, policy: .plain, memory: nil)
                .validate(leaf, presented: presented ?? [issuer.certificate], host: nil, at: time).path)
        var evidence = RevocationEvidence(
            ocspResponses: try ocsp.map { try OCSPResponse(der: $0.der) },
            crls: try crls.map { try CertificateRevocationList(der: $0.der) })
        evidence.filters = filters
        return RevocationChecker(evidence, policy: policy, at: time, memory: nil, budget: budget).findings(for: path)
    }

    func status(
        _ leaf: Certificate, isPublic: Bool = true, crls: [TestCRL] = [], ocsp: [TestOCSPResponse] = [],
        policy: RevocationPolicy = .bestEffort, at time: Time = TestAuthority.now
    ) throws -> RevocationFinding.Status {
        let findings = try findings(leaf, isPublic: isPublic, crls: crls, ocsp: ocsp, policy: policy, at: time)
        return try #require(findings.first).status
    }
}
