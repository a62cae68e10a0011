// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import PKIX
import ServerTrust

/// A public key for signatures on pin lists: P-256 with ECDSA and SHA-256 (ES256, RFC 7518 § 3.4) or Ed25519 (EdDSA,
/// RFC 8037).
///
/// The algorithm belongs to the key, not to the document. The algorithm in a signature's header is only compared with
/// it.
public struct PinSigningKey: Sendable, Hashable {
    /// A signature algorithm, with its JWS name as the raw value.
    public enum Algorithm: String, Sendable, Hashable, CaseIterable {
        /// ECDSA with P-256 and SHA-256.
        case es256 = "ES256"
        /// Ed25519.
        case ed25519 = "EdDSA"
    }

    /// The algorithm.
    package let algorithm: Algorithm

    /// The key: 65 bytes (X9.63, uncompressed) for P-256, 32 bytes for Ed25519.
    let bytes: [UInt8]

    /// The JWK thumbprint (RFC 7638) in base64url, the `kid` of signatures. It is unique, so no key counts twice under
    /// two names.
    public let id: String

    /// Creates a key.
    /// - Throws: ``PinSigningKeyError`` unless the bytes are a point on the curve that can be a signer's key.
    init(_ algorithm: Algorithm, _ bytes: [UInt8]) throws(PinSigningKeyError) {
        switch algorithm {
        case .es256:
            guard bytes.count == 65, (try? P256.Signing.PublicKey(x963Representation: bytes)) != nil else {
                throw PinSigningKeyError(
                    .pinSigningKeyInvalid, "not a P-256 key, expected a point on the curve in X9.63")
            }
        case .ed25519:
            guard bytes.count == 32, (try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)) != nil else {
                throw PinSigningKeyError(.pinSigningKeyInvalid, "not an Ed25519 key, expected 32 bytes")
            }
            guard Ed25519Point.isCanonical(bytes) else {
                throw PinSigningKeyError(
                    .pinSigningKeyInvalid, "an Ed25519 key whose y is not below 2^255 - 19 (RFC 8032 § 5.1.3)")
            }
            guard !Ed25519Point.isOfSmallOrder(bytes) else {
                throw PinSigningKeyError(
                    .pinSigningKeyUnsafe, "an Ed25519 key of small order, whose signatures need no private key")
            }
        }
        self.algorithm = algorithm
        self.bytes = bytes
        self.id = Base64URL.encode(Array(SHA256.hash(data: Data(Self.jwk(algorithm, bytes).utf8))))
    }

    /// Reads a key from PEM (`PUBLIC KEY`), as OpenSSL and `servertrust pins list keygen` write it.
    /// - Throws: ``PinSigningKeyError`` for any other string, including private keys.
    public init(pem: String) throws(PinSigningKeyError) {
        guard let blocks = try? PEM.decode(Array(pem.utf8), labels: ["PUBLIC KEY"]), let der = blocks.first,
            blocks.count == 1
        else { throw PinSigningKeyError(.pinSigningKeyNotPEM, "expected one PUBLIC KEY in PEM") }
        if der.count == Self.ed25519Prefix.count + 32, der.starts(with: Self.ed25519Prefix) {
            try self.init(.ed25519, Array(der.dropFirst(Self.ed25519Prefix.count)))
        } else if let key = try? P256.Signing.PublicKey(derRepresentation: der) {
            try self.init(.es256, Array(key.x963Representation))
        } else {
            throw PinSigningKeyError(.pinSigningKeyUnsupported, "expected a P-256 or an Ed25519 key")
        }
    }

    /// The key as SubjectPublicKeyInfo in PEM.
    public var pem: String {
        let der =
            switch algorithm {
            // The initializer checked the bytes.
            case .es256:
                (try? P256.Signing.PublicKey(x963Representation: bytes)).map { Array($0.derRepresentation) } ?? []
            case .ed25519: Self.ed25519Prefix + bytes
            }
        return PEM.encode(der, label: "PUBLIC KEY")
    }

    /// The key as a JSON Web Key with only the members of RFC 7638 § 3.2, in that order.
    var jwk: String { Self.jwk(algorithm, bytes) }

    private static func jwk(_ algorithm: Algorithm, _ bytes: [UInt8]) -> String {
        switch algorithm {
        case .es256:
            let x = Base64URL.encode(Array(bytes[1..<33]))
            let y = Base64URL.encode(Array(bytes[33...]))
            return #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
        case .ed25519: return #"{"crv":"Ed25519","kty":"OKP","x":"\#(Base64URL.encode(bytes))"}"#
        }
    }

    /// RFC 8410 § 4: SEQUENCE { SEQUENCE { id-Ed25519 }, BIT STRING }.
    private static let ed25519Prefix: [UInt8] = [
        0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]

    /// Returns whether `signature` (64 bytes for either algorithm) is this key's signature over `message`.
    func verifies(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        switch algorithm {
        case .es256:
            guard let key = try? P256.Signing.PublicKey(x963Representation: bytes),
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: message)
        case .ed25519:
            guard signature.count == 64, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else {
                return false
            }
            return key.isValidSignature(signature, for: message)
        }
    }
}

extension PinSigningKey: CustomStringConvertible {
    /// `ES256 THUMBPRINT`
    public var description: String { "\(algorithm.rawValue) \(id)" }
}

/// The reason why a signing key can't be created. It never contains any part of the string that was read.
public struct PinSigningKeyError: TrustError, Hashable {
    /// The kind of error, one of the `pinSigningKey…` codes.
    public let code: ErrorCode
    /// A human-readable description of the reason. Its wording may change.
    public let message: String

    init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode {
    /// The string isn't a single PEM object with the expected label: `PUBLIC KEY`, or `PRIVATE KEY` without a password.
    static let pinSigningKeyNotPEM = ErrorCode("pinSigningKeyNotPEM")
    /// The key is neither a P-256 nor an Ed25519 key.
    static let pinSigningKeyUnsupported = ErrorCode("pinSigningKeyUnsupported")
    /// The bytes aren't a point on the key's curve.
    static let pinSigningKeyInvalid = ErrorCode("pinSigningKeyInvalid")
    /// An Ed25519 key of small order. Its signatures need no private key.
    static let pinSigningKeyUnsafe = ErrorCode("pinSigningKeyUnsafe")
}
