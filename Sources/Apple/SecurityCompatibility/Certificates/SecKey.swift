// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import PKIX

/// A public key, under the name of Apple's Security framework. Keys are equal if their SubjectPublicKeyInfo is
/// equal.
public final class SecKey: Sendable {
    /// The key with its algorithm. A pin is its `SubjectPublicKeyInfo.sha256`.
    public let subjectPublicKeyInfo: SubjectPublicKeyInfo

    /// Creates the object for a key.
    init(_ key: SubjectPublicKeyInfo) { self.subjectPublicKeyInfo = key }
}

extension SecKey: Hashable {
    public static func == (left: SecKey, right: SecKey) -> Bool {
        left.subjectPublicKeyInfo == right.subjectPublicKeyInfo
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(subjectPublicKeyInfo) }
}

/// Returns the key in its form on Apple platforms, without the algorithm: RSAPublicKey (PKCS #1) for RSA, `04 || X
/// || Y` for elliptic curves.
///
/// A hash of these bytes isn't a pin of RFC 7469. A pin covers the whole SubjectPublicKeyInfo
/// (``SecKey/subjectPublicKeyInfo``).
/// - Parameters:
///   - key: the key.
///   - error: set if the result is nil. The caller releases it (`takeRetainedValue()`).
/// - Returns: nil for other kinds of keys, including malformed ones.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    let description = key.subjectPublicKeyInfo.keyDescription
    switch description.kind {
    case .rsa: return Data(description.contents)
    // `04 || X || Y`. Compressed points and points of another length have no such form.
    case .ellipticCurve
    where description.bits.map { description.contents.count == 1 + ($0 + 7) / 8 * 2 } == true
        && description.contents.first == 4:
        return Data(description.contents)
    default:
        error?.pointee = Unmanaged.passRetained(
            .status(errSecInvalidKeyRef, "Keys of this type have no external representation."))
        return nil
    }
}

/// Returns the attributes: `kSecAttrKeyType` (RSA and elliptic curves) and `kSecAttrKeyClass`. If the size is
/// known, also `kSecAttrKeySizeInBits` and `kSecAttrEffectiveKeySize`.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    let description = key.subjectPublicKeyInfo.keyDescription
    var attributes: [String: Any] = [kSecAttrKeyClass: kSecAttrKeyClassPublic]
    switch description.kind {
    case .rsa: attributes[kSecAttrKeyType] = kSecAttrKeyTypeRSA
    case .ellipticCurve: attributes[kSecAttrKeyType] = kSecAttrKeyTypeECSECPrimeRandom
    default: break
    }
    if let bits = description.bits {
        attributes[kSecAttrKeySizeInBits] = NSNumber(value: bits)
        attributes[kSecAttrEffectiveKeySize] = NSNumber(value: bits)
    }
    return attributes
}

/// Returns the size of a block in bytes: the modulus for RSA, a coordinate for elliptic curves, otherwise 0.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int {
    ((key.subjectPublicKeyInfo.keyDescription.bits ?? 0) + 7) / 8
}

/// The attribute "kind of key".
public let kSecAttrKeyType: CFString = "type"
/// The attribute "public or private".
public let kSecAttrKeyClass: CFString = "kcls"
/// The attribute "size in bits", a number.
public let kSecAttrKeySizeInBits: CFString = "bsiz"
/// The attribute "effective size in bits", a number.
public let kSecAttrEffectiveKeySize: CFString = "esiz"
/// A public key.
public let kSecAttrKeyClassPublic: CFString = "0"
/// An RSA key.
public let kSecAttrKeyTypeRSA: CFString = "42"
/// A key on a NIST prime curve.
public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// The older name of ``kSecAttrKeyTypeECSECPrimeRandom``.
public let kSecAttrKeyTypeEC: CFString = kSecAttrKeyTypeECSECPrimeRandom
#endif
