// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// RFC 5280 § 5.3.3: CRLs that list certificates of other issuers.
@Suite("Indirect CRLs")
struct IndirectCRLTests {
    let root: TestAuthority
    let first: TestAuthority
    let second: TestAuthority

    init() throws {
        root = try .root()
        first = try root.intermediate(.authority("First CA"))
        second = try root.intermediate(.authority("Second CA"))
    }

    private func entry(_ serial: UInt8, issuer: Certificate? = nil) -> TestCRL.Entry {
        var entry = TestCRL.Entry(serialNumber: [serial])
        if let issuer { entry.certificateIssuer = [.directoryName(issuer.subject)] }
        return entry
    }

    private func leaf(_ authority: TestAuthority, _ serial: UInt8) throws -> Certificate {
        try authority.issue(.leaf("a.example").with { $0.serialNumber = [serial] }).certificate
    }

    @Test(
        "§ 5.3.3: an entry without certificateIssuer has the issuer of the entry before it, and the first has the CRL's issuer"
    )
    func sticky() throws {
        let made = try root.crl {
            $0.scope { $0.isIndirect = true }
            $0.entries = [
                entry(1), entry(2, issuer: first.certificate), entry(3), entry(4, issuer: second.certificate), entry(5),
            ]
        }
        let crl = try CertificateRevocationList(der: made.der)
        func listed(_ authority: TestAuthority) throws -> [UInt8] {
            try (1...6).filter { try crl.entry(for: leaf(authority, $0)) != nil }
        }
        #expect(try listed(root) == [1])
        #expect(try listed(first) == [2, 3])
        #expect(try listed(second) == [4, 5])
    }

    @Test("If several issuers have the same serial number, the index finds each one's own entry")
    func sameSerial() throws {
        let made = try root.crl {
            $0.scope { $0.isIndirect = true }
            for (issuer, reason) in [(first, RevocationReason.superseded), (second, .keyCompromise)] {
                var entry = entry(7, issuer: issuer.certificate)
                entry.reason = reason
                $0.entries.append(entry)
            }
        }
        let crl = try CertificateRevocationList(der: made.der)
        #expect(try crl.entry(for: leaf(first, 7))?.reason == .superseded)
        #expect(try crl.entry(for: leaf(second, 7))?.reason == .keyCompromise)
        #expect(try crl.entry(for: leaf(root, 7)) == nil)
    }

    @Test("The index finds an issuer by its name, in any encoding")
    func spelling() throws {
        let name = try GeneralName.directory(organization: "TEST", commonName: "first  ca")
        let made = try root.crl {
            $0.scope { $0.isIndirect = true }
            var entry = TestCRL.Entry(serialNumber: [9])
            entry.certificateIssuer = [.dns("x"), name]
            $0.entries = [entry]
        }
        let crl = try CertificateRevocationList(der: made.der)
        #expect(try crl.entry(for: leaf(first, 9)) != nil)
    }

    @Test("Entries whose issuer isn't a directory name may be any issuer's, and the entries around them aren't")
    func otherForm() throws {
        let made = try root.crl {
            $0.scope { $0.isIndirect = true }
            var other = TestCRL.Entry(serialNumber: [3])
            other.certificateIssuer = [.uri("http://ca.example.com")]
            $0.entries = [
                entry(1), entry(2, issuer: first.certificate), other, entry(4), entry(5, issuer: second.certificate),
            ]
        }
        let crl = try CertificateRevocationList(der: made.der)
        #expect(crl.problem?.reason == .invalid("no directory name") && crl.entries.count == 5)
        let rows: [(TestAuthority, [UInt8])] = [(root, [1, 3, 4]), (first, [2, 3, 4]), (second, [3, 4, 5])]
        for (authority, serials) in rows {
            #expect(try (1...5).filter { try crl.entry(for: leaf(authority, $0)) != nil } == serials)
        }
    }

    /// Returns the leaf's status if the CA's list names the same serial number for many CAs, the leaf's CA last.
    private func findings(
        _ names: [GeneralName], budget: RevocationBudget = RevocationBudget()
    ) throws -> (status: RevocationFinding.Status, hashedBytes: Int) {
        let fixture = try RevocationFixture(leaf: .leaf("a.example").with { $0.serialNumber = [7] })
        let made = try fixture.issuer.crl {
            $0.scope { $0.isIndirect = true }
            for name in names + [.directoryName(fixture.issuer.certificate.subject)] {
                var entry = entry(7)
                entry.certificateIssuer = [name]
                $0.entries.append(entry)
            }
        }
        let crl = try CertificateRevocationList(der: made.der)
        let checker = RevocationChecker(
            RevocationEvidence(crls: [crl]), policy: RevocationPolicy(.bestEffort, scope: .leaf),
            at: TestAuthority.now, memory: nil, budget: budget)
        let status = try checker.findings(for: fixture.path())[0].status
        checker.account = .crls
        return (status, budget.hashedBytes - checker.budget.hashedBytes - crl.fields.tbs.count)
    }

    private static let scripts = [
        "Certification authority", "Prüfstelle für Zertifizierung", "Удостоверяющий центр", "認証局株式会社電子証明",
        "هيئة التصديق الإلكتروني", "전자인증센터", "प्रमाणन प्राधिकरण",
    ]

    @Test("One serial number of five thousand CAs with names in any script hides no revocation", arguments: scripts)
    func manyIssuers(script: String) throws {
        let names = try (0..<5000).map {
            try GeneralName.directory(organization: script, commonName: "\(script) \($0)")
        }
        #expect(try findings(names).status == .revoked())
    }

    @Test("Each name is prepared once, at a price for each byte, and a search beyond the budget gives no status")
    func price() throws {
        let names = try (0..<100).map {
            try GeneralName.directory(organization: "Test", commonName: String(repeating: "é", count: 2000) + "\($0)")
        }
        let half = try findings(Array(names.prefix(50)))
        let whole = try findings(names)
        #expect(half.status == .revoked() && whole.status == .revoked())
        #expect(whole.hashedBytes > 100 * 4000 * CRLIndex.namePrice)
        #expect(whole.hashedBytes < 2 * half.hashedBytes && whole.hashedBytes < 101 * 4100 * CRLIndex.namePrice)
        let poor = try findings(names, budget: RevocationBudget(hashedBytes: 50 * 4000 * CRLIndex.namePrice))
        #expect(poor.status == .unobtainable(.budgetExceeded))
    }

    @Test("Entries of one run cost the same for each entry, and its names are prepared once")
    func longRun() throws {
        let names = try (0..<8).map {
            try GeneralName.directory(organization: "Test", commonName: String(repeating: "é", count: 2000) + "\($0)")
        }
        func list(_ count: Int) throws -> CertificateRevocationList {
            let made = try root.crl {
                $0.scope { $0.isIndirect = true }
                $0.entries = [TestCRL.Entry](repeating: entry(7), count: count)
                $0.entries[0].certificateIssuer = names
            }
            return try CertificateRevocationList(der: made.der)
        }
        func price(_ count: Int) throws -> Int {
            var price = 0
            let found = try list(count).entry(for: leaf(first, 7)) {
                price += $0
                return true
            }
            #expect(found == nil)
            return price
        }
        #expect(try price(200) - price(100) == 100 * CRLIndex.entryPrice)
    }

    @Test("A search reads no entry whose serial number differs from the certificate's in one byte")
    func oneByte() throws {
        for size in 1...40 {
            let serial = (0..<size).map { UInt8(0x21 + $0) }
            let made = try root.crl {
                $0.scope { $0.isIndirect = true }
                $0.entries = serial.indices.map { index in
                    var other = serial
                    other[index] ^= 0x04
                    return TestCRL.Entry(serialNumber: other)
                }
                $0.entries[0].certificateIssuer = [.directoryName(first.certificate.subject)]
            }
            var leaf = CraftedCertificate.leaf(issuer: first.certificate.subject.der)
            leaf.serialNumber = ASN1.value(0x02, serial)
            var price = 0
            let found = try CertificateRevocationList(der: made.der).entry(for: leaf.certificate()) {
                price += $0
                return true
            }
            #expect(found == nil && price == 0, "\(size)")
        }
    }

    @Test("The index finds five thousand entries of a hundred issuers, and no other certificate")
    func many() throws {
        var random = Repeatable(7)
        var expected: Set<[UInt8]> = []
        let names = try (0..<100).map { number in
            try GeneralName.directory(organization: "Test", commonName: "CA \(number)")
        }
        let made = try root.crl {
            $0.scope { $0.isIndirect = true }
            for _ in 0..<5000 {
                let issuer = Int.random(in: 0..<100, using: &random)
                let serial = UInt8.random(in: 1..<128, using: &random)
                var entry = TestCRL.Entry(serialNumber: [serial])
                entry.certificateIssuer = [names[issuer]]
                $0.entries.append(entry)
                expected.insert([UInt8(issuer), serial])
            }
        }
        let crl = try CertificateRevocationList(der: made.der)
        #expect(crl.count == 5000)
        for issuer in 0..<100 {
            let authority = try TestAuthority.root(.authority("CA \(issuer)"))
            for serial in stride(from: UInt8(1), to: 128, by: 9) {
                let isListed = try crl.entry(for: leaf(authority, serial)) != nil
                #expect(isListed == expected.contains([UInt8(issuer), serial]))
            }
        }
    }
}
