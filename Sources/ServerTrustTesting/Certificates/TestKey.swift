// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
@preconcurrency import X509

/// A private key for a test certificate.
public struct TestKey: Sendable {
    package let key: X509.Certificate.PrivateKey
    /// What swift-certificates would use it with.
    public let defaultSignatureAlgorithm: TestSignatureAlgorithm
    /// The same key, where it is RSA: swift-certificates knows no RSASSA-PSS.
    private let rsa: _RSA.Signing.PrivateKey?

    private init(
        _ key: X509.Certificate.PrivateKey, _ algorithm: TestSignatureAlgorithm, rsa: _RSA.Signing.PrivateKey? = nil
    ) {
        self.key = key
        self.defaultSignatureAlgorithm = algorithm
        self.rsa = rsa
    }

    private init(rsa key: _RSA.Signing.PrivateKey) { self.init(.init(key), .rsaSHA256, rsa: key) }

    public static func p256() -> TestKey { TestKey(.init(P256.Signing.PrivateKey()), .ecdsaSHA256) }
    public static func p384() -> TestKey { TestKey(.init(P384.Signing.PrivateKey()), .ecdsaSHA384) }
    public static func p521() -> TestKey { TestKey(.init(P521.Signing.PrivateKey()), .ecdsaSHA512) }
    public static func ed25519() -> TestKey { TestKey(.init(Curve25519.Signing.PrivateKey()), .ed25519) }

    /// An RSA key. Making one takes a tenth of a second and more.
    /// - Parameter bits: 1024 or more; below 2048 it is for being refused.
    public static func rsa(bits: Int = 2048) throws -> TestKey {
        let size = _RSA.Signing.KeySize(bitCount: bits)
        let key =
            bits < 2048 ? try _RSA.Signing.PrivateKey(unsafeKeySize: size) : try _RSA.Signing.PrivateKey(keySize: size)
        return TestKey(rsa: key)
    }

    /// A key from a file: PKCS #8 (`PRIVATE KEY`), unencrypted, of any kind that is made here.
    /// - Throws: ``TestInputError`` for anything else. RSA keys below 2048 bits are taken, for being refused.
    public init(pemRepresentation pem: String) throws {
        if let key = try? _RSA.Signing.PrivateKey(unsafePEMRepresentation: pem) {
            self.init(rsa: key)
        } else if let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) {
            self.init(.init(key), .ecdsaSHA256)
        } else if let key = try? P384.Signing.PrivateKey(pemRepresentation: pem) {
            self.init(.init(key), .ecdsaSHA384)
        } else if let key = try? P521.Signing.PrivateKey(pemRepresentation: pem) {
            self.init(.init(key), .ecdsaSHA512)
        } else if let key = try? X509.Certificate.PrivateKey(pemEncoded: pem), key.description.hasPrefix("Ed25519") {
            self.init(key, .ed25519)
        } else {
            // The text is a secret, if only a test's.
            throw TestInputError(text: "…", expected: "an unencrypted RSA, P-256, P-384, P-521 or Ed25519 key in PEM")
        }
    }

    /// The key in PKCS #8 PEM.
    public func pemRepresentation() throws -> String { try key.serializeAsPEM().pemString }

    /// SHA-1 over the bits of the public key: the usual key identifier (RFC 5280 § 4.2.1.2, method 1) and OCSP's KeyHash.
    public var identifier: [UInt8] { Array(Insecure.SHA1.hash(data: publicKeyBits)) }

    /// The contents of the BIT STRING, without its count of unused bits.
    var publicKeyBits: [UInt8] { Array(key.publicKey.subjectPublicKeyInfoBytes) }

    /// - Throws: what swift-certificates says where the algorithm is not one of the key's.
    func sign(_ bytes: [UInt8], _ algorithm: TestSignatureAlgorithm) throws -> [UInt8] {
        switch (algorithm.form, rsa) {
        case (.x509(let algorithm), _):
            return try key.sign(bytes: bytes, signatureAlgorithm: algorithm).rawRepresentation
        case (.pss, let rsa?):
            return Array(try rsa.signature(for: SHA256.hash(data: bytes), padding: .PSS).rawRepresentation)
        case (.pss, nil): throw TestInputError(text: key.description, expected: "an RSA key")
        }
    }
}
