// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Keys without certificates")
struct KeyWithoutCertificateTests {
    private let message = Array("a list of pins".utf8)

    private func info(_ key: SigningKey) throws -> SubjectPublicKeyInfo { try SubjectPublicKeyInfo(der: key.publicKey) }

    @Test("Keys of other kinds and sizes, and bytes that aren't a key, make no detached signature")
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    func others() throws {
        for key in [SigningKey.p384(), .p521(), try .rsa(FixedKeys.rsa1024), try .mldsa65()] {
            #expect(try !info(key).isValid(key.sign(message), over: message))
        }
        let key = SigningKey.p256()
        var bytes = key.publicKey
        bytes[bytes.count - 1] ^= 1
        for der in [bytes, [0x30, 0x00], []] {
            #expect(try !SubjectPublicKeyInfo(checkedDER: der).isValid(key.sign(message), over: message))
        }
    }

    @Test("A key's description has its kind and size")
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    func descriptions() throws {
        let rows: [(SigningKey, PublicKeyDescription.Kind, Int?)] = [
            (.p256(), .ellipticCurve, 256), (.p384(), .ellipticCurve, 384), (.p521(), .ellipticCurve, 521),
            (.ed25519(), .ed25519, 256), (try .rsa(), .rsa, 2048), (try .rsa(FixedKeys.rsa1024), .rsa, 1024),
            (try .mldsa65(), .mldsa, nil),
        ]
        for (key, kind, bits) in rows {
            let description = try info(key).keyDescription
            #expect(description.kind == kind && description.bits == bits)
            #expect(key.publicKey.suffix(description.contents.count).elementsEqual(description.contents))
            #expect(try info(key).keyFault == nil)
        }
        let curve = ASN1.algorithm("1.2.840.10045.2.1", ASN1.oid("1.3.132.0.10"))
        let odd: [([UInt8], PublicKeyDescription.Kind)] = [
            (ASN1.publicKey(curve, [4] + [UInt8](repeating: 1, count: 64)), .ellipticCurve),
            (ASN1.publicKey(ASN1.algorithm("1.2.840.10040.4.1"), ASN1.integer(7)), .dsa),
            (ASN1.publicKey(ASN1.algorithm("1.2.3.4"), [1]), .other),
        ]
        for (der, kind) in odd {
            let description = try SubjectPublicKeyInfo(der: der).keyDescription
            #expect(description.kind == kind && description.bits == nil)
        }
        #expect(SubjectPublicKeyInfo(checkedDER: [0x30, 0x00]).keyDescription.kind == .other)
        #expect(SubjectPublicKeyInfo(checkedDER: [0x30, 0x00]).keyFault == nil)
    }

    @Test("The fault of a malformed key is named")
    func faults() throws {
        let point = ASN1.algorithm("1.2.840.10045.2.1", ASN1.oid("1.2.840.10045.3.1.7"))
        let rows: [([UInt8], String)] = [
            (ASN1.publicKey(point, [UInt8](repeating: 4, count: 64)), "it has 64 bytes"),
            (ASN1.publicKey(point, [2] + [UInt8](repeating: 1, count: 64)), "its first byte is"),
            (ASN1.publicKey(point, [4] + [UInt8](repeating: 1, count: 64)), "its point is not on P-256"),
        ]
        for (der, words) in rows {
            #expect(try SubjectPublicKeyInfo(der: der).keyFault?.hasPrefix(words) == true, "\(words)")
        }
    }

    @Test("ML-DSA-87 verifies a certificate like ML-DSA-65")
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    func largeMLDSA() throws {
        let key = try MLDSA87.PrivateKey()
        let algorithm = ASN1.algorithm("2.16.840.1.101.3.4.3.19")
        let signing = SigningKey(
            publicKey: ASN1.publicKey(algorithm, [UInt8](key.publicKey.rawRepresentation)), algorithm: algorithm
        ) { [UInt8](try key.signature(for: $0)) }
        let root = try CraftedCertificate.authority(key: signing).certificate(signedBy: signing)
        #expect(root.signatureStatus(by: root.subjectPublicKeyInfo) == .valid)
        let wrong = try SigningKey.mldsa65()
        #expect(root.signatureStatus(by: try info(wrong)) == .invalid)
        let short = ASN1.publicKey(algorithm, [UInt8](key.publicKey.rawRepresentation.dropLast()))
        #expect(try SubjectPublicKeyInfo(der: short).keyFault != nil)
    }

    @Test("A signature by a key that can't be used is invalid or not supported, depending on the key")
    func unusableKeys() throws {
        let certificate = try CraftedCertificate.authority().certificate()
        var point = SigningKey.shared.publicKey
        point[point.count - 1] ^= 1
        #expect(certificate.signatureStatus(by: SubjectPublicKeyInfo(checkedDER: point)) == .invalid)
        #expect(certificate.signatureStatus(by: SubjectPublicKeyInfo(checkedDER: [0x30, 0x00])) == .invalid)
        let other = try SubjectPublicKeyInfo(der: ASN1.publicKey(ASN1.algorithm("1.2.3.4"), [1]))
        #expect(certificate.signatureStatus(by: other) == .notSupported)
        let unknown = CraftedCertificate.authority().with { $0.innerAlgorithm = ASN1.algorithm("1.2.3.4") }
        #expect(try unknown.certificate().signatureStatus(by: certificate.subjectPublicKeyInfo) == .notSupported)
        // The same keys in a handshake.
        let short = ASN1.publicKey(ASN1.algorithm("2.16.840.1.101.3.4.3.19"), [1])
        for (key, status) in [(short, Certificate.HandshakeSignature.invalid), (other.der, .notSupported)] {
            let leaf = try CraftedCertificate.leaf().with { $0.publicKey = key }.certificate()
            #expect(leaf.handshakeSignature([1], over: message, scheme: 0x0403, bindsCurve: true) == status)
        }
    }

    @Test("A SHA-1 signature is checked with the curve of its key")
    func sha1() throws {
        let (p384, p521) = (P384.Signing.PrivateKey(), P521.Signing.PrivateKey())
        let digest = Insecure.SHA1.hash(data: message)
        let rows: [([UInt8], [UInt8])] = [
            ([UInt8](p384.publicKey.derRepresentation), [UInt8](try p384.signature(for: digest).derRepresentation)),
            ([UInt8](p521.publicKey.derRepresentation), [UInt8](try p521.signature(for: digest).derRepresentation)),
        ]
        for (place, row) in rows.enumerated() {
            let view = row.0[...]
            var reader = DERReader(view.span)
            let places = try reader.nextPublicKeyInfo()
            guard let key = VerificationKey(view.span, places, KeyForm.read(view.span, places)) else {
                Issue.record("no key")
                continue
            }
            for (other, signed) in rows.enumerated() {
                let bytes = (message + signed.1)[...]
                let isValid = key.insecurelyIsValid(
                    ByteRange(message.count, bytes.count), over: ByteRange(0, message.count), of: bytes.span,
                    scheme: .ecdsa)
                #expect(isValid == (place == other))
            }
        }
    }
}
