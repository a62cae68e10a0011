// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// The certificates of responders and of CRL signers: several for one key, several of one name, and unusual ones.
@Suite("Certificates of the signers of evidence")
struct SignerCertificateTests {
    let fixture: RevocationFixture

    init() throws { fixture = try RevocationFixture() }

    private var leaf: Certificate { fixture.leaf.certificate }
    private var issuer: TestAuthority { fixture.issuer }

    private func finding(
        crls: [TestCRL] = [], ocsp: [TestOCSPResponse] = [], certificates: [Certificate] = []
    ) throws -> RevocationFinding {
        try fixture.findings(crls: crls, ocsp: ocsp, certificates: certificates)[0]
    }

    // MARK: - Responders

    @Test("Only a certificate with the name of the responder can have signed a response")
    func responderName() throws {
        let (named, other) = (try issuer.issue(.ocspSigner()), try issuer.issue(.ocspSigner("Other Signer")))
        for (key, expected) in [
            (named.key, RevocationFinding.Status.good), (other.key, .unobtainable(.ocspSignatureInvalid)),
        ] {
            let response = try issuer.ocspResponse(signedBy: named) {
                $0.add(leaf)
                ($0.signingKey, $0.certificates) = (key, [named.certificate, other.certificate])
            }
            #expect(try finding(ocsp: [response]).status == expected)
        }
    }

    @Test("Of several certificates for a responder's key, one without a reservation counts, wherever it is")
    func responderCertificates() throws {
        let key = TestKey.p256()
        let valid = try issuer.issue(.ocspSigner(), key: key)
        let expired = try issuer.issue(
            .ocspSigner().with { $0.notAfter = TestAuthority.now.advanced(by: -60) }, key: key)
        func found(_ certificates: TestIdentity...) throws -> RevocationFinding {
            let response = try issuer.ocspResponse(signedBy: valid) {
                $0.add(leaf)
                $0.certificates = certificates.map(\.certificate)
            }
            return try finding(ocsp: [response])
        }
        #expect(try found(expired).status == .unobtainable(.signerNotCurrent))
        for found in [try found(valid, expired), try found(expired, valid)] {
            #expect(found.status == .good && found.notes.isEmpty)
        }
    }

    @Test("A responder may have a key for digital signatures or for nonrepudiation")
    func responderKeyUsage() throws {
        for (usage, isGood) in [
            (KeyUsage.digitalSignature, true), (.nonRepudiation, true), (.keyEncipherment, false), (.cRLSign, false),
        ] {
            let signer = try issuer.issue(.ocspSigner().with { $0.keyUsage = usage })
            let response = try issuer.ocspResponse(signedBy: signer) { $0.add(leaf) }
            #expect((try finding(ocsp: [response]).status == .good) == isGood, "\(usage)")
        }
    }

    @Test("The notes about the list that clears a responder are in the finding")
    func responderNotes() throws {
        let responder = try issuer.issue(.ocspSigner().with { $0.hasOCSPNoCheck = false })
        let response = try issuer.ocspResponse(signedBy: responder) { $0.add(leaf) }
        let signer = try issuer.issue(.crlSigner("Test Intermediate"))
        let found = try finding(crls: [signer.crl()], ocsp: [response], certificates: [signer.certificate])
        #expect(found.status == .good && found.source == .ocsp)
        #expect(found.notes == [.crlSignedWithOtherKey, .crlSelfSigned])
    }

    @Test("A signer whose certificate names its signature's algorithm in an unusual way can only revoke")
    func algorithms() throws {
        let unusual = ASN1.algorithm("1.2.840.10045.4.3.2", ASN1.sequence())
        let changes: [@Sendable (inout CertificateTemplate) -> Void] = [
            { ($0.encoding.signedAlgorithm, $0.encoding.outerAlgorithm) = (unusual, unusual) },
            { $0.encoding.signedAlgorithm = ASN1.algorithm("1.2.840.10045.4.3.3") },
        ]
        func check(_ signer: TestIdentity) -> RevocationChecker.SignatureCheck {
            RevocationChecker(RevocationEvidence(), at: TestAuthority.now, memory: nil)
                .check(signer.certificate, signedBy: issuer.certificate)
        }
        for change in changes {
            let signer = try issuer.issue(.ocspSigner().with(change))
            for isRevoking in [false, true] {
                let response = try issuer.ocspResponse(signedBy: signer) { $0.add(leaf, isRevoking ? .revoked : .good) }
                let found = try finding(ocsp: [response])
                #expect(found.status == (isRevoking ? .revoked() : .unobtainable(.signatureWeak)))
                #expect(!isRevoking || found.notes == [.signatureWeak])
            }
            #expect(check(signer) == .weak)
        }
        #expect(try check(issuer.issue(.ocspSigner())) == .valid)
    }

    // MARK: - CRL signers

    @Test("The first authorized certificate for the key of a CRL counts, and later ones change nothing")
    func crlSigners() throws {
        let key = TestKey.p256()
        let template = CertificateTemplate.crlSigner("Test Intermediate")
        let valid = try issuer.issue(template, key: key)
        let expired = try issuer.issue(template.with { $0.notAfter = .days(-1) }, key: key)
        let crl = try valid.crl { $0.thisUpdate = .days(-2) }
        func found(_ certificates: TestIdentity...) throws -> RevocationFinding {
            try finding(crls: [crl], certificates: certificates.map(\.certificate))
        }
        #expect(try found(expired).status == .unobtainable(.signerNotCurrent))
        let both = try found(valid, expired)
        #expect(both.status == .good && both.notes == [.crlSignedWithOtherKey, .crlSelfSigned])
    }

    @Test("The engine first tries the CA whose key a list names, but any CA of that name may have signed the list")
    func namedKey() throws {
        let old = try fixture.root.intermediate(.authority("CA"))
        let new = try old.intermediate(.authority("CA"))
        let leaf = try new.issue(.leaf("a.example")).certificate
        let path = try validate(
            leaf, [new.certificate, old.certificate], anchors: [fixture.root.certificate], policy: .plain
        ).get()
        let cost = try #require(EvidenceKey(old.certificate)).key.cost
        func used(_ signer: TestAuthority, naming named: TestAuthority?) throws -> Int {
            let crl = try signer.crl {
                $0.hasAuthorityKeyIdentifier = false
                if let named {
                    $0.extensions = [.named("2.5.29.35", ASN1.sequence(ASN1.value(0x80, named.key.identifier)))]
                }
            }
            let checker = RevocationChecker(
                RevocationEvidence(crls: [try CertificateRevocationList(der: crl.der)]), at: TestAuthority.now,
                memory: nil)
            let findings = checker.findings(for: path)
            #expect(findings[0].status == .good && findings[1].status == .good)
            #expect(findings[1].notes == (signer === new ? [.crlSelfSigned] : []))
            checker.account = .crls
            return RevocationBudget().signatures - checker.budget.signatures
        }
        #expect(try used(old, naming: old) == cost)
        #expect(try used(old, naming: new) == 2 * cost && used(old, naming: nil) == 2 * cost)
        for named in [old, new, nil] { #expect(try used(new, naming: named) == 2 * cost) }
    }
}
