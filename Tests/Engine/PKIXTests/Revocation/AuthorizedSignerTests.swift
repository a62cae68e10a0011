// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// Signers with a CA's name that the CAs above the target didn't appoint. In each row, the signer signed an empty CRL
/// with a later date than the true one.
@Suite("Authorized CRL signers")
struct AuthorizedSignerTests {
    let root: TestAuthority
    let authority: TestAuthority
    let leaf: Certificate
    /// Another CA below the same root, constrained to its own names.
    let rogue: TestAuthority

    init() throws {
        root = try .root()
        authority = try root.intermediate(.authority("CA"))
        leaf = try authority.issue(.leaf("a.example")).certificate
        rogue = try root.intermediate(
            .authority("Rogue").with { $0.permittedDNSNames = ["rogue.example"] })
    }

    private static func signerTemplate(
        _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) -> CertificateTemplate {
        .crlSigner("CA").with { change(&$0) }
    }

    private func finding(
        _ crls: [TestCRL], _ pool: [Certificate], leaf: Certificate? = nil, isRequired: Bool = true
    ) throws -> RevocationFinding {
        let path = try validate(
            leaf ?? self.leaf, [authority.certificate], anchors: [root.certificate], policy: .plain
        ).get()
        let evidence = RevocationEvidence(
            crls: try (crls + [root.crl()]).map { try CertificateRevocationList(der: $0.der) }, certificates: pool)
        let findings = RevocationChecker(
            evidence, policy: isRequired ? .required : .bestEffort, at: TestAuthority.now, memory: nil
        ).findings(for: path)
        return try #require(findings.first)
    }

    /// Each impostor with the certificates that an attacker would present with it.
    private func impostors() throws -> [(String, TestIdentity, [Certificate])] {
        let name = CertificateTemplate.authority("CA")
        let below = try rogue.intermediate(name)
        let other = try TestAuthority.root(name)
        let otherRoot = try TestAuthority.root()
        let unrelated = try otherRoot.issue(Self.signerTemplate())
        let noUsage = try authority.issue(Self.signerTemplate { $0.keyUsage = nil })
        let lateral = try rogue.issue(Self.signerTemplate())
        let selfSigned = try TestAuthority.selfSigned(Self.signerTemplate())
        let deep = try authority.intermediate(.authority("Sub")).issue(Self.signerTemplate())
        return [
            ("a CA below a constrained CA", below.identity, [below.certificate, rogue.certificate]),
            ("an end entity of another CA, with cRLSign", lateral, [lateral.certificate, rogue.certificate]),
            (
                "an end entity of another CA without key usage",
                try rogue.issue(Self.signerTemplate { $0.keyUsage = nil }), [rogue.certificate]
            ),
            ("an end entity of the CA itself without key usage", noUsage, [noUsage.certificate]),
            (
                "an end entity of the CA itself for signatures",
                try authority.issue(Self.signerTemplate { $0.keyUsage = .digitalSignature }), []
            ),
            ("a CA of the same name that is a root", other.identity, [other.certificate]),
            (
                "a signer below a root of the same name as the anchor", unrelated,
                [unrelated.certificate, otherRoot.certificate]
            ),
            ("a self-signed signer", selfSigned, [selfSigned.certificate]),
            ("a signer of a CA below the issuer", deep, [deep.certificate]),
            (
                "a signer whose certificate has expired",
                try root.issue(Self.signerTemplate { $0.notAfter = .days(-1) }), []
            ),
        ].map { ($0.0, $0.1, $0.2 + [$0.1.certificate]) }
    }

    @Test(
        "A signer with the CA's name has no effect, good or bad, if no CA in the path issued its certificate for CRLs")
    func impostorsSignNothing() throws {
        for (name, signer, pool) in try impostors() {
            let newest: (inout TestCRL.Template) -> Void = {
                ($0.number, $0.thisUpdate) = (99, TestAuthority.now.advanced(by: -1))
            }
            let empty = try signer.crl(newest)
            let denial = try signer.crl {
                newest(&$0)
                $0.revoke(leaf)
            }
            let (good, revoking) = (try authority.crl(), try authority.crl { $0.revoke(leaf) })
            for isRequired in [true, false] {
                // By itself it never proves a certificate good …
                let alone = try finding([empty], pool, isRequired: isRequired)
                #expect(alone.status != .good, "\(name)")
                // … it doesn't hide a true list …
                for crls in [empty, revoking].orders {
                    #expect(try finding(crls, pool, isRequired: isRequired).status == .revoked(), "\(name)")
                }
                // … and it doesn't revoke.
                for crls in [denial, good].orders {
                    #expect(try finding(crls, pool, isRequired: isRequired).status == .good, "\(name)")
                }
                #expect(try !finding([denial], pool, isRequired: isRequired).isRevoked, "\(name)")
            }
        }
    }

    @Test(
        "A signer with the CA's name and cRLSign can sign the CA's CRLs if the issuer or a CA above it issued its certificate"
    )
    func appointed() throws {
        for appointing in [authority, root] {
            let signer = try appointing.issue(Self.signerTemplate())
            let speaking = try authority.crl { $0.nextUpdate = .days(-1) }
            let pool = [signer.certificate]
            let found = try finding([signer.crl()], pool, isRequired: false)
            #expect(found.status == .good)
            #expect(found.notes.contains(.crlSignedWithOtherKey))
            let revoking = try signer.crl { $0.revoke(leaf) }
            for isRequired in [true, false] {
                #expect(try finding([revoking], pool, isRequired: isRequired).status == .revoked())
                #expect(try finding([revoking, speaking], pool, isRequired: isRequired).status == .revoked())
            }
        }
    }

    @Test(
        "If a signer's own revocation can't be checked, its list still revokes certificates, but proves them good only under best effort and with a note"
    )
    func uncheckedSigner() throws {
        let parent = try TestAuthority.root(.authority("Parent"))
        let above = try parent.intermediate(.authority("Above"))
        let authority = try above.intermediate(.authority("CA"))
        let leaf = try authority.issue(.leaf("a.example")).certificate
        let path = try validate(
            leaf, [authority.certificate, above.certificate], anchors: [parent.certificate]
        ).get()
        // For the leaf and for a CA, a signer whose certificate the CA above the issuer has issued.
        for (index, signer) in try [above.issue(Self.signerTemplate()), parent.issue(.crlSigner("Above"))].enumerated()
        {
            func found(_ crl: TestCRL, isRequired: Bool) throws -> RevocationFinding {
                let evidence = RevocationEvidence(
                    crls: [try CertificateRevocationList(der: crl.der)], certificates: [signer.certificate])
                return RevocationChecker(
                    evidence, policy: isRequired ? .required : .bestEffort, at: TestAuthority.now, memory: nil
                )
                .findings(for: path)[index]
            }
            let relaxed = try found(signer.crl(), isRequired: false)
            #expect(relaxed.status == .good)
            #expect(relaxed.notes == [.crlSignedWithOtherKey, .crlSignerUnchecked])
            #expect(try found(signer.crl(), isRequired: true).status == .unobtainable(.signerUnchecked))
            let revoking = try signer.crl { $0.revoke(path.certificates[index]) }
            #expect(try found(revoking, isRequired: true).status == .revoked())
        }
    }

    @Test(
        "A signer that only its own CRL covers is allowed with a note, but any other list that names it revokes it"
    )
    func selfVouching() throws {
        let signer = try authority.issue(Self.signerTemplate())
        let pool = [signer.certificate]
        let own = try signer.crl { ($0.number, $0.thisUpdate) = (9, TestAuthority.now.advanced(by: -1)) }
        let found = try finding([own], pool)
        #expect(found.status == .good)
        #expect(found.notes == [.crlSignedWithOtherKey, .crlSelfSigned])
        for expired in [false, true] {
            let naming = try authority.crl {
                if expired { ($0.thisUpdate, $0.nextUpdate) = (.days(-9), .days(-1)) }
                $0.revoke(signer.certificate, reason: .keyCompromise)
            }
            for crls in [own, naming].orders {
                let status = try finding(crls, pool).status
                // The CA's own current list proves the leaf good instead.
                #expect(
                    expired
                        ? status == .unobtainable(.signerRevoked, .crlExpired)
                            || status == .unobtainable(.crlExpired, .signerRevoked) : status == .good)
            }
        }
        #expect(
            try finding([signer.crl { $0.revoke(signer.certificate) }], pool).status == .unobtainable(.signerRevoked))
    }

    @Test("If two signers are covered only by each other's lists, neither list counts as a check of the other signer")
    func circle() throws {
        let first = try authority.issue(Self.signerTemplate())
        let second = try authority.issue(Self.signerTemplate())
        let pool = [first.certificate, second.certificate]
        // Each signer's list names the other signer: both are revoked, in either order.
        let lists = [
            try first.crl { $0.revoke(second.certificate) }, try second.crl { $0.revoke(first.certificate) },
        ]
        for crls in lists.orders { #expect(try finding(crls, pool).status == .unobtainable(.signerRevoked)) }
        let one = [try first.crl { $0.revoke(second.certificate) }, try second.crl()]
        for crls in one.orders { #expect(try finding(crls, pool).status == .good) }
    }

    @Test(
        "A distribution point's indirect CRL issuer must be a CA that a CA in the path certified"
    )
    func indirect() throws {
        let point = GeneralName.uri("http://crl.example.com/indirect")
        func leaf(_ issuer: DistinguishedName) throws -> Certificate {
            try authority.issue(
                .leaf("a.example").with {
                    $0.crlDistributionPoints = [.init(fullName: [point], crlIssuer: issuer)]
                }
            ).certificate
        }
        func crl(_ signer: TestIdentity, _ listed: Certificate?) throws -> TestCRL {
            try signer.crl {
                $0.scope {
                    $0.isIndirect = true
                    $0.fullName = [point]
                }
                if let listed { $0.revoke(listed, namesIssuer: true) }
            }
        }
        let sibling = try root.intermediate(.authority("Sibling")).identity
        let child = try authority.issue(.crlSigner("Child"))
        let elsewhere = try rogue.intermediate(.authority("Elsewhere")).identity
        let hidden = try rogue.issue(.crlSigner("Hidden"))
        let silent = try root.issue(.crlSigner("Silent").with { $0.keyUsage = nil })
        let rows = [
            (sibling, true), (child, true), (root.identity, true), (elsewhere, false), (hidden, false), (silent, false),
        ]
        for (signer, isAuthorized) in rows {
            let leaf = try leaf(signer.certificate.subject)
            let pool = [signer.certificate, rogue.certificate]
            let good = try finding([crl(signer, nil)], pool, leaf: leaf, isRequired: false)
            #expect((good.status == .good) == isAuthorized, "\(signer.certificate.subject)")
            #expect(!isAuthorized || good.notes.contains(.crlSignedWithOtherKey))
            for crls in [try crl(signer, leaf), try authority.crl()].orders {
                let found = try finding(crls, pool, leaf: leaf)
                #expect(found.status == (isAuthorized ? .revoked() : .good), "\(signer.certificate.subject)")
            }
        }
        // An indirect CRL doesn't apply to a certificate that doesn't name it.
        #expect(try finding([crl(sibling, self.leaf), authority.crl()], [sibling.certificate]).status == .good)
    }

    @Test("Each list of a CA with many CRL signers counts, and checking the signers stays within the budget")
    func manySigners() throws {
        let signers = try (0..<12).map { _ in try authority.issue(Self.signerTemplate()) }
        let pool = signers.map(\.certificate)
        let lists = try signers.map { try $0.crl() }
        for isRequired in [true, false] {
            #expect(try finding(lists + [authority.crl()], pool, isRequired: isRequired).status == .good)
            let revoking = try signers[11].crl { $0.revoke(leaf) }
            #expect(
                try finding(lists + [authority.crl(), revoking], pool, isRequired: isRequired).status == .revoked())
        }
    }

    @Test("A certificate with more distribution points than the limit isn't good")
    func manyPoints() throws {
        func leaf(_ count: Int) throws -> Certificate {
            try authority.issue(
                .leaf("a.example").with {
                    $0.crlDistributionPoints = (0..<count).map {
                        .init(fullName: [.uri("http://crl.example.com/\($0)")])
                    }
                }
            ).certificate
        }
        #expect(try finding([authority.crl()], [], leaf: leaf(16)).status == .good)
        #expect(try finding([authority.crl()], [], leaf: leaf(17)).status == .unobtainable(.budgetExceeded))
        let many = try leaf(17)
        #expect(try finding([authority.crl { $0.revoke(many) }], [], leaf: many).isRevoked)
    }

    // MARK: - Work

    @Test("Forged lists, in any number and with any dates, don't hide a true list that names the leaf")
    func forgeries() throws {
        let impostor = try rogue.issue(Self.signerTemplate())
        let forged = try (0..<500).map { number in
            try impostor.crl {
                ($0.number, $0.thisUpdate) = (UInt64(1000 + number), TestAuthority.now.advanced(by: -1))
                $0.hasWrongSignature = number % 2 == 0
            }
        }
        let pool = [impostor.certificate, rogue.certificate]
        let revoking = try authority.crl { $0.revoke(leaf) }
        #expect(try finding(forged + [revoking], pool, isRequired: false).status == .revoked())
        #expect(try finding([revoking] + forged, pool, isRequired: false).status == .revoked())
    }

    @Test(
        "Junk about a leaf doesn't exhaust the budget for its CA, and junk in a staple doesn't exhaust the budget for CRLs"
    )
    func upperFirst() throws {
        let revoking = try root.crl { $0.revoke(authority.certificate) }
        let junk = try (0..<300).map { number in
            try authority.crl {
                ($0.number, $0.hasWrongSignature) = (UInt64(number), true)
                $0.revoke(leaf)
            }
        }
        let path = try validate(leaf, [authority.certificate], anchors: [root.certificate]).get()
        let evidence = RevocationEvidence(
            crls: try (junk + [revoking]).map { try CertificateRevocationList(der: $0.der) })
        let found = RevocationChecker(
            evidence, at: TestAuthority.now, memory: nil, budget: RevocationBudget(signatures: 20)
        ).findings(for: path)
        #expect(found.map(\.isRevoked) == [false, true])
        #expect(found[0].status == .unobtainable(.crlSignatureInvalid, .budgetExceeded))
    }

    @Test("The engine checks a huge forged list last, and the rest of the budget is enough for a true one")
    func hugeForgery() throws {
        let huge = try authority.crl {
            $0.hasWrongSignature = true
            for number in 0..<20_000 {
                $0.entries.append(.init(serialNumber: [1, UInt8(number & 127), UInt8(number >> 8)]))
            }
            $0.revoke(leaf)
        }
        let revoking = try authority.crl { $0.revoke(leaf) }
        let path = try validate(leaf, [authority.certificate], anchors: [root.certificate]).get()
        for crls in [huge, revoking].orders {
            let evidence = RevocationEvidence(crls: try crls.map { try CertificateRevocationList(der: $0.der) })
            let found = RevocationChecker(
                evidence, at: TestAuthority.now, memory: nil, budget: RevocationBudget(hashedBytes: 100_000)
            ).findings(for: path)
            #expect(found[0].status == .revoked())
        }
    }

    @Test("The meter charges the cost of comparing non-ASCII names")
    func longNames() throws {
        let long = try TestAuthority.root(.authority(String(repeating: "é", count: 1500)))
        let forged = try (0..<40).map { number in
            try long.crl { $0.number = UInt64(number) }
        }
        let odd = try RevocationFixture(issuer: .authority(String(repeating: "É", count: 1500)))
        let evidence = RevocationEvidence(
            crls: try (forged + [odd.issuer.crl()]).map { try CertificateRevocationList(der: $0.der) })
        let checker = RevocationChecker(evidence, at: TestAuthority.now, memory: nil)
        guard case .unobtainable(let obstacles) = checker.findings(for: try odd.path())[0].status else {
            Issue.record("an answer")
            return
        }
        #expect(obstacles.contains(.budgetExceeded))
    }
}
