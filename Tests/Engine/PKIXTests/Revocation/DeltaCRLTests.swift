// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// RFC 5280 §§ 5.2.4, 6.3.3 (c), (h) to (k).
@Suite("Delta CRLs")
struct DeltaCRLTests {
    let fixture: RevocationFixture

    init() throws { fixture = try RevocationFixture() }

    private var leaf: Certificate { fixture.leaf.certificate }

    /// A complete CRL with number 10.
    private func complete(_ change: (inout TestCRL.Template) throws -> Void = { _ in }) throws -> TestCRL {
        try fixture.issuer.crl {
            $0.number = 10
            try change(&$0)
        }
    }

    /// A delta CRL with number 12 and base number 10.
    private func delta(_ change: (inout TestCRL.Template) throws -> Void = { _ in }) throws -> TestCRL {
        try fixture.issuer.crl {
            ($0.number, $0.deltaBase) = (12, 10)
            try change(&$0)
        }
    }

    @Test("§ 5.2.4: a delta CRL by itself gives no good status, but revokes a certificate that it lists")
    func alone() throws {
        #expect(try fixture.status(crls: [delta()]) == .unobtainable(.noEvidence))
        #expect(try fixture.status(crls: [delta { $0.revoke(leaf, reason: .superseded) }]) == .revoked(.superseded))
        #expect(
            try fixture.status(crls: [delta { $0.revoke(leaf, reason: .removeFromCRL) }]) == .unobtainable(.noEvidence))
    }

    @Test("§ 6.3.3 (i): a certificate on the delta CRL is revoked despite the complete CRL")
    func revokedOnDelta() throws {
        let made = try delta { $0.revoke(leaf, reason: .superseded) }
        #expect(try fixture.status(crls: [complete(), made]) == .revoked(.superseded))
        #expect(try fixture.status(crls: [made, complete()]) == .revoked(.superseded))
    }

    @Test("§ 6.3.3 (j): the engine looks up a certificate that isn't on the delta CRL in the complete CRL")
    func revokedOnComplete() throws {
        #expect(
            try fixture.status(crls: [complete { $0.revoke(leaf, reason: .keyCompromise) }, delta()])
                == .revoked(.keyCompromise))
        #expect(try fixture.status(crls: [complete(), delta()]) == .good)
    }

    @Test("§ 6.3.3 (k): a delta CRL can lift a hold")
    func lifted() throws {
        let hold = try complete { $0.revoke(leaf, reason: .certificateHold) }
        #expect(try fixture.status(crls: [hold]) == .revoked(.certificateHold))
        #expect(try fixture.status(crls: [hold, delta { $0.revoke(leaf, reason: .removeFromCRL) }]) == .good)
    }

    @Test("§ 5.3.1: removeFromCRL lifts only a hold")
    func liftsHoldAlone() throws {
        let lift = try delta { $0.revoke(leaf, reason: .removeFromCRL) }
        for reason in RevocationReason.allCases where reason != .certificateHold && reason != .removeFromCRL {
            #expect(
                try fixture.status(crls: [complete { $0.revoke(leaf, reason: reason) }, lift]).isRevoked, "\(reason)")
        }
        #expect(try fixture.status(crls: [complete { $0.revoke(leaf) }, lift]) == .revoked())
    }

    @Test("§ 5.3.1: only a current delta CRL that fits its complete CRL lifts a hold")
    func liftedByFittingAlone() throws {
        let hold = try complete { $0.revoke(leaf, reason: .certificateHold) }
        let unfit: [(inout TestCRL.Template) -> Void] = [
            { $0.nextUpdate = .days(-1) }, { $0.deltaBase = 11 }, { $0.number = 10 }, { $0.number = nil },
            { $0.hasAuthorityKeyIdentifier = false }, { $0.hasWrongSignature = true }, { $0.thisUpdate = .days(1) },
            { $0.scope { $0.onlyContainsUserCertificates = true } },
        ]
        for change in unfit {
            let lift = try delta {
                $0.revoke(leaf, reason: .removeFromCRL)
                change(&$0)
            }
            #expect(try fixture.status(crls: [hold, lift]) == .revoked(.certificateHold))
        }
    }

    @Test("An expired delta CRL lifts no hold, not even an expired one")
    func expiredLift() throws {
        let hold = try complete {
            $0.revoke(leaf, reason: .certificateHold)
            $0.nextUpdate = .days(-1)
        }
        let lift = try delta {
            $0.revoke(leaf, reason: .removeFromCRL)
            $0.nextUpdate = .days(-1)
        }
        for crls in [hold, lift].orders {
            #expect(try fixture.status(crls: crls) == .revoked(.certificateHold))
        }
    }

    @Test("Revocations in an expired delta CRL still count, as in an expired complete CRL, and so do holds")
    func expired() throws {
        func status(_ reason: RevocationReason?, _ crls: TestCRL...) throws -> RevocationFinding.Status {
            let old = try delta {
                $0.nextUpdate = .days(-1)
                $0.revoke(leaf, reason: reason)
            }
            return try fixture.status(crls: [old] + crls)
        }
        #expect(try status(.superseded, complete()) == .revoked(.superseded))
        #expect(try status(nil, complete()) == .revoked())
        #expect(try status(.keyCompromise) == .revoked(.keyCompromise))
        // The delta CRL is newer than the complete one, so the complete one doesn't end the hold.
        #expect(try status(.certificateHold, complete()) == .revoked(.certificateHold))
        // A newer list of either kind takes precedence.
        let newer: (inout TestCRL.Template) -> Void = {
            ($0.number, $0.thisUpdate) = (13, TestAuthority.now.advanced(by: -60))
        }
        for reason in [RevocationReason.certificateHold, .superseded] {
            #expect(try status(reason, complete(newer)) == .good)
            #expect(try status(reason, complete(), delta(newer)) == .good)
        }
    }

    @Test("§ 6.3.3 (a): a current delta CRL updates an expired complete CRL and limits the finding's window")
    func bringsUpToDate() throws {
        let old = try complete { $0.nextUpdate = .days(-1) }
        let found = try fixture.findings(crls: [old, delta { $0.nextUpdate = .days(2) }])[0]
        #expect(found.status == .good)
        #expect(found.validUntil == .days(2))
        #expect(
            try fixture.status(crls: [old, delta { $0.nextUpdate = .days(-1) }]) == .unobtainable(.crlExpired))
    }

    @Test("Obstacles for expired and future CRLs contain the CRLs' dates") func dates() throws {
        let late = try complete { $0.nextUpdate = .days(-1) }
        let early = try complete { ($0.thisUpdate, $0.nextUpdate) = (.days(1), .days(2)) }
        for (crl, date) in [(late, Time.days(-1)), (early, .days(1))] {
            guard case .unobtainable(let obstacles) = try fixture.status(crls: [crl]) else {
                Issue.record("a status")
                continue
            }
            #expect(obstacles.map(\.date) == [date])
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let complete: @Sendable (inout TestCRL.Template) -> Void
        let delta: @Sendable (inout TestCRL.Template) -> Void
    }

    private static let unfitRows = [
        Row(
            testDescription: "§ 5.2.4 (a): its base is newer than the complete CRL",
            complete: { _ in }, delta: { $0.deltaBase = 11 }),
        Row(
            testDescription: "§ 5.2.4 (b): it isn't newer than the complete CRL",
            complete: { _ in }, delta: { ($0.number, $0.deltaBase) = (10, 10) }),
        Row(
            testDescription: "§ 6.3.3 (c)(2): the complete CRL has a scope and the delta has none",
            complete: { $0.scope { $0.onlyContainsUserCertificates = true } }, delta: { _ in }),
        Row(
            testDescription: "§ 6.3.3 (c)(2): the delta has a scope and the complete CRL has none",
            complete: { _ in }, delta: { $0.scope { $0.onlyContainsUserCertificates = true } }),
        Row(
            testDescription: "§ 6.3.3 (c)(3): the authority key identifiers differ",
            complete: { $0.hasAuthorityKeyIdentifier = false }, delta: { _ in }),
        Row(testDescription: "§ 5.2.3: it has no number", complete: { _ in }, delta: { $0.number = nil }),
    ]

    @Test(
        "A delta CRL that doesn't fit updates no complete CRL, but its revocations count",
        arguments: unfitRows)
    func unfit(row: Row) throws {
        let old: (inout TestCRL.Template) -> Void = {
            $0.nextUpdate = .days(-1)
            row.complete(&$0)
        }
        #expect(try fixture.status(crls: [complete(old), delta(row.delta)]) == .unobtainable(.crlExpired))
        #expect(try fixture.status(crls: [complete(row.complete), delta(row.delta)]) == .good)
        let listing = try delta {
            $0.revoke(leaf)
            row.delta(&$0)
        }
        #expect(try fixture.status(crls: [complete(row.complete), listing]) == .revoked())
        #expect(try fixture.status(crls: [listing, complete(row.complete)]) == .revoked())
    }

    private static let unusableRows = [
        Row(
            testDescription: "§ 6.3.3 (h): its signature is invalid",
            complete: { _ in }, delta: { $0.hasWrongSignature = true })
    ]

    @Test("A delta CRL that isn't authentic isn't evidence", arguments: unusableRows)
    func unusable(row: Row) throws {
        let made = try delta {
            $0.revoke(leaf)
            row.delta(&$0)
        }
        #expect(try fixture.status(crls: [complete(row.complete), made]) == .good)
        #expect(try fixture.status(crls: [made]) == .unobtainable(.noEvidence))
    }

    private static let reservedRows = [
        Row(
            testDescription: "§ 5.2: it has an unprocessed critical extension", complete: { _ in },
            delta: {
                $0.extensions = [Extension(identifier: OID.anyPolicy, isCritical: true, value: [0x05, 0x00])]
            }),
        Row(testDescription: "it is from the future", complete: { _ in }, delta: { $0.thisUpdate = .days(1) }),
    ]

    @Test(
        "An authentic delta CRL with a defect still revokes certificates but updates no complete CRL",
        arguments: reservedRows)
    func reserved(row: Row) throws {
        let made = try delta {
            $0.revoke(leaf)
            row.delta(&$0)
        }
        #expect(try fixture.status(crls: [complete(row.complete), made]) == .revoked())
        #expect(try fixture.status(crls: [made]) == .revoked())
        let old = try complete { $0.nextUpdate = .days(-1) }
        #expect(try fixture.status(crls: [old, delta(row.delta)]) != .good)
    }

    @Test("§ 6.3.3 (c)(1): another issuer's delta CRL doesn't count")
    func otherIssuer() throws {
        let other = try fixture.root.crl {
            ($0.number, $0.deltaBase) = (12, 10)
            $0.revoke(leaf)
        }
        #expect(try fixture.status(crls: [complete(), other]) == .good)
    }

    @Test("§ 6.3.3 (c)(2): a delta CRL with the same scope as the complete CRL fits")
    func sameScope() throws {
        let scope: (inout TestCRL.Template) -> Void = { $0.scope { $0.onlyContainsUserCertificates = true } }
        let made = try delta {
            scope(&$0)
            $0.revoke(leaf)
        }
        #expect(try fixture.status(crls: [complete(scope), made]) == .revoked())
    }

    @Test("Of several delta CRLs, the newest counts, in any order")
    func newest() throws {
        let hold = try delta { $0.revoke(leaf, reason: .certificateHold) }
        let lift = try delta {
            ($0.number, $0.thisUpdate) = (300, TestAuthority.now.advanced(by: -60))
            $0.revoke(leaf, reason: .removeFromCRL)
        }
        let onHold = try complete { $0.revoke(leaf, reason: .certificateHold) }
        for complete in [try complete(), onHold] {
            #expect(try fixture.status(crls: [complete, hold, lift]) == .good)
            #expect(try fixture.status(crls: [lift, complete, hold]) == .good)
        }
    }

    @Test("Delta CRLs that contradict each other in date and number both count, and neither lifts the other's hold")
    func contradicting() throws {
        for (number, seconds) in [(UInt64(300), Int64(-3600)), (300, -7200), (11, -60)] {
            let hold = try delta { $0.revoke(leaf, reason: .certificateHold) }
            let lift = try delta {
                ($0.number, $0.thisUpdate) = (number, TestAuthority.now.advanced(by: seconds))
                $0.revoke(leaf, reason: .removeFromCRL)
            }
            for crls in [[try complete(), hold, lift], [lift, hold, try complete()]] {
                #expect(try fixture.status(crls: crls) == .revoked(.certificateHold), "\(number) \(seconds)")
            }
        }
    }

    @Test("A newer delta CRL with a later base supersedes an older one only with a complete CRL that it fits")
    func laterStart() throws {
        let older = try delta { $0.revoke(leaf, reason: .certificateHold) }
        let newer = try delta {
            ($0.number, $0.deltaBase, $0.thisUpdate) = (14, 11, TestAuthority.now.advanced(by: -60))
        }
        // Neither the newer delta nor this complete list contains the changes between 10 and 11.
        #expect(try fixture.status(crls: [complete(), older, newer]) == .revoked(.certificateHold))
        let fitting = try complete { ($0.number, $0.thisUpdate) = (11, TestAuthority.now.advanced(by: -7200)) }
        #expect(try fixture.status(crls: [fitting, older, newer]) == .good)
        #expect(try fixture.status(crls: [newer, older, fitting]) == .good)
    }

    @Test(
        "Delta CRLs belong to one key, and a delta CRL from another key of the CA neither lifts a hold nor supersedes one"
    )
    func perKey() throws {
        let renewed = try fixture.root.intermediate(.authority("Test Intermediate"))
        let other: (inout TestCRL.Template) throws -> Void = {
            ($0.number, $0.deltaBase, $0.thisUpdate) = (12, 10, TestAuthority.now.advanced(by: -60))
        }
        let foreign = try renewed.crl {
            try other(&$0)
            $0.revoke(leaf, reason: .removeFromCRL)
        }
        let hold = try complete { $0.revoke(leaf, reason: .certificateHold) }
        let pool = [renewed.certificate]
        #expect(try fixture.status(crls: [hold, foreign], certificates: pool) == .revoked(.certificateHold))
        let listing = try delta { $0.revoke(leaf, reason: .certificateHold) }
        let newer = try renewed.crl(other)
        #expect(
            try fixture.status(crls: [complete(), listing, newer], certificates: pool) == .revoked(.certificateHold))
        // The other key's delta revokes a certificate that it lists.
        let foreignListing = try renewed.crl {
            try other(&$0)
            $0.revoke(leaf)
        }
        #expect(try fixture.status(crls: [complete(), foreignListing], certificates: pool) == .revoked())
        #expect(try fixture.status(crls: [complete(), foreignListing]) == .good)
    }
}
