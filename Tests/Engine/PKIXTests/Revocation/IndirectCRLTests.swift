// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

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

    @Test(
        "An entry whose issuer isn't a directory name makes the CRL unreadable, because its certificate would be unknown"
    )
    func otherForm() throws {
        let made = try root.crl {
            var entry = TestCRL.Entry(serialNumber: [9])
            entry.certificateIssuer = [.uri("http://ca.example.com")]
            $0.entries = [entry]
        }
        #expect(throws: DERError.self) { try CertificateRevocationList(der: made.der) }
    }

    /// Eight non-ASCII names of about 4 KB that differ only at their ends, so that comparing two takes long.
    private func longNames() throws -> [GeneralName] {
        try (0..<8).map {
            try GeneralName.directory(
                organization: "Test", commonName: String(repeating: "é", count: 2000) + "\($0)")
        }
    }

    @Test("The index compares no long issuer names for entries of one run with the same serial number")
    func longRun() throws {
        let made = try root.crl {
            $0.scope { $0.isIndirect = true }
            $0.entries = [TestCRL.Entry](repeating: entry(7), count: 200)
            $0.entries[0].certificateIssuer = try longNames()
        }
        #expect(try CertificateRevocationList(der: made.der).count == 200)
    }

    @Test("Comparing entries of different runs costs the length of the names, until the parser rejects the CRL")
    func longRuns() throws {
        let made = try root.crl {
            $0.scope { $0.isIndirect = true }
            $0.entries = [TestCRL.Entry](repeating: entry(7), count: 20)
            $0.entries[0].certificateIssuer = try longNames()
            $0.entries[1].certificateIssuer = try longNames()
        }
        #expect(throws: DERError.self) { try CertificateRevocationList(der: made.der) }
    }

    @Test("The limit on comparing names doesn't grow with the number of other entries")
    func longRunsBehindMany() throws {
        let names = try (0..<20).map {
            try GeneralName.directory(organization: "Test", commonName: String(repeating: "é", count: 2000) + "\($0)")
        }
        func made(_ runs: Int) throws -> TestCRL {
            try root.crl {
                $0.scope { $0.isIndirect = true }
                $0.entries = (0..<20_000).map { TestCRL.Entry(serialNumber: [1, UInt8($0 >> 8), UInt8($0 & 255)]) }
                for name in names.prefix(runs) {
                    var entry = entry(7)
                    entry.certificateIssuer = [name]
                    $0.entries.append(entry)
                }
            }
        }
        #expect(try CertificateRevocationList(der: made(5).der).count == 20_005)
        #expect(throws: DERError.self) { try CertificateRevocationList(der: made(20).der) }
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
