import PKIX
import ServerTrustTesting
import Testing

/// RFC 5280 §§ 5.2.4, 6.3.3 (c), (h) to (k).
@Suite("Delta CRLs")
struct DeltaCRLTests {
    let scene: RevocationScene

    init() throws { scene = try RevocationScene() }

    private var leaf: Certificate { scene.leaf.certificate }

    /// A complete CRL with number 10.
    private func complete(_ change: (inout TestCRL.Template) throws -> Void = { _ in }) throws -> TestCRL {
        try scene.issuer.crl {
            $0.number = 10
            try change(&$0)
        }
    }

    /// Number 12, on top of 10.
    private func delta(_ change: (inout TestCRL.Template) throws -> Void = { _ in }) throws -> TestCRL {
        try scene.issuer.crl {
            ($0.number, $0.deltaBase) = (12, 10)
            try change(&$0)
        }
    }

    @Test("§ 5.2.4: a delta CRL alone is no complete CRL")
    func alone() throws {
        #expect(try scene.status(crls: [delta()]) == .unobtainable(.noEvidence))
    }

    @Test("§ 6.3.3 (i): what the delta lists is revoked, whatever the complete CRL says")
    func revokedOnDelta() throws {
        let made = try delta { $0.revoke(leaf, reason: .superseded) }
        #expect(try scene.status(crls: [complete(), made]) == .revoked(.superseded))
        #expect(try scene.status(crls: [made, complete()]) == .revoked(.superseded))
    }

    @Test("§ 6.3.3 (j): what the delta doesn't list is looked up on the complete CRL")
    func revokedOnComplete() throws {
        #expect(
            try scene.status(crls: [complete { $0.revoke(leaf, reason: .keyCompromise) }, delta()])
                == .revoked(.keyCompromise))
        #expect(try scene.status(crls: [complete(), delta()]) == .good)
    }

    @Test("§ 6.3.3 (k): a hold that the delta lifts is lifted")
    func lifted() throws {
        let hold = try complete { $0.revoke(leaf, reason: .certificateHold) }
        #expect(try scene.status(crls: [hold]) == .revoked(.certificateHold))
        #expect(try scene.status(crls: [hold, delta { $0.revoke(leaf, reason: .removeFromCRL) }]) == .good)
    }

    @Test("§ 6.3.3 (a): a current delta brings a complete CRL that has run out up to date, and bounds the answer")
    func bringsUpToDate() throws {
        let old = try complete { $0.nextUpdate = .days(-1) }
        let found = try scene.findings(crls: [old, delta { $0.nextUpdate = .days(2) }])[0]
        #expect(found.status == .good)
        #expect(found.validUntil == .days(2))
        #expect(
            try scene.status(crls: [old, delta { $0.nextUpdate = .days(-1) }]) == .unobtainable(.crlExpired))
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let complete: @Sendable (inout TestCRL.Template) -> Void
        let delta: @Sendable (inout TestCRL.Template) -> Void
    }

    private static let unfitRows = [
        Row(
            testDescription: "§ 5.2.4 (a): it starts from a newer one than the complete CRL",
            complete: { _ in }, delta: { $0.deltaBase = 11 }),
        Row(
            testDescription: "§ 5.2.4 (b): it is no newer than the complete CRL",
            complete: { _ in }, delta: { ($0.number, $0.deltaBase) = (10, 10) }),
        Row(
            testDescription: "§ 6.3.3 (c)(2): the complete CRL has a scope and the delta none",
            complete: { $0.scope { $0.onlyContainsUserCertificates = true } }, delta: { _ in }),
        Row(
            testDescription: "§ 6.3.3 (c)(2): the delta has a scope and the complete CRL none",
            complete: { _ in }, delta: { $0.scope { $0.onlyContainsUserCertificates = true } }),
        Row(
            testDescription: "§ 6.3.3 (c)(3): the authority key identifiers differ",
            complete: { $0.hasAuthorityKeyIdentifier = false }, delta: { _ in }),
        Row(
            testDescription: "§ 6.3.3 (h): somebody else has signed it",
            complete: { _ in }, delta: { $0.hasWrongSignature = true }),
        Row(testDescription: "§ 5.2.3: it has no number", complete: { _ in }, delta: { $0.number = nil }),
        Row(
            testDescription: "§ 5.2: it has a critical extension that nobody understands", complete: { _ in },
            delta: {
                $0.extensions = [Extension(identifier: OID.anyPolicy, isCritical: true, value: [0x05, 0x00])]
            }),
        Row(testDescription: "it is from the future", complete: { _ in }, delta: { $0.thisUpdate = .days(1) }),
    ]

    @Test("A delta CRL doesn't count if", arguments: unfitRows)
    func unfit(row: Row) throws {
        let made = try delta {
            $0.revoke(leaf)
            row.delta(&$0)
        }
        #expect(try scene.status(crls: [complete(row.complete), made]) == .good)
    }

    @Test("§ 6.3.3 (c)(1): another issuer's delta CRL doesn't count")
    func otherIssuer() throws {
        let other = try scene.root.crl {
            ($0.number, $0.deltaBase) = (12, 10)
            $0.revoke(leaf)
        }
        #expect(try scene.status(crls: [complete(), other]) == .good)
    }

    @Test("§ 6.3.3 (c)(2): the same scope on both sides fits")
    func sameScope() throws {
        let scope: (inout TestCRL.Template) -> Void = { $0.scope { $0.onlyContainsUserCertificates = true } }
        let made = try delta {
            scope(&$0)
            $0.revoke(leaf)
        }
        #expect(try scene.status(crls: [complete(scope), made]) == .revoked())
    }

    @Test("Of several delta CRLs the newest counts, in whatever order they come")
    func newest() throws {
        let hold = try delta { $0.revoke(leaf, reason: .certificateHold) }
        let lift = try delta {
            $0.number = 300
            $0.revoke(leaf, reason: .removeFromCRL)
        }
        #expect(try scene.status(crls: [complete(), hold, lift]) == .good)
        #expect(try scene.status(crls: [lift, complete(), hold]) == .good)
    }
}
