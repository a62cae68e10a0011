// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Details in parser errors")
struct ErrorDetailTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let field: String
        /// The value that the error shows.
        let shown: String
        let change: @Sendable (inout CraftedCertificate) -> Void

        init(
            _ testDescription: String, _ field: String, _ shown: String,
            _ change: @escaping @Sendable (inout CraftedCertificate) -> Void
        ) {
            self.testDescription = testDescription
            self.field = field
            self.shown = shown
            self.change = change
        }
    }

    static let rows: [Row] = [
        Row("a time without seconds", "notAfter", "\"2701310000Z\" has no seconds") {
            $0.notAfter = ASN1.utcTime("2701310000Z")
        },
        Row("a time with a long year", "notAfter", "\"20270131000000Z\" has a four-digit year") {
            $0.notAfter = ASN1.utcTime("20270131000000Z")
        },
        Row("a time with an offset", "notAfter", "\"270131000000+0100\" has an offset") {
            $0.notAfter = ASN1.utcTime("270131000000+0100")
        },
        Row("month 13", "notAfter", "\"271331000000Z\" isn't an existing date and time") {
            $0.notAfter = ASN1.utcTime("271331000000Z")
        },
        Row("a long time without seconds", "notBefore", "\"202611010000Z\" has no seconds") {
            $0.notBefore = ASN1.generalizedTime("202611010000Z")
        },
        Row("a fraction", "notAfter", "\"20501231235959.1Z\" has a fraction of a second") {
            $0.notAfter = ASN1.generalizedTime("20501231235959.1Z")
        },
        Row("no Z", "notBefore", "\"260101000000\" doesn't end with Z") { $0.notBefore = ASN1.utcTime("260101000000") },
        Row("an empty time", "notBefore", "\"\" doesn't end with Z") { $0.notBefore = ASN1.utcTime("") },
        Row("a line feed in a time", "notBefore", "\"26\\0a\" isn't a time") { $0.notBefore = ASN1.utcTime("26\n") },
        Row("a long time", "notBefore", "…\"") { $0.notBefore = ASN1.utcTime(String(repeating: "9", count: 4000)) },
        Row("version 4", "version", "3") { $0.version = ASN1.explicit(0, ASN1.integer(3)) },
        Row("an address of three bytes", "subjectAltName", "0x0a0001") {
            $0.extensions = [Extension.alternativeNames(ASN1.ip([10, 0, 1])).encoded]
        },
        Row("a U-label", "subjectAltName", "\"m\u{fc}nchen.example\"") {
            $0.extensions = [Extension.alternativeNames(ASN1.dns("m\u{fc}nchen.example")).encoded]
        },
        Row("a U-label that turns the direction", "subjectAltName", "\"\\e2\\80\\ae\u{fc}.example\"") {
            $0.extensions = [Extension.alternativeNames(ASN1.dns("\u{202e}\u{fc}.example")).encoded]
        },
        Row("a name in Latin-1", "subjectAltName", "\"m\\fcnchen.example\"") {
            let name = Array("m".utf8) + [0xfc] + Array("nchen.example".utf8)
            $0.extensions = [Extension.alternativeNames(ASN1.value(0x82, name)).encoded]
        },
        Row("an extension twice", "subjectAltName", "once") {
            let names = Extension.alternativeNames(ASN1.dns("a.example")).encoded
            $0.extensions = [names, names]
        },
    ]

    @Test("Each universal tag of X.509 has its name from X.680 § 8.4, and other tags have their number")
    func tagNames() {
        let names: [(UInt8, String)] = [
            (0x01, "a BOOLEAN"), (0x02, "an INTEGER"), (0x03, "a BIT STRING"), (0x04, "an OCTET STRING"),
            (0x05, "a NULL"), (0x06, "an OBJECT IDENTIFIER"), (0x0a, "an ENUMERATED"), (0x0c, "a UTF8String"),
            (0x12, "a NumericString"), (0x13, "a PrintableString"), (0x14, "a TeletexString"),
            (0x16, "an IA5String"), (0x17, "a UTCTime"), (0x18, "a GeneralizedTime"), (0x1a, "a VisibleString"),
            (0x1c, "a UniversalString"), (0x1e, "a BMPString"), (0x30, "a SEQUENCE"), (0x31, "a SET"),
            (0x07, "the tag 7"), (0x82, "the tag [2]"), (0xa3, "the tag [3]"), (0x45, "the application tag 5"),
            (0xc6, "the private tag 6"),
        ]
        for (tag, name) in names { #expect(DERError.name(ofTag: tag) == "\(name) (0x\(Hex.encode([tag])))") }
    }

    @Test("An error shows 48 bytes of a value, and bytes other than printable ASCII in hexadecimal")
    func shownBytes() {
        let rows: [(bytes: [UInt8], text: String)] = [
            ([0x1f, 0x20, 0x21], "\"\\1f !\""), ([0x7e, 0x7f, 0x80], "\"~\\7f\\80\""), ([0x5c], "\"\\5c\""),
            ([UInt8](repeating: 0x61, count: 48), "\"" + String(repeating: "a", count: 48) + "\""),
            ([UInt8](repeating: 0x61, count: 49), "\"" + String(repeating: "a", count: 48) + "…\""),
        ]
        for (bytes, text) in rows {
            let span = bytes[...]
            #expect(DERError.quoted(span.span, ByteRange(0, bytes.count)) == text)
            let hexadecimal = "0x" + Hex.encode(Array(bytes.prefix(48))) + (bytes.count > 48 ? "…" : "")
            #expect(DERError.hexadecimal(span.span, ByteRange(0, bytes.count)) == hexadecimal)
        }
    }

    @Test("An error shows the rule and the value in a bounded, printable form", arguments: rows)
    func detail(row: Row) throws {
        let der = try CraftedCertificate.leaf().with { row.change(&$0) }.der()
        do throws(DERError) {
            _ = try Certificate(der: der)
            Issue.record("accepted")
        } catch {
            #expect(error.field == row.field)
            #expect(error.detail?.contains(row.shown) == true, "\(error)")
            #expect(error.message.utf8.count < 512 && !error.message.unicodeScalars.contains { $0.value < 0x20 })
        }
    }

    @Test("An error shows at most 48 bytes of a text, and escapes control characters")
    func longText() {
        func quoted(_ text: String) -> String {
            let view = Array(text.utf8)[...]
            return DERError.quotedUTF8(view.span, ByteRange(0, view.count))
        }
        let (short, long) = ("é" + String(repeating: "a", count: 46), "é" + String(repeating: "a", count: 60))
        #expect(quoted(short) == "\"\(short)\"")
        #expect(quoted(long) == "\"\\c3\\a9" + String(repeating: "a", count: 46) + "…\"")
        // The last control character, and the space after it.
        #expect(quoted("\u{9f}\u{a0}") == "\"\\c2\\9f\u{a0}\"")
    }

    @Test("The reader finds the subject even in bytes that aren't a certificate, if the subject is in its place")
    func subject() throws {
        let good = try CraftedCertificate.leaf().with { $0.subject = ASN1.name("Example CA") }.der()
        let name = try DistinguishedName(der: ASN1.name("Example CA"))
        #expect(DistinguishedName(subjectOfUnreadable: good) == name)
        let damaged = try CraftedCertificate.leaf().with {
            $0.subject = ASN1.name("Example CA")
            $0.notAfter = ASN1.utcTime("2701310000Z")
        }.der()
        #expect((try? Certificate(der: damaged)) == nil)
        #expect(DistinguishedName(subjectOfUnreadable: damaged) == name)
        #expect(DistinguishedName(subjectOfUnreadable: []) == nil)
        for count in 0..<damaged.count {
            #expect(DistinguishedName(subjectOfUnreadable: Array(damaged[..<count])) == nil)
        }
        var random = Repeatable(7)
        for _ in 0..<300 {
            var bytes = damaged
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let found = DistinguishedName(subjectOfUnreadable: bytes)
            #expect((found?.der.count ?? 0) <= bytes.count)
        }
    }
}
