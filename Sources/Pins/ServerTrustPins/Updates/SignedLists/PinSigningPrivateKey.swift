// SPDX-License-Identifier: Apache-2.0

import Crypto
import ServerTrust

/// A private key that signs pin lists. Keep it away from the servers whose keys it vouches for. You need this private
/// key if the servers' keys are lost.
public struct PinSigningPrivateKey: Sendable {
    private enum Key: Sendable {
        case es256(P256.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
    }

    private let key: Key
    /// The public key.
    public let publicKey: PinSigningKey

    private init(_ key: Key) throws(PinSigningKeyError) {
        self.key = key
        self.publicKey =
            switch key {
            case .es256(let key): try PinSigningKey(.es256, Array(key.publicKey.x963Representation))
            case .ed25519(let key): try PinSigningKey(.ed25519, Array(key.publicKey.rawRepresentation))
            }
    }

    /// Creates a new key with the system's random number generator.
    /// - Throws: ``PinSigningKeyError``, which is not expected.
    public init(_ algorithm: PinSigningKey.Algorithm) throws(PinSigningKeyError) {
        switch algorithm {
        case .es256: try self.init(.es256(P256.Signing.PrivateKey()))
        case .ed25519: try self.init(.ed25519(Curve25519.Signing.PrivateKey()))
        }
    }

    /// Reads a key from unencrypted PKCS #8 PEM (`PRIVATE KEY`).
    /// - Throws: ``PinSigningKeyError`` for any other string. The error doesn't contain the string.
    public init(pem: String) throws(PinSigningKeyError) {
        guard let blocks = try? PEM.decode(Array(pem.utf8), labels: ["PRIVATE KEY"]), let der = blocks.first,
            blocks.count == 1
        else { throw PinSigningKeyError(.pinSigningKeyNotPEM, "expected one unencrypted PRIVATE KEY (PKCS #8) in PEM") }
        if der.count == Self.ed25519Prefix.count + 32, der.starts(with: Self.ed25519Prefix),
            let key = try? Curve25519.Signing.PrivateKey(
                rawRepresentation: Array(der.dropFirst(Self.ed25519Prefix.count)))
        {
            try self.init(.ed25519(key))
        } else if let key = try? P256.Signing.PrivateKey(derRepresentation: der) {
            try self.init(.es256(key))
        } else {
            throw PinSigningKeyError(.pinSigningKeyUnsupported, "expected a P-256 or an Ed25519 key")
        }
    }

    /// The key in unencrypted PKCS #8 PEM.
    public var pem: String {
        switch key {
        case .es256(let key): key.pemRepresentation + "\n"
        case .ed25519(let key):
            PEM.encode(Self.ed25519Prefix + Array(key.rawRepresentation), label: "PRIVATE KEY")
        }
    }

    /// RFC 8410 § 7: version 0, id-Ed25519, OCTET STRING in an OCTET STRING.
    private static let ed25519Prefix: [UInt8] = [
        0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]

    /// Returns a signature of 64 bytes, as in JWS.
    func signature(over message: [UInt8]) throws -> [UInt8] {
        switch key {
        case .es256(let key): Array(try key.signature(for: message).rawRepresentation)
        case .ed25519(let key): Array(try key.signature(for: message))
        }
    }
}
