// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// Authorized signers of a CRL (RFC 5280 § 6.3.3 (f)), with the cases of PKITS 4.4.19 to 4.4.21, 4.5 and 4.14.30.
@Suite("CRL signers")
struct CRLSignerTests {
    let root: TestAuthority
    /// A CA that signs certificates but not CRLs.
    let authority: TestAuthority
    let leaf: Certificate
    /// A CA with the same name and another key, which signs CRLs but not certificates.
    let signer: TestIdentity

    init() throws {
        root = try .root()
        authority = try root.intermediate(.authority("CA").with { $0.keyUsage = .keyCertSign })
        leaf = try authority.issue(.leaf("a.example")).certificate
        signer = try root.issue(Self.signerTemplate())
    }

    private static func signerTemplate() -> CertificateTemplate {
        .crlSigner("CA").with { $0.organization = "Test" }
    }

    private func findings(
        _ crls: [TestCRL], pool: [Certificate], isRequired: Bool = true
    ) throws -> [RevocationFinding] {
        let path = try validate(leaf, [authority.certificate], anchors: [root.certificate]).get()
        let evidence = RevocationEvidence(
            crls: try crls.map { try CertificateRevocationList(der: $0.der) }, certificates: pool)
        return RevocationChecker(
            evidence, policy: isRequired ? .required : .bestEffort, at: TestAuthority.now, memory: nil
        )
        .findings(for: path)
    }

    @Test("If a CA has separate keys for certificates and CRLs, the engine finds the CRL signer by its own path")
    func separateKeys() throws {
        let crls = [try signer.crl(), try root.crl()]
        #expect(try findings(crls, pool: [signer.certificate]).map(\.status) == [.good, .good])
        #expect(
            try findings(crls, pool: []).map(\.status) == [.unobtainable(.crlSignerNotFound), .good])
    }

    @Test("A separate CRL signer's CRL revokes the certificates it lists")
    func separateKeysRevoked() throws {
        let crls = [try signer.crl { $0.revoke(leaf) }, try root.crl()]
        #expect(try findings(crls, pool: [signer.certificate])[0].status == .revoked())
    }

    @Test("A list from a signer that is itself revoked gives no good status")
    func revokedSigner() throws {
        let crls = [try signer.crl(), try root.crl { $0.revoke(signer.certificate) }]
        #expect(
            try findings(crls, pool: [signer.certificate]).map(\.status) == [.unobtainable(.signerRevoked), .good])
        #expect(
            try findings(crls, pool: [signer.certificate], isRequired: false)[0].status
                == .unobtainable(.signerRevoked))
    }

    @Test("The engine accepts a signer of unknown status unless the policy requires a positive answer")
    func unknownSigner() throws {
        let crls = [try signer.crl()]
        #expect(
            try findings(crls, pool: [signer.certificate])[0].status == .unobtainable(.signerUnchecked))
        #expect(try findings(crls, pool: [signer.certificate], isRequired: false)[0].status == .good)
    }

    @Test("A signer with the right name below another anchor isn't authorized")
    func otherAnchor() throws {
        let other = try TestAuthority.root(.authority("Other"))
        let unrelated = try other.issue(Self.signerTemplate())
        let crls = [try unrelated.crl { $0.revoke(leaf) }, try root.crl()]
        #expect(
            try findings(crls, pool: [unrelated.certificate, other.certificate])[0].status
                == .unobtainable(.crlSignerNotFound))
    }

    @Test("A signer isn't authorized if its certificate has expired or its key usage lacks cRLSign")
    func unfit() throws {
        for change: @Sendable (inout CertificateTemplate) -> Void in [
            { $0.notAfter = .days(-1) }, { $0.keyUsage = .digitalSignature },
        ] {
            let unfit = try root.issue(Self.signerTemplate().with(change))
            let crls = [try unfit.crl(), try root.crl()]
            #expect(
                try findings(crls, pool: [unfit.certificate])[0].status == .unobtainable(.crlSignerNotFound))
        }
    }

    @Test("If two keys share one name, the authority key identifier hints at the signing key but proves nothing")
    func keyIdentifier() throws {
        let crls = [try signer.crl { $0.hasAuthorityKeyIdentifier = false }, try root.crl()]
        #expect(try findings(crls, pool: [signer.certificate])[0].status == .good)
    }

    @Test("A CRL can cover the certificate of its own signer (an indirect CRL for all of a CA's certificates)")
    func circular() throws {
        let issued = try authority.issue(
            try .crlSigner("Signer").with {
                $0.crlDistributionPoints = [.init(crlIssuer: try Self.name("Signer"))]
            })
        let covered = try authority.issue(
            .leaf("b.example").with { $0.crlDistributionPoints = [.init(crlIssuer: issued.certificate.subject)] }
        ).certificate
        func found(_ revoked: Certificate?) throws -> RevocationFinding.Status {
            let crl = try issued.crl {
                $0.scope { $0.isIndirect = true }
                if let revoked { $0.revoke(revoked, namesIssuer: true) }
            }
            let path = try validate(covered, [authority.certificate], anchors: [root.certificate]).get()
            let evidence = RevocationEvidence(
                crls: [
                    try CertificateRevocationList(der: crl.der), try CertificateRevocationList(der: root.crl().der),
                ],
                certificates: [issued.certificate])
            return RevocationChecker(evidence, policy: .required, at: TestAuthority.now, memory: nil)
                .findings(for: path)[0].status
        }
        #expect(try found(nil) == .good)
        #expect(try found(covered) == .revoked())
        #expect(try found(issued.certificate) == .unobtainable(.signerRevoked))
    }

    @Test(
        "A revoked CRL signer can't clear itself with a newer CRL, because the list that names it still counts"
    )
    func selfVouching() throws {
        let authority = try root.intermediate(.authority("CA"))
        let leaf = try authority.issue(.leaf("a.example")).certificate
        let signer = try authority.issue(Self.signerTemplate())
        let newest = try signer.crl { $0.thisUpdate = TestAuthority.now }
        func found(_ isRequired: Bool, _ reason: RevocationReason?, isLeafListed: Bool, _ more: TestCRL...)
            throws -> RevocationFinding.Status
        {
            let listing = try authority.crl {
                $0.revoke(signer.certificate, reason: reason)
                if isLeafListed { $0.revoke(leaf) }
            }
            let path = try validate(leaf, [authority.certificate], anchors: [root.certificate]).get()
            let evidence = RevocationEvidence(
                crls: try ([newest, listing, root.crl()] + more).map { try CertificateRevocationList(der: $0.der) },
                certificates: [signer.certificate])
            return RevocationChecker(
                evidence, policy: isRequired ? .required : .bestEffort, at: TestAuthority.now, memory: nil
            )
            .findings(for: path)[0].status
        }
        for isRequired in [true, false] {
            #expect(try found(isRequired, .keyCompromise, isLeafListed: true) == .revoked())
            // The older list is complete and proves a leaf good that isn't in the list.
            #expect(try found(isRequired, .keyCompromise, isLeafListed: false) == .good)
            // A newer list that no longer names the signer only lifts a hold.
            let lifting = try authority.crl { $0.thisUpdate = TestAuthority.now.advanced(by: -60) }
            #expect(try found(isRequired, .certificateHold, isLeafListed: true, lifting) == .good)
            #expect(try found(isRequired, .keyCompromise, isLeafListed: true, lifting) == .good)
        }
    }

    @Test("A list that the budget leaves unread gives no status for a signer")
    func selfVouchingBudget() throws {
        let authority = try root.intermediate(.authority("CA"))
        let leaf = try authority.issue(.leaf("a.example")).certificate
        let signer = try authority.issue(Self.signerTemplate())
        let crls = [
            try signer.crl { $0.thisUpdate = TestAuthority.now }, try authority.crl { $0.revoke(signer.certificate) },
        ].map(\.der)
        let path = try validate(leaf, [authority.certificate], anchors: [root.certificate]).get()
        for steps in 0...60 {
            let evidence = RevocationEvidence(
                crls: try crls.map { try CertificateRevocationList(der: $0) }, certificates: [signer.certificate])
            let found = RevocationChecker(
                evidence, policy: .required, at: TestAuthority.now, memory: nil,
                budget: RevocationBudget(steps: steps)
            ).findings(for: path)[0]
            // Only the CA's list proves the leaf good.
            if found.status == .good { #expect(found.validFrom == TestAuthority.now.advanced(by: -3600 - 300)) }
        }
    }

    @Test("The engine checks a revoked signer of many lists once, and each additional list costs the same few steps")
    func manyLists() throws {
        let root = try root.crl { $0.revoke(signer.certificate) }
        func cost(_ count: Int) throws -> (steps: Int, signatures: Int) {
            let lists = try (0..<count).map { index in
                try signer.crl { $0.thisUpdate = TestAuthority.now.advanced(by: Int64(-60 - index)) }
            }
            let path = try validate(leaf, [authority.certificate], anchors: [self.root.certificate]).get()
            let evidence = RevocationEvidence(
                crls: try (lists + [root]).map { try CertificateRevocationList(der: $0.der) },
                certificates: [signer.certificate])
            let checker = RevocationChecker(evidence, policy: .required, at: TestAuthority.now, memory: nil)
            let before = checker.budget
            #expect(checker.findings(for: path)[0].status == .unobtainable(.signerRevoked))
            return (before.steps - checker.budget.steps, before.signatures - checker.budget.signatures)
        }
        let (few, some, many) = (try cost(4), try cost(8), try cost(16))
        #expect(many.steps - some.steps == 2 * (some.steps - few.steps))
        #expect(many.signatures - some.signatures == 2 * (some.signatures - few.signatures))
    }

    private static func name(_ commonName: String) throws -> DistinguishedName {
        guard case .directoryName(let name) = try GeneralName.directory(organization: "Test", commonName: commonName)
        else { throw Missing() }
        return name
    }

    private struct Missing: Error {}
}

/// A CA that changes its key (RFC 4210 § 4.4, PKITS 4.5).
@Suite("CRLs across a key change")
struct KeyRolloverTests {
    @Test(
        "Through the self-issued certificate, CRLs signed by the new key cover certificates signed by the old key, and vice versa"
    )
    func bothWays() throws {
        let root = try TestAuthority.root()
        for isOldCertified in [true, false] {
            // The root certified one key, and the first key certified the other one under the same name.
            let certified = try root.intermediate(.authority("CA"))
            let other = try certified.intermediate(.authority("CA"))
            let below = isOldCertified ? other : certified
            let leaf = try below.issue(.leaf("a.example")).certificate
            let signer = isOldCertified ? certified : other
            for isRevoked in [false, true] {
                let crl = try signer.crl { if isRevoked { $0.revoke(leaf) } }
                let path = try validate(
                    leaf, [certified.certificate, other.certificate], anchors: [root.certificate]
                ).get()
                let evidence = RevocationEvidence(
                    crls: try [crl, root.crl()].map { try CertificateRevocationList(der: $0.der) },
                    certificates: [certified.certificate, other.certificate])
                let found = RevocationChecker(
                    evidence, policy: .required, at: TestAuthority.now, memory: nil
                ).findings(for: path)
                #expect(found[0].status == (isRevoked ? .revoked() : .good))
                #expect(found.dropFirst().allSatisfy { $0.status == .good }, "\(found)")
            }
        }
    }

    @Test("A CA's first key signs CRLs for its second key only if the first certificate has cRLSign or no key usage")
    func usageOfFirstKey() throws {
        let root = try TestAuthority.root()
        let rows: [(KeyUsage?, Bool)] = [([.keyCertSign, .cRLSign], true), (nil, true), (.keyCertSign, false)]
        for (usage, isSigner) in rows {
            let first = try root.intermediate(.authority("CA").with { $0.keyUsage = usage })
            let second = try first.intermediate(.authority("CA"))
            let leaf = try second.issue(.leaf("a.example")).certificate
            let path = try validate(
                leaf, [second.certificate, first.certificate], anchors: [root.certificate], policy: .plain
            ).get()
            func status(_ crl: TestCRL) throws -> RevocationFinding.Status {
                let evidence = RevocationEvidence(
                    crls: [try CertificateRevocationList(der: crl.der)], certificates: [first.certificate])
                return RevocationChecker(evidence, at: TestAuthority.now, memory: nil).findings(for: path)[0].status
            }
            #expect(try (status(first.crl()) == .good) == isSigner)
            #expect(try status(first.crl { $0.revoke(leaf) }).isRevoked == isSigner)
        }
    }
}
