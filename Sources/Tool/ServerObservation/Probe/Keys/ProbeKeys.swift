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
                secret = try x25519.sharedSecretFromKeyAgreement(with: .init(rawRepresentation: bytes))
            case (.p256, 65):
                secret = try p256.sharedSecretFromKeyAgreement(with: .init(x963Representation: bytes))
            case (.p384, 97):
                guard let p384 else { throw Self.invalid(group) }
                secret = try p384.sharedSecretFromKeyAgreement(with: .init(x963Representation: bytes))
            case (.p521, 133):
                guard let p521 else { throw Self.invalid(group) }
                secret = try p521.sharedSecretFromKeyAgreement(with: .init(x963Representation: bytes))
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

/// The hash of a TLS 1.3 suite.
enum TranscriptHash: Sendable {
    case sha256
    case sha384

    init(_ suite: CipherSuite) { self = suite == .aes256 ? .sha384 : .sha256 }

    var count: Int { self == .sha256 ? SHA256.byteCount : SHA384.byteCount }

    func digest(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha384: Array(SHA384.hash(data: bytes))
        }
    }

    /// HKDF-Extract (RFC 5869 § 2.2).
    func extract(salt: [UInt8], _ key: [UInt8]) -> [UInt8] {
        let key = SymmetricKey(data: key)
        return switch self {
        case .sha256: Array(HKDF<SHA256>.extract(inputKeyMaterial: key, salt: salt))
        case .sha384: Array(HKDF<SHA384>.extract(inputKeyMaterial: key, salt: salt))
        }
    }

    /// HKDF-Expand-Label (RFC 8446 § 7.1).
    func expand(_ secret: [UInt8], label: String, context: [UInt8] = [], count: Int) -> [UInt8] {
        var info = WireWriter()
        info.uint16(UInt16(count))
        info.vector(1) { $0.append("tls13 \(label)".utf8) }
        info.vector(1) { $0.append(context) }
        let key =
            switch self {
            case .sha256: HKDF<SHA256>.expand(pseudoRandomKey: secret, info: info.bytes, outputByteCount: count)
            case .sha384: HKDF<SHA384>.expand(pseudoRandomKey: secret, info: info.bytes, outputByteCount: count)
            }
        // Safe: the bytes are copied within the call.
        return unsafe key.withUnsafeBytes { unsafe Array($0) }
    }
}

/// Decrypts the server's records between its ServerHello and its Finished (RFC 8446 § 7.1 and § 7.3).
///
/// It has no keys for the other direction and no keys for application data, so nothing can be sent.
package struct RecordProtection: Sendable {
    private let suite: CipherSuite
    private let key: SymmetricKey
    private let nonce: [UInt8]
    private var sequence: UInt64 = 0

    /// Derives the keys for the handshake records.
    /// - Parameters:
    ///   - suite: one of ``CipherSuite/forTLS13``.
    ///   - secret: the secret of the key exchange.
    ///   - transcript: the messages from ClientHello to ServerHello.
    package init(_ suite: CipherSuite, secret: [UInt8], transcript: [UInt8]) {
        let hash = TranscriptHash(suite)
        let zeros = [UInt8](repeating: 0, count: hash.count)
        let early = hash.extract(salt: zeros, zeros)
        let salt = hash.expand(early, label: "derived", context: hash.digest([]), count: hash.count)
        let handshake = hash.extract(salt: salt, secret)
        let traffic = hash.expand(
            handshake, label: "s hs traffic", context: hash.digest(transcript), count: hash.count)
        self.suite = suite
        key = SymmetricKey(data: hash.expand(traffic, label: "key", count: suite == .aes128 ? 16 : 32))
        nonce = hash.expand(traffic, label: "iv", count: 12)
    }

    private mutating func nextNonce() -> [UInt8] {
        var bytes = nonce
        for index in 0..<8 { bytes[11 - index] ^= UInt8(truncatingIfNeeded: sequence >> (8 * UInt64(index))) }
        sequence += 1
        return bytes
    }

    /// Decrypts a record and removes its padding (RFC 8446 § 5.2 and § 5.4).
    mutating func open(
        _ record: TLSRecord
    ) throws(HandshakeError) -> (kind: TLSRecord.Kind, content: ArraySlice<UInt8>) {
        let failure = HandshakeError(.decryptionFailed, "a record from the server can't be decrypted")
        let fragment = record.fragment
        guard fragment.count > 16 else { throw failure }
        let nonce = nextNonce()
        let plaintext: [UInt8]
        do {
            let (body, tag) = (fragment.dropLast(16), fragment.suffix(16))
            if suite == .chaCha20 {
                let box = try ChaChaPoly.SealedBox(nonce: .init(data: nonce), ciphertext: body, tag: tag)
                plaintext = Array(try ChaChaPoly.open(box, using: key, authenticating: record.header))
            } else {
                let box = try AES.GCM.SealedBox(nonce: .init(data: nonce), ciphertext: body, tag: tag)
                plaintext = Array(try AES.GCM.open(box, using: key, authenticating: record.header))
            }
        } catch {
            throw failure
        }
        guard plaintext.count <= TLSRecordReader.maximumPlaintext + 1 else {
            throw HandshakeError(.recordTooLarge, "the server sent an encrypted record of \(plaintext.count) bytes")
        }
        guard let end = plaintext.lastIndex(where: { $0 != 0 }) else {
            throw HandshakeError(.unexpected, "the server sent an encrypted record without a type")
        }
        guard let kind = TLSRecord.Kind(rawValue: plaintext[end]) else {
            throw HandshakeError(.unexpected, "the server sent an encrypted record of type \(plaintext[end])")
        }
        return (kind, plaintext[..<end])
    }

    /// Encrypts as the server does. Tests and the fuzzer use it to act as the server. The probe itself encrypts
    /// nothing.
    package mutating func seal(_ content: [UInt8], kind: UInt8) -> [UInt8] {
        let plaintext = content + [kind]
        let length = plaintext.count + 16
        let header: [UInt8] = [23, 3, 3, UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)]
        let nonce = nextNonce()
        do {
            if suite == .chaCha20 {
                let box = try ChaChaPoly.seal(plaintext, using: key, nonce: .init(data: nonce), authenticating: header)
                return header + box.ciphertext + box.tag
            }
            let box = try AES.GCM.seal(plaintext, using: key, nonce: .init(data: nonce), authenticating: header)
            return header + box.ciphertext + box.tag
        } catch {
            return []
        }
    }
}
