// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// The budget of a revocation check, and what a check remembers.
@Suite("Budget and memory of a revocation check")
struct RevocationWorkTests {
    let fixture: RevocationFixture

    init() throws { fixture = try RevocationFixture() }

    private var leaf: Certificate { fixture.leaf.certificate }
    private var issuer: Certificate { fixture.issuer.certificate }

    private func checker(
        crls: [TestCRL] = [], ocsp: [TestOCSPResponse] = [], budget: RevocationBudget = RevocationBudget()
    ) throws -> RevocationChecker {
        RevocationChecker(
            RevocationEvidence(
                ocspResponses: try ocsp.map { try OCSPResponse(der: $0.der) },
                crls: try crls.map { try CertificateRevocationList(der: $0.der) }), at: TestAuthority.now, memory: nil,
            budget: budget)
    }

    @Test("A step costs one, and one more for each 128 bytes, and the last one isn't available")
    func steps() throws {
        let checker = try checker(budget: RevocationBudget(steps: 6))
        for (bytes, left) in [(0, 5), (127, 4), (128, 2), (0, 1)] {
            #expect(checker.step(forBytes: bytes))
            #expect(checker.budget.steps == left && !checker.hasExceededBudget)
        }
        #expect(!checker.step())
        #expect(checker.hasExceededBudget)
        let other = try self.checker(budget: RevocationBudget(steps: 3))
        #expect(!other.step(forBytes: 256) && other.hasExceededBudget)
    }

    @Test("Names are the same only if the budget pays for the comparison, in the same encoding and in another")
    func names() throws {
        let printable = ASN1.name([(ASN1.cn, ASN1.printable("Test"))])
        let other = ASN1.name([(ASN1.cn, ASN1.utf8("test"))])
        func isSame(_ left: [UInt8], _ right: [UInt8], steps: Int, offset: Int = 0) throws -> Bool {
            let checker = try checker(budget: RevocationBudget(steps: steps))
            let range = ByteRange(offset, offset + left.count)
            let (left, right) = (([UInt8](repeating: 0, count: offset) + left)[...], right[...])
            return checker.isSameName(left.span, range, right.span, ByteRange(0, right.count))
        }
        #expect(try isSame(printable, printable, steps: 2))
        #expect(try !isSame(printable, printable, steps: 1))
        #expect(try isSame(printable, other, steps: 100))
        // The names are at different places in their bytes.
        #expect(try isSame(printable, printable, steps: 2, offset: 3))
        #expect(try isSame(printable, other, steps: 100, offset: 3))
        #expect(try !isSame(printable, other, steps: 2))
        #expect(try !isSame(printable, ASN1.name([(ASN1.cn, ASN1.utf8("tess"))]), steps: 100))
    }

    @Test("A signature is checked if the budget has exactly its cost and its bytes, and then never again")
    func signatures() throws {
        let crl = try CertificateRevocationList(der: fixture.issuer.crl().der)
        let cost = try #require(EvidenceKey(issuer)).key.cost
        let size = crl.fields.tbs.count
        for (signatures, bytes) in [(cost - 1, size), (cost, size - 1)] {
            let checker = try checker(budget: RevocationBudget(signatures: signatures, hashedBytes: bytes))
            #expect(checker.check(crl, signedBy: issuer) == .undecided)
            #expect(checker.hasExceededBudget && !crl.isVerified)
        }
        let checker = try checker(budget: RevocationBudget(signatures: cost, hashedBytes: size))
        #expect(checker.check(crl, signedBy: issuer) == .valid)
        #expect(!checker.hasExceededBudget && checker.budget.signatures == 0 && checker.budget.hashedBytes == 0)
        #expect(crl.isVerified && crl.isVerified(withKey: issuer.subjectPublicKeyInfoSHA256))
        #expect(checker.check(crl, signedBy: issuer) == .valid)

        let response = try OCSPResponse(der: fixture.issuer.ocspResponse { $0.add(leaf) }.der)
        let second = try self.checker(budget: RevocationBudget(signatures: cost))
        #expect(second.check(response, signedBy: issuer) == .valid)
        #expect(second.check(response, signedBy: issuer) == .valid)
        #expect(!second.hasExceededBudget)
    }

    @Test("An invalid signature and a weak one are remembered for the evaluation, and neither is kept with the list")
    func otherSignatures() throws {
        let forged = try CertificateRevocationList(der: fixture.issuer.crl { $0.hasWrongSignature = true }.der)
        let cost = try #require(EvidenceKey(issuer)).key.cost
        let checker = try checker(budget: RevocationBudget(signatures: cost))
        #expect(checker.check(forged, signedBy: issuer) == .invalid)
        #expect(checker.check(forged, signedBy: issuer) == .invalid)
        #expect(!checker.hasExceededBudget && !forged.isVerified)

        let key = try TestKey(pemRepresentation: FixedKeys.rsa2048)
        let root = try TestAuthority.root(.authority("RSA CA"), key: key)
        let weak = try CertificateRevocationList(der: root.crl { $0.signatureAlgorithm = .rsaSHA1 }.der)
        let expensive = try #require(EvidenceKey(root.certificate)).key.cost
        let second = try self.checker(budget: RevocationBudget(signatures: expensive))
        #expect(second.check(weak, signedBy: root.certificate) == .weak)
        #expect(second.check(weak, signedBy: root.certificate) == .weak)
        #expect(!second.hasExceededBudget && !weak.isVerified)
        // A key of another kind can't have signed the list, which costs nothing to find out.
        let third = try self.checker(budget: RevocationBudget(signatures: 0))
        #expect(third.check(weak, signedBy: issuer) == .invalid)
        #expect(!third.hasExceededBudget)
    }

    @Test("A list remembers at most eight keys, each once")
    func verifiedKeys() {
        let keys = VerifiedKeys()
        #expect(keys.isEmpty)
        keys.insert([0])
        keys.insert([0])
        for number in 1..<9 { keys.insert([UInt8(number)]) }
        #expect(!keys.isEmpty)
        #expect((0..<10).filter { keys.contains([UInt8($0)]) } == Array(0..<8))
    }

    @Test("A check records each open signer once, and at most eight")
    func openSigners() throws {
        let checker = try checker()
        var paths: [ValidatedPath] = []
        for number in 0..<9 {
            let other = try fixture.issuer.issue(.leaf("\(number).example")).certificate
            paths.append(try fixture.path(other))
        }
        for path in paths.prefix(7) + [paths[0], paths[6]] { checker.noteOpenSigner(path, isResponder: true) }
        #expect(checker.openSigners.map(\.path) == paths.prefix(7).map(\.certificates))
        checker.noteOpenSigner(paths[0], isResponder: false)
        checker.noteOpenSigner(paths[8], isResponder: false)
        #expect(checker.openSigners.count == 8)
        #expect(checker.openSigners.last == OpenSigner(path: paths[0].certificates, isResponder: false))
    }

    @Test("Evidence that one kind's budget didn't pay for leaves the answer of the other kind, and is remembered")
    func accounts() throws {
        let good = try fixture.issuer.ocspResponse { $0.add(leaf) }
        let checker = try checker(ocsp: [good])
        checker.hasExceededBudget = true
        #expect(try checker.findings(for: fixture.path())[0].status == .good)
        #expect(checker.hasExceededBudget)
    }

    @Test("A revocation that a check has found holds after the budget has run out")
    func revocationStays() throws {
        let revoking = try fixture.issuer.crl { $0.revoke(leaf) }
        let checker = try checker(crls: [revoking])
        let path = try fixture.path()
        #expect(checker.findings(for: path)[0].status == .revoked())
        checker.account = .crls
        checker.budget.steps = 0
        #expect(checker.findings(for: path)[0].status == .revoked())
    }

    @Test("A response that the budget leaves unread gives no status")
    func unreadResponses() throws {
        let other = try fixture.issuer.issue(.leaf("b.example")).certificate
        let unrelated = try fixture.issuer.ocspResponse { $0.add(other) }
        let good = try fixture.issuer.ocspResponse { $0.add(leaf) }
        let path = try fixture.path()
        var statuses: [RevocationFinding.Status] = []
        for steps in 0..<40 {
            let budget = RevocationBudget(steps: steps)
            let checker = try checker(ocsp: [unrelated, unrelated, good], budget: budget)
            checker.account = .ocsp
            let found = checker.findings(for: path)[0]
            if found.status != .good { #expect(found.exceedsBudget, "\(steps) steps: \(found)") }
            statuses.append(found.status)
        }
        #expect(statuses.last == .good && statuses.first != .good)
        // Once the budget suffices, more of it changes nothing.
        #expect(statuses.drop { $0 != .good }.allSatisfy { $0 == .good })
    }

    // MARK: - Windows

    private func window(
        _ evidence: RevocationEvidence, at time: Time = TestAuthority.now, limitsAge: Bool = false
    ) -> [Time?] {
        let window = evidence.window(around: time, .bestEffort, limitsAge: limitsAge)
        return [window.from, window.until]
    }

    @Test("An evaluation's window lasts from a CRL's date, with the tolerance, to its next update")
    func crlWindow() throws {
        let crl = try CertificateRevocationList(
            der: fixture.issuer.crl { ($0.thisUpdate, $0.nextUpdate) = (.days(-2), .days(7)) }.der)
        let evidence = RevocationEvidence(crls: [crl])
        let start = Time.days(-2).advanced(by: -300)
        let (before, after) = (start.advanced(by: -1), Time.days(7).advanced(by: 1))
        #expect(window(evidence) == [start, .days(7)])
        #expect(window(evidence, at: start) == [start, .days(7)])
        #expect(window(evidence, at: before) == [nil, before])
        #expect(window(evidence, at: .days(7)) == [start, .days(7)])
        #expect(window(evidence, at: after) == [after, nil])
        // Only if ages are limited does the list's age matter, for a leaf and for a CA.
        #expect(window(evidence, at: .days(7), limitsAge: true) == [start, .days(7)])
        #expect(window(evidence, at: after.advanced(by: 0), limitsAge: true) == [after, .days(8)])
        #expect(window(evidence, at: .days(9), limitsAge: true) == [.days(8).advanced(by: 1), .days(364)])
    }

    @Test("An evaluation's window takes all dates of a response and of its certificates into account")
    func responseWindow() throws {
        func response(
            producedAt: Int64, thisUpdate: Int64, nextUpdate: Int64?, signer: TestIdentity? = nil
        ) throws -> OCSPResponse {
            try OCSPResponse(
                der: fixture.issuer.ocspResponse(signedBy: signer) {
                    $0.producedAt = .days(producedAt)
                    $0.add(leaf) { ($0.thisUpdate, $0.nextUpdate) = (.days(thisUpdate), nextUpdate.map(Time.days)) }
                }.der)
        }
        func early(_ days: Int64) -> Time { .days(days).advanced(by: -300) }
        let produced = try response(producedAt: -1, thisUpdate: -3, nextUpdate: 5)
        let updated = try response(producedAt: -3, thisUpdate: -1, nextUpdate: 5)
        for evidence in [
            RevocationEvidence(ocspResponses: [produced]), RevocationEvidence(staple: produced),
            RevocationEvidence(ocspResponses: [updated]),
        ] {
            #expect(window(evidence) == [early(-1), .days(5)])
            #expect(window(evidence, at: .days(-2)) == [early(-3), early(-1).advanced(by: -1)])
        }
        let old = RevocationEvidence(staple: try response(producedAt: -3, thisUpdate: -3, nextUpdate: 30))
        #expect(window(old, limitsAge: true) == [early(-3), .days(7)])
        #expect(window(old) == [early(-3), .days(30)])
        // Without a next update, the policy's maximum counts: a day.
        let open = RevocationEvidence(staple: try response(producedAt: 0, thisUpdate: 0, nextUpdate: nil))
        #expect(window(open) == [early(0), .days(1)])
        let signer = try fixture.issuer.issue(
            .ocspSigner().with { ($0.notBefore, $0.notAfter) = (.days(-1), .days(2)) })
        let delegated = try response(producedAt: -2, thisUpdate: -2, nextUpdate: 5, signer: signer)
        #expect(window(RevocationEvidence(staple: delegated)) == [.days(-1), .days(2)])
        // The certificates of CRL signers matter only if there are CRLs.
        let crl = try CertificateRevocationList(
            der: fixture.issuer.crl { ($0.thisUpdate, $0.nextUpdate) = (.days(-2), .days(7)) }.der)
        #expect(window(RevocationEvidence(certificates: [signer.certificate])) == [nil, nil])
        #expect(window(RevocationEvidence(crls: [crl], certificates: [signer.certificate])) == [.days(-1), .days(2)])
        #expect(window(RevocationEvidence()) == [nil, nil])
    }

    // MARK: - Names of distribution points

    @Test("Distribution points are compared by their first eight names, and directory names in any encoding")
    func pointNames() throws {
        func names(_ members: [[UInt8]]) -> DistributionPointNames {
            let bytes = members.flatMap { $0 }[...]
            return DistributionPointNames(bytes.span, names: ByteRange(0, bytes.count))
        }
        func uris(_ count: Int) -> [[UInt8]] { (0..<count).map { ASN1.uri("http://\($0).example") } }
        let wanted = ASN1.uri("http://wanted.example")
        let one = names([wanted])
        #expect(names(uris(7) + [wanted]).shares(with: one) && one.shares(with: names(uris(7) + [wanted])))
        #expect(!names(uris(8) + [wanted]).shares(with: one) && !one.shares(with: names(uris(8) + [wanted])))
        #expect(!names([]).shares(with: one) && !one.shares(with: names([])))
        // A DNS name isn't a URI, whatever its contents.
        #expect(!one.shares(with: names([ASN1.dns("http://wanted.example")])))
        let (upper, lower) = (ASN1.name("CA"), ASN1.name([(ASN1.cn, ASN1.printable("ca"))]))
        #expect(names([ASN1.directory(upper)]).shares(with: names([wanted, ASN1.directory(lower)])))
        let mixed = names(uris(6) + [ASN1.directory(lower), ASN1.directory(upper), ASN1.directory(upper)])
        #expect(mixed.directoryNames.count == 3)
        #expect(mixed.directoryName == lower)
        #expect(one.directoryName == nil && one.directoryNames.isEmpty)
        #expect(DistributionPointNames(relativeName: [], under: []) == nil)
    }

    // MARK: - The index

    @Test(
        "A list that fills a table of any size has no entry for another number", arguments: [1, 5, 6, 7, 8, 12, 16, 24])
    func fullTable(count: Int) throws {
        let crl = try CertificateRevocationList(
            der: fixture.issuer.crl { $0.entries = (1...count).map { .init(serialNumber: [UInt8($0)]) } }.der)
        #expect(crl.count == count)
        for serial in 1...40 as ClosedRange<UInt8> {
            let other = try fixture.issuer.issue(.leaf("a.example").with { $0.serialNumber = [serial] }).certificate
            #expect((crl.entry(for: other) != nil) == (serial <= count))
        }
    }

    @Test("An empty list has no entries")
    func emptyList() throws {
        let crl = try CertificateRevocationList(der: fixture.issuer.crl().der)
        #expect(crl.count == 0 && crl.entries.isEmpty && crl.entry(for: leaf) == nil)
    }

    @Test("The worst entry for an issuer's number counts, even if another issuer's entries come in between")
    func worstOfRuns() throws {
        let other = try fixture.root.intermediate(.authority("Other")).certificate
        for reasons in [[RevocationReason.certificateHold, .keyCompromise], [.keyCompromise, .certificateHold]] {
            let made = try fixture.root.crl { list in
                list.scope { $0.isIndirect = true }
                for (issuer, reason) in [(issuer, reasons[0]), (other, .superseded), (issuer, reasons[1])] {
                    var entry = TestCRL.Entry(serialNumber: leaf.serialNumber.bytes)
                    (entry.certificateIssuer, entry.reason) = ([.directoryName(issuer.subject)], reason)
                    list.entries.append(entry)
                }
            }
            let crl = try CertificateRevocationList(der: made.der)
            #expect(crl.count == 3)
            #expect(crl.entry(for: leaf)?.reason == .keyCompromise)
        }
    }

    // MARK: - Values

    @Test("Equal bytes make equal lists and responses, and one different byte makes them differ")
    func equality() throws {
        let der = try fixture.issuer.crl().der
        let (one, same) = (try CertificateRevocationList(der: der), try CertificateRevocationList(der: der))
        let other = try CertificateRevocationList(der: fixture.issuer.crl { $0.number = 2 }.der)
        #expect(one == same && one == one && one != other)
        // Of equal size, with another last byte of the signature.
        var last = der
        last[der.count - 1] ^= 1
        let signed = try CertificateRevocationList(der: last)
        #expect(one.hashValue == same.hashValue && one.hashValue != signed.hashValue)
        #expect(one.tableWord == same.tableWord && one.tableWord != signed.tableWord)
        #expect(one.hasBytes(der[...]) && one.hasBytes(one.der[...]))
        #expect(!one.hasBytes(der.dropLast()) && !one.hasBytes(other.der[...]))
        // Only the last byte, the signature's, or only the first one differs.
        for place in [0, der.count - 1] {
            var changed = der
            changed[place] ^= 1
            #expect(!one.hasBytes(changed[...]))
        }
        let response = try fixture.issuer.ocspResponse { $0.add(leaf) }.der
        let (left, right) = (try OCSPResponse(der: response), try OCSPResponse(der: response))
        let third = try OCSPResponse(der: fixture.issuer.ocspResponse { $0.add(leaf, .unknown) }.der)
        #expect(left == right && left == left && left != third)
        #expect(left.hashValue == right.hashValue && left.hashValue != third.hashValue)
    }

    @Test("A good statement has the date of the latest one, and of two that last as long, the first counts")
    func statements() {
        func answer(_ date: Int64, until: Int64?, from: Int64 = 0) -> RevocationAnswer {
            RevocationAnswer(
                status: .good, source: .ocsp, validFrom: .days(from), validUntil: until.map(Time.days),
                date: .days(date))
        }
        var statements = OCSPStatements()
        statements.add(answer(-3, until: 9), signedWith: [1])
        statements.add(answer(-1, until: 2), signedWith: [1])
        #expect(statements.status?.validUntil == .days(9) && statements.status?.date == .days(-1))
        statements.add(answer(-2, until: 9, from: 1), signedWith: [1])
        #expect(statements.status?.validFrom == .days(0))
        statements.add(answer(-2, until: 10, from: 2), signedWith: [1])
        #expect(statements.status?.validFrom == .days(2) && statements.status?.date == .days(-1))
        #expect(!statements.isFinal && statements.revocation == nil)
        var open = OCSPStatements()
        open.add(answer(-3, until: nil), signedWith: [1])
        open.add(answer(-3, until: 9, from: 1), signedWith: [1])
        #expect(open.status?.validFrom == .days(0))
    }

    @Test("A finding is an expired hold only if it is a revocation with that note")
    func expiredHold() {
        for (status, notes, isHold) in [
            (.good, [], false), (.good, [.holdExpired], false), (.revoked(), [], false),
            (.revoked(), [.holdExpired], true),
        ] as [(RevocationFinding.Status, [RevocationNote], Bool)] {
            #expect(RevocationFinding(certificate: 0, status: status, notes: notes).isExpiredHold == isHold)
        }
        #expect(RevocationObstacle.noEvidence.hashValue != RevocationObstacle.evidenceMalformed.hashValue)
        #expect(RevocationObstacle.noEvidence.hashValue == RevocationObstacle(name: "noEvidence").hashValue)
    }

    @Test("RFC 5019 § 5: a GET address of 255 bytes is short enough, and every escaped character is written")
    func addresses() throws {
        var seen: Set<Character> = []
        for number in 0..<40 {
            let other = try TestAuthority.root(.authority("CA \(number)")).certificate
            let request = OCSPRequest(leaf, issuer: other, hash: number % 2 == 0 ? .sha1 : .sha256)
            let base = try #require(request.url(at: "http://a"))
            let text = base.dropFirst("http://a/".count)
            #expect(!text.contains { "+/=".contains($0) })
            let plain = text.replacing("%2B", with: "+").replacing("%2F", with: "/").replacing("%3D", with: "=")
            #expect(plain == Base64.encode(request.der))
            seen.formUnion(plain.filter { "+/=".contains($0) })
            let room = 255 - base.utf8.count
            #expect(request.url(at: "http://a" + String(repeating: "b", count: room))?.utf8.count == 255)
            #expect(request.url(at: "http://a" + String(repeating: "b", count: room + 1)) == nil)
        }
        #expect(seen == ["+", "/", "="])
    }
}
