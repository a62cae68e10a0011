// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Testing

@testable import PKIX

@Suite("Handshake signatures")
struct HandshakeSignatureTests {
    struct Key {
        let name: String
        let publicKey: [UInt8]
        /// The schemes that fit the key in TLS 1.3.
        let schemes: Set<UInt16>
        /// The schemes that fit the key only in TLS 1.2, where they don't determine the curve.
        var curveless: Set<UInt16> = []
        let sign: ([UInt8], UInt16) throws -> [UInt8]
    }

    private static let pkcs1: Set<UInt16> = [0x0401, 0x0501, 0x0601]
    private static let ecdsa: Set<UInt16> = [0x0403, 0x0503, 0x0603]
    private static let pssWithAnyKey: Set<UInt16> = [0x0804, 0x0805, 0x0806]
    private static let pssWithItsKey: Set<UInt16> = [0x0809, 0x080a, 0x080b]
    private static let message = Array("a transcript".utf8)

    private static func digest(_ bytes: [UInt8], _ scheme: UInt16) -> any Digest {
        switch scheme {
        case 0x0501, 0x0503, 0x0805, 0x080a: return SHA384.hash(data: bytes)
        case 0x0601, 0x0603, 0x0806, 0x080b: return SHA512.hash(data: bytes)
        default: return SHA256.hash(data: bytes)
        }
    }

    private static func rsa(_ name: String, _ parameters: [UInt8]?, _ schemes: Set<UInt16>) throws -> Key {
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: FixedKeys.rsa2048)
        let plain = [UInt8](key.publicKey.derRepresentation)
        let bits = try SubjectPublicKeyInfoTests.bits(of: plain)
        let algorithm = parameters.map { ASN1.algorithm("1.2.840.113549.1.1.10", $0) }
        return Key(name: name, publicKey: algorithm.map { ASN1.publicKey($0, bits) } ?? plain, schemes: schemes) {
            let padding: _RSA.Signing.Padding = pkcs1.contains($1) ? .insecurePKCS1v1_5 : .PSS
            return [UInt8](try key.signature(for: digest($0, $1), padding: padding).rawRepresentation)
        }
    }

    private static func keys() throws -> [Key] {
        let p256 = P256.Signing.PrivateKey()
        let p384 = P384.Signing.PrivateKey()
        let p521 = P521.Signing.PrivateKey()
        let ed25519 = Curve25519.Signing.PrivateKey()
        let sha256 = ASN1.pssParameters(hash: ASN1.sha256, maskHash: ASN1.sha256, salt: 32)
        let sha384 = ASN1.pssParameters(hash: ASN1.sha384, maskHash: ASN1.sha384, salt: 48)
        return [
            try rsa("RSA", nil, pkcs1.union(pssWithAnyKey)),
            try rsa("RSA only for PSS", [], pssWithItsKey),
            try rsa("RSA only for PSS with SHA-256", sha256, [0x0809]),
            try rsa("RSA only for PSS with SHA-384", sha384, [0x080a]),
            Key(
                name: "P-256", publicKey: [UInt8](p256.publicKey.derRepresentation), schemes: [0x0403], curveless: ecdsa
            ) { [UInt8](try p256.signature(for: digest($0, $1)).derRepresentation) },
            Key(
                name: "P-384", publicKey: [UInt8](p384.publicKey.derRepresentation), schemes: [0x0503], curveless: ecdsa
            ) { [UInt8](try p384.signature(for: digest($0, $1)).derRepresentation) },
            Key(
                name: "P-521", publicKey: [UInt8](p521.publicKey.derRepresentation), schemes: [0x0603], curveless: ecdsa
            ) { [UInt8](try p521.signature(for: digest($0, $1)).derRepresentation) },
            Key(
                name: "Ed25519",
                publicKey: ASN1.publicKey(ASN1.algorithm("1.3.101.112"), [UInt8](ed25519.publicKey.rawRepresentation)),
                schemes: [0x0807]
            ) { bytes, _ in [UInt8](try ed25519.signature(for: bytes)) },
        ]
    }

    @Test("A key verifies exactly the schemes of its kind, and in TLS 1.3 only the scheme of its curve")
    func everyPair() throws {
        let all = Self.pkcs1.union(Self.ecdsa).union(Self.pssWithAnyKey).union(Self.pssWithItsKey).union([0x0807])
        for key in try Self.keys() {
            let certificate = try CraftedCertificate.leaf().with { $0.publicKey = key.publicKey }.unsigned()
            for scheme in all {
                let signature = try key.sign(Self.message, scheme)
                for bindsCurve in [true, false] {
                    let fits = key.schemes.contains(scheme) || (!bindsCurve && key.curveless.contains(scheme))
                    let found = certificate.handshakeSignature(
                        signature, over: Self.message, scheme: scheme, bindsCurve: bindsCurve)
                    #expect(found == (fits ? .valid : .invalid), "\(key.name), \(scheme), \(bindsCurve)")
                    let other = certificate.handshakeSignature(
                        signature, over: Self.message + [0], scheme: scheme, bindsCurve: bindsCurve)
                    #expect(other == .invalid, "\(key.name), \(scheme), \(bindsCurve)")
                }
            }
            // SHA-1 with RSA, SHA-1 with ECDSA, Ed448 and a number without a meaning.
            for scheme: UInt16 in [0x0201, 0x0203, 0x0808, 0x0001] {
                let signature = try key.sign(Self.message, scheme)
                let found = certificate.handshakeSignature(
                    signature, over: Self.message, scheme: scheme, bindsCurve: false)
                #expect(found == .notSupported, "\(key.name), \(scheme)")
            }
        }
    }
}
