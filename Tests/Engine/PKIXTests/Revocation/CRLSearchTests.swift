// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// The search for the lists that apply to a certificate, its cost, and the outcome if the budget runs out.
@Suite("The search for CRLs and its cost")
struct CRLSearchTests {
    let fixture: RevocationFixture

    init() throws { fixture = try RevocationFixture() }

    private var leaf: Certificate { fixture.leaf.certificate }
    private var issuer: TestAuthority { fixture.issuer }

    private static let unknown = Extension.named("1.2.3.4", critical: true, ASN1.null)
    private static let elsewhere = GeneralName.uri("http://elsewhere.example")

    private func list(
        _ day: Int64 = -1, number: UInt64 = 1, deltaBase: UInt64? = nil, padding: Int = 0,
        _ change: (inout TestCRL.Template) throws -> Void = { _ in }
    ) throws -> TestCRL {
        try issuer.crl { list in
            (list.thisUpdate, list.number, list.deltaBase) = (.days(day), number, deltaBase)
            try change(&list)
            list.entries += (0..<padding).map { .init(serialNumber: [UInt8($0 + 1)]) }
        }
    }

    private func parsed(_ lists: [TestCRL]) throws -> [CertificateRevocationList] {
        try lists.map { try CertificateRevocationList(der: $0.der) }
    }

    private func checker(
        _ crls: [TestCRL], ocsp: [TestOCSPResponse] = [], certificates: [Certificate] = [],
        budget: RevocationBudget = RevocationBudget()
    ) throws -> RevocationChecker {
        let evidence = RevocationEvidence(
            ocspResponses: try ocsp.map { try OCSPResponse(der: $0.der) }, crls: try parsed(crls),
            certificates: certificates)
        return RevocationChecker(evidence, at: TestAuthority.now, memory: nil, budget: budget)
    }

    private func finding(
        _ crls: [TestCRL], ocsp: [TestOCSPResponse] = [], certificates: [Certificate] = [], leaf: Certificate? = nil,
        budget: RevocationBudget = RevocationBudget()
    ) throws -> RevocationFinding {
        let checker = try checker(crls, ocsp: ocsp, certificates: certificates, budget: budget)
        return try checker.findings(for: fixture.path(leaf))[0]
    }

    /// The budget that a check of the leaf's path uses for CRLs.
    private func used(_ crls: TestCRL..., leaf: Certificate? = nil) throws -> RevocationBudget {
        let checker = try checker(crls)
        _ = try checker.findings(for: fixture.path(leaf))
        checker.account = .crls
        let (all, left) = (RevocationBudget(), checker.budget)
        return RevocationBudget(
            signatures: all.signatures - left.signatures, hashedBytes: all.hashedBytes - left.hashedBytes,
            steps: all.steps - left.steps, paths: all.paths - left.paths)
    }

    private func leaf(_ points: TestDistributionPoint...) throws -> Certificate {
        try issuer.issue(.leaf("b.example").with { $0.crlDistributionPoints = points }).certificate
    }

    /// The issuer's name in another encoding: in capitals and with this many spaces between the words.
    private func spaced(_ count: Int) throws -> DistinguishedName {
        let text = "TEST" + String(repeating: " ", count: count) + "INTERMEDIATE"
        return try DistinguishedName(
            der: ASN1.name([(ASN1.o, ASN1.utf8("Test")), (ASN1.cn, ASN1.utf8(text))]))
    }

    // MARK: - Reading

    @Test("A list of 2 GiB is read, a larger one isn't")
    func size() {
        let limit = Int(Int32.max)
        for (count, isLimited) in [(limit, false), (limit + 1, true)] {
            // Only the first byte of this memory is ever read, so it costs nothing.
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
                unsafe buffer[0] = 0
                size = count
            }
            do {
                _ = try CertificateRevocationList(der: bytes)
                Issue.record("a list doesn't begin with a zero")
            } catch {
                #expect((error.reason == .limitExceeded(limit: limit)) == isLimited)
                if isLimited { #expect(error.offset == 0) }
            }
        }
    }

    @Test("RFC 5280 § 5.2.5: a list's scope has a full name or a relative name")
    func scopeNames() throws {
        func scope(_ change: (inout TestCRL.IssuingDistributionPoint) -> Void) throws -> IssuingDistributionPoint {
            try #require(parsed([issuer.crl { $0.scope(change) }])[0].issuingDistributionPoint)
        }
        let full = try scope { $0.fullName = [Self.elsewhere] }
        #expect(full.fullName == [Self.elsewhere] && full.nameRelativeToCRLIssuer == nil)
        let relative = try scope { $0.nameRelativeToCRLIssuer = "CRL 1" }
        #expect(relative.fullName.isEmpty)
        #expect(relative.nameRelativeToCRLIssuer == ASN1.attribute(ASN1.cn, ASN1.utf8("CRL 1")))
    }

    @Test("Issuers with the same serial number have separate entries, even if their names have the same hash")
    func collidingNames() throws {
        // The hash of a name covers only ASCII.
        let authorities = try ["é", "è", "ê"].map { try TestAuthority.root(.authority($0)) }
        let leaves = try authorities.map {
            try $0.issue(.leaf("a.example").with { $0.serialNumber = [7] }).certificate
        }
        let made = try authorities[0].crl {
            $0.scope { $0.isIndirect = true }
            $0.revoke(leaves[0], reason: .superseded)
            $0.revoke(leaves[1], reason: .keyCompromise, namesIssuer: true)
        }
        let crl = try parsed([made])[0]
        #expect(leaves.map { crl.entry(for: $0)?.reason } == [.superseded, .keyCompromise, nil])
    }

    // MARK: - Superseding

    @Test("Of lists with the same date, none supersedes another, whatever their entries")
    func sameDate() throws {
        for (first, second) in [(0, 5), (5, 0)] {
            let crls = [
                try list(-1, number: 1),
                try list(-2, number: 3, padding: first) { $0.revoke(leaf, reason: .removeFromCRL) },
                try list(-2, number: 3, padding: second) { $0.revoke(leaf) },
            ]
            for crls in crls.orders { #expect(try finding(crls).status == .revoked()) }
        }
    }

    @Test("A list of another issuer supersedes no list, even if both issuers have the same key and scope")
    func sharedKey() throws {
        let other = try fixture.root.intermediate(.authority("Other"))
        let authority = try other.intermediate(.authority("CA"), key: other.key)
        let leaf = try authority.issue(
            .leaf("b.example").with {
                $0.crlDistributionPoints = [TestDistributionPoint(crlIssuer: other.certificate.subject)]
            }
        ).certificate
        let hold = try authority.crl {
            $0.thisUpdate = .days(-2)
            $0.scope { $0.isIndirect = true }
            $0.revoke(leaf, reason: .certificateHold)
        }
        let newer = try other.crl { $0.scope { $0.isIndirect = true } }
        let path = try validate(
            leaf, [authority.certificate, other.certificate], anchors: [fixture.root.certificate], policy: .plain
        ).get()
        for crls in [hold, newer].orders {
            #expect(try checker(crls).findings(for: path)[0].status == .revoked(.certificateHold))
        }
        #expect(try checker([newer]).findings(for: path)[0].status == .good)
    }

    @Test("A list from the future revokes only if its revocation date has come")
    func future() throws {
        func found(_ date: Time) throws -> (RevocationFinding, next: Time?) {
            let checker = try checker([list(1) { $0.revoke(leaf, at: date) }])
            return (try checker.findings(for: fixture.path())[0], checker.nextRevocation)
        }
        for date in [Time.days(-1), .days(0)] {
            let (finding, next) = try found(date)
            #expect(finding.status == .revoked(at: date, reason: nil) && finding.notes == [.crlNotYetValid])
            #expect(finding.validFrom == date && next == nil)
        }
        for date in [Time.days(0).advanced(by: 1), .days(1)] {
            let (finding, next) = try found(date)
            #expect(finding.status == .unobtainable(RevocationObstacle.crlNotYetValid.dated(.days(1))))
            #expect(next == date)
        }
    }

    // MARK: - Signers

    @Test("A list signed with the certificate's own key is the last to prove it good, even if it is the newest")
    func ownKey() throws {
        let authority = try fixture.root.intermediate(.authority("CA"))
        let (target, other) = (try authority.issue(.crlSigner("CA")), try authority.issue(.crlSigner("CA")))
        let path = try validate(
            target.certificate, [authority.certificate], anchors: [fixture.root.certificate], policy: .plain
        ).get()
        let own = try target.crl { $0.thisUpdate = .days(0) }
        let older = try other.crl { $0.thisUpdate = .days(-1) }
        func found(_ crls: [TestCRL]) throws -> RevocationFinding {
            try checker(crls, certificates: [other.certificate]).findings(for: path)[0]
        }
        for crls in [own, older].orders {
            let finding = try found(crls)
            #expect(finding.status == .good && finding.notes.first == .crlSignedWithOtherKey)
            #expect(finding.validFrom == Time.days(-1).advanced(by: -300))
        }
        let alone = try found([own])
        #expect(alone.status == .good && alone.notes == [.crlSelfSigned])
    }

    @Test("An indirect list that the certificate names completes a current list of its issuer")
    func designated() throws {
        let signer = try fixture.root.issue(.crlSigner())
        let leaf = try leaf(TestDistributionPoint(crlIssuer: signer.certificate.subject))
        let partial = try list { $0.scope { $0.onlySomeReasons = [.keyCompromise] } }
        let indirect = try signer.crl { $0.scope { $0.isIndirect = true } }
        for crls in [partial, indirect].orders {
            #expect(try finding(crls, certificates: [signer.certificate], leaf: leaf).status == .good)
        }
        #expect(
            try finding([partial], certificates: [signer.certificate], leaf: leaf).status
                == .unobtainable(.crlReasonsNotCovered))
    }

    // MARK: - Scope

    @Test("Without any list, the number of distribution points doesn't matter")
    func manyPoints() throws {
        let many = try issuer.issue(
            .leaf("b.example").with {
                $0.crlDistributionPoints = (0..<17).map {
                    TestDistributionPoint(fullName: [.uri("http://\($0).example")])
                }
            }
        ).certificate
        let good = try issuer.ocspResponse { $0.add(many) }
        #expect(try finding([], ocsp: [good], leaf: many).status == .good)
        #expect(try finding([list()], ocsp: [good], leaf: many).exceedsBudget)
    }

    @Test("An indirect list for another distribution point revokes the certificates that it names")
    func indirectElsewhere() throws {
        let crl = try list {
            $0.scope { ($0.isIndirect, $0.fullName) = (true, [Self.elsewhere]) }
            $0.revoke(leaf, namesIssuer: true)
        }
        let found = try finding([crl])
        #expect(found.status == .revoked() && found.notes == [.crlScopeMismatch])
    }

    @Test("A relative name of a scope has at most 16 KiB together with the name of the list's issuer")
    func relativeNameSize() throws {
        let leaf = try leaf(TestDistributionPoint(nameRelativeToCRLIssuer: "CRL 1"))
        func made(_ spaces: Int) throws -> TestCRL {
            try list {
                $0.issuer = try spaced(spaces)
                $0.scope { $0.nameRelativeToCRLIssuer = "CRL 1" }
            }
        }
        func size(_ crl: TestCRL) throws -> Int {
            let fields = try parsed([crl])[0].fields
            return try #require(fields.extensions.issuingDistributionPoint).relativeName.count + fields.issuer.count
        }
        let most = try 16_000 + 16_384 - size(made(16_000))
        #expect(try size(made(most)) == 16_384)
        #expect(try finding([made(most)], leaf: leaf).status == .good)
        #expect(try finding([made(most + 1)], leaf: leaf).status == .unobtainable(.crlScopeMismatch))
    }

    // MARK: - Order

    private func relevant(_ crls: [TestCRL], steps: Int = 50_000) throws -> (lists: [RelevantList], steps: Int) {
        let checker = try checker(crls, budget: RevocationBudget(steps: steps))
        var obstacles: [RevocationObstacle] = []
        let lists = checker.relevantLists(RevocationTarget(try fixture.path(), 0), &obstacles)
        return (lists, steps - checker.budget.steps)
    }

    @Test("Lists that name the certificate come first, then the smallest ones")
    func order() throws {
        let lists = [
            try list(padding: 9) { $0.revoke(leaf) }, try list(), try list(padding: 3), try list(padding: 6),
        ]
        for crls in lists.orders {
            #expect(try relevant(crls).lists.map(\.crl.der) == lists.map(\.der))
        }
    }

    @Test("A list whose issuer has a long name doesn't use up the steps for lists with shorter names")
    func longNames() throws {
        func made(_ spaces: Int) throws -> TestCRL { try list { $0.issuer = try spaced(spaces) } }
        let (short, long) = (try made(1), try made(4_000))
        let steps = try relevant([short]).steps
        for crls in [[long, short], [short, long]] {
            #expect(try relevant(crls).lists.count == 2)
            #expect(try relevant(crls, steps: steps + 5).lists.map(\.crl.der) == [short.der])
        }
    }

    // MARK: - Cost

    @Test("A list that may only revoke, or is for another scope, costs no signature unless it names the certificate")
    func signatures() throws {
        for isNaming in [false, true] {
            let reserved = try list {
                $0.extensions = [Self.unknown]
                if isNaming { $0.revoke(leaf) }
            }
            let other = try list {
                $0.scope { $0.fullName = [Self.elsewhere] }
                if isNaming { $0.revoke(leaf) }
            }
            for crl in [reserved, other] {
                let budget = try used(crl)
                #expect((budget.signatures > 0) == isNaming && (budget.hashedBytes > 0) == isNaming)
            }
        }
    }

    @Test("A search costs steps if the list encodes its issuer differently, and hashed bytes if it names issuers")
    func search() throws {
        let rows: [(isNamed: Bool, isSpaced: Bool)] = [(false, false), (true, false), (false, true), (true, true)]
        let size = leaf.storage.fields.issuer.count
        for row in rows {
            let made = try list {
                if row.isSpaced { $0.issuer = try spaced(1) }
                $0.scope { $0.isIndirect = row.isNamed }
                $0.revoke(leaf, namesIssuer: row.isNamed)
            }
            let crl = try parsed([made])[0]
            let checker = try checker([])
            #expect(checker.entry(of: crl, leaf) != nil)
            let steps = RevocationBudget().steps - checker.budget.steps
            #expect(row.isSpaced ? steps >= size / 4 : steps == 1, "\(row)")
            let bytes = RevocationBudget().hashedBytes - checker.budget.hashedBytes
            #expect(row.isNamed ? bytes >= CRLIndex.entryPrice + 2 * size * CRLIndex.namePrice : bytes == 0, "\(row)")
            if row.isNamed {
                let cheap = try self.checker([], budget: RevocationBudget(hashedBytes: bytes - 1))
                #expect(cheap.entry(of: crl, leaf) == nil && cheap.hasExceededBudget, "\(row)")
                // Another search of the same list for the same certificate costs nothing.
                #expect(checker.entry(of: crl, leaf) != nil)
                #expect(checker.budget.hashedBytes == RevocationBudget().hashedBytes - bytes)
            }
            let poor = try self.checker([], budget: RevocationBudget(steps: steps))
            #expect(poor.entry(of: crl, leaf) == nil && poor.hasExceededBudget, "\(row)")
        }
    }

    @Test("The engine doesn't search an indirect list with a wrong signature")
    func forgedIndirect() throws {
        func price(isIndirect: Bool, isForged: Bool) throws -> RevocationBudget {
            try used(
                list {
                    $0.hasWrongSignature = isForged
                    $0.scope { $0.isIndirect = isIndirect }
                    $0.revoke(leaf, namesIssuer: isIndirect)
                })
        }
        let entry = CRLIndex.entryPrice
        let forged = try price(isIndirect: true, isForged: true)
        #expect(try forged.steps <= price(isIndirect: false, isForged: true).steps)
        #expect(try forged.hashedBytes < price(isIndirect: true, isForged: false).hashedBytes - entry)
    }

    @Test("A long scope costs steps, and a list whose scope the budget doesn't pay for isn't examined")
    func longScope() throws {
        func made(_ count: Int) throws -> TestCRL {
            try list {
                $0.scope {
                    $0.onlyContainsCACertificates = true
                    $0.fullName = [.uri("http://" + String(repeating: "a", count: count))]
                }
            }
        }
        let (short, long) = (try made(1), try made(12_800))
        let steps = try used(short).steps
        #expect(try used(long).steps >= steps + 100)
        let budget = RevocationBudget(steps: steps + 20)
        #expect(try finding([short], budget: budget).status == .unobtainable(.crlScopeMismatch))
        #expect(try finding([long], budget: budget).status == .unobtainable(.budgetExceeded))
    }

    @Test("A comparison of two directory names costs more than one with a URI")
    func directoryNames() throws {
        func names(_ text: String) throws -> (directory: GeneralName, uri: GeneralName) {
            let name = try DistinguishedName(der: ASN1.name("http://\(text).example"))
            return (.directoryName(name), .uri(text + String(repeating: "a", count: name.der.count - text.utf8.count)))
        }
        let (ofList, ofPoint) = (try names("list"), try names("leaf"))
        func steps(_ scope: GeneralName, _ point: GeneralName) throws -> Int {
            let leaf = try leaf(TestDistributionPoint(fullName: [point]))
            return try used(list { $0.scope { $0.fullName = [scope] } }, leaf: leaf).steps
        }
        let both = try steps(ofList.directory, ofPoint.directory)
        let one = try steps(ofList.directory, ofPoint.uri)
        #expect(both > one)
        #expect(try steps(ofList.uri, ofPoint.directory) == steps(ofList.uri, ofPoint.uri))
    }

    @Test("A hold counts until the budget pays for every comparison with the lists that may end it")
    func unpaidComparisons() throws {
        let hold = { (list: inout TestCRL.Template) in list.revoke(leaf, reason: .certificateHold) }
        let rows = [
            [try list(-2, number: 3, deltaBase: 1, hold), try list(-1, number: 4, deltaBase: 1)],
            [
                try list(-2, number: 4, hold),
                try list(-1, number: 5, deltaBase: 4) { $0.revoke(leaf, reason: .removeFromCRL) },
            ],
        ]
        let path = try fixture.path()
        // Because of the forged list, the engine compares the others again after a further search for signers.
        for forged in [[], [try list { $0.hasWrongSignature = true }]] {
            for row in rows {
                let evidence = RevocationEvidence(crls: try parsed(row + forged))
                func finding(_ steps: Int) -> RevocationFinding {
                    RevocationChecker(
                        evidence, at: TestAuthority.now, memory: nil, budget: RevocationBudget(steps: steps)
                    ).findings(for: path)[0]
                }
                let findings = (0..<200).map(finding)
                let paid = findings.drop { !$0.isRevoked }.drop(while: \.isRevoked)
                #expect(findings.contains(where: \.isRevoked) && !paid.isEmpty)
                #expect(paid.allSatisfy { !$0.isRevoked && !$0.exceedsBudget })
            }
        }
    }
}
