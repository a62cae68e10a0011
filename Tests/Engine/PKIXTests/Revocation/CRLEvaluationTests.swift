// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// RFC 5280 § 6.3.3, step by step.
@Suite("CRLs, RFC 5280 § 6.3.3")
struct CRLEvaluationTests {
    let fixture: RevocationFixture

    init() throws { fixture = try RevocationFixture() }

    private var leaf: Certificate { fixture.leaf.certificate }
    private var issuer: TestAuthority { fixture.issuer }

    private static let point = GeneralName.uri("http://crl.example.com/1")
    private static let otherPoint = GeneralName.uri("http://crl.example.com/2")

    /// A leaf with these distribution points.
    private func leaf(_ points: TestDistributionPoint...) throws -> Certificate {
        try issuer.issue(.leaf("www.example.com").with { $0.crlDistributionPoints = points }).certificate
    }

    // MARK: - The outcome

    @Test(
        "§ 6.3.3: a certificate that a complete, current CRL of its issuer doesn't list is good for as long as the CRL is current"
    )
    func good() throws {
        let found = try fixture.findings(crls: [issuer.crl()])[0]
        #expect(found.status == .good)
        #expect(found.source == .crl)
        #expect(found.validUntil == .days(7))
        #expect(found.validFrom == TestAuthority.now.advanced(by: -3600 - 300))
    }

    @Test("§ 6.3.3: a listed certificate is revoked, with date and reason and without an end")
    func revoked() throws {
        let crl = try issuer.crl { $0.revoke(leaf, at: .days(-3), reason: .keyCompromise) }
        let found = try fixture.findings(crls: [crl])[0]
        #expect(found.status == .revoked(at: .days(-3), reason: .keyCompromise))
        #expect(found.validUntil == nil)
    }

    @Test("Of two entries for one serial number, the one that is worse for the certificate counts, in any order")
    func listedTwice() throws {
        let entries: [(Time, RevocationReason)] = [
            (.days(-3), .certificateHold), (.days(-1), .keyCompromise), (.days(-2), .removeFromCRL),
        ]
        for (first, second) in [(0, 1), (1, 0), (1, 2), (2, 1)] {
            let crl = try issuer.crl { list in
                for (date, reason) in [entries[first], entries[second]] { list.revoke(leaf, at: date, reason: reason) }
            }
            let found = try fixture.findings(crls: [crl])[0]
            #expect(found.status == .revoked(at: .days(-1), reason: .keyCompromise), "\(first), \(second)")
        }
    }

    @Test("§ 6.3.3: the engine checks every certificate except the anchor, each against its own issuer's CRL")
    func wholePath() throws {
        let crls = [try issuer.crl(), try fixture.root.crl { $0.revoke(issuer.certificate) }]
        let found = try fixture.findings(crls: crls)
        #expect(found.map(\.certificate) == [0, 1])
        #expect(found.map(\.status) == [.good, .revoked()])
    }

    @Test("§ 6.3.3: if only the leaf is in scope, a CRL never proves an issuer good, but can revoke it")
    func onlyLeaf() throws {
        let policy = RevocationPolicy(.bestEffort, scope: .leaf)
        let good = try fixture.findings(crls: [issuer.crl(), fixture.root.crl()], policy: policy)
        #expect(good.map(\.status) == [.good, .unchecked])
        let crls = [try issuer.crl(), try fixture.root.crl { $0.revoke(issuer.certificate) }]
        let found = try fixture.findings(crls: crls, policy: policy)
        #expect(found.map(\.status) == [.good, .revoked()])
    }

    @Test("§ 6.3.3: without a CRL the status is undetermined")
    func none() throws {
        #expect(try fixture.status() == .unobtainable(.noEvidence))
        #expect(try fixture.status(crls: [fixture.root.crl()]) == .unobtainable(.noEvidence))
    }

    @Test("§ 6.3.3: another issuer's listed serial number belongs to another certificate")
    func otherIssuer() throws {
        let other = try TestAuthority.root(.authority("Other Root"))
        let crls = [try other.crl { $0.revoke(leaf) }, try issuer.crl()]
        #expect(try fixture.status(crls: crls, certificates: [other.certificate]) == .good)
    }

    // MARK: - (a) dates

    @Test("§ 6.3.3 (a): a CRL gives no good status after its next update, but still does in the last second before it")
    func expired() throws {
        let crl = try issuer.crl { $0.nextUpdate = .days(-1) }
        #expect(try fixture.status(crls: [crl]) == .unobtainable(.crlExpired))
        #expect(try fixture.status(crls: [issuer.crl { $0.nextUpdate = TestAuthority.now }]) == .good)
    }

    @Test(
        "§ 6.3.3 (a): a revocation in an expired CRL still counts, and so does a hold",
        arguments: [RevocationReason.superseded, .certificateHold])
    func expiredRevocation(_ reason: RevocationReason) throws {
        let crl = try issuer.crl {
            $0.nextUpdate = .days(-1)
            $0.revoke(leaf, reason: reason)
        }
        #expect(try fixture.status(crls: [crl]) == .revoked(reason))
    }

    @Test(
        "§ 5.1.2.5: a CRL without a next update gives no good status, because it can't be distinguished from an old one"
    )
    func noNextUpdate() throws {
        #expect(
            try fixture.status(crls: [issuer.crl { $0.nextUpdate = nil }]) == .unobtainable(.crlExpired))
    }

    @Test("§ 6.3.3 (a): a CRL from the future counts from five minutes before its date")
    func future() throws {
        let crl = try issuer.crl { $0.thisUpdate = .days(1) }
        #expect(try fixture.status(crls: [crl]) == .unobtainable(.crlNotYetValid))
        #expect(
            try fixture.status(crls: [issuer.crl { $0.thisUpdate = TestAuthority.now.advanced(by: 300) }]) == .good)
        #expect(
            try fixture.status(crls: [issuer.crl { $0.thisUpdate = TestAuthority.now.advanced(by: 301) }])
                == .unobtainable(.crlNotYetValid))
    }

    @Test("§ 5.1.2.5: next updates before 2000 and after 2049 are valid dates")
    func centuries() throws {
        let old = try issuer.crl {
            $0.thisUpdate = Time(secondsSinceEpoch: 900_000_000)
            $0.nextUpdate = Time(secondsSinceEpoch: 915_000_000)
        }
        let far = try issuer.crl { $0.nextUpdate = Time(secondsSinceEpoch: 2_540_000_000) }
        #expect(try fixture.status(crls: [old]) == .unobtainable(.crlExpired))
        #expect(try fixture.status(crls: [far]) == .good)
    }

    // MARK: - (b) issuer and scope

    @Test("§ 6.3.3 (b)(1): a CRL with another issuer name doesn't count as the issuer's, whoever signed it")
    func issuerName() throws {
        let crl = try issuer.crl { $0.issuer = fixture.root.certificate.subject }
        #expect(try fixture.status(crls: [crl]) == .unobtainable(.noEvidence))
    }

    @Test(
        "§ 6.3.3 (b)(1): if the point has a cRLIssuer, that issuer's indirect CRL counts instead of the certificate issuer's own"
    )
    func crlIssuer() throws {
        let signer = try fixture.root.issue(.crlSigner())
        let leaf = try self.leaf(
            TestDistributionPoint(fullName: [Self.point], crlIssuer: signer.certificate.subject))
        func crl(isIndirect: Bool, _ listed: Certificate? = nil) throws -> TestCRL {
            try signer.crl {
                $0.scope {
                    $0.isIndirect = isIndirect
                    $0.fullName = [Self.point]
                }
                if let listed { $0.revoke(listed, namesIssuer: true) }
            }
        }
        let pool = [signer.certificate]
        #expect(try fixture.status(leaf, crls: [crl(isIndirect: true)], certificates: pool) == .good)
        #expect(try fixture.status(leaf, crls: [crl(isIndirect: true, leaf)], certificates: pool) == .revoked())
        #expect(
            try fixture.status(leaf, crls: [crl(isIndirect: false)], certificates: pool) == .unobtainable(.noEvidence))
        // Without the point, the delegated CRL doesn't apply to the certificate.
        #expect(
            try fixture.status(crls: [crl(isIndirect: true)], certificates: pool) == .unobtainable(.noEvidence))
    }

    struct NameRow: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let point: TestDistributionPoint
        let scope: @Sendable (inout TestCRL.IssuingDistributionPoint) -> Void
        let isCovered: Bool
    }

    private static let nameRows = [
        NameRow(
            testDescription: "the same name in both",
            point: .init(fullName: [point]), scope: { $0.fullName = [point] }, isCovered: true),
        NameRow(
            testDescription: "one of several names in both",
            point: .init(fullName: [otherPoint, point]), scope: { $0.fullName = [.dns("a"), point] }, isCovered: true),
        NameRow(
            testDescription: "different names",
            point: .init(fullName: [point]), scope: { $0.fullName = [otherPoint] }, isCovered: false),
        NameRow(
            testDescription: "the same text in another form of name",
            point: .init(fullName: [point]), scope: { $0.fullName = [.dns("http://crl.example.com/1")] },
            isCovered: false),
        NameRow(
            testDescription: "no name in the CRL", point: .init(fullName: [point]), scope: { _ in }, isCovered: true),
        NameRow(
            testDescription: "relative names on both sides",
            point: .init(nameRelativeToCRLIssuer: "CRL 1"), scope: { $0.nameRelativeToCRLIssuer = "crl  1" },
            isCovered: true),
        NameRow(
            testDescription: "different relative names",
            point: .init(nameRelativeToCRLIssuer: "CRL 1"), scope: { $0.nameRelativeToCRLIssuer = "CRL 2" },
            isCovered: false),
    ]

    @Test("§ 6.3.3 (b)(2)(i): if both point and CRL have names, they must have a name in common", arguments: nameRows)
    func pointName(row: NameRow) throws {
        let leaf = try self.leaf(row.point)
        let crl = try issuer.crl { $0.scope(row.scope) }
        #expect(
            try fixture.status(leaf, crls: [crl]) == (row.isCovered ? .good : .unobtainable(.crlScopeMismatch)))
    }

    @Test("§ 6.3.3 (b)(2)(i): a name relative to the issuer equals the full name it expands to")
    func relativeName() throws {
        // The name that the builders write as "Test Intermediate", with one more relative name.
        let full = try GeneralName.directory(organization: "Test", commonName: "Test Intermediate")
        guard case .directoryName(let name) = full else { return }
        #expect(name == issuer.certificate.subject)
        let longer = GeneralName.directoryName(
            try DistinguishedName(
                der: ASN1.sequence(
                    Array(name.der.dropFirst(2)), ASN1.set([ASN1.attribute("2.5.4.3", ASN1.utf8("CRL 1"))]))))
        let relative = try leaf(.init(nameRelativeToCRLIssuer: "CRL 1"))
        let fullNamed = try leaf(.init(fullName: [longer]))
        let fullCRL = try issuer.crl { $0.scope { $0.fullName = [longer] } }
        let relativeCRL = try issuer.crl { $0.scope { $0.nameRelativeToCRLIssuer = "CRL 1" } }
        #expect(try fixture.status(relative, crls: [fullCRL]) == .good)
        #expect(try fixture.status(fullNamed, crls: [relativeCRL]) == .good)
        let shorter = try issuer.crl { $0.scope { $0.fullName = [full] } }
        // The CRL doesn't cover this point, but it covers the certificate as a CRL that no point names.
        #expect(try fixture.status(relative, crls: [shorter]) == .good)
    }

    @Test("§ 6.3.3 (b)(2)(i): for a point without a name, the engine compares the cRLIssuer")
    func nameOfIssuer() throws {
        let signer = try fixture.root.issue(.crlSigner())
        let leaf = try self.leaf(TestDistributionPoint(crlIssuer: signer.certificate.subject))
        func crl(_ name: GeneralName) throws -> TestCRL {
            try signer.crl {
                $0.scope {
                    $0.isIndirect = true
                    $0.fullName = [name]
                }
            }
        }
        let pool = [signer.certificate]
        #expect(
            try fixture.status(
                leaf, crls: [crl(.directoryName(signer.certificate.subject))], certificates: pool) == .good)
        #expect(
            try fixture.status(leaf, crls: [crl(Self.point)], certificates: pool)
                == .unobtainable(.crlScopeMismatch))
    }

    @Test("§ 6.3.3: for an issuer's CRL that no point names, the issuer's name serves as the point")
    func assumedPoint() throws {
        let own = GeneralName.directoryName(issuer.certificate.subject)
        #expect(try fixture.status(crls: [issuer.crl { $0.scope { $0.fullName = [own] } }]) == .good)
        #expect(
            try fixture.status(crls: [issuer.crl { $0.scope { $0.fullName = [Self.point] } }])
                == .unobtainable(.crlScopeMismatch))
        // A point whose CRL is missing doesn't prevent this.
        let elsewhere = try leaf(.init(fullName: [Self.point], crlIssuer: fixture.root.certificate.subject))
        #expect(try fixture.status(elsewhere, crls: [issuer.crl()]) == .good)
    }

    @Test("§ 6.3.3 (b)(2)(ii): a CRL for user certificates doesn't cover a CA")
    func userCertificates() throws {
        let user: (inout TestCRL.Template) -> Void = { $0.scope { $0.onlyContainsUserCertificates = true } }
        let found = try fixture.findings(crls: [issuer.crl(user), fixture.root.crl(user)])
        #expect(found.map(\.status) == [.good, .unobtainable(.crlScopeMismatch)])
    }

    @Test("§ 6.3.3 (b)(2)(iii): a CRL for CA certificates doesn't cover others")
    func authorityCertificates() throws {
        let authorities: (inout TestCRL.Template) -> Void = { $0.scope { $0.onlyContainsCACertificates = true } }
        let found = try fixture.findings(crls: [issuer.crl(authorities), fixture.root.crl(authorities)])
        #expect(found.map(\.status) == [.unobtainable(.crlScopeMismatch), .good])
    }

    @Test("§ 6.3.3 (b)(2)(iv): a CRL for attribute certificates doesn't cover public-key certificates")
    func attributeCertificates() throws {
        let crl = try issuer.crl { $0.scope { $0.onlyContainsAttributeCertificates = true } }
        #expect(try fixture.status(crls: [crl]) == .unobtainable(.crlScopeMismatch))
    }

    // MARK: - (d), (e), (l) reasons

    private static let some: Set<RevocationReason> = [.keyCompromise, .cACompromise]
    private static let others: Set<RevocationReason> = [
        .affiliationChanged, .superseded, .cessationOfOperation, .certificateHold, .privilegeWithdrawn, .aACompromise,
    ]

    private func crl(
        _ reasons: Set<RevocationReason>, _ point: GeneralName? = nil,
        _ change: (inout TestCRL.Template) -> Void = { _ in }
    ) throws -> TestCRL {
        try issuer.crl {
            $0.scope {
                $0.onlySomeReasons = reasons
                if let point { $0.fullName = [point] }
            }
            change(&$0)
        }
    }

    @Test("§ 6.3.3 (d)(2), (l): CRLs for some reasons prove a certificate good only together")
    func someReasons() throws {
        let (first, second) = (try crl(Self.some), try crl(Self.others))
        #expect(try fixture.status(crls: [first, second]) == .good)
        #expect(try fixture.status(crls: [second, first]) == .good)
        #expect(try fixture.status(crls: [first]) == .unobtainable(.crlReasonsNotCovered))
        #expect(try fixture.status(crls: [first, first]) == .unobtainable(.crlReasonsNotCovered))
    }

    @Test("§ 6.3.3 (l): several CRLs together prove a certificate good until the first of them expires")
    func sharedWindow() throws {
        let crls = [try crl(Self.some) { $0.nextUpdate = .days(2) }, try crl(Self.others) { $0.nextUpdate = .days(5) }]
        #expect(try fixture.findings(crls: crls)[0].validUntil == .days(2))
    }

    @Test("§ 6.3.3 (d): any CRL that lists the certificate revokes it")
    func revokedForSomeReason() throws {
        let (first, second) = (try crl(Self.some), try crl(Self.others) { $0.revoke(leaf, reason: .superseded) })
        #expect(try fixture.status(crls: [first, second]) == .revoked(.superseded))
        #expect(try fixture.status(crls: [second]) == .revoked(.superseded))
    }

    @Test("§ 6.3.3 (d)(3): a point with reasons covers only those reasons")
    func pointReasons() throws {
        let leaf = try self.leaf(
            .init(fullName: [Self.point], reasons: Self.some), .init(fullName: [Self.otherPoint], reasons: Self.others))
        func crl(_ point: GeneralName) throws -> TestCRL { try issuer.crl { $0.scope { $0.fullName = [point] } } }
        #expect(try fixture.status(leaf, crls: [crl(Self.point), crl(Self.otherPoint)]) == .good)
        #expect(try fixture.status(leaf, crls: [crl(Self.point)]).isGood == false)
    }

    @Test("§ 6.3.3 (d)(1): only the reasons in both point and CRL count")
    func bothReasons() throws {
        let leaf = try self.leaf(
            .init(fullName: [Self.point], reasons: Self.some), .init(fullName: [Self.otherPoint], reasons: Self.others))
        // The first CRL doesn't cover one of its point's reasons.
        let crls = [
            try crl([.keyCompromise], Self.point), try crl(Self.others, Self.otherPoint),
        ]
        #expect(try fixture.status(leaf, crls: crls).isGood == false)
        let whole = [try crl(Self.some, Self.point), try crl(Self.others, Self.otherPoint)]
        #expect(try fixture.status(leaf, crls: whole) == .good)
    }

    @Test("§ 6.3.3 (a): of two current CRLs with equal scope, the newer one applies, in any order")
    func newerDecides() throws {
        let old = try issuer.crl { $0.thisUpdate = .days(-2) }
        let oldHold = try issuer.crl {
            $0.thisUpdate = .days(-2)
            $0.revoke(leaf, reason: .certificateHold)
        }
        let new = try issuer.crl()
        let newRevoking = try issuer.crl { $0.revoke(leaf) }
        for crls in [[old, newRevoking], [newRevoking, old]] {
            #expect(try fixture.status(crls: crls) == .revoked())
        }
        for crls in [[oldHold, new], [new, oldHold]] { #expect(try fixture.status(crls: crls) == .good) }
    }

    @Test("§ 6.3.3 (e): the engine doesn't use a CRL that covers no new reason, even if the CRL is broken")
    func nothingNew() throws {
        let broken = try issuer.crl { $0.hasWrongSignature = true }
        #expect(try fixture.status(crls: [issuer.crl(), broken]) == .good)
        #expect(try fixture.status(crls: [broken, issuer.crl()]) == .good)
    }

    // MARK: - (f), (g) signer and signature

    @Test("§ 6.3.3 (f): a key usage without cRLSign doesn't permit CRLs, but an absent key usage does")
    func keyUsage() throws {
        for (usage, isGood) in [(KeyUsage.keyCertSign, false), ([.keyCertSign, .cRLSign], true), (nil, true)] {
            let fixture = try RevocationFixture(issuer: .authority("CA").with { $0.keyUsage = usage })
            let expected: RevocationFinding.Status = isGood ? .good : .unobtainable(.crlSignerNotFound)
            #expect(try fixture.status(crls: [fixture.issuer.crl()]) == expected)
        }
    }

    @Test("§ 6.3.3 (g): a CRL with an invalid signature is ignored, good or bad")
    func wrongSignature() throws {
        let crl = try issuer.crl {
            $0.revoke(leaf)
            $0.hasWrongSignature = true
        }
        #expect(try fixture.status(crls: [crl]) == .unobtainable(.crlSignatureInvalid))
        #expect(try fixture.status(crls: [crl, issuer.crl()]) == .good)
    }

    @Test("§ 6.3.3 (g): a CRL that another key signed under the issuer's name is ignored")
    func otherKey() throws {
        let crl = try issuer.crl { $0.signingKey = .p256() }
        #expect(try fixture.status(crls: [crl]) == .unobtainable(.crlSignatureInvalid))
    }

    @Test("§ 5.1.1.2: a CRL whose outer algorithm differs from its inner one is ignored")
    func algorithms() throws {
        var der = try issuer.crl().der
        // ecdsa-with-SHA256 becomes ecdsa-with-SHA384 in the last of the two places.
        let oid: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]
        let place = try #require(der.indices.dropLast(8).last { Array(der[$0..<($0 + 8)]) == oid })
        der[place + 7] = 3
        let evidence = RevocationEvidence(crls: [try CertificateRevocationList(der: der)])
        let found = RevocationChecker(evidence, at: TestAuthority.now, memory: nil).findings(for: try fixture.path())
        #expect(found[0].status == .unobtainable(.crlSignatureInvalid))
    }

    @Test("RFC 9155: a CRL signed with SHA-1 never proves a certificate good")
    func sha1() throws {
        let key = try TestKey(pemRepresentation: FixedKeys.rsa2048)
        let root = try TestAuthority.root(.authority("RSA"), key: key)
        let leaf = try root.issue(.leaf("a.example")).certificate
        let path = try validate(leaf, anchors: [root.certificate]).get()
        for (algorithm, isGood) in [(TestSignatureAlgorithm.rsaSHA1, false), (.rsaSHA256, true), (.rsaPSSSHA256, true)]
        {
            let crl = try CertificateRevocationList(der: root.crl { $0.signatureAlgorithm = algorithm }.der)
            let found = RevocationChecker(RevocationEvidence(crls: [crl]), at: TestAuthority.now, memory: nil)
                .findings(for: path)
            #expect(found[0].status == (isGood ? .good : .unobtainable(.signatureWeak)), "\(algorithm)")
        }
    }

    // MARK: - Work

    @Test("Unrelated certificates with long names don't exhaust the budget if a CA in the path signed the CRL")
    func longUnrelatedNames() throws {
        let unrelated = try TestAuthority.root(
            .authority(String(repeating: "x", count: 2000)))
        let found = try fixture.findings(
            crls: [issuer.crl { $0.revoke(leaf) }, fixture.root.crl()],
            certificates: [Certificate](repeating: unrelated.certificate, count: 50),
            budget: RevocationBudget(steps: 100))
        #expect(found.map(\.status) == [.revoked(), .good])
    }

    @Test("A checker with an exhausted budget returns no status, good or bad")
    func budget() throws {
        let crl = try issuer.crl { $0.revoke(leaf) }
        for budget in [RevocationBudget(signatures: 0), RevocationBudget(hashedBytes: 10), RevocationBudget(steps: 1)] {
            let found = try fixture.findings(crls: [crl], budget: budget)[0]
            #expect(found.status == .unobtainable(.budgetExceeded))
        }
    }

    @Test("A thousand unsigned CRLs in the issuer's name exhaust the budget instead of taking hours")
    func manyForgeries() throws {
        let forged = try (0..<1000).map { number in
            try issuer.crl {
                $0.number = UInt64(number)
                $0.hasWrongSignature = true
            }
        }
        guard case .unobtainable(let obstacles) = try fixture.status(crls: forged + [issuer.crl()]) else {
            Issue.record("an answer")
            return
        }
        #expect(obstacles == [.crlSignatureInvalid, .budgetExceeded])
    }
}

extension RevocationFinding.Status {
    var isGood: Bool { self == .good }
}
