// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// The age of evidence, from thisUpdate to the verify date, for leaves and CAs, in CRLs and OCSP responses.
@Suite("Age of revocation evidence")
struct RevocationAgeTests {
    let scene: PublicScene
    let leaf: Certificate

    init() throws {
        scene = try PublicScene()
        leaf = try scene.issuer.issue(.leaf("www.example.com").with { $0.notAfter = .days(3_000) }).certificate
    }

    private static let tenDays: Int64 = 864_000
    private static let year: Int64 = 366 * 86_400

    private func list(
        _ authority: TestAuthority, age: Int64, _ change: (inout TestCRL.Template) throws -> Void = { _ in }
    ) throws -> TestCRL {
        try authority.crl {
            $0.thisUpdate = TestAuthority.now.advanced(by: -age)
            $0.nextUpdate = .days(3_650)
            try change(&$0)
        }
    }

    private func response(
        _ authority: TestAuthority, about certificate: Certificate, age: Int64,
        _ status: TestOCSPResponse.CertificateStatus = .good
    ) throws -> TestOCSPResponse {
        try authority.ocspResponse {
            $0.producedAt = TestAuthority.now.advanced(by: -age)
            $0.add(certificate, status)
            for index in $0.responses.indices {
                $0.responses[index].thisUpdate = TestAuthority.now.advanced(by: -age)
                $0.responses[index].nextUpdate = .days(3_650)
            }
        }
    }

    /// The findings for the leaf and the CA with CRLs and with responses of these ages in seconds.
    private func statuses(
        leafAge: Int64, authorityAge: Int64, isPublic: Bool = true, policy: RevocationPolicy = .bestEffort
    ) throws -> (crl: [RevocationFinding], ocsp: [RevocationFinding]) {
        (
            try scene.findings(
                leaf, isPublic: isPublic,
                crls: [list(scene.issuer, age: leafAge), list(scene.root, age: authorityAge)], policy: policy),
            try scene.findings(
                leaf, isPublic: isPublic,
                ocsp: [
                    response(scene.issuer, about: leaf, age: leafAge),
                    response(scene.root, about: scene.issuer.certificate, age: authorityAge),
                ], policy: policy)
        )
    }

    @Test("With public anchors, evidence about leaves counts for 10 days and evidence about CAs for 366, to the second")
    func limits() throws {
        let rows: [(leaf: Int64, authority: Int64, leafIsGood: Bool, authorityIsGood: Bool)] = [
            (Self.tenDays, Self.year, true, true), (Self.tenDays + 1, Self.year, false, true),
            (Self.tenDays, Self.year + 1, true, false), (3_600, 3_600, true, true),
            (Self.year, Self.tenDays + 1, false, true),
        ]
        for row in rows {
            let found = try statuses(leafAge: row.leaf, authorityAge: row.authority)
            #expect(
                found.crl.map(\.status) == [
                    row.leafIsGood ? .good : .unobtainable(.crlTooOld),
                    row.authorityIsGood ? .good : .unobtainable(.crlTooOld),
                ], "\(row)")
            #expect(
                found.ocsp.map(\.status) == [
                    row.leafIsGood ? .good : .unobtainable(.ocspTooOld),
                    row.authorityIsGood ? .good : .unobtainable(.ocspTooOld),
                ], "\(row)")
        }
    }

    @Test("With private anchors, only nextUpdate counts, unless the policy limits every age")
    func privateAnchors() throws {
        let old = try statuses(leafAge: Self.year * 5, authorityAge: Self.year * 5, isPublic: false)
        #expect(old.crl.map(\.status) == [.good, .good] && old.ocsp.map(\.status) == [.good, .good])
        var policy = RevocationPolicy.bestEffort
        policy.maximumAge = .init(leaf: .seconds(60), authority: .seconds(120), anchors: .all)
        let limited = try statuses(leafAge: 60, authorityAge: 121, isPublic: false, policy: policy)
        #expect(limited.crl.map(\.status) == [.good, .unobtainable(.crlTooOld)])
        #expect(limited.ocsp.map(\.status) == [.good, .unobtainable(.ocspTooOld)])
        policy.maximumAge.anchors = .none
        let unlimited = try statuses(leafAge: Self.year, authorityAge: Self.year * 2, policy: policy)
        #expect(unlimited.crl.map(\.status) == [.good, .good] && unlimited.ocsp.map(\.status) == [.good, .good])
    }

    @Test("Evidence beyond the maximum age still revokes, and so does its hold")
    func revokes() throws {
        for reason: RevocationReason in [.keyCompromise, .certificateHold] {
            let crl = try list(scene.issuer, age: Self.year) { $0.revoke(leaf, reason: reason) }
            #expect(try scene.status(leaf, crls: [crl]).isRevoked)
            let ocsp = try response(
                scene.issuer, about: leaf, age: Self.year, .revoked(at: .days(-400), reason: reason))
            #expect(try scene.status(leaf, ocsp: [ocsp]).isRevoked)
        }
    }

    @Test("A delta CRL updates an old complete CRL to its own date")
    func delta() throws {
        let complete = try list(scene.issuer, age: Self.year) { $0.number = 10 }
        func delta(age: Int64) throws -> TestCRL {
            try list(scene.issuer, age: age) { ($0.number, $0.deltaBase) = (12, 10) }
        }
        #expect(try scene.status(leaf, crls: [complete]) == .unobtainable(.crlTooOld))
        #expect(try scene.status(leaf, crls: [complete, delta(age: Self.tenDays)]) == .good)
        #expect(try scene.status(leaf, crls: [complete, delta(age: Self.tenDays + 1)]) == .unobtainable(.crlTooOld))
    }

    @Test("An answer is valid no longer than its maximum age permits, and so is a verdict's window")
    func end() throws {
        let found = try statuses(leafAge: 86_400, authorityAge: 86_400)
        for findings in [found.crl, found.ocsp] {
            #expect(findings.map(\.validUntil) == [.days(9), .days(365)])
        }
        let evidence = RevocationEvidence(
            crls: [try CertificateRevocationList(der: list(scene.issuer, age: 86_400).der)])
        #expect(evidence.window(around: TestAuthority.now, .bestEffort, limitsAge: true).until == .days(9))
        #expect(evidence.window(around: TestAuthority.now, .bestEffort, limitsAge: false).until == .days(3_650))
    }

    @Test("A remote date, a negative age and durations of any size don't overflow")
    func extremes() throws {
        let longest = Duration.seconds(Int64.max) * 9
        let evidence = RevocationEvidence(
            ocspResponses: [try OCSPResponse(der: response(scene.issuer, about: leaf, age: 86_400).der)],
            crls: [try CertificateRevocationList(der: list(scene.issuer, age: 86_400).der)])
        for age in [Duration.seconds(Int64.min), .seconds(-1), .seconds(Int64.max), longest, .zero - longest] {
            var policy = RevocationPolicy.bestEffort
            policy.maximumAge = .init(leaf: age, authority: age, anchors: .all)
            let found = try statuses(leafAge: 3_600, authorityAge: 3_600, policy: policy)
            let crlStatus: RevocationFinding.Status = age > .zero ? .good : .unobtainable(.crlTooOld)
            let ocspStatus: RevocationFinding.Status = age > .zero ? .good : .unobtainable(.ocspTooOld)
            #expect(found.crl.map(\.status) == [crlStatus, crlStatus])
            #expect(found.ocsp.map(\.status) == [ocspStatus, ocspStatus])
            policy.futureTolerance = age
            policy.maximumAgeWithoutNextUpdate = age
            policy.maximumFilterAge = age
            let all = try statuses(leafAge: 3_600, authorityAge: 3_600, policy: policy)
            #expect((all.crl + all.ocsp).allSatisfy { ($0.status == .good) == (age > .zero) })
            let window = evidence.window(around: TestAuthority.now, policy, limitsAge: true)
            #expect(window.from.map { $0 <= TestAuthority.now } ?? true)
            #expect(window.until.map { $0 >= TestAuthority.now } ?? true)
        }
    }
}
