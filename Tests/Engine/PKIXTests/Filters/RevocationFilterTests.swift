// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// Filters combined with other evidence: coverage, changes, age, and the statuses they don't give.
@Suite("Filters of revoked certificates")
struct RevocationFilterTests {
    let scene: PublicScene
    let log: TestLog
    let leaf: Certificate

    private static let date = TestAuthority.now.advanced(by: -86_400)

    init() throws {
        let (scene, log) = (try PublicScene(), try TestLog("Log", operatedBy: "Operator"))
        (self.scene, self.log) = (scene, log)
        leaf = try scene.issuer.issue(
            .leaf("www.example.com").with {
                $0.timestamps = [log.timestamp(at: TestAuthority.now.advanced(by: -2 * 86_400))]
            }
        ).certificate
    }

    /// A filter in format 4 that marks all serial numbers of the enrolled issuers as revoked, or none.
    private func filter(
        revokes: Bool = false, isDelta: Bool = false, date: Time = date, enrolled: [TestAuthority]? = nil,
        logs: [TestLog]? = nil
    ) throws -> RevocationFilter {
        try RevocationFilter(
            TestRevocationFilter(
                logs: (logs ?? [log]).map { ($0.logID, 0, UInt64(date.secondsSinceEpoch) * 1_000) },
                issuers: (enrolled ?? [scene.issuer]).map { ($0.certificate.subjectPublicKeyInfoSHA256, revokes) }
            ).bytes, isDelta: isDelta)
    }

    private func finding(
        _ filters: [RevocationFilter], leaf: Certificate? = nil, crls: [TestCRL] = [], ocsp: [TestOCSPResponse] = [],
        policy: RevocationPolicy = .bestEffort
    ) throws -> RevocationFinding {
        try #require(
            scene.findings(leaf ?? self.leaf, isPublic: false, crls: crls, ocsp: ocsp, filters: filters, policy: policy)
                .first)
    }

    @Test("A filter that covers the leaf returns good or revoked, without a date")
    func covered() throws {
        let good = try finding([filter()])
        #expect(good.status == .good && good.source == .filter)
        #expect(good.validUntil == Self.date.advanced(by: 864_000))
        let revoked = try finding([filter(revokes: true)])
        #expect(revoked.status == .revoked(at: nil, reason: nil) && revoked.source == .filter)
        #expect(revoked.validUntil == nil)
    }

    @Test("A filter that doesn't cover the leaf or lacks its issuer gives no status, but other evidence does")
    func fallsThrough() throws {
        let other = try TestLog("Other log", operatedBy: "Operator")
        let early = Time(secondsSinceEpoch: 1)
        let unnamed = try scene.issuer.issue(.leaf("www.example.com")).certificate
        let rows: [(filter: RevocationFilter, leaf: Certificate, obstacle: RevocationObstacle)] = [
            (try filter(revokes: true, logs: [other]), leaf, .filterNotCovered),
            (try filter(revokes: true, date: early), leaf, .filterNotCovered),
            (try filter(revokes: true, logs: []), leaf, .filterNotCovered),
            (try filter(revokes: true), unnamed, .filterNotCovered),
            (try filter(revokes: true, enrolled: []), leaf, .filterNotEnrolled),
            // The filter finds the entry by the key that signed the leaf, not by a key above it.
            (try filter(revokes: true, enrolled: [scene.root]), leaf, .filterNotEnrolled),
        ]
        for row in rows {
            #expect(try finding([row.filter], leaf: row.leaf).status == .unobtainable(row.obstacle))
            let good = try finding([row.filter], leaf: row.leaf, crls: [scene.issuer.crl()])
            #expect(good.status == .good && good.source == .crl)
            let revoking = try scene.issuer.crl { $0.revoke(row.leaf) }
            #expect(try finding([row.filter], leaf: row.leaf, crls: [revoking]).isRevoked)
        }
    }

    @Test("A revocation anywhere outweighs a good status")
    func contradictions() throws {
        let revoking = try filter(revokes: true)
        #expect(try finding([revoking], crls: [scene.issuer.crl()]).source == .filter)
        #expect(try finding([revoking], ocsp: [scene.issuer.ocspResponse { $0.add(leaf) }]).isRevoked)
        #expect(try finding([filter()], crls: [scene.issuer.crl { $0.revoke(leaf) }]).source == .crl)
        #expect(try finding([filter()], ocsp: [scene.issuer.ocspResponse { $0.add(leaf, .revoked) }]).isRevoked)
        #expect(try finding([filter(), revoking]).isRevoked && finding([revoking, filter()]).isRevoked)
    }

    @Test("An answer later than an expired hold decides, even if a filter says good")
    func endedHold() throws {
        let hold = try scene.issuer.crl {
            ($0.thisUpdate, $0.nextUpdate) = (.days(-4), .days(-3))
            $0.revoke(leaf, reason: .certificateHold)
        }
        for (start, isGood) in [(Int64(-2), true), (-5, false)] {
            let response = try scene.issuer.ocspResponse {
                $0.add(leaf) { ($0.thisUpdate, $0.nextUpdate) = (.days(start), .days(1)) }
            }
            let found = try finding([filter()], crls: [hold], ocsp: [response])
            #expect(found.isRevoked != isGood && found.source == (isGood ? .ocsp : .crl))
            #expect(found.validUntil == (isGood ? .days(1) : nil))
        }
    }

    @Test("A filter past its maximum age never proves a certificate good but still revokes")
    func age() throws {
        let policy = RevocationPolicy.bestEffort
        let last = TestAuthority.now.advanced(by: -policy.maximumFilterAge.wholeSeconds)
        let earlier = last.advanced(by: -1)
        let older = try scene.issuer.issue(
            .leaf("www.example.com").with {
                $0.timestamps = [log.timestamp(at: TestAuthority.now.advanced(by: -20 * 86_400))]
            }
        ).certificate
        #expect(try finding([filter(date: last)], leaf: older).status == .good)
        #expect(try finding([filter(date: earlier)], leaf: older).status == .unobtainable(.filterTooOld))
        #expect(try finding([filter(revokes: true, date: earlier)], leaf: older).isRevoked)
        // Changes update a complete filter to their date.
        let changes = try filter(isDelta: true, date: last)
        #expect(try finding([filter(date: earlier), changes], leaf: older).status == .good)
        var evidence = RevocationEvidence()
        evidence.filters = [try filter()]
        let window = evidence.window(around: TestAuthority.now, policy, limitsAge: false)
        #expect(window.until == Self.date.advanced(by: policy.maximumFilterAge))
    }

    @Test("Changes without a complete filter revoke but never prove a certificate good")
    func changes() throws {
        #expect(try finding([filter(isDelta: true)]).status == .unobtainable(.filterNotCovered))
        #expect(try finding([filter(revokes: true, isDelta: true)]).isRevoked)
        // The complete filter is older than the leaf and contains its issuer.
        let complete = try filter(date: TestAuthority.now.advanced(by: -5 * 86_400))
        #expect(try finding([complete, filter(isDelta: true)]).status == .good)
        let without = try filter(date: TestAuthority.now.advanced(by: -5 * 86_400), enrolled: [])
        #expect(try finding([without, filter(isDelta: true)]).status == .unobtainable(.filterNotCovered))
    }

    @Test("A filter's revocation outweighs an exemption")
    func exemption() throws {
        let short = try scene.issuer.issue(
            .leaf("www.example.com").with {
                $0.notBefore = .days(-1)
                $0.notAfter = .days(3)
                $0.timestamps = [log.timestamp(at: TestAuthority.now.advanced(by: -2 * 86_400))]
            }
        ).certificate
        var policy = RevocationPolicy.bestEffort
        policy.shortLivedExemption = .all
        #expect(try finding([filter(revokes: true)], leaf: short, policy: policy).isRevoked)
        #expect(try finding([filter(enrolled: [])], leaf: short, policy: policy).status == .exempt(.shortLived))
    }

    @Test(
        "A repeated issuer, a wrong version, a wrong flag and trailing bytes cause errors that name their place")
    func malformed() throws {
        let key = scene.issuer.certificate.subjectPublicKeyInfoSHA256
        let bytes = TestRevocationFilter(logs: [], issuers: [(key, false)]).bytes
        func message(_ bytes: [UInt8]) -> String? {
            do throws(ClubcardError) {
                _ = try RevocationFilter(bytes)
                return nil
            } catch { return error.description }
        }
        #expect(message(bytes) == nil)
        #expect(message([]) == "not a CRLite filter: version at byte 0 is longer than the bytes")
        #expect(message([5] + bytes.dropFirst()) == "not a CRLite filter: version at byte 0 is 5, expected 3 or 4")
        #expect(message(bytes + [0])?.contains("is followed by more bytes") == true)
        #expect(
            message(TestRevocationFilter(logs: [], issuers: [(key, false), (key, true)]).bytes)?.contains(
                "index at byte") == true)
        var flag = bytes
        flag[flag.count - 8] = 2
        #expect(message(flag)?.contains("is neither 0 nor 1") == true)
        // An issuer with places in more columns than there are. Without places, the number of columns means nothing.
        var rank = bytes
        rank[rank.count - 21] = 3
        #expect(message(rank) == nil)
        rank[rank.count - 22] = 1
        #expect(message(rank) == "not a CRLite filter: rank at byte 8 is 3, expected 0")
        // Excessive counts allocate nothing.
        #expect(message([4, 0, 0, 0, 0xff, 0xff, 0xff, 0xff])?.contains("index at byte 4 is longer") == true)
    }
}
