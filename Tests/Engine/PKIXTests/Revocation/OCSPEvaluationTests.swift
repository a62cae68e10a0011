// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// The conditions that an OCSP response must meet (RFC 6960 § 3.2).
@Suite("OCSP responses")
struct OCSPEvaluationTests {
    let fixture: RevocationFixture

    init() throws { fixture = try RevocationFixture() }

    private var leaf: Certificate { fixture.leaf.certificate }
    private var issuer: TestAuthority { fixture.issuer }

    private func response(
        signedBy delegate: TestIdentity? = nil, _ status: TestOCSPResponse.CertificateStatus = .good,
        _ change: (inout TestOCSPResponse.SingleResponse) -> Void = { _ in }
    ) throws -> TestOCSPResponse {
        try issuer.ocspResponse(signedBy: delegate) { $0.add(leaf, status, change) }
    }

    // MARK: - The answer

    @Test("A good status signed by the issuer itself is valid from its date to its next update")
    func good() throws {
        let found = try fixture.findings(ocsp: [response()])[0]
        #expect(found.status == .good)
        #expect(found.source == .ocsp)
        #expect(found.validFrom == TestAuthority.now.advanced(by: -3600 - 300))
        #expect(found.validUntil == .days(7))
    }

    @Test("A revocation contains its date and its reason")
    func revoked() throws {
        let found = try fixture.findings(ocsp: [response(.revoked(at: .days(-3), reason: .keyCompromise))])[0]
        #expect(found.status == .revoked(at: .days(-3), reason: .keyCompromise))
        #expect(found.validUntil == nil)
        #expect(try fixture.status(ocsp: [response(.revoked)]) == .revoked())
    }

    @Test("The status unknown isn't a finding, nor is a response with both unknown and good")
    func unknown() throws {
        #expect(try fixture.status(ocsp: [response(.unknown)]) == .unobtainable(.ocspUnknown))
        let both = try issuer.ocspResponse {
            $0.add(leaf, .good)
            $0.add(leaf, .unknown)
        }
        #expect(try fixture.status(ocsp: [both]) == .unobtainable(.ocspUnknown))
    }

    @Test(
        "The engine reports each responder error by its own name",
        arguments: [
            (TestOCSPResponse.Status.malformedRequest, RevocationObstacle.ocspMalformedRequest),
            (.internalError, .ocspInternalError), (.tryLater, .ocspTryLater), (.sigRequired, .ocspSignatureRequired),
            (.unauthorized, .ocspUnauthorized),
        ])
    func errors(status: TestOCSPResponse.Status, obstacle: RevocationObstacle) throws {
        #expect(try fixture.status(ocsp: [.error(status)]) == .unobtainable(obstacle))
    }

    @Test("The engine uses the staple before other responses, and only for the leaf")
    func staple() throws {
        let found = try fixture.findings(
            ocsp: [response { $0.nextUpdate = .days(30) }], staple: response())
        #expect(found[0].source == .staple)
        #expect(found[0].validUntil == .days(7))
        #expect(found[1].status == .unobtainable(.noEvidence))
        // A staple that doesn't count doesn't block other responses.
        let bad = try fixture.findings(ocsp: [response()], staple: response(.unknown))
        #expect(bad[0].status == .good && bad[0].source == .ocsp)
    }

    // MARK: - Identifying the certificate

    @Test(
        "The engine finds identifiers with each hash among others in the same response (RFC 6960 § 4.1.1)",
        arguments: TestOCSPResponse.Hash.allCases)
    func certificateID(_ hash: TestOCSPResponse.Hash) throws {
        let other = try issuer.issue(.leaf("b.example")).certificate
        let several = try issuer.ocspResponse {
            $0.add(other, .revoked) { $0.hash = hash }
            $0.add(leaf) { $0.hash = hash }
        }
        #expect(try fixture.status(ocsp: [several]) == .good)
        #expect(try fixture.status(other, ocsp: [several]) == .revoked())
    }

    @Test(
        "A response about another certificate, or about another issuer's certificate with the same number, doesn't count"
    )
    func otherCertificate() throws {
        let other = try issuer.issue(.leaf("b.example")).certificate
        let about = try issuer.ocspResponse { $0.add(other, .good) }
        #expect(try fixture.status(ocsp: [about]) == .unobtainable(.noEvidence))
        let unrelated = try TestAuthority.root(.authority("Test Intermediate"))
        let named = try issuer.ocspResponse { $0.add(leaf) { $0.issuer = unrelated } }
        #expect(try fixture.status(ocsp: [named]) == .unobtainable(.noEvidence))
    }

    @Test("The good response for a replaced certificate doesn't count for its successor")
    func replay() throws {
        let old = try issuer.ocspResponse { $0.add(try issuer.issue(.leaf("www.example.com")).certificate) }
        #expect(try fixture.status(ocsp: [old]) == .unobtainable(.noEvidence))
    }

    // MARK: - Signers

    @Test("A delegated signer counts if the issuer itself authorized it for OCSPSigning, by name or by key")
    func delegate() throws {
        let signer = try issuer.issue(.ocspSigner())
        for id in [TestOCSPResponse.ResponderID.byName, .byKey] {
            let response = try issuer.ocspResponse(signedBy: signer) {
                $0.add(leaf, .revoked)
                $0.responderID = id
            }
            #expect(try fixture.status(ocsp: [response]) == .revoked())
            let own = try issuer.ocspResponse {
                $0.add(leaf)
                $0.responderID = id
            }
            #expect(try fixture.status(ocsp: [own]) == .good)
        }
    }

    struct Delegate: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let make: @Sendable (RevocationFixture) throws -> TestIdentity
    }

    private static let unfitRows = [
        Delegate(testDescription: "without OCSPSigning") {
            try $0.issuer.issue(.ocspSigner().with { $0.extendedKeyUsage = [.serverAuth] })
        },
        Delegate(testDescription: "without any extended key usage") {
            try $0.issuer.issue(.ocspSigner().with { $0.extendedKeyUsage = nil })
        },
        Delegate(testDescription: "with any purpose instead of that one") {
            try $0.issuer.issue(.ocspSigner().with { $0.extendedKeyUsage = [.anyExtendedKeyUsage] })
        },
        Delegate(testDescription: "of the CA above") { try $0.root.issue(.ocspSigner()) },
        Delegate(testDescription: "of a CA below") {
            try $0.issuer.intermediate(.authority("Sub")).issue(.ocspSigner())
        },
        Delegate(testDescription: "of a CA of the same name and another key") { _ in
            try TestAuthority.root(.authority("Test Intermediate")).issue(.ocspSigner())
        },
        Delegate(testDescription: "that has expired") {
            try $0.issuer.issue(.ocspSigner().with { $0.notAfter = .days(-1) })
        },
        Delegate(testDescription: "that is not valid yet") {
            try $0.issuer.issue(.ocspSigner().with { $0.notBefore = .days(1) })
        },
        Delegate(testDescription: "whose key may not sign data") {
            try $0.issuer.issue(.ocspSigner().with { $0.keyUsage = .keyAgreement })
        },
        Delegate(testDescription: "with an unprocessed critical extension") {
            try $0.issuer.issue(
                .ocspSigner().with {
                    $0.extensions = [Extension(identifier: .anyPolicy, isCritical: true, value: [0x05, 0x00])]
                })
        },
        Delegate(testDescription: "that signed itself") { _ in try TestAuthority.selfSigned(.ocspSigner()) },
    ]

    @Test("A response from an unauthorized delegate doesn't count", arguments: unfitRows)
    func unfit(row: Delegate) throws {
        let signer = try row.make(fixture)
        for status in [TestOCSPResponse.CertificateStatus.good, .revoked] {
            #expect(
                try fixture.status(ocsp: [response(signedBy: signer, status)])
                    == .unobtainable(.ocspResponderNotAuthorized))
        }
    }

    @Test("The leaf can't sign a response for itself")
    func leafAnswers() throws {
        #expect(
            try fixture.status(ocsp: [response(signedBy: fixture.leaf)]) == .unobtainable(.ocspResponderNotAuthorized))
    }

    @Test("A response with an invalid signature is ignored, whether the issuer's or a delegate's")
    func wrongSignature() throws {
        for signer in try [nil, issuer.issue(.ocspSigner())] {
            let response = try issuer.ocspResponse(signedBy: signer) {
                $0.add(leaf, .revoked)
                $0.hasWrongSignature = true
            }
            #expect(try fixture.status(ocsp: [response]) == .unobtainable(.ocspSignatureInvalid))
        }
    }

    @Test("A response signed with a key other than that of its certificate is ignored")
    func otherKey() throws {
        let signer = try issuer.issue(.ocspSigner())
        let response = try issuer.ocspResponse(signedBy: signer) {
            $0.add(leaf)
            $0.signingKey = .p256()
        }
        #expect(try fixture.status(ocsp: [response]) == .unobtainable(.ocspSignatureInvalid))
    }

    @Test(
        "A CRL that lists a delegate revokes it unless it has ocsp-nocheck, and an unlisted delegate counts either way")
    func delegateRevoked() throws {
        for hasNoCheck in [true, false] {
            let signer = try issuer.issue(.ocspSigner().with { $0.hasOCSPNoCheck = hasNoCheck })
            let made = try response(signedBy: signer)
            let listed = try issuer.crl { $0.revoke(signer.certificate) }
            // The CRL also proves the leaf good, so this test uses the OCSP answer.
            let found = try fixture.findings(crls: [listed], ocsp: [made])[0]
            #expect(found.status == .good)
            #expect(found.source == (hasNoCheck ? .ocsp : .crl))
            #expect(try fixture.findings(crls: [issuer.crl()], ocsp: [made])[0].source == .ocsp)
            #expect(try fixture.findings(ocsp: [made])[0].source == .ocsp)
        }
    }

    @Test("The engine verifies RSA with PKCS #1 and PSS, and a signature with SHA-1 never proves a certificate good")
    func algorithms() throws {
        let key = try TestKey(pemRepresentation: FixedKeys.rsa2048)
        let root = try TestAuthority.root(.authority("RSA"), key: key)
        let leaf = try root.issue(.leaf("a.example")).certificate
        let path = try validate(leaf, anchors: [root.certificate]).get()
        for (algorithm, isGood) in [(TestSignatureAlgorithm.rsaSHA1, false), (.rsaSHA512, true), (.rsaPSSSHA256, true)]
        {
            let made = try root.ocspResponse {
                $0.add(leaf)
                $0.signatureAlgorithm = algorithm
            }
            let evidence = RevocationEvidence(staple: try OCSPResponse(der: made.der))
            let found = RevocationChecker(evidence, at: TestAuthority.now, memory: nil).findings(for: path)
            #expect(found[0].status == (isGood ? .good : .unobtainable(.signatureWeak)), "\(algorithm)")
        }
    }

    // MARK: - Dates

    struct Window: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let status: RevocationFinding.Status
        let change: @Sendable (inout TestOCSPResponse.SingleResponse) -> Void
    }

    private static let windowRows = [
        Window(
            testDescription: "with its next update in the past, it has expired", status: .unobtainable([.ocspExpired])
        ) {
            $0.nextUpdate = TestAuthority.now.advanced(by: -1)
        },
        Window(testDescription: "with its next update now, it is still good", status: .good) {
            $0.nextUpdate = TestAuthority.now
        },
        Window(testDescription: "with its date five minutes ahead, it is good", status: .good) {
            $0.thisUpdate = TestAuthority.now.advanced(by: 300)
        },
        Window(
            testDescription: "with its date another second ahead, it isn't valid yet",
            status: .unobtainable([.ocspNotYetValid])
        ) {
            $0.thisUpdate = TestAuthority.now.advanced(by: 301)
        },
        Window(testDescription: "without a next update, it is good for a day", status: .good) {
            ($0.thisUpdate, $0.nextUpdate) = (.days(-1), nil)
        },
        Window(
            testDescription: "without a next update, it has expired after a day", status: .unobtainable([.ocspExpired])
        ) {
            ($0.thisUpdate, $0.nextUpdate) = (TestAuthority.now.advanced(by: -86_401), nil)
        },
    ]

    @Test("A response counts only within its dates", arguments: windowRows)
    func windows(row: Window) throws {
        #expect(try fixture.status(ocsp: [response(.good, row.change)]) == row.status)
    }

    @Test("A response with a date in the future doesn't count yet")
    func producedAt() throws {
        let response = try issuer.ocspResponse {
            $0.add(leaf)
            $0.producedAt = TestAuthority.now.advanced(by: 301)
        }
        #expect(try fixture.status(ocsp: [response]) == .unobtainable(.ocspNotYetValid))
    }

    @Test(
        "A revocation, or a hold, still counts after the response expires",
        arguments: [RevocationReason.superseded, .certificateHold])
    func expiredRevocation(_ reason: RevocationReason) throws {
        let made = try response(.revoked(at: .days(-5), reason: reason)) {
            ($0.thisUpdate, $0.nextUpdate) = (.days(-4), .days(-3))
        }
        #expect(try fixture.status(ocsp: [made]) == .revoked(at: .days(-5), reason: reason))
    }

    // MARK: - Extensions

    @Test("An unprocessed critical extension of the response or of a single response rules it out")
    func criticalExtension() throws {
        for isCritical in [true, false] {
            let unknown = Extension(identifier: .anyPolicy, isCritical: isCritical, value: [0x05, 0x00])
            let whole = try issuer.ocspResponse {
                $0.add(leaf)
                $0.extensions = [unknown]
            }
            let single = try response { $0.extensions = [unknown] }
            for response in [whole, single] {
                let expected: RevocationFinding.Status = isCritical ? .unobtainable(.ocspCriticalExtension) : .good
                #expect(try fixture.status(ocsp: [response]) == expected)
            }
        }
    }

    @Test("An archive cutoff changes nothing")
    func archiveCutoff() throws {
        let cutoff = Extension(
            identifier: try #require(OID("1.3.6.1.5.5.7.48.1.6")), isCritical: false,
            value: ASN1.generalizedTime("20200101000000Z"))
        #expect(try fixture.status(ocsp: [response { $0.extensions = [cutoff] }]) == .good)
    }

    // MARK: - With CRLs

    @Test("A revocation counts in any evidence, and of two good findings, the engine reports the preferred kind's")
    func withCRLs() throws {
        let (good, bad) = (try issuer.crl(), try issuer.crl { $0.revoke(leaf) })
        #expect(try fixture.status(crls: [bad], ocsp: [response()]) == .revoked())
        #expect(try fixture.status(crls: [good], ocsp: [response(.revoked)]) == .revoked())
        #expect(try fixture.findings(crls: [good], ocsp: [response()])[0].source == .ocsp)
        #expect(
            try fixture.findings(
                crls: [good], ocsp: [response()], policy: RevocationPolicy(.bestEffort, prefersCRLs: true))[0].source
                == .crl)
        #expect(try fixture.status(crls: [good], ocsp: [.error(.tryLater)]) == .good)
    }

    @Test("A kind of evidence that the policy doesn't use can revoke a certificate but never prove it good")
    func unusedKind() throws {
        let (good, bad) = (try issuer.crl(), try issuer.crl { $0.revoke(leaf) })
        let (withoutOCSP, withoutCRLs) = (
            RevocationPolicy(.bestEffort, sources: .crls), RevocationPolicy(.bestEffort, sources: .ocsp)
        )
        #expect(try fixture.status(crls: [bad], ocsp: [response()], policy: withoutCRLs) == .revoked())
        #expect(try fixture.status(crls: [good], ocsp: [response(.revoked)], policy: withoutOCSP) == .revoked())
        #expect(try fixture.status(crls: [good], policy: withoutCRLs) == .unobtainable(.noEvidence))
        #expect(try fixture.status(ocsp: [response()], policy: withoutOCSP) == .unobtainable(.noEvidence))
    }
}
