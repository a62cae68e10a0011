// SPDX-License-Identifier: Apache-2.0

import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The random numbers and private keys of one probe. They protect nothing: the probe sends no data.
package struct ProbeSecrets: Sendable {
    /// 32 bytes.
    package var random: [UInt8]
    /// 32 bytes of a session that doesn't exist, for middleboxes (RFC 8446 § D.4); empty for none.
    package var sessionID: [UInt8]
    package var x25519: Curve25519.KeyAgreement.PrivateKey
    package var p256: P256.KeyAgreement.PrivateKey
    /// Made when a server asks for it.
    package var p384: P384.KeyAgreement.PrivateKey?
    /// Made when a server asks for it.
    package var p521: P521.KeyAgreement.PrivateKey?

    /// Makes new ones.
    package init() {
        var generator = SystemRandomNumberGenerator()
        random = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        sessionID = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        x25519 = Curve25519.KeyAgreement.PrivateKey()
        p256 = P256.KeyAgreement.PrivateKey()
    }

    /// The groups whose key shares go into the first hello.
    static let firstGroups: [NamedGroup] = [.x25519, .p256]

    /// The groups for TLS 1.3, the preferred one first.
    static let groups: [NamedGroup] = [.x25519, .p256, .p384, .p521]

    /// Returns the public key of a group as it goes into a key share; nil for a group that isn't spoken here.
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

    /// Returns the secret that is shared with a server (RFC 8446 § 7.4.2).
    /// - Throws: ``HandshakeError`` for a point off its curve, one at infinity or in another form than the uncompressed one, and for a
    ///   secret of X25519 that is zero, as a point of small order gives.
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
        // Safe: copied within the call.
        let bytes = unsafe secret.withUnsafeBytes { unsafe Array($0) }
        // RFC 7748 § 6.1, RFC 8446 § 7.4.2. The library refuses it as well.
        guard bytes.contains(where: { $0 != 0 }) else { throw Self.invalid(group) }
        return bytes
    }

    private static func invalid(_ group: NamedGroup) -> HandshakeError {
        HandshakeError(.keyShareInvalid, "the server's key share for \(group) gives no secret")
    }
}
