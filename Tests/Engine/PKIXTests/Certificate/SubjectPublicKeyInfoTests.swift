// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Subject public key info")
struct SubjectPublicKeyInfoTests {
    static let kinds: [(name: String, make: @Sendable () throws -> SigningKey)] = [
        ("P-256", { .p256() }), ("P-384", { .p384() }), ("P-521", { .p521() }), ("Ed25519", { .ed25519() }),
        ("RSA-2048", { try .rsa() }), ("RSA-1024", { try .rsa(FixedKeys.rsa1024) }),
        (
            "RSA only for PSS",
            {
                let key = try SigningKey.rsa(isPSS: true)
                let bits = try SubjectPublicKeyInfoTests.bits(of: key.publicKey)
                return key.with(publicKey: ASN1.publicKey(key.algorithm, bits))
            }
        ),
    ]

    /// The key's bits, which are the last value of the SubjectPublicKeyInfo.
    static func bits(of publicKey: [UInt8]) throws -> [UInt8] {
        let start = try #require(
            publicKey.indices.first { index in
                publicKey[index...].starts(with: [0x03, 0x82]) && publicKey[index + 4] == 0
            })
        return Array(publicKey[(start + 5)...])
    }

    @Test(
        "The pin of a key equals the pin that openssl computes",
        .disabled(if: OpenSSL.isMissing, "there is no openssl on the path"),
        arguments: kinds)
    func openSSL(name: String, make: @Sendable () throws -> SigningKey) throws {
        let key = try make()
        let certificate = try CraftedCertificate.authority(key: key).certificate(signedBy: key)
        let pem = Array(PEM.encode(certificate.der, label: "CERTIFICATE").utf8)
        let publicKey = try OpenSSL.run(["x509", "-noout", "-pubkey"], input: pem)
        let der = try OpenSSL.run(["pkey", "-pubin", "-outform", "der"], input: publicKey)
        let digest = try OpenSSL.run(["dgst", "-sha256", "-binary"], input: der)
        #expect(certificate.subjectPublicKeyInfo.der == der, "\(name)")
        #expect(certificate.subjectPublicKeyInfo.sha256 == digest, "\(name)")
        #expect(certificate.sha256 == (try OpenSSL.run(["dgst", "-sha256", "-binary"], input: certificate.der)))
        #expect(certificate.sha1Fingerprint == (try OpenSSL.run(["dgst", "-sha1", "-binary"], input: certificate.der)))
    }

    @Test("The pin covers the unchanged bytes, including parameters, for keys of any algorithm")
    func bytes() throws {
        let algorithms = [
            ASN1.algorithm("1.2.3.4"), ASN1.algorithm("1.2.3.4", ASN1.null),
            ASN1.algorithm("1.2.840.10040.4.1", ASN1.sequence(ASN1.integer(7))),
        ]
        var pins: Set<[UInt8]> = []
        for algorithm in algorithms {
            let spki = ASN1.publicKey(algorithm, [1, 2, 3])
            let certificate = try CraftedCertificate().with { $0.publicKey = spki }.certificate()
            #expect(certificate.subjectPublicKeyInfo.der == spki)
            #expect(try SubjectPublicKeyInfo(der: spki) == certificate.subjectPublicKeyInfo)
            #expect(certificate.subjectPublicKeyInfo.sha256.count == 32)
            pins.insert(certificate.subjectPublicKeyInfo.sha256)
        }
        #expect(pins.count == algorithms.count)
    }

    @Test("The description of a key states its kind and size")
    func descriptions() throws {
        let rows: [(SigningKey, PublicKeyDescription.Kind, Int)] = [
            (.p256(), .ellipticCurve, 256), (.p384(), .ellipticCurve, 384), (.p521(), .ellipticCurve, 521),
            (.ed25519(), .ed25519, 256), (try .rsa(), .rsa, 2048),
        ]
        for (key, kind, bits) in rows {
            let description = try SubjectPublicKeyInfo(der: key.publicKey).keyDescription
            #expect(description.kind == kind && description.bits == bits)
            #expect(key.publicKey.suffix(description.contents.count) == description.contents[...])
        }
    }

    @Test("The initializer rejects bytes that aren't a SubjectPublicKeyInfo")
    func malformed() {
        let good = SigningKey.shared.publicKey
        #expect(throws: Never.self) { try SubjectPublicKeyInfo(der: good) }
        for der in [
            [], good + [0], Array(good.dropLast()), ASN1.sequence(good), ASN1.sequence(ASN1.null, ASN1.bits([1])),
        ] {
            #expect(throws: DERError.self) { try SubjectPublicKeyInfo(der: der) }
        }
    }
}
