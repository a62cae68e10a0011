// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Certificate")
struct CertificateTests {
    @Test("The parser reads every field as it was written")
    func fields() throws {
        let made = CraftedCertificate().with {
            $0.serialNumber = ASN1.value(0x02, [0x00, 0x9a, 0xbc])
            $0.issuer = ASN1.name([(ASN1.c, ASN1.printable("DE")), (ASN1.o, ASN1.utf8("Issuer"))])
            $0.subject = ASN1.name("www.example.com")
            $0.notBefore = ASN1.utcTime("260101000000Z")
            $0.notAfter = ASN1.generalizedTime("20501231235959Z")
            $0.extensions = [Extension.alternativeNames(ASN1.dns("www.example.com")).encoded]
        }
        let der = try made.der()
        let certificate = try Certificate(der: der)
        #expect(certificate.der == der)
        #expect(certificate.version == 3)
        #expect(certificate.serialNumber.bytes == [0x00, 0x9a, 0xbc])
        #expect(certificate.serialNumber.description == "009abc")
        #expect(certificate.issuer.description == "O=Issuer,C=DE")
        #expect(certificate.subject.description == "CN=www.example.com")
        #expect(certificate.subject.der == made.subject)
        #expect(certificate.notBefore.description == "2026-01-01T00:00:00Z")
        #expect(certificate.notAfter.description == "2050-12-31T23:59:59Z")
        #expect(certificate.signatureAlgorithm == OID("1.2.840.10045.4.3.2"))
        #expect(certificate.tbsCertificate == made.tbs(SigningKey.shared.algorithm))
        #expect(certificate.subjectPublicKeyInfo.der == made.publicKey)
        #expect(certificate.subjectPublicKeyInfo.algorithm == OID("1.2.840.10045.2.1"))
        #expect(certificate.signature.first == 0x30)
        #expect(!certificate.isSelfIssued)
        #expect(certificate.subjectAlternativeNames == [.dnsName("www.example.com")])
    }

    @Test("A certificate copies its bytes from a larger buffer")
    func span() throws {
        let der = try CraftedCertificate.leaf().der()
        #expect(try Certificate(der: der.span) == Certificate(der: der))
    }

    @Test("Certificates with equal bytes are equal and have equal hashes, and others aren't equal")
    func identity() throws {
        let der = try CraftedCertificate.leaf().der()
        let certificate = try Certificate(der: der)
        #expect(try Set([certificate, Certificate(der: der), certificate]).count == 1)
        // The same signed part with another signature.
        let again = try CraftedCertificate.leaf().certificate()
        #expect(again.tbsCertificate == certificate.tbsCertificate)
        #expect(again != certificate)
        // Another signed part with the same signature.
        var altered = der
        let index = try #require(der.firstIndex(of: 0x34))
        altered[index] ^= 1
        let other = try? Certificate(der: altered)
        #expect(other != certificate)
    }

    @Test("The parser reads versions 1, 2 and 3")
    func versions() throws {
        let v1 = CraftedCertificate().with { $0.version = [] }
        #expect(try v1.certificate().version == 1)
        #expect(try v1.certificate().extensions.isEmpty)
        let v2 = CraftedCertificate().with {
            $0.version = ASN1.explicit(0, ASN1.integer(1))
            $0.uniqueIdentifiers = ASN1.implicit(1, [0x00, 0xaa]) + ASN1.implicit(2, [0x00, 0xbb])
        }
        #expect(try v2.certificate().version == 2)
        #expect(try CraftedCertificate().certificate().version == 3)
    }

    typealias Row = (
        name: String, change: @Sendable (inout CraftedCertificate) -> Void, reason: DERError.Reason?, field: String
    )

    static let malformedRows: [Row] = [
        ("version 1 written out", { $0.version = ASN1.explicit(0, ASN1.integer(0)) }, .defaultEncoded, "version"),
        ("version 4", { $0.version = ASN1.explicit(0, ASN1.integer(3)) }, .integerOutOfRange, "version"),
        ("version 2³¹", { $0.version = ASN1.explicit(0, ASN1.integer(1 << 31)) }, .integerOutOfRange, "version"),
        (
            "a negative version", { $0.version = ASN1.explicit(0, ASN1.value(0x02, [0xff])) }, .integerOutOfRange,
            "version"
        ),
        (
            "a version of two bytes", { $0.version = ASN1.explicit(0, ASN1.value(0x02, [0, 2])) },
            .integerNotMinimal, "version"
        ),
        (
            "two versions", { $0.version = ASN1.explicit(0, ASN1.integer(2) + ASN1.integer(2)) }, .trailingBytes,
            "version"
        ),
        (
            "extensions in v1",
            {
                $0.version = []
                $0.extensions = [Extension.basicConstraints().encoded]
            }, nil, "extensions"
        ),
        (
            "extensions in v2",
            {
                $0.version = ASN1.explicit(0, ASN1.integer(1))
                $0.extensions = [Extension.basicConstraints().encoded]
            }, nil, "extensions"
        ),
        (
            "a unique identifier in v1",
            {
                $0.version = []
                $0.uniqueIdentifiers = ASN1.implicit(1, [0x00, 0xaa])
            }, nil, "uniqueIdentifier"
        ),
        (
            "unique identifiers in the wrong order",
            { $0.uniqueIdentifiers = ASN1.implicit(2, [0, 1]) + ASN1.implicit(1, [0, 1]) }, nil, ""
        ),
        (
            "a unique identifier that isn't a BIT STRING", { $0.uniqueIdentifiers = ASN1.implicit(1, []) }, nil,
            "uniqueIdentifier"
        ),
        (
            "unused bits set in a unique identifier", { $0.uniqueIdentifiers = ASN1.implicit(2, [0x04, 0xff]) }, nil,
            "uniqueIdentifier"
        ),
        ("an empty list of extensions", { $0.extensions = [] }, .empty, "extensions"),
        (
            "a list of extensions with a single byte", { $0.trailer = ASN1.explicit(3, [0x30, 0x01, 0x30]) },
            .truncated, "extension"
        ),
        (
            "something after the list of extensions",
            { $0.trailer = ASN1.explicit(3, ASN1.sequence(Extension.unknown(critical: false).encoded) + ASN1.null) },
            .trailingBytes, "extensions"
        ),
        (
            "an extension without a value", { $0.extensions = [ASN1.sequence(ASN1.oid("1.2.3"))] }, .truncated,
            "extnValue"
        ),
        (
            "an extension with something after its value",
            { $0.extensions = [ASN1.sequence(ASN1.oid("1.2.3"), ASN1.octets([]), ASN1.null)] }, .trailingBytes,
            "extension"
        ),
        (
            "critical FALSE of two bytes",
            { $0.extensions = [ASN1.ext(ASN1.oid("1.2.3"), critical: [0x01, 0x02, 0, 0], [])] },
            .booleanNotCanonical, "critical"
        ),
        (
            "critical twice",
            {
                $0.extensions = [
                    ASN1.ext(ASN1.oid("1.2.3"), critical: ASN1.boolean(false) + ASN1.boolean(true), [])
                ]
            }, .unexpectedTag(expected: 0x04, found: 0x01), "extnValue"
        ),
        (
            "critical 0x01", { $0.extensions = [ASN1.ext(ASN1.oid("1.2.3"), critical: [0x01, 0x01, 0x01], [])] },
            .booleanNotCanonical, "critical"
        ),
        (
            "a known extension, twice",
            { $0.extensions = [Extension.basicConstraints().encoded, Extension.basicConstraints().encoded] },
            .duplicate, "basicConstraints"
        ),
        (
            "a known extension, twice with different values",
            {
                $0.extensions = [
                    Extension.alternativeNames(ASN1.dns("a.example")).encoded, Extension.basicConstraints().encoded,
                    Extension.alternativeNames(ASN1.dns("b.example")).encoded,
                ]
            }, .duplicate, "subjectAltName"
        ),
        (
            "an unknown extension, twice",
            {
                $0.extensions = [
                    Extension.unknown(critical: false).encoded, Extension.basicConstraints().encoded,
                    Extension.unknown(critical: false, [1]).encoded,
                ]
            }, .duplicate, "extensions"
        ),
        (
            "sixty-five extensions",
            { $0.extensions = (0..<65).map { Extension.unknown("1.2.3.\($0)", critical: false).encoded } },
            .limitExceeded(limit: 64), "extensions"
        ),
        (
            "a second list of extensions",
            {
                $0.extensions = [Extension.basicConstraints().encoded]
                $0.trailer = ASN1.explicit(3, ASN1.sequence(Extension.unknown(critical: false).encoded))
            }, .trailingBytes, "tbsCertificate"
        ),
        ("something after the extensions", { $0.trailer = ASN1.null }, .trailingBytes, "tbsCertificate"),
        ("no serial number", { $0.serialNumber = [] }, nil, "serialNumber"),
        ("an empty serial number", { $0.serialNumber = [0x02, 0x00] }, .integerNotMinimal, "serialNumber"),
        (
            "a padded serial number", { $0.serialNumber = ASN1.value(0x02, [0x00, 0x01]) }, .integerNotMinimal,
            "serialNumber"
        ),
        (
            "a padded negative serial number", { $0.serialNumber = ASN1.value(0x02, [0xff, 0x81]) }, .integerNotMinimal,
            "serialNumber"
        ),
        ("an issuer that isn't a sequence", { $0.issuer = ASN1.utf8("x") }, nil, "issuer"),
        ("an empty relative name", { $0.subject = ASN1.sequence(ASN1.set([])) }, .empty, "subject"),
        ("a relative name of one byte", { $0.subject = ASN1.sequence([0x31, 0x01, 0x30]) }, .truncated, "subject"),
        (
            "a relative name out of order",
            {
                $0.subject = ASN1.sequence(
                    ASN1.value(
                        0x31, ASN1.attribute(ASN1.cn, ASN1.utf8("b")) + ASN1.attribute(ASN1.cn, ASN1.utf8("a"))))
            }, .setNotSorted, "subject"
        ),
        (
            "an attribute without a value",
            { $0.subject = ASN1.sequence(ASN1.set([ASN1.sequence(ASN1.oid(ASN1.cn))])) }, .truncated, "subject"
        ),
        (
            "an attribute of three parts",
            { $0.subject = ASN1.sequence(ASN1.set([ASN1.sequence(ASN1.oid(ASN1.cn), ASN1.null, ASN1.null)])) },
            .trailingBytes, "subject"
        ),
        ("notBefore without Z", { $0.notBefore = ASN1.utcTime("260101000000") }, .timeMalformed, "notBefore"),
        (
            "notAfter with a fraction", { $0.notAfter = ASN1.generalizedTime("20501231235959.1Z") }, .timeMalformed,
            "notAfter"
        ),
        ("notAfter on 30 February", { $0.notAfter = ASN1.utcTime("270230000000Z") }, .timeMalformed, "notAfter"),
        ("a third time", { $0.notAfter += ASN1.utcTime("270230000000Z") }, .trailingBytes, "validity"),
        ("no key", { $0.publicKey = [] }, .truncated, "subjectPublicKeyInfo"),
        (
            "a key of three parts",
            { $0.publicKey = ASN1.sequence(ASN1.algorithm("1.3.101.112"), ASN1.bits([1]), ASN1.null) },
            .trailingBytes, "subjectPublicKeyInfo"
        ),
        (
            "a key with unused bits",
            { $0.publicKey = ASN1.sequence(ASN1.algorithm("1.3.101.112"), ASN1.bits([0xf0], unused: 4)) },
            .bitStringMalformed, "subjectPublicKey"
        ),
        (
            "an algorithm of three parts",
            { $0.innerAlgorithm = ASN1.sequence(ASN1.oid("1.2.840.10045.4.3.2"), ASN1.null, ASN1.null) },
            .trailingBytes, "signatureAlgorithm"
        ),
        ("an algorithm without an identifier", { $0.innerAlgorithm = ASN1.sequence(ASN1.null) }, nil, ""),
    ]

    @Test(
        "The parser rejects a field in a form that RFC 5280 doesn't define and names the field",
        arguments: malformedRows)
    func malformed(row: Row) throws {
        var made = CraftedCertificate()
        row.change(&made)
        let der = try made.der()
        do throws(DERError) {
            _ = try Certificate(der: der)
            Issue.record("\(row.name) was accepted")
        } catch {
            if let reason = row.reason { #expect(error.reason == reason, "\(row.name)") }
            if !row.field.isEmpty { #expect(error.field == row.field, "\(row.name)") }
            #expect(error.offset <= der.count)
        }
    }

    @Test("The parser checks the parts around the signed part just as strictly")
    func envelope() throws {
        let tbs = CraftedCertificate().tbs(SigningKey.shared.algorithm)
        let algorithm = SigningKey.shared.algorithm
        let good = ASN1.sequence(tbs, algorithm, ASN1.bits([1, 2, 3]))
        #expect(throws: Never.self) { try Certificate(der: good) }
        let bad: [(String, [UInt8], DERError.Reason)] = [
            ("a trailing byte", good + [0x00], .trailingBytes),
            ("a second certificate after it", good + good, .trailingBytes),
            ("a fourth part", ASN1.sequence(tbs, algorithm, ASN1.bits([1]), ASN1.null), .trailingBytes),
            ("no signature", ASN1.sequence(tbs, algorithm), .truncated),
            ("no algorithm", ASN1.sequence(tbs, ASN1.bits([1])), .unexpectedTag(expected: 0x30, found: 0x03)),
            (
                "a signature that is an OCTET STRING", ASN1.sequence(tbs, algorithm, ASN1.octets([1])),
                .unexpectedTag(expected: 0x03, found: 0x04)
            ),
            (
                "a signature with unused bits", ASN1.sequence(tbs, algorithm, ASN1.bits([0x10], unused: 4)),
                .bitStringMalformed
            ),
            ("a signature without contents", ASN1.sequence(tbs, algorithm, [0x03, 0x00]), .bitStringMalformed),
            ("a SET", [0x31] + good.dropFirst(), .unexpectedTag(expected: 0x30, found: 0x31)),
            ("an indefinite length", [0x30, 0x80] + tbs + algorithm + ASN1.bits([1]) + [0, 0], .indefiniteLength),
            ("nothing", [], .truncated),
        ]
        for (name, der, reason) in bad {
            do throws(DERError) {
                _ = try Certificate(der: der)
                Issue.record("\(name) was accepted")
            } catch {
                #expect(error.reason == reason, "\(name)")
            }
        }
    }

    @Test("No prefix of a certificate is a certificate")
    func prefixes() throws {
        let der = try CraftedCertificate.leaf().der()
        for count in 0..<der.count {
            #expect(throws: DERError.self) { try Certificate(der: Array(der[..<count])) }
        }
    }

    @Test("An accepted certificate is strict DER at every level, including values of type ANY")
    func strictToTheBottom() throws {
        let garbage: [UInt8] = [0x30, 0x80, 0x00, 0x00]  // an indefinite length
        let notMinimal: [UInt8] = [0x30, 0x81, 0x00]
        for inner in [ASN1.explicit(1, garbage), ASN1.sequence(notMinimal), ASN1.value(0x30, [0x04, 0x05])] {
            let rows: [(String, CraftedCertificate)] = [
                (
                    "parameters of the signature",
                    CraftedCertificate().with { $0.innerAlgorithm = ASN1.algorithm("1.2.3.4", inner) }
                ),
                (
                    "parameters of the key",
                    CraftedCertificate().with { $0.publicKey = ASN1.publicKey(ASN1.algorithm("1.2.3.4", inner), [1]) }
                ),
                ("value of an attribute", CraftedCertificate().with { $0.subject = ASN1.name([("1.2.3.4", inner)]) }),
                (
                    "otherName",
                    CraftedCertificate().with { $0.extensions = Self.alternativeName(ASN1.other("1.2.3", inner)) }
                ),
                (
                    "x400Address",
                    CraftedCertificate().with { $0.extensions = Self.alternativeName(ASN1.value(0xa3, inner)) }
                ),
                (
                    "ediPartyName",
                    CraftedCertificate().with { $0.extensions = Self.alternativeName(ASN1.value(0xa5, inner)) }
                ),
            ]
            var accepted: [String] = []
            for (name, made) in rows {
                let der = try made.der()
                if (try? Certificate(der: der)) != nil { accepted.append(name) }
            }
            #expect(accepted.isEmpty, "\(Hex.encode(inner))")
        }
    }

    private static func alternativeName(_ name: [UInt8]) -> [[UInt8]] { [Extension.alternativeNames(name).encoded] }

    @Test("A certificate can be at most one mebibyte long")
    func size() throws {
        func certificate(_ padding: Int) throws -> [UInt8] {
            try CraftedCertificate().with {
                $0.extensions = [Extension.unknown(critical: false, [UInt8](repeating: 0, count: padding)).encoded]
            }.der()
        }
        // The signature's length varies by a few bytes.
        var der = try certificate(Certificate.maximumSize - 600)
        #expect(throws: Never.self) { try Certificate(der: der) }
        der = try certificate(Certificate.maximumSize)
        do throws(DERError) {
            _ = try Certificate(der: der)
            Issue.record("a certificate of \(der.count) bytes was accepted")
        } catch {
            #expect(error.reason == .limitExceeded(limit: Certificate.maximumSize))
        }
    }

    @Test(
        "The parser keeps a serial number unchanged, whatever its sign and size",
        arguments: [[0x00], [0x80], [0xff], [0x7f], [0x00, 0xff], [UInt8](repeating: 0x55, count: 100)] as [[UInt8]])
    func serialNumbers(bytes: [UInt8]) throws {
        let certificate = try CraftedCertificate().with { $0.serialNumber = ASN1.value(0x02, bytes) }.certificate()
        #expect(certificate.serialNumber == SerialNumber(bytes: bytes))
        #expect(certificate.serialNumber.isNegative == (bytes[0] >= 0x80))
    }

    @Test("A certificate is self-issued if subject and issuer are the same name, in any string types")
    func selfIssued() throws {
        let made = CraftedCertificate().with {
            $0.issuer = ASN1.name([(ASN1.cn, ASN1.printable("Some  CA"))])
            $0.subject = ASN1.name([(ASN1.cn, ASN1.utf8(" some ca"))])
        }
        #expect(try made.certificate().isSelfIssued)
        #expect(try !made.with { $0.subject = ASN1.name("someca") }.certificate().isSelfIssued)
        #expect(
            try made.with {
                $0.issuer = ASN1.emptyName
                $0.subject = ASN1.emptyName
            }.certificate().isSelfIssued)
    }

    @Test("A description can't forge a log line")
    func description() throws {
        #expect(try CraftedCertificate().certificate().description == "CN=Handmade Leaf")
        let unnamed = CraftedCertificate().with {
            $0.subject = ASN1.emptyName
            $0.extensions = [Extension.alternativeNames(ASN1.dns("a.example\n2026-11-21 trusted")).encoded]
        }
        #expect(try !unnamed.certificate().description.contains("\n"))
        let uri = unnamed.with {
            $0.extensions = [Extension.alternativeNames(ASN1.uri("https://a\r\u{1b}[2J")).encoded]
        }
        #expect(try !uri.certificate().description.unicodeScalars.contains { $0.value < 0x20 })
        let nameless = CraftedCertificate().with { $0.subject = ASN1.emptyName }
        #expect(try nameless.certificate().description.contains("12345678"))
    }

    @Test("A flipped bit, a truncation or a random byte never causes a trap")
    func mutations() throws {
        let der = try CraftedCertificate.authority(
            ASN1.name("x"),
            [
                .alternativeNames(ASN1.dns("a"), ASN1.ip([1, 2, 3, 4]), ASN1.other("1.2.3", ASN1.utf8("x"))),
                .nameConstraints(permitted: [ASN1.dns("a"), ASN1.ip([1, 2, 3, 0, 255, 255, 255, 0])]),
                .policies("1.2.3", "2.5.29.32.0"), .policyConstraints(requireExplicit: 0, inhibitMapping: 1),
                .policyMappings([("1.2.3", "1.2.4")]), .inhibitAnyPolicy(1), .extendedKeyUsage("1.3.6.1.5.5.7.3.1"),
                .named("1.3.6.1.4.1.11129.2.4.2", ASN1.octets([0, 4, 0, 2, 1, 2])),
            ]
        ).der()
        var read = 0
        for index in der.indices {
            for bit in 0..<8 {
                var altered = der
                altered[index] ^= 1 << UInt8(bit)
                guard let certificate = try? Certificate(der: altered) else { continue }
                read += 1
                touch(certificate)
            }
        }
        #expect(read > 0)
        var random = Repeatable(9)
        for _ in 0..<3_000 {
            var altered = der
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = Int.random(in: 0..<altered.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: altered[index] = .random(in: 0...255, using: &random)
                case 1: altered.remove(at: index)
                default: altered.insert(.random(in: 0...255, using: &random), at: index)
                }
            }
            if let certificate = try? Certificate(der: altered) { touch(certificate) }
        }
    }

    /// Reads every property that is decoded lazily.
    private func touch(_ certificate: Certificate) {
        _ = certificate.description
        _ = (certificate.subject.hashValue, certificate.issuer.description, certificate.isSelfIssued)
        _ = (certificate.extensions, certificate.subjectAlternativeNames, certificate.issuerAlternativeNames)
        _ = (certificate.nameConstraints, certificate.certificatePolicies, certificate.policyMappings)
        _ = (certificate.policyConstraints, certificate.inhibitAnyPolicy, certificate.extendedKeyUsage)
        _ = (certificate.keyUsage, certificate.basicConstraints, certificate.authorityKeyIdentifier)
        _ = (certificate.subjectKeyIdentifier, certificate.authorityInformationAccess)
        _ = (certificate.subjectInformationAccess, certificate.crlDistributionPoints, certificate.freshestCRL)
        _ = (certificate.tlsFeatures, certificate.signedCertificateTimestamps, certificate.hasOCSPNoCheck)
        _ = (certificate.signatureAlgorithm.description, certificate.serialNumber.description)
    }
}
