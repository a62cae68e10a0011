// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import PKIX
import ServerTrust

/// A parser for private keys in PKCS #8, PKCS #1, SEC 1 and OpenSSL's DSA format.
///
/// It keeps only the public facts. For a key on a curve it computes the public key, because the public key in the file
/// may belong to another key.
struct PrivateKeyReader {
    /// The number of public keys that the parser may still compute or check.
    var remaining: Int

    /// Returns the facts of an unencrypted key, or nil for another structure.
    mutating func facts(_ der: [UInt8]) -> PrivateKeyFacts? {
        guard let outer = TLV(der[...]), outer.tag == TLV.Tag.sequence, outer.statedEnd == der.count else { return nil }
        let members = outer.members(12)
        guard members.count >= 2, members[0].tag == TLV.Tag.integer, !members.contains(where: \.isTruncated) else {
            return nil
        }
        switch members[1].tag {
        case TLV.Tag.sequence:
            guard members.count >= 3, members[2].tag == TLV.Tag.octetString else { return nil }
            return pkcs8(algorithm: members[1], key: Array(members[2].contents))
        case TLV.Tag.octetString: return sec1(members, curve: nil, format: .sec1)
        case TLV.Tag.integer where members.count == 6: return PrivateKeyFacts(format: .dsa, algorithm: "DSA")
        case TLV.Tag.integer: return rsa(members, format: .pkcs1)
        default: return nil
        }
    }

    private mutating func pkcs8(algorithm: TLV, key: [UInt8]) -> PrivateKeyFacts? {
        let parts = algorithm.members(2)
        guard let identifier = parts.first?.dottedIdentifier else { return nil }
        switch identifier {
        case "1.2.840.113549.1.1.1", "1.2.840.113549.1.1.10":
            guard let inner = TLV(key[...]) else { return nil }
            return rsa(inner.members(12), format: .pkcs8)
        case "1.2.840.10045.2.1":
            guard let inner = TLV(key[...]), parts.count == 2 else { return nil }
            return sec1(inner.members(4), curve: parts[1].dottedIdentifier ?? "", format: .pkcs8)
        case "1.3.101.112": return ed25519(key)
        default: return PrivateKeyFacts(format: .pkcs8, algorithm: OIDNames.words(for: identifier) ?? identifier)
        }
    }

    /// Parses `RSAPrivateKey` (RFC 8017 § A.1.2): a version, the modulus, the public exponent, …
    private func rsa(_ members: [TLV], format: PrivateKeyFacts.Format) -> PrivateKeyFacts? {
        guard members.count >= 9, members.prefix(9).allSatisfy({ $0.tag == TLV.Tag.integer && !$0.isTruncated })
        else { return nil }
        let (modulus, exponent) = (members[1].contents, members[2].contents)
        let digits = modulus.drop { $0 == 0 }
        guard let first = digits.first, digits.count <= 4_096 else { return nil }
        let key = DERBytes.value(
            TLV.Tag.sequence, DERBytes.value(TLV.Tag.integer, Array(modulus)),
            DERBytes.value(TLV.Tag.integer, Array(exponent)))
        return PrivateKeyFacts(
            format: format, algorithm: "RSA", bits: digits.count * 8 - first.leadingZeroBitCount,
            publicKey: try? SubjectPublicKeyInfo(rsaPublicKey: key))
    }

    /// Parses `ECPrivateKey` (RFC 5915 § 3): a version, the number, the curve in `[0]`, the public key in `[1]`.
    private mutating func sec1(_ members: [TLV], curve: String?, format: PrivateKeyFacts.Format) -> PrivateKeyFacts? {
        guard members.count >= 2, members[1].tag == TLV.Tag.octetString, !members[1].isTruncated else { return nil }
        let named = members.first { $0.tag == TLV.Tag.contextConstructed(0) }?.members(1).first?.dottedIdentifier
        let identifier = curve ?? named ?? ""
        var publicKey: SubjectPublicKeyInfo?
        if let computation = Self.computations[identifier], takeComputation() {
            publicKey = computation(members[1].contents).flatMap { try? SubjectPublicKeyInfo(der: Array($0)) }
        }
        let name = identifier.isEmpty ? "explicit curve" : OIDNames.words(for: identifier) ?? identifier
        return PrivateKeyFacts(
            format: format, algorithm: "EC", bits: PrivateKeyFacts.sizes[identifier], curve: name, publicKey: publicKey)
    }

    /// The functions that compute the public key of a private key, by curve.
    private static let computations: [String: @Sendable (ArraySlice<UInt8>) -> (any Sequence<UInt8>)?] = [
        "1.2.840.10045.3.1.7": { try? P256.Signing.PrivateKey(rawRepresentation: $0).publicKey.derRepresentation },
        "1.3.132.0.34": { try? P384.Signing.PrivateKey(rawRepresentation: $0).publicKey.derRepresentation },
        "1.3.132.0.35": { try? P521.Signing.PrivateKey(rawRepresentation: $0).publicKey.derRepresentation },
    ]

    /// Parses `CurvePrivateKey` (RFC 8410 § 7): 32 octets in an OCTET STRING.
    private mutating func ed25519(_ key: [UInt8]) -> PrivateKeyFacts? {
        guard let seed = TLV(key[...]), seed.tag == TLV.Tag.octetString, seed.contents.count == 32 else { return nil }
        var publicKey: SubjectPublicKeyInfo?
        if takeComputation(), let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed.contents) {
            publicKey = try? SubjectPublicKeyInfo(
                der: [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]
                    + key.publicKey.rawRepresentation)
        }
        return PrivateKeyFacts(format: .pkcs8, algorithm: "Ed25519", bits: 256, publicKey: publicKey)
    }

    private mutating func takeComputation() -> Bool {
        guard remaining > 0 else { return false }
        remaining -= 1
        return true
    }
}

extension PrivateKeyFacts {
    /// The sizes in bits of curves, and of algorithms with only one curve, by identifier.
    static let sizes = [
        "1.2.840.10045.3.1.1": 192, "1.3.132.0.33": 224, "1.2.840.10045.3.1.7": 256, "1.3.132.0.10": 256,
        "1.3.36.3.3.2.8.1.1.7": 256, "1.3.132.0.34": 384, "1.3.36.3.3.2.8.1.1.11": 384,
        "1.3.36.3.3.2.8.1.1.13": 512, "1.3.132.0.35": 521, "1.3.101.112": 256, "1.3.101.113": 456,
    ]
}
