// SPDX-License-Identifier: Apache-2.0

import OpenSSLSamples
import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Certificate requests")
struct CertificateRequestTests {
    /// A request from `openssl req -new`, and the output of `openssl pkey -pubin -outform der | openssl dgst -sha256
    /// -binary | base64` for its key.
    struct Made: CustomTestStringConvertible {
        var testDescription: String
        var pem: String
        var subject: String
        var pin: String
        var algorithm: String
    }

    static let made = [
        Made(
            testDescription: "P-256", pem: OpenSSLRequests.p256, subject: "CN=p256.example.com,O=Example",
            pin: "qSxxQj6iwxU0NfH7PTRqdilz9kmorIme2QB4t+SSj3Q=", algorithm: "1.2.840.10045.4.3.2"),
        Made(
            testDescription: "P-384", pem: OpenSSLRequests.p384, subject: "CN=p384.example.com,O=Example",
            pin: "dmufTFNcMsgKUGbzyO5v37XeWSyRW4KYzc8xYUvgUv4=", algorithm: "1.2.840.10045.4.3.2"),
        Made(
            testDescription: "RSA with PKCS #1 v1.5", pem: OpenSSLRequests.rsa, subject: "CN=rsa.example.com,O=Example",
            pin: "n5bWzqjcPwrJIBqWo8AjeILJww3IZjfkJ9vf9IVOuZw=", algorithm: "1.2.840.113549.1.1.11"),
        Made(
            testDescription: "RSA with PSS", pem: OpenSSLRequests.pss, subject: "CN=pss.example.com",
            pin: "n5bWzqjcPwrJIBqWo8AjeILJww3IZjfkJ9vf9IVOuZw=", algorithm: "1.2.840.113549.1.1.10"),
        Made(
            testDescription: "Ed25519", pem: OpenSSLRequests.ed25519, subject: "CN=ed.example.com,O=Example",
            pin: "AvelwQ3ivsYShsLZL7ru8oz9A7jWpCxqAwZhAPVHpPQ=", algorithm: "1.3.101.112"),
        Made(
            testDescription: "no subject and no attribute", pem: OpenSSLRequests.noSubject, subject: "",
            pin: "qSxxQj6iwxU0NfH7PTRqdilz9kmorIme2QB4t+SSj3Q=", algorithm: "1.2.840.10045.4.3.2"),
    ]

    static func der(_ pem: String) throws -> [UInt8] {
        try #require(try PEM.decode(Array(pem.utf8), labels: ["CERTIFICATE REQUEST"]).first)
    }

    @Test("The parser reads a request from openssl, and the request's key verifies it", arguments: made)
    func openSSL(made: Made) throws {
        let der = try Self.der(made.pem)
        let request = try CertificateRequest(der: der)
        #expect(request.der == der)
        #expect(request.subject.description == made.subject && request.description == made.subject)
        #expect(Base64.encode(request.subjectPublicKeyInfo.sha256) == made.pin)
        #expect(request.signatureAlgorithm.description == made.algorithm)
        #expect(request.signatureStatus == .valid)
    }

    static let unsupported: [(name: String, pem: String, pin: String)] = [
        ("RSA with SHA-1", OpenSSLRequests.sha1, "n5bWzqjcPwrJIBqWo8AjeILJww3IZjfkJ9vf9IVOuZw="),
        ("Ed448", OpenSSLRequests.ed448, "PMQRh5iU+fquXAu3qqKnRe9l9zQX91hAEmOAJJ5QqZw="),
        ("secp256k1", OpenSSLRequests.secp256k1, "ke3u5H33LZ/yPrPI73tD7oTOK22/zk2ETz7borciJlg="),
    ]

    @Test(
        "The parser reads a request with an unsupported signature algorithm and doesn't report it as invalid",
        arguments: unsupported)
    func notSupported(name: String, pem: String, pin: String) throws {
        let request = try CertificateRequest(der: Self.der(pem))
        #expect(request.signatureStatus == .notSupported, "\(name)")
        #expect(Base64.encode(request.subjectPublicKeyInfo.sha256) == pin, "\(name)")
    }

    @Test("Requests with equal bytes are equal")
    func identity() throws {
        let request = try CertificateRequest(der: Self.der(OpenSSLRequests.p256))
        #expect(try request == CertificateRequest(der: Self.der(OpenSSLRequests.p256)))
        #expect(try request != CertificateRequest(der: Self.der(OpenSSLRequests.flipped)))
        let all = try Set(Self.made.map { try CertificateRequest(der: Self.der($0.pem)) })
        #expect(all.count == Self.made.count)
    }
}

// MARK: - Signatures

extension CertificateRequestTests {
    @Test("Verification detects one changed letter of the subject")
    func flipped() throws {
        let request = try CertificateRequest(der: Self.der(OpenSSLRequests.flipped))
        #expect(request.subject.description != "CN=p256.example.com,O=Example")
        #expect(request.signatureStatus == .invalid)
    }

    @Test(
        "Every flipped bit makes a request unreadable or its signature invalid",
        arguments: [made[0], made[3], made[4]])
    func bits(made: Made) throws {
        let der = try Self.der(made.pem)
        var accepted: [Int] = []
        var parsed = 0
        for bit in 0..<(der.count * 8) {
            var altered = der
            altered[bit / 8] ^= 0x80 >> UInt8(bit % 8)
            guard let request = try? CertificateRequest(der: altered) else { continue }
            parsed += 1
            if request.signatureStatus == .valid { accepted.append(bit) }
        }
        #expect(accepted.isEmpty, "verified with one of these bits flipped")
        #expect(parsed > der.count * 8 / 3)
    }

    static let invalid: [(name: String, der: @Sendable () throws -> [UInt8])] = [
        (
            "another key",
            { try CraftedRequest().with { $0.publicKey = SigningKey.p256().publicKey }.der(signedBy: .shared) }
        ),
        (
            "an algorithm that is not for this kind of key",
            {
                try CraftedRequest().with { $0.algorithm = ASN1.algorithm("1.2.840.113549.1.1.11", ASN1.null) }
                    .der(signedBy: .shared)
            }
        ),
        (
            "a point that is not on the curve",
            {
                try CraftedRequest().with {
                    $0.publicKey[$0.publicKey.count - 1] ^= 1
                }.der(signedBy: .shared)
            }
        ),
        (
            "an Ed25519 key that is too short",
            {
                try CraftedRequest().with {
                    $0.publicKey = ASN1.publicKey(ASN1.algorithm("1.3.101.112"), [1, 2, 3])
                }.der(signedBy: .ed25519())
            }
        ),
        ("an empty signature", { try CraftedRequest().der { _ in [] } }),
        ("a signature that isn't DER", { try CraftedRequest().der { _ in [1, 2, 3] } }),
    ]

    @Test("A signature that the request's key didn't make is invalid", arguments: invalid)
    func invalid(name: String, der: @Sendable () throws -> [UInt8]) throws {
        #expect(try CertificateRequest(der: der()).signatureStatus == .invalid, "\(name)")
    }
}

// MARK: - Form

extension CertificateRequestTests {
    @Test("The parser reads a handwritten request unchanged")
    func handmade() throws {
        let request = try CertificateRequest(der: CraftedRequest().der(signedBy: .shared))
        #expect(request.subject.description == "CN=Handmade Request")
        #expect(request.subjectPublicKeyInfo.der == SigningKey.shared.publicKey)
        #expect(request.signatureStatus == .valid)
    }

    @Test("The parser accepts a request without attributes or with unknown ones")
    func attributes() throws {
        let unknown = ASN1.explicit(0, ASN1.attribute("1.2.3.4", ASN1.set([ASN1.utf8("x")])))
        for attributes in [[], unknown] {
            let der = try CraftedRequest().with { $0.attributes = attributes }.der(signedBy: .shared)
            #expect(try CertificateRequest(der: der).signatureStatus == .valid)
        }
    }

    struct Malformed: CustomTestStringConvertible {
        var testDescription: String
        var field: String
        var reason: DERError.Reason
        var change: @Sendable (inout CraftedRequest) -> Void
    }

    static let malformed = [
        Malformed(testDescription: "version 2", field: "version", reason: .integerOutOfRange) {
            $0.version = ASN1.integer(1)
        },
        Malformed(testDescription: "a negative version", field: "version", reason: .integerOutOfRange) {
            $0.version = ASN1.value(0x02, [0xff])
        },
        Malformed(testDescription: "a version with a leading zero", field: "version", reason: .integerNotMinimal) {
            $0.version = ASN1.value(0x02, [0, 0])
        },
        Malformed(
            testDescription: "no version", field: "version", reason: .unexpectedTag(expected: 0x02, found: 0x30)
        ) { $0.version = [] },
        Malformed(
            testDescription: "a subject that isn't a name", field: "subject",
            reason: .unexpectedTag(expected: 0x31, found: 0x05)
        ) { $0.subject = ASN1.sequence(ASN1.null) },
        Malformed(
            testDescription: "no key", field: "subjectPublicKeyInfo",
            reason: .unexpectedTag(expected: 0x30, found: 0xa0)
        ) { $0.publicKey = [] },
        Malformed(testDescription: "a cut attribute", field: "attributes", reason: .truncated) {
            $0.attributes = ASN1.explicit(0, [0x30, 0x05, 0x06])
        },
        Malformed(testDescription: "an attribute of indefinite length", field: "attributes", reason: .indefiniteLength)
        {
            $0.attributes = ASN1.explicit(0, [0x30, 0x80, 0x00, 0x00])
        },
        Malformed(
            testDescription: "attributes nested too deep", field: "attributes",
            reason: .limitExceeded(limit: DER.defaultMaximumDepth)
        ) { request in
            var value = ASN1.null
            for _ in 0..<100 { value = ASN1.sequence(value) }
            request.attributes = ASN1.explicit(0, value)
        },
        Malformed(
            testDescription: "something after the attributes", field: "certificationRequestInfo",
            reason: .trailingBytes
        ) { $0.attributes = ASN1.explicit(0, []) + ASN1.null },
        Malformed(
            testDescription: "something after the signature", field: "certificationRequest", reason: .trailingBytes
        ) { $0.trailer = ASN1.null },
        Malformed(testDescription: "a signature of seven bits", field: "signature", reason: .bitStringMalformed) {
            $0.signature = ASN1.bits([0x80], unused: 1)
        },
    ]

    @Test(
        "The parser rejects bytes that aren't a request in strict DER and names the field and the reason",
        arguments: malformed
    )
    func malformed(row: Malformed) throws {
        let der = try CraftedRequest().with(row.change).der(signedBy: .shared)
        let error = #expect(throws: DERError.self) { try CertificateRequest(der: der) }
        #expect(error?.field == row.field)
        #expect(error?.reason == row.reason)
    }

    @Test("The parser rejects every prefix of a request, and a request with trailing bytes", arguments: made)
    func truncated(made: Made) throws {
        let der = try Self.der(made.pem)
        for count in 0..<der.count {
            #expect(throws: DERError.self, "\(count) bytes") { try CertificateRequest(der: Array(der[..<count])) }
        }
        #expect(throws: DERError.self) { try CertificateRequest(der: der + [0]) }
        #expect(throws: DERError.self) { try CertificateRequest(der: der + der) }
    }

    @Test("A certificate isn't a request, and a request isn't a certificate")
    func certificate() throws {
        let certificate = try TestAuthority.root().certificate
        #expect(throws: DERError.self) { try CertificateRequest(der: certificate.der) }
        #expect(throws: DERError.self) { try Certificate(der: Self.der(OpenSSLRequests.p256)) }
    }

    @Test("The parser rejects a request over the size limit before it reads it")
    func size() throws {
        let limit = Certificate.maximumSize
        let big = ASN1.explicit(0, ASN1.octets([UInt8](repeating: 0, count: limit)))
        let der = try CraftedRequest().with { $0.attributes = big }.der { _ in [] }
        let error = #expect(throws: DERError.self) { try CertificateRequest(der: der) }
        #expect(error?.reason == .limitExceeded(limit: limit) && error?.offset == 0)
    }

    @Test("The parser reads a request of exactly the size limit, and rejects one byte more")
    func exactSize() throws {
        func der(_ padding: Int) throws -> [UInt8] {
            try CraftedRequest().with {
                $0.attributes = ASN1.explicit(0, ASN1.octets([UInt8](repeating: 0, count: padding)))
            }.der { _ in [] }
        }
        let padding = try Certificate.maximumSize - (der(1_000_000).count - 1_000_000)
        #expect(try der(padding).count == Certificate.maximumSize)
        _ = try CertificateRequest(der: der(padding))
        #expect(throws: DERError.self) { try CertificateRequest(der: der(padding + 1)) }
    }
}

// MARK: - Creating requests

/// A request built field by field, so that a test can make each one wrong.
struct CraftedRequest {
    var version = ASN1.integer(0)
    var subject = ASN1.name("Handmade Request")
    var publicKey = SigningKey.shared.publicKey
    var attributes = ASN1.explicit(0, [])
    /// The algorithm, or nil for the algorithm of the signer's key.
    var algorithm: [UInt8]?
    /// The signature, or nil for a real one.
    var signature: [UInt8]?
    /// Bytes after the signature.
    var trailer: [UInt8] = []

    func with(_ change: (inout CraftedRequest) throws -> Void) rethrows -> CraftedRequest {
        var copy = self
        try change(&copy)
        return copy
    }

    func der(signedBy key: SigningKey) throws -> [UInt8] {
        try with { $0.algorithm = algorithm ?? key.algorithm }.der(sign: key.sign)
    }

    func der(sign: ([UInt8]) throws -> [UInt8]) throws -> [UInt8] {
        let info = ASN1.sequence(version, subject, publicKey, attributes)
        return ASN1.sequence(
            info, algorithm ?? SigningKey.shared.algorithm, try signature ?? ASN1.bits(sign(info)), trailer)
    }
}
