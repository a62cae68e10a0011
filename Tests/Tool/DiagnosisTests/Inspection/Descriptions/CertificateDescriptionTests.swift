// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

@testable import Diagnosis

@Suite("The description of a certificate")
struct CertificateDescriptionTests {
    private func facts(_ der: [UInt8], at time: Time = TestAuthority.now) -> [String: [String]] {
        Dictionary(CertificateDescription(der: der).facts(at: time).map { ($0.name, $0.texts) }) { $1 }
    }

    @Test("The description contains the same facts as the strict parser's result")
    func leaf() throws {
        let root = try TestAuthority.root(.authority("Test Root"), key: .rsa())
        let leaf = try root.issue(.leaf("www.example.com", "192.0.2.1")).certificate
        let facts = facts(leaf.der)
        #expect(facts["names"] == ["www.example.com", "192.0.2.1"])
        #expect(facts["subject"] == [leaf.subject.description])
        #expect(facts["issuer"] == [leaf.issuer.description])
        #expect(facts["serialNumber"] == [leaf.serialNumber.description])
        #expect(facts["notBefore"] == [leaf.notBefore.description])
        #expect(facts["notAfter"] == [leaf.notAfter.description])
        #expect(facts["daysLeft"] == ["90"])
        #expect(facts["key"] == ["EC P-256"])
        #expect(facts["keyBits"] == ["256"])
        #expect(facts["signature"] == ["RSA with SHA-256"])
        #expect(facts["isCA"] == ["false"])
        #expect(facts["extendedKeyUsage"]?.contains("serverAuth") == true)
        #expect(facts["sha256"] == [Hex.encode(leaf.sha256)])
        #expect(facts["pin"] == ["sha256/" + Base64.encode(leaf.subjectPublicKeyInfo.sha256)])
        #expect(CertificateDescription(der: leaf.der).signed.problems.isEmpty)
    }

    @Test("The description of a CA shows its path length and its key identifiers")
    func authority() throws {
        let root = try TestAuthority.root(.authority("Root").with { $0.maximumPathLength = 3 })
        let facts = facts(root.certificate.der)
        #expect(facts["isCA"] == ["true"])
        #expect(facts["isSelfIssued"] == ["true"])
        #expect(facts["usage"]?.first?.hasPrefix("CA (path length 3)") == true)
        #expect(facts["subjectKeyIdentifier"] == root.certificate.subjectKeyIdentifier.map { [Hex.encode($0)] })
    }

    /// DER-encoded extensions and the text that describes them.
    struct Row: CustomTestStringConvertible {
        let oid: String
        let value: String
        let texts: [String]
        var testDescription: String { oid }
    }

    static let rows: [Row] = [
        Row(
            oid: "2.5.29.16", value: "3022800f32303236303130313030303030305a810f32303237303130313030303030305a",
            texts: ["from: 2026-01-01T00:00:00Z", "to: 2027-01-01T00:00:00Z"]),
        Row(oid: "2.5.29.33", value: "300c300a06032a030406032a0305", texts: ["issuer: 1.2.3.4", "subject: 1.2.3.5"]),
        Row(
            oid: "2.5.29.36", value: "3006800102810103",
            texts: ["explicit policy required after: 2", "mapping inhibited after: 3"]),
        Row(oid: "2.5.29.54", value: "020105", texts: ["5"]),
        Row(
            oid: "1.3.6.1.5.5.7.1.24", value: "3003020105",
            texts: ["status_request (5): the server must staple an OCSP response"]),
        Row(
            oid: "1.3.6.1.5.5.7.48.1.5", value: "0500",
            texts: ["clients need not check the revocation status of this responder"]
        ),
        Row(oid: "1.3.6.1.4.1.11129.2.4.3", value: "0500", texts: ["a precertificate: not a certificate for servers"]),
        Row(oid: "2.16.840.1.113730.1.1", value: "030206c0", texts: ["SSL client", "SSL server"]),
        Row(oid: "2.16.840.1.113730.1.13", value: "1605" + "68656c6c6f", texts: ["hello"]),
        Row(oid: "1.3.6.1.4.1.311.20.2", value: "1e0600430041" + "0031", texts: ["CA1"]),
        Row(oid: "1.3.6.1.4.1.311.21.1", value: "02030" + "20001", texts: ["V1.2"]),
        Row(
            oid: "1.3.6.1.4.1.311.21.7", value: "300c06042a030405020164020103",
            texts: ["template: 1.2.3.4.5", "major version: 100 (0x64)", "minor version: 3"]),
        Row(
            oid: "1.3.6.1.5.5.7.1.3", value: "300a3008060604008e460101",
            texts: ["statement: EU qualified certificate (0.4.0.1862.1.1)"]),
        Row(
            oid: "2.23.140.3.1", value: "3012130356415413024445" + "0c07313233343536" + "37",
            texts: ["scheme: VAT", "country: DE", "reference: 1234567"]),
        Row(oid: "1.2.3.4.5.6", value: "30030c0161", texts: ["hex: 30030c0161", "SEQUENCE", "  UTF8String \"a\""]),
    ]

    @Test("The description explains extensions in words", arguments: rows)
    func extensions(_ row: Row) throws {
        let oid = try #require(OID(row.oid))
        let digits = row.value.utf8.compactMap { Hex.value(ofDigit: $0) }
        let value = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        let template = CertificateTemplate.leaf("www.example.com").with {
            $0.extensions = [Extension(identifier: oid, isCritical: false, value: value)]
        }
        let der = try TestAuthority.root().issue(template).certificate.der
        let description = CertificateDescription(der: der)
        let list = try #require(description.details.first { $0.label == "extensions" })
        let detail = try #require(list.members.first { $0.oid == row.oid })
        let texts = flattened(detail.members)
        for text in row.texts { #expect(texts.contains(text), "\(texts)") }
        #expect(description.signed.problems.isEmpty)
    }

    private func flattened(_ details: [Detail]) -> [String] {
        var texts: [String] = []
        var rest = Array(details.reversed())
        while let detail = rest.popLast() {
            if let value = detail.value { texts.append(detail.label.isEmpty ? value : "\(detail.label): \(value)") }
            rest += detail.members.reversed()
        }
        return texts
    }

    @Test("The description of a truncated certificate shows the fields before the cut and its offset")
    func cut() throws {
        let leaf = try TestAuthority.root().issue(.leaf("www.example.com")).certificate
        let cut = CertificateDescription(der: Array(leaf.der.prefix(leaf.der.count - 100)))
        #expect(cut.signed.names == ["www.example.com"])
        #expect(!cut.signed.problems.isEmpty)
    }

    @Test("The description of arbitrary bytes reports a problem", .timeLimit(.minutes(10)))
    func anyBytes() throws {
        let der = try TestAuthority.root().issue(.leaf("www.example.com")).certificate.der
        var state = UInt64(7)
        for _ in 0..<2000 {
            var bytes = der
            for _ in 0..<3 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
            }
            let description = CertificateDescription(der: bytes)
            #expect(description.facts(at: TestAuthority.now).count == 24)
            #expect(!description.details.isEmpty)
        }
        #expect(!CertificateDescription(der: []).signed.problems.isEmpty)
    }

    @Test("The description escapes control and reordering characters in names")
    func escapes() throws {
        let template = CertificateTemplate.leaf("www.example.com").with {
            $0.commonName = "evil\u{1b}[2J\u{202e}"
        }
        let der = try TestAuthority.root().issue(template).certificate.der
        let subject = try #require(facts(der)["subject"]?.first)
        #expect(!subject.contains("\u{1b}") && !subject.contains("\u{202e}"))
        #expect(subject.contains("\\u{1b}"))
    }

    /// Seconds until expiry, whole days, and the description.
    static let ends: [(seconds: Int, days: Int, words: String)] = [
        (0, 0, "just now"), (86_399, 0, "in 23 hours"), (86_400, 1, "in 24 hours"), (172_800, 2, "in 2 days"),
        (3_542_405, 41, "in 41 days"), (-1, -1, "just now"), (-259_200, -3, "3 days ago"),
        (-86_401, -2, "24 hours ago"),
        (315_360_000, 3650, "in 9 years"),
    ]

    @Test("The description counts the remaining validity in whole days", arguments: ends)
    func days(_ seconds: Int, _ days: Int, _ words: String) {
        let end = TestAuthority.now.advanced(by: Int64(seconds))
        #expect(DaysLeft(until: end, at: TestAuthority.now).days == Int64(days))
        #expect(TimeDescription.relative(end, at: TestAuthority.now) == words)
    }
}
