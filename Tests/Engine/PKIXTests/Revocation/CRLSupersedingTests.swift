// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// A CA with two keys, both certified by the root, and a leaf signed with the first key.
struct RenewedKeyFixture {
    let root: TestAuthority
    let old: TestAuthority
    let new: TestAuthority
    let leaf: Certificate

    init(leaf: CertificateTemplate = .leaf("a.example")) throws {
        root = try .root()
        old = try root.intermediate(.authority("CA"))
        new = try root.intermediate(.authority("CA"))
        self.leaf = try old.issue(leaf).certificate
    }

    /// The finding for the leaf, whose path goes through the old key.
    func finding(
        _ crls: [TestCRL], certificates: [Certificate]? = nil, isRequired: Bool = false
    ) throws -> RevocationFinding {
        let path = try validate(leaf, [old.certificate], anchors: [root.certificate]).get()
        let evidence = RevocationEvidence(
            crls: try (crls + [root.crl()]).map { try CertificateRevocationList(der: $0.der) },
            certificates: certificates ?? [old.certificate, new.certificate])
        let findings = RevocationChecker(
            evidence, policy: isRequired ? .required : .bestEffort, at: TestAuthority.now, memory: nil
        ).findings(for: path)
        return try #require(findings.first)
    }
}

extension [TestCRL] {
    /// Every order of the lists.
    var orders: [[TestCRL]] {
        guard count > 1 else { return [self] }
        return indices.flatMap { index in
            var rest = self
            let first = rest.remove(at: index)
            return rest.orders.map { [first] + $0 }
        }
    }
}

/// Only a newer CRL with the same issuer name, signing key and scope supersedes a CRL.
@Suite("CRLs that supersede each other")
struct CRLSupersedingTests {
    private static let minute = TestAuthority.now.advanced(by: -60)
    private static let yesterday = Time.days(-1)

    // MARK: - Keys

    @Test("Of the CRLs for each key of a CA, the one that lists the leaf revokes it, whichever is newer")
    func renewedKey() throws {
        let fixture = try RenewedKeyFixture()
        for (oldDate, newDate) in [(Self.yesterday, Self.minute), (Self.minute, Self.yesterday)] {
            for reason in [RevocationReason.keyCompromise, .certificateHold] {
                for isOldListing in [true, false] {
                    let old = try fixture.old.crl {
                        ($0.thisUpdate, $0.number) = (oldDate, 5)
                        if isOldListing { $0.revoke(fixture.leaf, reason: reason) }
                    }
                    let new = try fixture.new.crl {
                        ($0.thisUpdate, $0.number) = (newDate, 5)
                        if !isOldListing { $0.revoke(fixture.leaf, reason: reason) }
                    }
                    for crls in [old, new].orders {
                        for isRequired in [true, false] {
                            #expect(try fixture.finding(crls, isRequired: isRequired).isRevoked)
                        }
                    }
                }
            }
        }
    }

    @Test("For a good status, a CRL signed by the leaf's signing key has priority and needs no note")
    func sameKeyFirst() throws {
        let fixture = try RenewedKeyFixture()
        let old = try fixture.old.crl { $0.thisUpdate = Self.yesterday }
        let new = try fixture.new.crl { $0.thisUpdate = Self.minute }
        for crls in [old, new].orders + [[old]] {
            let found = try fixture.finding(crls, isRequired: true)
            #expect(found.status == .good)
            #expect(found.notes.isEmpty)
            #expect(found.validFrom == Self.yesterday.advanced(by: -300))
        }
    }

    @Test(
        "A CRL from another key of the CA proves the leaf good, with a note, if no current CRL from the leaf's signing key is available"
    )
    func otherKey() throws {
        let fixture = try RenewedKeyFixture()
        let new = try fixture.new.crl()
        let expired = try fixture.old.crl { $0.nextUpdate = Self.yesterday }
        for crls in [[new]] + [new, expired].orders {
            let found = try fixture.finding(crls, isRequired: true)
            #expect(found.status == .good)
            #expect(found.notes == [.crlSignedWithOtherKey])
        }
        #expect(try fixture.finding([new], certificates: []).status == .unobtainable(.crlSignatureInvalid))
    }

    @Test("A CRL from another key doesn't complete a current CRL from the leaf's signing key that leaves reasons open")
    func partOfReasons() throws {
        let fixture = try RenewedKeyFixture()
        let old = try fixture.old.crl { $0.scope { $0.onlySomeReasons = [.keyCompromise] } }
        for crls in [old, try fixture.new.crl()].orders {
            #expect(try fixture.finding(crls).status == .unobtainable(.crlReasonsNotCovered))
        }
        let rest = try fixture.old.crl {
            $0.scope {
                $0.onlySomeReasons = Set(RevocationReason.allCases).subtracting([
                    .keyCompromise, .unspecified, .removeFromCRL,
                ])
            }
        }
        for crls in [old, rest].orders { #expect(try fixture.finding(crls).status == .good) }
    }

    @Test("A later CRL from another key ends only an expired hold from the leaf's signing key, not another revocation")
    func expiredOfSameKey() throws {
        let fixture = try RenewedKeyFixture()
        for (reason, isRevoked) in [(RevocationReason.superseded, true), (.certificateHold, false)] {
            let expired = try fixture.old.crl {
                ($0.thisUpdate, $0.nextUpdate) = (.days(-3), Self.yesterday)
                $0.revoke(fixture.leaf, reason: reason)
            }
            for crls in [expired, try fixture.new.crl()].orders {
                #expect(try fixture.finding(crls).isRevoked == isRevoked)
            }
        }
    }

    // MARK: - Newer

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let number: UInt64?
        let date: Time
        let supersedes: Bool
    }

    private static let rows = [
        Row(testDescription: "a later date and a higher number", number: 6, date: minute, supersedes: true),
        Row(testDescription: "a later date and the same number", number: 5, date: minute, supersedes: true),
        Row(testDescription: "a later date and a lower number", number: 4, date: minute, supersedes: false),
        Row(testDescription: "a later date and no number", number: nil, date: minute, supersedes: false),
        Row(testDescription: "the same date and a higher number", number: 6, date: .days(-2), supersedes: false),
        Row(testDescription: "an earlier date and a higher number", number: 6, date: .days(-3), supersedes: false),
        Row(testDescription: "a later date and a number of two bytes", number: 300, date: minute, supersedes: true),
    ]

    @Test(
        "A CRL lifts a hold in another CRL with its key and scope if its date is later and its number isn't lower",
        arguments: rows)
    func newer(row: Row) throws {
        let fixture = try RenewedKeyFixture()
        let hold = try fixture.old.crl {
            ($0.thisUpdate, $0.number) = (.days(-2), 5)
            $0.revoke(fixture.leaf, reason: .certificateHold)
        }
        let other = try fixture.old.crl { ($0.thisUpdate, $0.number) = (row.date, row.number) }
        for crls in [hold, other].orders {
            #expect(try fixture.finding(crls).status == (row.supersedes ? .good : .revoked(.certificateHold)))
        }
    }

    @Test("A list with a number supersedes an older one without a number, and v1 lists compare by date")
    func withoutNumber() throws {
        let fixture = try RenewedKeyFixture()
        for version in [1, 2] {
            let hold = try fixture.old.crl {
                ($0.thisUpdate, $0.number, $0.version) = (.days(-2), nil, version)
                // A list of version 1 can't contain a reason.
                $0.revoke(fixture.leaf, reason: .certificateHold)
            }
            let newer = try fixture.old.crl { ($0.thisUpdate, $0.version) = (Self.minute, version) }
            for crls in [hold, newer].orders { #expect(try fixture.finding(crls).status == .good) }
        }
    }

    @Test(
        "A newer list that has expired, is from the future, is forged or has unknown critical extensions lifts no current hold"
    )
    func unusableNewer() throws {
        let fixture = try RenewedKeyFixture()
        let hold = try fixture.old.crl {
            $0.thisUpdate = .days(-2)
            $0.revoke(fixture.leaf, reason: .certificateHold)
        }
        let changes: [(inout TestCRL.Template) -> Void] = [
            { $0.nextUpdate = .days(0).advanced(by: -1) }, { $0.thisUpdate = .days(1) },
            { $0.hasWrongSignature = true },
            { $0.nextUpdate = nil },
            { $0.extensions = [Extension(identifier: .anyPolicy, isCritical: true, value: [0x05, 0x00])] },
        ]
        for change in changes {
            let newer = try fixture.old.crl {
                $0.thisUpdate = Self.minute
                change(&$0)
            }
            for crls in [hold, newer].orders {
                #expect(try fixture.finding(crls).status == .revoked(.certificateHold))
            }
        }
    }

    @Test("An older list that is still current proves nothing good if a newer one has expired")
    func outrun() throws {
        let fixture = try RenewedKeyFixture()
        let older = try fixture.old.crl { $0.thisUpdate = .days(-2) }
        let newer = try fixture.old.crl {
            ($0.thisUpdate, $0.nextUpdate) = (Self.minute, TestAuthority.now.advanced(by: -1))
        }
        for crls in [older, newer].orders {
            #expect(try fixture.finding(crls).status == .unobtainable(.crlExpired))
        }
    }

    @Test("Of a hundred lists with one key and scope, the newest applies, at a cost that grows only with their number")
    func many() throws {
        let fixture = try RenewedKeyFixture()
        let lists = try (1...100).map { number in
            try fixture.old.crl {
                ($0.number, $0.thisUpdate) = (UInt64(number), TestAuthority.now.advanced(by: Int64(number - 200)))
                if number < 100 { $0.revoke(fixture.leaf, reason: .certificateHold) }
            }
        }
        #expect(try fixture.finding(lists).status == .good)
        #expect(try fixture.finding(lists.reversed()).status == .good)
        #expect(try fixture.finding(Array(lists.dropLast())).isRevoked)
    }

    @Test("Of two revoking lists with one date, the finding reports the shorter list's entry, in either order")
    func sameDate() throws {
        let fixture = try RenewedKeyFixture()
        let short = try fixture.old.crl { $0.revoke(fixture.leaf, reason: .superseded) }
        let long = try fixture.old.crl {
            $0.entries = (1...9).map { TestCRL.Entry(serialNumber: [$0]) }
            $0.revoke(fixture.leaf, reason: .keyCompromise)
        }
        for crls in [short, long].orders { #expect(try fixture.finding(crls).status == .revoked(.superseded)) }
    }

    // MARK: - Scope

    private static func part(_ number: Int) -> GeneralName { .uri("http://crl.example.com/\(number)") }

    @Test(
        "Parts of a split list never supersede each other, and a whole list and a part never supersede each other either"
    )
    func shards() throws {
        let fixture = try RenewedKeyFixture(
            leaf: .leaf("a.example").with { $0.crlDistributionPoints = [.init(fullName: [Self.part(1)])] })
        func list(_ part: Int?, _ date: Time, isListing: Bool) throws -> TestCRL {
            try fixture.old.crl {
                $0.thisUpdate = date
                if let part { $0.scope { $0.fullName = [Self.part(part)] } }
                if isListing { $0.revoke(fixture.leaf, reason: .certificateHold) }
            }
        }
        let values: [Int?] = [nil, 1, 2]
        for listing in values {
            for other in values where other != listing {
                for (first, second) in [(Self.yesterday, Self.minute), (Self.minute, Self.yesterday)] {
                    let crls = [
                        try list(listing, first, isListing: true), try list(other, second, isListing: false),
                    ]
                    for crls in crls.orders {
                        #expect(try fixture.finding(crls).status == .revoked(.certificateHold))
                    }
                }
            }
        }
    }

    @Test(
        "A list for another part revokes the certificates it names until a newer list for that part, and never proves one good"
    )
    func otherShard() throws {
        let fixture = try RenewedKeyFixture(
            leaf: .leaf("a.example").with { $0.crlDistributionPoints = [.init(fullName: [Self.part(1)])] })
        func list(_ part: Int, _ date: Time, isListing: Bool) throws -> TestCRL {
            try fixture.old.crl {
                $0.thisUpdate = date
                $0.scope { $0.fullName = [Self.part(part)] }
                if isListing { $0.revoke(fixture.leaf, reason: .certificateHold) }
            }
        }
        let own = try list(1, Self.minute, isListing: false)
        let listing = try list(2, Self.yesterday, isListing: true)
        let lifting = try list(2, Self.minute, isListing: false)
        for crls in [own, listing].orders { #expect(try fixture.finding(crls).isRevoked) }
        for crls in [own, listing, lifting].orders { #expect(try fixture.finding(crls).status == .good) }
        for crls in [listing, lifting].orders {
            #expect(try fixture.finding(crls).status == .unobtainable(.crlScopeMismatch))
        }
    }

    @Test("A list for CAs revokes an end entity that it names, but a list for attribute certificates doesn't")
    func kinds() throws {
        let fixture = try RenewedKeyFixture()
        let about: (@escaping (inout TestCRL.IssuingDistributionPoint) -> Void) throws -> TestCRL = { change in
            try fixture.old.crl {
                $0.scope(change)
                $0.revoke(fixture.leaf)
            }
        }
        let whole = try fixture.old.crl()
        #expect(try fixture.finding([whole, about { $0.onlyContainsCACertificates = true }]).isRevoked)
        #expect(try fixture.finding([whole, about { $0.onlyContainsAttributeCertificates = true }]).status == .good)
    }

    @Test(
        "One list from an authorized signer revokes a certificate despite all other evidence unless the list is superseded"
    )
    func whateverVouches() throws {
        let fixture = try RenewedKeyFixture()
        let separate = try fixture.root.issue(.crlSigner("CA"))
        let good = [
            try fixture.old.crl { $0.thisUpdate = Self.minute }, try fixture.new.crl { $0.thisUpdate = Self.minute },
        ]
        let listing = try separate.crl {
            $0.thisUpdate = Self.yesterday
            $0.revoke(fixture.leaf)
        }
        let pool = [fixture.old.certificate, fixture.new.certificate, separate.certificate]
        for isRequired in [true, false] {
            for crls in (good + [listing]).orders {
                let found = try fixture.finding(crls, certificates: pool, isRequired: isRequired)
                #expect(found.status == .revoked())
                #expect(found.notes.contains(.crlSignedWithOtherKey))
            }
        }
    }
}
