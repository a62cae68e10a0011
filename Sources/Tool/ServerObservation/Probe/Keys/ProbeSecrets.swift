// SPDX-License-Identifier: Apache-2.0

import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The random numbers and private keys of one probe. They protect nothing because the probe sends no data.
package struct ProbeSecrets: Sendable {
    /// 32 bytes.
    package var random: [UInt8]
    /// A 32-byte identifier of a session that doesn't exist, for middleboxes (RFC 8446 § D.4). It may be empty.
    package var sessionID: [UInt8]
    package var x25519: Curve25519.KeyAgreement.PrivateKey
    package var p256: P256.KeyAgreement.PrivateKey
    /// Generated when a server requests it.
    package var p384: P384.KeyAgreement.PrivateKey?
    /// Generated when a server requests it.
    package var p521: P521.KeyAgreement.PrivateKey?

    /// Generates new secrets.
    package init() {
        var generator = SystemRandomNumberGenerator()
        random = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        sessionID = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        x25519 = Curve25519.KeyAgreement.PrivateKey()
        p256 = P256.KeyAgreement.PrivateKey()
    }

    /// The groups that have a key share in the first ClientHello.
    static let firstGroups: [NamedGroup] = [.x25519, .p256]

    /// The groups for TLS 1.3, in order of preference.
    static let groups: [NamedGroup] = [.x25519, .p256, .p384, .p521]

    /// Returns the public key for a group in the format of a key share, or nil for an unsupported group.
    mutating func publicKey(of group: NamedGroup) -> [UInt8]? {
        switch group {
        case .x25519: return Array(x25519.publicKey.rawRepresentation)
        case .p256: return Array(p256.publicKey.x963Representation)
        case .p384:
            let key = p384 ?? P384.KeyAgreement.PrivateKey()
            p384 = key
            return Array(key.publicKey.x963Representation)
        case .p521:
            let key = p521 ?? P521.KeyAgreement.PrivateKey()
            p521 = key
            return Array(key.publicKey.x963Representation)
        default: return nil
        }
    }

    /// Returns the secret shared with a server (RFC 8446 § 7.4.2).
    /// - Throws: ``HandshakeError`` for a point that isn't on its curve, is at infinity or isn't uncompressed. It also
    ///   throws for an X25519 secret that is zero, which a point of small order produces.
    func sharedSecret(_ group: NamedGroup, with key: ArraySlice<UInt8>) throws(HandshakeError) -> [UInt8] {
        let secret: SharedSecret
        do {
            let bytes = Array(key)
            switch (group, bytes.count) {
            case (.x25519, 32):
                secret = try x25519.sharedSecretFromKeyAgreement(
                    with: Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes))
            case (.p256, 65):
                secret = try p256.sharedSecretFromKeyAgreement(
                    with: P256.KeyAgreement.PublicKey(x963Representation: bytes))
            case (.p384, 97):
                guard let p384 else { throw Self.invalid(group) }
                secret = try p384.sharedSecretFromKeyAgreement(
                    with: P384.KeyAgreement.PublicKey(x963Representation: bytes))
            case (.p521, 133):
                guard let p521 else { throw Self.invalid(group) }
                secret = try p521.sharedSecretFromKeyAgreement(
                    with: P521.KeyAgreement.PublicKey(x963Representation: bytes))
            default: throw Self.invalid(group)
            }
        } catch {
            throw Self.invalid(group)
        }
        // Safe: the bytes are copied within the call.
        let bytes = unsafe secret.withUnsafeBytes { unsafe Array($0) }
        // RFC 7748 § 6.1, RFC 8446 § 7.4.2. The crypto library also refuses such a secret.
        guard bytes.contains(where: { $0 != 0 }) else { throw Self.invalid(group) }
        return bytes
    }

    private static func invalid(_ group: NamedGroup) -> HandshakeError {
        HandshakeError(.keyShareInvalid, "the server's key share for \(group) yields no secret")
    }
}
