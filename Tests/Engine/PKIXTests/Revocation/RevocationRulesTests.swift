// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// Rules about pieces of evidence that contradict each other, and about their signers.
@Suite("Contradictory evidence and its signers")
struct RevocationRulesTests {
    let fixture: RevocationFixture

    init() throws { fixture = try RevocationFixture() }

    private var leaf: Certificate { fixture.leaf.certificate }
    private var issuer: TestAuthority { fixture.issuer }
    private static let unknown = Extension.named("1.2.3.4", critical: true, ASN1.null)

    private func checker(
        crls: [TestCRL] = [], ocsp: [[UInt8]] = [], certificates: [Certificate] = [],
        budget: RevocationBudget = RevocationBudget()
    ) throws -> RevocationChecker {
        RevocationChecker(
            RevocationEvidence(
                ocspResponses: try ocsp.map { try OCSPResponse(der: $0) },
                crls: try crls.map { try CertificateRevocationList(der: $0.der) }, certificates: certificates),
            at: TestAuthority.now, memory: nil, budget: budget)
    }

    private func finding(
        crls: [TestCRL] = [], ocsp: [[UInt8]] = [], certificates: [Certificate] = [], leaf: Certificate? = nil,
        budget: RevocationBudget = RevocationBudget()
    ) throws -> RevocationFinding {
        let checker = try checker(crls: crls, ocsp: ocsp, certificates: certificates, budget: budget)
        return try checker.findings(for: fixture.path(leaf))[0]
    }

    private func obstacles(_ finding: RevocationFinding) -> [RevocationObstacle] {
        if case .unobtainable(let obstacles) = finding.status { obstacles } else { [] }
    }

    // MARK: - Entries

    @Test("A revocation outweighs a hold, and a hold its removal. Of two equal entries, the earlier one counts")
    func weights() throws {
        let rows: [(first: RevocationReason?, second: RevocationReason?, day: Int64)] = [
            (.keyCompromise, nil, -3), (nil, .keyCompromise, -3), (.removeFromCRL, .certificateHold, -1),
            (.certificateHold, .removeFromCRL, -3), (.certificateHold, .superseded, -1), (.certificateHold, nil, -1),
        ]
        for row in rows {
            for isReversed in [false, true] {
                let made = try issuer.crl {
                    $0.revoke(leaf, at: .days(-3), reason: row.first)
                    $0.revoke(leaf, at: .days(-1), reason: row.second)
                    if isReversed { $0.entries.reverse() }
                }
                let crl = try CertificateRevocationList(der: made.der)
                #expect(crl.entry(for: leaf)?.revocationDate == .days(row.day), "\(row)")
            }
        }
    }

    @Test("A list without issuers in its entries lists only certificates of its own issuer")
    func otherIssuer() throws {
        let crl = try CertificateRevocationList(der: issuer.crl { $0.revoke(leaf) }.der)
        let other = try fixture.root.issue(.leaf("b.example").with { $0.serialNumber = leaf.serialNumber.bytes })
        #expect(crl.entry(for: leaf) != nil && crl.entry(for: other.certificate) == nil)
    }

    @Test("Only the arc 2.5.29 contains the extensions of lists and entries")
    func identifiers() throws {
        for identifier in ["2.5.28.21", "1.2.29.21", "2.5.29.21.1", "2.5.28.20", "1.2.29.20", "2.5.29.20.1"] {
            let made = try issuer.crl {
                $0.extensions = [.named(identifier, ASN1.null)]
                $0.revoke(leaf)
                $0.entries[0].extensions = [.named(identifier, ASN1.null)]
            }
            let crl = try CertificateRevocationList(der: made.der)
            #expect(crl.problem == nil && crl.number == [1], "\(identifier)")
        }
    }

    @Test("A repeated extension and a number that isn't a natural number in DER limit a list to revoking")
    func malformedNumbers() throws {
        func isMalformed(_ change: (inout TestCRL.Template) -> Void) throws -> Bool {
            try CertificateRevocationList(der: issuer.crl(change).der).problem != nil
        }
        #expect(try isMalformed { $0.extensions = [.named("2.5.29.20", ASN1.integer(1))] })
        for identifier in ["2.5.29.20", "2.5.29.27"] {
            for (contents, isExpected) in [([0x80], true), ([0, 1], true), ([], true), ([1], false)]
                as [([UInt8], Bool)]
            {
                let found = try isMalformed {
                    ($0.number, $0.extensions) = (nil, [.named(identifier, ASN1.value(0x02, contents))])
                }
                #expect(found == isExpected, "\(identifier) \(contents)")
            }
        }
    }

    @Test("A serial number that isn't in DER counts in its shortest form, and a status without contents has none")
    func serialNumbers() throws {
        for (serial, shortest) in [([], []), ([0, 1], [1]), ([0xff, 0x80], [0x80])] as [([UInt8], [UInt8])] {
            let list = try issuer.crl { $0.entries = [.init(serialNumber: serial)] }
            let crl = try CertificateRevocationList(der: list.der)
            #expect(crl.problem != nil && crl.entries.map(\.serialNumber.bytes) == (serial.isEmpty ? [] : [shortest]))
            let made = try issuer.ocspResponse { $0.add(leaf) { $0.serialNumber = serial } }
            let fields = try OCSPResponse(der: made.der).fields
            #expect(fields.isMalformed == serial.isEmpty)
            #expect(fields.singles.map(\.isMalformed) == (serial.isEmpty ? [] : [true]))
            #expect(fields.singles.map(\.serialNumber.count) == (serial.isEmpty ? [] : [shortest.count]))
        }
        let tree = try #require(DERTree(issuer.ocspResponse { $0.add(leaf) }.der))
        for (status, isReadable) in [
            ([0x80, 0], true), ([0x82, 0], true), ([0x80, 1, 0], false), ([0x82, 1, 0], false),
        ] as [([UInt8], Bool)] {
            var copy = tree
            copy[[1, 0, 1, 0, 0, 2, 0, 1]] = try #require(DERTree(status))
            #expect(try OCSPResponse(der: copy.der).fields.singles.map(\.isMalformed) == [!isReadable], "\(status)")
        }
    }

    @Test("Nothing follows a list or a response, and a response has the basic type")
    func ends() throws {
        let (crl, response) = (try issuer.crl().der, try issuer.ocspResponse { $0.add(leaf) }.der)
        for more in [ASN1.null, [0], [0x30, 0]] {
            #expect(throws: DERError.self) { try CertificateRevocationList(der: crl + more) }
            #expect(throws: DERError.self) { try OCSPResponse(der: response + more) }
        }
        var tree = try #require(DERTree(response))
        tree[[1, 0, 0]] = try #require(DERTree(ASN1.oid("1.3.6.1.5.5.7.48.1.2")))
        #expect(throws: DERError.self) { try OCSPResponse(der: tree.der) }
    }

    @Test("A request is about the certificate, not about its issuer")
    func request() {
        let end = ASN1.value(0x02, leaf.serialNumber.bytes)
        #expect(OCSPRequest(leaf, issuer: issuer.certificate).der.suffix(end.count) == end[...])
    }

    @Test("An obstacle has a date only if the evidence is dated in the future")
    func datedObstacles() throws {
        let premature = try obstacles(finding(crls: [list(1, number: 1)]))
        #expect(premature == [.crlNotYetValid] && premature[0].date == .days(1))
        let critical = try obstacles(finding(crls: [list(-1, number: 1) { $0.extensions = [Self.unknown] }]))
        #expect(critical == [.crlCriticalExtension] && critical[0].date == nil)
    }

    @Test("The date of a forged hold doesn't matter")
    func forgedHold() throws {
        let hold = try list(-10, number: 1) {
            $0.nextUpdate = .days(-3)
            $0.revoke(leaf, at: .days(-11), reason: .certificateHold)
        }
        let forged = try list(-4, number: 2) {
            ($0.nextUpdate, $0.hasWrongSignature) = (.days(-2), true)
            $0.revoke(leaf, at: .days(-11), reason: .certificateHold)
        }
        let good = try issuer.ocspResponse {
            $0.producedAt = .days(-6)
            $0.add(leaf) { ($0.thisUpdate, $0.nextUpdate) = (.days(-6), .days(1)) }
        }
        #expect(try finding(crls: [hold]).isRevoked)
        for crls in [[hold, forged], [forged, hold]] {
            #expect(try finding(crls: crls, ocsp: [good.der]).status == .good)
        }
    }

    @Test("A response of 16 MiB is read, a larger one isn't")
    func responseSize() {
        for (count, isLimited) in [(16 << 20, false), (16 << 20 + 1, true)] {
            do {
                _ = try OCSPResponse(der: [UInt8](repeating: 0, count: count))
                Issue.record("zeros aren't a response")
            } catch {
                if isLimited {
                    #expect(error.reason == .limitExceeded(limit: 16 << 20) && error.offset == 0)
                } else {
                    #expect(error.reason != .limitExceeded(limit: 16 << 20))
                }
            }
        }
    }

    @Test("Lists in different memory are equal if their bytes are equal")
    func copies() throws {
        let der = try issuer.crl().der
        let copy = der.map { $0 }
        let (one, same) = (try CertificateRevocationList(der: der), try CertificateRevocationList(der: copy))
        #expect(one.hasBytes(copy[...]) && same.hasBytes(der[...]) && one == same && one.hashValue == same.hashValue)
        #expect(!one.hasBytes(one.der.dropLast()) && !one.hasBytes(one.der.dropFirst()))
    }

    // MARK: - Several lists

    private func list(
        _ day: Int64, number: UInt64, deltaBase: UInt64? = nil, padding: Int = 0,
        _ change: (inout TestCRL.Template) throws -> Void = { _ in }
    ) throws -> TestCRL {
        try issuer.crl { list in
            (list.thisUpdate, list.number, list.deltaBase) = (.days(day), number, deltaBase)
            try change(&list)
            list.entries += (0..<padding).map { .init(serialNumber: [UInt8($0 + 1)]) }
        }
    }

    @Test("The newest list is reported, a delta CRL before its complete CRL, and lists with a reservation last")
    func reportedList() throws {
        for (first, second) in [(0, 30), (30, 0)] {
            let rows = [
                [
                    try list(-1, number: 1, padding: first) { $0.revoke(leaf, at: .days(-12)) },
                    try list(-2, number: 5, padding: second) { $0.revoke(leaf, at: .days(-11)) },
                ],
                [
                    try list(-1, number: 5, deltaBase: 4, padding: first) { $0.revoke(leaf, at: .days(-12)) },
                    try list(-1, number: 4, padding: second) { $0.revoke(leaf, at: .days(-11)) },
                ],
                [
                    try list(-1, number: 1, padding: first) { $0.revoke(leaf, at: .days(-12)) },
                    try list(0, number: 5, padding: second) {
                        $0.revoke(leaf, at: .days(-11))
                        $0.extensions = [Self.unknown]
                    },
                ],
            ]
            for (index, row) in rows.enumerated() {
                for crls in [row, row.reversed()] {
                    let found = try finding(crls: crls)
                    #expect(found.status == .revoked(at: .days(-12), reason: nil), "row \(index)")
                    #expect(found.notes == [] && found.validFrom == Time.days(-1).advanced(by: -300), "row \(index)")
                }
            }
        }
    }

    @Test("A list is superseded by any later list without a lower number, but not by one of the same date")
    func numbers() throws {
        let revoking = { (list: inout TestCRL.Template) in list.revoke(leaf) }
        let three = [try list(-1, number: 5), try list(-2, number: 9), try list(-3, number: 7, revoking)]
        #expect(try finding(crls: three).status == .good)
        #expect(try finding(crls: three.reversed()).status == .good)
        let sameDate = [try list(-1, number: 1), try list(-2, number: 3), try list(-2, number: 3, revoking)]
        #expect(try finding(crls: sameDate).status == .revoked())
        #expect(try finding(crls: sameDate.reversed()).status == .revoked())
    }

    @Test("A later delta CRL with the same base supersedes a delta CRL unless it may only revoke")
    func deltas() throws {
        let old = try list(-2, number: 3, deltaBase: 1) { $0.revoke(leaf) }
        #expect(try finding(crls: [old]).status == .revoked())
        #expect(try !finding(crls: [old, list(-1, number: 4, deltaBase: 1)]).isRevoked)
        let critical = try list(-1, number: 4, deltaBase: 1) {
            ($0.number, $0.extensions) = (nil, [.named("2.5.29.20", critical: true, ASN1.integer(4))])
        }
        #expect(try finding(crls: [old, critical]).status == .revoked())
    }

    @Test("A delta CRL ends a hold only if it fits the complete CRL")
    func fittingDeltas() throws {
        let removal = { (list: inout TestCRL.Template) in list.revoke(leaf, reason: .removeFromCRL) }
        let hold = { (list: inout TestCRL.Template) in list.revoke(leaf, reason: .certificateHold) }
        let delta = try list(-1, number: 5, deltaBase: 4, removal)
        // With other entries, the two key identifiers are at different places in their lists.
        for padding in [0, 30] {
            #expect(try finding(crls: [list(-2, number: 4, padding: padding, hold), delta]).status == .good)
        }
        let critical = try list(-2, number: 4) {
            hold(&$0)
            ($0.number, $0.extensions) = (nil, [.named("2.5.29.20", critical: true, ASN1.integer(4))])
        }
        #expect(try finding(crls: [critical, delta]).isRevoked)
        let otherKey = try list(-1, number: 5, deltaBase: 4) {
            removal(&$0)
            $0.hasAuthorityKeyIdentifier = false
            $0.extensions = [.named("2.5.29.35", ASN1.sequence(ASN1.value(0x80, [1, 2, 3])))]
        }
        #expect(try finding(crls: [list(-2, number: 4, hold), otherKey]).isRevoked)
    }

    @Test("Numbers of CRLs are compared as numbers")
    func comparison() {
        let numbers: [[UInt8]?] = [
            nil, [0], [1], [2], [0x7f], [0, 0x80], [0, 0x90], [0, 0xff], [1, 0], [1, 3], [1, 5], [2, 0], [0, 0x80, 0],
        ]
        for (left, one) in numbers.enumerated() {
            for (right, other) in numbers.enumerated() {
                #expect(CRLNumber.isLess(one, other) == (left < right), "\(String(describing: one)) \(right)")
            }
        }
    }

    @Test("Each comparison of two delta CRLs costs a step")
    func deltaSteps() throws {
        func used(_ count: Int) throws -> Int {
            let lists = try (0..<count).map { try list(-Int64($0) - 1, number: 100, deltaBase: UInt64($0) + 1) }
            let checker = try checker(crls: lists)
            _ = try checker.findings(for: fixture.path())
            checker.account = .crls
            return RevocationBudget().steps - checker.budget.steps
        }
        // Without these comparisons, the steps grow in proportion to the number of lists.
        #expect(try used(16) - 2 * used(8) >= 16 * 15 - 2 * 8 * 7)
    }

    @Test("RFC 5280 § 6.3.3 (e): a list whose reasons are covered isn't used, and the newest list comes first")
    func coverage() throws {
        func partial(_ day: Int64, until: Int64, _ reasons: Set<RevocationReason>) throws -> TestCRL {
            try list(day, number: 1) {
                $0.nextUpdate = .days(until)
                $0.scope { $0.onlySomeReasons = reasons }
            }
        }
        let some: Set<RevocationReason> = [.keyCompromise, .superseded]
        let rest = Set(RevocationReason.allCases).subtracting(some).subtracting([.unspecified, .removeFromCRL])
        let parts = [
            try partial(-1, until: 7, some), try partial(-2, until: 2, [.keyCompromise]),
            try partial(-3, until: 5, rest),
        ]
        for crls in [parts, parts.reversed()] {
            let found = try finding(crls: crls)
            #expect(found.status == .good && found.validUntil == .days(5))
        }
        for (first, second) in [(0, 30), (30, 0)] {
            let crls = [
                try list(-1, number: 1, padding: first) { $0.nextUpdate = .days(7) },
                try list(-2, number: 5, padding: second) { $0.nextUpdate = .days(3) },
            ]
            #expect(try finding(crls: crls).validUntil == .days(7))
            #expect(try finding(crls: crls.reversed()).validUntil == .days(7))
        }
    }

    // MARK: - Scopes

    @Test("A list for another part revokes, however long its name, and an indirect one with a critical extension, too")
    func otherScopes() throws {
        let long = try list(-1, number: 1) {
            $0.scope { $0.fullName = [.uri("http://a.example/" + String(repeating: "a", count: 300))] }
            $0.revoke(leaf)
        }
        #expect(try finding(crls: [long]).status == .revoked())
        #expect(try finding(crls: [long]).notes == [.crlScopeMismatch])
        let indirect = try list(-1, number: 1) {
            $0.scope { $0.isIndirect = true }
            $0.extensions = [Self.unknown]
            $0.revoke(leaf, namesIssuer: true)
        }
        #expect(try finding(crls: [indirect]).status == .revoked())
        #expect(try finding(crls: [indirect]).notes == [.crlCriticalExtension])
    }

    @Test("A list covers a certificate with an unreadable list of distribution points if it has no scope")
    func unreadablePoints() throws {
        let unreadable = try issuer.issue(
            .leaf("b.example").with { $0.extensions.append(.named("2.5.29.31", ASN1.null)) })
        #expect(try finding(crls: [issuer.crl()], leaf: unreadable.certificate).status == .good)
    }

    @Test("A scope has at most 16 KiB")
    func scopeSize() throws {
        let other = try issuer.issue(.leaf("b.example").with { $0.crlDistributionPoints = ["http://a.example"] })
        func list(_ count: Int) throws -> TestCRL {
            try issuer.crl {
                $0.scope {
                    $0.fullName = [.uri("http://a.example"), .uri("http://" + String(repeating: "a", count: count))]
                }
            }
        }
        let size = try CertificateRevocationList(der: list(16_000).der).scopeSize
        let most = 16_000 + 16_384 - size
        #expect(try CertificateRevocationList(der: list(most).der).scopeSize == 16_384)
        #expect(try finding(crls: [list(most)], leaf: other.certificate).status == .good)
        #expect(
            try finding(crls: [list(most + 1)], leaf: other.certificate).status == .unobtainable(.crlScopeMismatch))
    }

    // MARK: - Responses

    @Test("A hold whose response ends in this second hasn't expired")
    func lastSecond() throws {
        for (end, notes) in [(Time.days(0), []), (Time.days(0).advanced(by: -1), [.holdExpired])]
            as [(Time, [RevocationNote])]
        {
            let response = try issuer.ocspResponse {
                $0.add(leaf, .revoked(at: .days(-5), reason: .certificateHold)) {
                    ($0.thisUpdate, $0.nextUpdate) = (.days(-2), end)
                }
            }
            let found = try finding(ocsp: [response.der])
            #expect(found.isRevoked && found.notes == notes)
        }
    }

    @Test("A response that can only revoke, and doesn't, costs no signature check")
    func uselessResponses() throws {
        let response = try issuer.ocspResponse {
            $0.extensions = [Self.unknown]
            $0.hasWrongSignature = true
            $0.add(leaf)
        }
        #expect(try finding(ocsp: [response.der]).status == .unobtainable(.ocspCriticalExtension))
    }

    @Test("A response with an unsupported signature algorithm gives no status, from the issuer and from a responder")
    func unsupported() throws {
        let signer = try issuer.issue(.ocspSigner())
        for delegate in [nil, signer] {
            var tree = try #require(DERTree(issuer.ocspResponse(signedBy: delegate) { $0.add(leaf) }.der))
            tree[[1, 0, 1, 0, 1]].members = [try #require(DERTree(ASN1.oid("1.2.3.4")))]
            #expect(try finding(ocsp: [tree.der]).status == .unobtainable(.signatureUnsupported))
        }
    }

    @Test("A weak signature by an appointed signer can only revoke, in a response and in a CRL, a leaf and a CA")
    func weakSigners() throws {
        let key = try TestKey(pemRepresentation: FixedKeys.rsa2048)
        let path = try fixture.path()
        for (index, issuer, name) in [(0, issuer, "Test Intermediate"), (1, fixture.root, "Test Root")] {
            let target = path.certificates[index]
            let responder = try issuer.issue(.ocspSigner(), key: key)
            let crlSigner = try issuer.issue(.crlSigner(name), key: key)
            for isRevoking in [false, true] {
                let response = try issuer.ocspResponse(signedBy: responder) {
                    $0.signatureAlgorithm = .rsaSHA1
                    $0.add(target, isRevoking ? .revoked(at: .days(-1), reason: nil) : .good)
                }
                let crl = try crlSigner.crl {
                    ($0.signatureAlgorithm, $0.issuer) = (.rsaSHA1, issuer.certificate.subject)
                    if isRevoking { $0.revoke(target) }
                }
                for found in [
                    try fixture.findings(ocsp: [response])[index],
                    try fixture.findings(crls: [crl], certificates: [crlSigner.certificate])[index],
                ] {
                    #expect(found.status != .good && found.isRevoked == isRevoking)
                    #expect(isRevoking ? found.notes.contains(.signatureWeak) : obstacles(found) == [.signatureWeak])
                }
            }
        }
    }

    @Test("A responder whose status is unknown is noted, and one with a good CRL isn't")
    func openSigners() throws {
        let responder = try issuer.issue(.ocspSigner().with { $0.hasOCSPNoCheck = false })
        let response = try issuer.ocspResponse(signedBy: responder) { $0.add(leaf) }.der
        let alone = try checker(ocsp: [response])
        let found = try alone.findings(for: fixture.path())[0]
        #expect(found.status == .good && found.notes == [.ocspSignerUnchecked])
        let above = [issuer.certificate, fixture.root.certificate]
        #expect(alone.openSigners == [OpenSigner(path: [responder.certificate] + above, isResponder: true)])
        let checked = try checker(crls: [issuer.crl()], ocsp: [response])
        let second = try checked.findings(for: fixture.path())[0]
        #expect(second.status == .good && second.source == .ocsp && second.notes == [] && checked.openSigners.isEmpty)
    }

    @Test("A response that names its responder by another key's hash gives no status")
    func keyHashes() throws {
        let other = try issuer.issue(.ocspSigner())
        for (responder, isGood) in [(nil, true), (other, false)] as [(TestIdentity?, Bool)] {
            let tree = try #require(
                DERTree(
                    issuer.ocspResponse(signedBy: responder) {
                        ($0.responderID, $0.signingKey, $0.certificates) = (.byKey, issuer.identity.key, [])
                        $0.add(leaf)
                    }.der))
            let found = try finding(ocsp: [tree.der])
            #expect(found.status == (isGood ? .good : .unobtainable(.ocspResponderNotAuthorized)))
        }
    }

    @Test("The certificate of each responder is validated at the cost of one path")
    func paths() throws {
        let responder = try issuer.issue(.ocspSigner())
        let response = try issuer.ocspResponse(signedBy: responder) { $0.add(leaf) }.der
        let none = try finding(ocsp: [response], budget: RevocationBudget(paths: 0))
        #expect(none.exceedsBudget)
        let one = try checker(ocsp: [response, response], budget: RevocationBudget(paths: 1))
        #expect(try one.findings(for: fixture.path())[0].status == .good)
        one.account = .ocsp
        #expect(one.budget.paths == 0)
    }

    @Test("A statement by an expired responder counts from the first to the last second of its certificate")
    func signerDates() throws {
        let responder = try issuer.issue(
            .ocspSigner().with { ($0.notBefore, $0.notAfter) = (.days(-10), .days(-5)) })
        for (date, isExpected) in [
            (Time.days(-10), true), (.days(-5), true), (Time.days(-10).advanced(by: -1), false),
            (Time.days(-5).advanced(by: 1), false),
        ] {
            let response = try issuer.ocspResponse(signedBy: responder) {
                $0.producedAt = date
                $0.add(leaf, .revoked(at: .days(-20), reason: nil)) {
                    ($0.thisUpdate, $0.nextUpdate) = (.days(-11), .days(-1))
                }
            }
            let found = try finding(ocsp: [response.der])
            #expect(found.isRevoked == isExpected, "\(date)")
            if isExpected { #expect(found.notes == [.signerNotCurrent]) }
        }
    }

    @Test("A signer that a doubtful list revokes can still revoke, and a signer that is revoked can't do anything")
    func doubtfulSigners() throws {
        let signer = try issuer.issue(.crlSigner("Test Intermediate"))
        func found(isDoubtful: Bool, isRevoking: Bool) throws -> RevocationFinding {
            let about = try issuer.crl {
                $0.scope { $0.onlyContainsUserCertificates = true }
                $0.revoke(signer.certificate)
                if isDoubtful { $0.extensions = [Self.unknown] }
            }
            let own = try signer.crl {
                $0.issuer = issuer.certificate.subject
                if isRevoking { $0.revoke(leaf) }
            }
            return try finding(crls: [about, own], certificates: [signer.certificate])
        }
        let doubtful = try found(isDoubtful: true, isRevoking: true)
        #expect(doubtful.isRevoked && doubtful.notes.contains(.signerRevoked))
        #expect(try found(isDoubtful: true, isRevoking: false).status != .good)
        #expect(try found(isDoubtful: false, isRevoking: true).status == .good)
    }

    @Test("A check of a signer doesn't hide that the budget had run out before")
    func outerBudget() throws {
        let signer = try issuer.issue(.crlSigner("Test Intermediate"))
        let crl = try signer.crl { $0.issuer = issuer.certificate.subject }
        for (count, isGood) in [(16, true), (17, false)] {
            let template = CertificateTemplate.leaf("b.example").with {
                $0.crlDistributionPoints = (0..<count).map {
                    TestDistributionPoint(stringLiteral: "http://\($0).example")
                }
            }
            let many = try issuer.issue(template).certificate
            let found = try finding(crls: [crl], certificates: [signer.certificate], leaf: many)
            #expect((found.status == .good) == isGood && found.exceedsBudget != isGood)
        }
    }

    // MARK: - Values

    @Test("Only a later good status lifts an expired hold, and never one from the certificate itself")
    func lifting() {
        func answer(
            _ status: RevocationFinding.Status, _ day: Int64?, _ notes: [RevocationNote] = []
        ) -> RevocationAnswer {
            RevocationAnswer(
                status: status, source: .crl, validFrom: nil, validUntil: nil, notes: notes, date: day.map(Time.days))
        }
        let hold = answer(.revoked(.certificateHold), -3, [.holdExpired])
        for (other, isExpected) in [
            (answer(.good, -1), true), (answer(.good, -3), false), (answer(.good, nil), false),
            (answer(.good, -1, [.crlSelfSigned]), false), (answer(.revoked(), -1), false),
        ] {
            #expect(other.lifts(hold) == isExpected)
            #expect(!other.lifts(answer(.revoked(.certificateHold), -3)))
        }
        #expect(answer(.good, nil).isEarlier(than: hold) && !hold.isEarlier(than: answer(.good, nil)))
    }

    @Test("No statement changes a result after a revocation without a reservation that nothing lifts")
    func finalStatements() {
        func isFinal(_ notes: [RevocationNote], canBeLifted: Bool) -> Bool {
            var statements = OCSPStatements()
            var answer = RevocationAnswer(
                status: .revoked(), source: .ocsp, validFrom: nil, validUntil: nil, notes: notes)
            answer.date = .days(-1)
            statements.add(answer, signedWith: [1], canBeLifted: canBeLifted)
            return statements.isFinal
        }
        #expect(isFinal([], canBeLifted: false) && isFinal([.ocspSignerUnchecked], canBeLifted: false))
        #expect(!isFinal([.signatureWeak], canBeLifted: false) && !isFinal([], canBeLifted: true))
    }
}
