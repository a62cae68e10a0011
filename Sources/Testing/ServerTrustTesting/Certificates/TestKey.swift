// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
@preconcurrency import X509

/// A private key for a test certificate.
public struct TestKey: Sendable {
    package let key: X509.Certificate.PrivateKey
    /// The algorithm that swift-certificates uses with the key by default.
    let defaultSignatureAlgorithm: TestSignatureAlgorithm
    /// An RSA key for RSASSA-PSS, which swift-certificates doesn't support, or nil for other keys.
    private let rsa: _RSA.Signing.PrivateKey?
    /// A P-256 key for signatures with SHA-1, which swift-certificates doesn't support, or nil for other keys.
    private let p256: P256.Signing.PrivateKey?

    private init(
        _ key: X509.Certificate.PrivateKey, _ algorithm: TestSignatureAlgorithm, rsa: _RSA.Signing.PrivateKey? = nil,
        p256: P256.Signing.PrivateKey? = nil
    ) {
        self.key = key
        self.defaultSignatureAlgorithm = algorithm
        self.rsa = rsa
        self.p256 = p256
    }

    private init(p256 key: P256.Signing.PrivateKey) { self.init(.init(key), .ecdsaSHA256, p256: key) }

    private init(rsa key: _RSA.Signing.PrivateKey) { self.init(.init(key), .rsaSHA256, rsa: key) }

    /// Creates a P-256 key.
    public static func p256() -> TestKey { TestKey(p256: P256.Signing.PrivateKey()) }
    /// Creates a P-384 key.
    public static func p384() -> TestKey { TestKey(.init(P384.Signing.PrivateKey()), .ecdsaSHA384) }
    /// Creates a P-521 key.
    public static func p521() -> TestKey { TestKey(.init(P521.Signing.PrivateKey()), .ecdsaSHA512) }
    /// Creates an Ed25519 key.
    public static func ed25519() -> TestKey { TestKey(.init(Curve25519.Signing.PrivateKey()), .ed25519) }

    /// Creates an RSA key, which takes a tenth of a second or more.
    /// - Parameter bits: 1024 or more. Use fewer than 2048 to test that your code refuses the key.
    /// - Throws: errors from swift-crypto.
    public static func rsa(bits: Int = 2048) throws -> TestKey {
        let size = _RSA.Signing.KeySize(bitCount: bits)
        let key =
            bits < 2048 ? try _RSA.Signing.PrivateKey(unsafeKeySize: size) : try _RSA.Signing.PrivateKey(keySize: size)
        return TestKey(rsa: key)
    }

    /// Reads an unencrypted key in PKCS #8 PEM (`PRIVATE KEY`): RSA, P-256, P-384, P-521 or Ed25519. It also accepts
    /// RSA keys of fewer than 2048 bits.
    /// - Throws: ``TestInputError`` for any other string.
    public init(pemRepresentation pem: String) throws {
        if let key = try? _RSA.Signing.PrivateKey(unsafePEMRepresentation: pem) {
            self.init(rsa: key)
        } else if let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) {
            self.init(p256: key)
        } else if let key = try? P384.Signing.PrivateKey(pemRepresentation: pem) {
            self.init(.init(key), .ecdsaSHA384)
        } else if let key = try? P521.Signing.PrivateKey(pemRepresentation: pem) {
            self.init(.init(key), .ecdsaSHA512)
        } else if let key = try? X509.Certificate.PrivateKey(pemEncoded: pem), key.description.hasPrefix("Ed25519") {
            self.init(key, .ed25519)
        } else {
            // The string may be a secret.
            throw TestInputError(text: "…", expected: "an unencrypted RSA, P-256, P-384, P-521 or Ed25519 key in PEM")
        }
    }

    /// Returns the key in PKCS #8 PEM.
    /// - Throws: errors from swift-certificates.
    public func pemRepresentation() throws -> String { try key.serializeAsPEM().pemString }

    /// The key identifier: SHA-1 over the bits of the public key (RFC 5280 § 4.2.1.2, method 1). OCSP calls it KeyHash.
    var identifier: [UInt8] { key.publicKey.identifier }

    /// The contents of the public key's BIT STRING, without the count of unused bits.
    package var publicKeyBits: [UInt8] { Array(key.publicKey.subjectPublicKeyInfoBytes) }

    /// Returns the SubjectPublicKeyInfo in DER.
    /// - Throws: errors from swift-certificates.
    func subjectPublicKeyInfo() throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(key.publicKey)
        return serializer.serializedBytes
    }

    /// Signs bytes.
    /// - Throws: errors from swift-certificates for an algorithm that doesn't fit the key.
    func sign(_ bytes: [UInt8], _ algorithm: TestSignatureAlgorithm) throws -> [UInt8] {
        switch algorithm.form {
        case .x509(let algorithm):
            return try key.sign(bytes: bytes, signatureAlgorithm: algorithm).rawRepresentation
        case .ecdsaNull: return try key.sign(bytes: bytes, signatureAlgorithm: .ecdsaWithSHA256).rawRepresentation
        case .pss:
            guard let rsa else { throw TestInputError(text: key.description, expected: "an RSA key") }
            return Array(try rsa.signature(for: SHA256.hash(data: bytes), padding: .PSS).rawRepresentation)
        case .pssSHA1:
            guard let rsa else { throw TestInputError(text: key.description, expected: "an RSA key") }
            return Array(try rsa.signature(for: Insecure.SHA1.hash(data: bytes), padding: .PSS).rawRepresentation)
        case .ecdsaSHA1:
            guard let p256 else { throw TestInputError(text: key.description, expected: "a key on P-256") }
            return Array(try p256.signature(for: Insecure.SHA1.hash(data: bytes)).derRepresentation)
        }
    }
}

extension X509.Certificate.PublicKey {
    /// The key identifier: SHA-1 over the bits of the key.
    var identifier: [UInt8] { Array(Insecure.SHA1.hash(data: Array(subjectPublicKeyInfoBytes))) }
}

#endif
