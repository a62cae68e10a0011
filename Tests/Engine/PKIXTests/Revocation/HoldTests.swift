// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// A hold counts until newer evidence from the right signer ends it (RFC 5280 § 5.3.1).
@Suite("Holds, and the evidence that ends them")
struct HoldTests {
    let fixture: RevocationFixture

    init() throws { fixture = try RevocationFixture() }

    private var leaf: Certificate { fixture.leaf.certificate }
    private var issuer: TestAuthority { fixture.issuer }

    private static let date = Time.days(-5)
    private static let held = RevocationFinding.Status.revoked(at: date, reason: .certificateHold)

    private func response(
        _ status: TestOCSPResponse.CertificateStatus, from start: Time, until end: Time,
        signedBy signer: TestIdentity? = nil
    ) throws -> TestOCSPResponse {
        try issuer.ocspResponse(signedBy: signer) {
            $0.add(leaf, status) { ($0.thisUpdate, $0.nextUpdate) = (start, end) }
        }
    }

    private func hold(from start: Time, until end: Time, signedBy signer: TestIdentity? = nil) throws
        -> TestOCSPResponse
    {
        try response(.revoked(at: Self.date, reason: .certificateHold), from: start, until: end, signedBy: signer)
    }

    private func status(_ crls: [TestCRL] = [], _ responses: [TestOCSPResponse]) throws -> RevocationFinding.Status {
        let first = try fixture.status(crls: crls, ocsp: responses)
        #expect(try fixture.status(crls: crls, ocsp: responses.reversed()) == first)
        return first
    }

    @Test("A later good response from the same key ends a hold, but an earlier one or one with the same date doesn't")
    func sameKey() throws {
        let hold = try hold(from: .days(-2), until: .days(2))
        #expect(try status([], [hold]) == Self.held)
        for (start, expected) in [(Time.days(-1), .good), (.days(-2), Self.held), (.days(-3), Self.held)] {
            #expect(try status([], [hold, response(.good, from: start, until: .days(1))]) == expected)
        }
    }

    @Test("A later good response doesn't end a revocation for another reason")
    func otherReasons() throws {
        for reason in [RevocationReason.keyCompromise, .superseded, .unspecified] {
            let revoked = try response(.revoked(at: Self.date, reason: reason), from: .days(-3), until: .days(-2))
            #expect(
                try status([], [revoked, response(.good, from: .days(-1), until: .days(1))])
                    == .revoked(at: Self.date, reason: reason))
        }
    }

    @Test("A later good response from another key ends only a hold that has expired")
    func otherKey() throws {
        let delegate = try issuer.issue(.ocspSigner())
        let good = try response(.good, from: .days(-1), until: .days(1), signedBy: delegate)
        #expect(try status([], [hold(from: .days(-2), until: .days(2)), good]) == Self.held)
        #expect(try status([], [hold(from: .days(-3), until: .days(-2)), good]) == .good)
    }

    @Test("An expired good response ends no hold")
    func expiredGood() throws {
        let good = try response(.good, from: .days(-2), until: .days(-1))
        for end in [Time.days(2), .days(-1)] {
            #expect(try status([], [hold(from: .days(-3), until: end), good]) == Self.held)
        }
    }

    @Test("A later good response ends a CRL's hold only if the CRL has expired")
    func heldByCRL() throws {
        func crl(until end: Time) throws -> TestCRL {
            try issuer.crl {
                ($0.thisUpdate, $0.nextUpdate) = (.days(-2), end)
                $0.revoke(leaf, reason: .certificateHold)
            }
        }
        let good = try response(.good, from: .days(-1), until: .days(1))
        let earlier = try response(.good, from: .days(-3), until: .days(1))
        #expect(try status([crl(until: .days(1))], [good]) == .revoked(.certificateHold))
        #expect(try status([crl(until: .days(-1))], [good]) == .good)
        #expect(try status([crl(until: .days(-1))], [earlier]) == .revoked(.certificateHold))
    }

    @Test("A later good CRL ends a response's expired hold, but an earlier one doesn't")
    func heldByResponse() throws {
        let hold = try hold(from: .days(-3), until: .days(-2))
        #expect(try status([issuer.crl { $0.thisUpdate = .days(-1) }], [hold]) == .good)
        #expect(try status([issuer.crl { $0.thisUpdate = .days(-4) }], [hold]) == Self.held)
    }

    @Test(
        "A newer list that has expired or is signed with SHA-1 withdraws nothing, not even an entry in a list with the same defect",
        arguments: [RevocationReason.certificateHold, .keyCompromise])
    func unusableNewer(_ reason: RevocationReason) throws {
        let kinds: [(inout TestCRL.Template) -> Void] = [
            { $0.nextUpdate = .days(-1) }, { $0.signatureAlgorithm = .ecdsaSHA1 },
        ]
        for kind in kinds {
            let old = try issuer.crl {
                ($0.number, $0.thisUpdate) = (5, .days(-3))
                $0.revoke(leaf, reason: reason)
                kind(&$0)
            }
            func newer(_ kind: (inout TestCRL.Template) -> Void) throws -> TestCRL {
                try issuer.crl {
                    ($0.number, $0.thisUpdate) = (6, .days(-2))
                    kind(&$0)
                }
            }
            for crls in [old, try newer(kind)].orders {
                #expect(try fixture.status(crls: crls) == .revoked(reason))
            }
            for crls in [old, try newer { _ in }].orders { #expect(try fixture.status(crls: crls) == .good) }
        }
    }

    @Test("The finding names an expired hold")
    func note() throws {
        let found = try fixture.findings(ocsp: [hold(from: .days(-3), until: .days(-2))])[0]
        #expect(found.notes.map(\.name) == ["holdExpired"])
    }

    /// A delegate without ocsp-nocheck.
    private func checkedDelegate() throws -> TestIdentity {
        try issuer.issue(.ocspSigner().with { $0.hasOCSPNoCheck = false })
    }

    @Test(
        "A response that revokes a delegate invalidates what the delegate signs, including its response about itself"
    )
    func revokedDelegate() throws {
        let delegate = try checkedDelegate()
        let other = try checkedDelegate()
        let good = try response(.good, from: .days(-1), until: .days(1), signedBy: delegate)
        #expect(try status([], [good]) == .good)
        for signer in [nil, other, delegate] {
            func about(_ status: TestOCSPResponse.CertificateStatus) throws -> TestOCSPResponse {
                try issuer.ocspResponse(signedBy: signer) { $0.add(delegate.certificate, status) }
            }
            #expect(try status([], [good, about(.revoked)]) == .unobtainable(.signerRevoked))
            #expect(try status([], [good, about(.good)]) == .good)
        }
    }

    @Test("A response from another CA doesn't revoke a delegate")
    func impostor() throws {
        let delegate = try checkedDelegate()
        let good = try response(.good, from: .days(-1), until: .days(1), signedBy: delegate)
        let otherRoot = try TestAuthority.root(.authority("Other"))
        let wrong = try issuer.ocspResponse(signedBy: try otherRoot.issue(.ocspSigner())) {
            $0.add(delegate.certificate, .revoked)
        }
        #expect(try status([], [good, wrong]) == .good)
    }

    @Test(
        "Only the issuer can disqualify a delegate, so a delegate's revocations still count if other signers revoke the delegate"
    )
    func silenced() throws {
        let (delegate, other) = (try checkedDelegate(), try checkedDelegate())
        let good = try response(.good, from: .days(-1), until: .days(1))
        let revoked = try response(
            .revoked(at: Self.date, reason: .keyCompromise), from: .days(-1), until: .days(1), signedBy: delegate)
        func about(_ target: TestIdentity, signedBy signer: TestIdentity?) throws -> TestOCSPResponse {
            try issuer.ocspResponse(signedBy: signer) { $0.add(target.certificate, .revoked) }
        }
        let expected = RevocationFinding.Status.revoked(at: Self.date, reason: .keyCompromise)
        #expect(try status([], [good, revoked]) == expected)
        for accusations in [
            [try about(delegate, signedBy: other), try about(other, signedBy: nil)],
            [try about(delegate, signedBy: delegate)],
            [try about(delegate, signedBy: other), try about(other, signedBy: delegate)],
        ] {
            #expect(try status([], [good, revoked] + accusations) == expected)
        }
        #expect(try status([], [good, revoked, about(delegate, signedBy: nil)]) == .good)
    }

    @Test("A delegate can't end its own hold")
    func ownHold() throws {
        let delegate = try checkedDelegate()
        let good = try response(.good, from: .days(-1), until: .days(1), signedBy: delegate)
        func about(
            _ status: TestOCSPResponse.CertificateStatus, from start: Time, until end: Time,
            signedBy signer: TestIdentity?
        ) throws -> TestOCSPResponse {
            try issuer.ocspResponse(signedBy: signer) {
                $0.add(delegate.certificate, status) { ($0.thisUpdate, $0.nextUpdate) = (start, end) }
            }
        }
        let held = try about(
            .revoked(at: Self.date, reason: .certificateHold), from: .days(-3), until: .days(-2), signedBy: nil)
        #expect(try status([], [good, held]) == .unobtainable(.signerRevoked))
        let own = try about(.good, from: .days(-1), until: .days(1), signedBy: delegate)
        #expect(try status([], [good, held, own]) == .unobtainable(.signerRevoked))
        let released = try about(.good, from: .days(-1), until: .days(1), signedBy: nil)
        #expect(try status([], [good, held, released]) == .good)
    }

    @Test("A weak complete CRL doesn't allow one delta CRL to supersede another")
    func weakBase() throws {
        func list(_ number: UInt64, base: UInt64? = nil, _ change: (inout TestCRL.Template) -> Void = { _ in }) throws
            -> TestCRL
        {
            try issuer.crl {
                ($0.number, $0.deltaBase) = (number, base)
                $0.thisUpdate = TestAuthority.now.advanced(by: Int64(number) * 60 - 3600)
                change(&$0)
            }
        }
        let bad = try list(6, base: 3) { $0.revoke(leaf, reason: .keyCompromise) }
        let lists = [
            try list(3), bad, try list(9, base: 8), try list(8) { $0.signatureAlgorithm = .ecdsaSHA1 },
        ]
        for crls in lists.orders { #expect(try fixture.status(crls: crls) == .revoked(.keyCompromise)) }
    }

    @Test("Each statement about the certificate costs a step")
    func work() throws {
        let responses = try (0..<20).map { _ in
            try issuer.ocspResponse { for _ in 0..<100 { $0.add(leaf) } }
        }
        #expect(try fixture.findings(ocsp: responses)[0].status == .good)
        let found = try fixture.findings(ocsp: responses, budget: RevocationBudget(steps: 1_000))
        #expect(found[0].status == .unobtainable(.budgetExceeded))
    }

    @Test("Two delegates that revoke each other both lose their authority")
    func mutual() throws {
        let delegates = try [checkedDelegate(), checkedDelegate()]
        let good = try delegates.map { try response(.good, from: .days(-1), until: .days(1), signedBy: $0) }
        let accusations = try [(0, 1), (1, 0)].map { signer, target in
            try issuer.ocspResponse(signedBy: delegates[signer]) { $0.add(delegates[target].certificate, .revoked) }
        }
        #expect(try status([], good + accusations) == .unobtainable(.signerRevoked))
    }
}
