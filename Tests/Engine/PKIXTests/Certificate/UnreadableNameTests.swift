// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// Bytes that can't come from a parsed certificate. If they did, they would equal nothing but themselves.
@Suite("Names that aren't names")
struct UnreadableNameTests {
    static let broken: [[UInt8]] = [
        [], [0x30], [0x30, 0x05, 0x31], [0x30, 0x02, 0x31, 0x05], ASN1.sequence([0x31, 0x02, 0x30, 0x00]),
        ASN1.sequence(ASN1.set([ASN1.attribute(ASN1.cn, ASN1.utf8("a")), [0x30, 0x00]])),
    ]

    private let name = ASN1.name("a")

    private func matches(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        DistinguishedName(checkedDER: left) == DistinguishedName(checkedDER: right)
    }

    private func normalized(_ name: [UInt8]) -> NormalizedName {
        let view = name[...]
        return NormalizedName(view.span, ByteRange(0, name.count))
    }

    @Test("Bytes that aren't a name equal only the same bytes", arguments: broken)
    func equality(bytes: [UInt8]) {
        #expect(matches(bytes, bytes) && !matches(bytes, name) && !matches(name, bytes))
        #expect(normalized(bytes) == normalized(bytes) && normalized(bytes) != normalized(name))
        for other in Self.broken where other != bytes {
            #expect(!matches(bytes, other) && normalized(bytes) != normalized(other))
        }
        let view = bytes[...]
        let cost = NormalizedName.cost(view.span, ByteRange(0, bytes.count))
        // Unreadable bytes cost at least as much as if each were a character beyond ASCII.
        #expect(cost >= bytes.count * 8)
        #expect(throws: DERError.self) { try DistinguishedName(der: bytes) }
        #expect(DistinguishedName(checkedDER: bytes).commonNames.allSatisfy { $0 == "a" })
    }

    /// A parser, and values of any size for it.
    struct Limited: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable ([UInt8]) throws -> [UInt8]
        let parse: @Sendable ([UInt8]) throws -> Void

        /// Returns a value of exactly `size` bytes, which is near a mebibyte.
        func value(_ size: Int) throws -> [UInt8] {
            let start = try make([UInt8](repeating: 0, count: size - 1_000)).count
            return try make([UInt8](repeating: 0, count: 2 * size - 1_000 - start))
        }
    }

    static let limited: [Limited] = [
        Limited(
            testDescription: "a name", make: { ASN1.name([(ASN1.cn, ASN1.octets($0))]) },
            parse: { _ = try DistinguishedName(der: $0) }),
        Limited(
            testDescription: "a key", make: { ASN1.publicKey(ASN1.algorithm("1.2.3"), $0) },
            parse: { _ = try SubjectPublicKeyInfo(der: $0) }),
        Limited(
            testDescription: "a certificate",
            make: { padding in
                ASN1.sequence(
                    CraftedCertificate().with {
                        $0.extensions = [Extension.unknown(critical: false, padding).encoded]
                    }.tbs(ASN1.algorithm("1.2.3")), ASN1.algorithm("1.2.3"), ASN1.bits([1]))
            }, parse: { _ = try Certificate(der: $0) }),
        Limited(
            testDescription: "a message with an unreadable certificate",
            make: { padding in
                let signed = ASN1.sequence(
                    ASN1.integer(1), ASN1.set([]), ASN1.sequence(ASN1.oid("1.2.840.113549.1.7.1")),
                    ASN1.explicit(0, ASN1.sequence(padding)), ASN1.set([]))
                return ASN1.sequence(ASN1.oid("1.2.840.113549.1.7.2"), ASN1.explicit(0, signed))
            },
            parse: {
                let found = try CertificateCollection(der: $0)
                #expect(found.certificates.isEmpty && found.unreadable.count == 1)
            }),
    ]

    @Test("A value of one mebibyte is read, and a longer value is refused before it is read", arguments: limited)
    func size(limited: Limited) throws {
        let limit = 1_048_576
        #expect(throws: Never.self) { try limited.parse(limited.value(limit)) }
        let long = try limited.value(limit + 1)
        #expect(long.count == limit + 1)
        for bytes in [long, [UInt8](repeating: 0x30, count: limit + 1)] {
            let error = #expect(throws: DERError.self) { try limited.parse(bytes) }
            #expect(error?.limit == limit && error?.offset == 0)
        }
    }

    @Test("A report shows the subject of an unreadable certificate if it has at most 4,096 bytes and is in its place")
    func unreadableSubjects() throws {
        func found(_ subject: [UInt8], serialNumber: [UInt8] = ASN1.integer(1)) -> DistinguishedName? {
            let made = CraftedCertificate().with {
                ($0.subject, $0.serialNumber, $0.publicKey) = (subject, serialNumber, [])
            }
            let der = ASN1.sequence(made.tbs(ASN1.algorithm("1.2.3")))
            #expect(throws: DERError.self) { try Certificate(der: der) }
            return DistinguishedName(subjectOfUnreadable: der)
        }
        for size in [16, 4_095, 4_096, 4_097, 5_000] {
            let start = ASN1.name(String(repeating: "a", count: size)).count
            let name = ASN1.name(String(repeating: "a", count: 2 * size - start))
            #expect(name.count == size)
            #expect(found(name)?.der == (size <= 4_096 ? name : nil))
        }
        #expect(found(ASN1.emptyName) == nil)
        #expect(found(ASN1.name("a"), serialNumber: []) == nil)
    }

    @Test("Control characters and invisible characters don't distinguish names")
    func invisible() {
        func name(_ text: String) -> [UInt8] { ASN1.name([(ASN1.o, ASN1.utf8(text))]) }
        // Beyond ASCII, so that the comparison folds the value.
        for text in ["Zü\u{1}rich", "Zü\u{7f}rich", "Zü\u{fe0f}rich", "Zü\u{e0fff}rich", "Zü\u{200b}rich"] {
            #expect(matches(name(text), name("Zürich")), "\(text.unicodeScalars.map(\.value))")
        }
        #expect(!matches(name("Zü rich"), name("Zürich")))
    }

    @Test("A report shortens a long subject, and names a certificate without a subject by its number")
    func reports() throws {
        func leaf(_ subject: [UInt8], _ issuer: [UInt8] = ASN1.name("CA"), dns: [String] = []) throws -> Certificate {
            try CraftedCertificate.leaf(issuer: issuer).with {
                $0.subject = subject
                $0.extensions = dns.isEmpty ? nil : [Extension.alternativeNames(dns.map(ASN1.dns)).encoded]
            }.certificate()
        }
        let long = ASN1.name(String(repeating: "a", count: 5_000))
        let huge = try leaf(long, long)
        #expect(huge.abridgedSubject(toBytes: 64) == "a name of \(long.count) bytes")
        #expect(huge.abridgedIssuer(toBytes: 64) == "a name of \(long.count) bytes")
        let short = try leaf(ASN1.name("b"))
        #expect(short.abridgedSubject(toBytes: 64) == "CN=b" && short.abridgedIssuer(toBytes: 64) == "CN=CA")
        #expect(short.abridgedDescription(toBytes: 64) == "CN=b")
        let unnamed = try leaf(ASN1.emptyName)
        #expect(unnamed.abridgedDescription(toBytes: 64) == "serial 12345678")
        #expect(unnamed.shortDescription == "serial 12345678")
        let named = try leaf(ASN1.emptyName, dns: ["www.example.com"])
        #expect(named.abridgedDescription(toBytes: 64).contains("www.example.com"))
        let many = try leaf(ASN1.emptyName, dns: (0..<500).map { "host\($0).example.com" })
        #expect(many.abridgedDescription(toBytes: 64) == "serial 12345678")
        // A failure shows names of at most 1,024 bytes.
        for (size, isShown) in [(1_024, true), (1_025, false)] {
            let text = String(repeating: "a", count: size - 21)
            #expect(ASN1.name(text).count == size)
            #expect(try leaf(ASN1.name(text)).shortDescription == (isShown ? "CN=" + text : "a name of 1025 bytes"))
        }
        let number = [UInt8](repeating: 0x11, count: 40)
        let numbered = try CraftedCertificate.leaf().with {
            ($0.subject, $0.extensions, $0.serialNumber) = (ASN1.emptyName, nil, ASN1.value(0x02, number))
        }.certificate()
        #expect(numbered.abridgedDescription(toBytes: 200) == "serial " + Hex.encode(number.prefix(32)) + "…")
    }

    @Test("A serial number with its first bit set is negative")
    func negative() {
        for (bytes, isNegative) in [([0x80], true), ([0x7f, 0xff], false), ([0xff, 0x00], true), ([], false)]
            as [([UInt8], Bool)]
        {
            #expect(SerialNumber(bytes: bytes).isNegative == isNegative)
        }
    }

    @Test("An otherName that can't be split keeps its bytes")
    func otherName() {
        let bytes = ASN1.explicit(0, [0x06, 0x05, 0x01])
        let view = bytes[...]
        var reader = DERReader(view.span)
        let element = try? reader.next("name")
        #expect(
            element.map { GeneralName(view.span, $0) }
                == .otherName(type: OID(checkedContents: []), value: [0x06, 0x05, 0x01]))
    }

    @Test("A key that can't be read has no algorithm")
    func key() {
        #expect(SubjectPublicKeyInfo(checkedDER: [0x30, 0x00]).algorithm == OID(checkedContents: []))
    }
}
