// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Crypto
import Foundation
import PKIX

/// Creates a public key from its form on Apple platforms.
/// - Parameters:
///   - keyData: for RSA, an RSAPublicKey (PKCS #1) or a SubjectPublicKeyInfo. For the curves P-256, P-384 and
///     P-521, `04 || X || Y`, whose length determines the curve.
///   - attributes: `kSecAttrKeyType`, and `kSecAttrKeyClass` with the value `kSecAttrKeyClassPublic`. Others are
///     ignored.
///   - error: set if the result is nil. The caller releases it (`takeRetainedValue()`).
/// - Returns: nil with `errSecUnimplemented` for private keys, for which you use swift-crypto. Nil with
///   `errSecParam` for other attribute values. Nil with `errSecDecode` for bytes that aren't a key, including a
///   point off the curve.
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    func refuse(_ status: OSStatus, _ text: String) -> SecKey? {
        error?.pointee = Unmanaged.passRetained(.status(status, text))
        return nil
    }
    switch attributes[kSecAttrKeyClass] as? String {
    case kSecAttrKeyClassPublic: break
    case kSecAttrKeyClassPrivate:
        return refuse(errSecUnimplemented, "SecKey has no private keys. Use those in swift-crypto.")
    default: return refuse(errSecParam, "kSecAttrKeyClass is missing or has an unknown value.")
    }
    let key: SubjectPublicKeyInfo?
    switch attributes[kSecAttrKeyType] as? String {
    case kSecAttrKeyTypeRSA: key = .rsa([UInt8](keyData))
    case kSecAttrKeyTypeECSECPrimeRandom: key = .ellipticCurve(keyData)
    default: return refuse(errSecParam, "kSecAttrKeyType is missing or has an unknown value.")
    }
    guard let key else {
        return refuse(errSecDecode, "The bytes aren't a public key of the type in kSecAttrKeyType.")
    }
    return SecKey(key)
}

/// Returns the public key of a key. This is the key itself, because all keys here are public.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { key }

/// The function is not implemented.
public let errSecUnimplemented: OSStatus = -4
/// A private key. `SecKeyCreateWithData(_:_:_:)` refuses this attribute.
public let kSecAttrKeyClassPrivate: CFString = "1"

extension SubjectPublicKeyInfo {
    /// Creates an RSA key from an RSAPublicKey or a complete SubjectPublicKeyInfo. Returns nil for anything else.
    fileprivate static func rsa(_ bytes: [UInt8]) -> SubjectPublicKeyInfo? {
        // rsaEncryption with NULL (RFC 3279 § 2.3.1)
        let algorithm = DERBytes.value(0x30, DERBytes.value(0x06, OID.rsaEncryption.der), [0x05, 0x00])
        let wrapped = DERBytes.value(0x30, algorithm, DERBytes.value(0x03, [0x00], bytes))
        let keys = [bytes, wrapped].lazy.compactMap { try? SubjectPublicKeyInfo(der: $0) }
        return keys.first { $0.algorithm == .rsaEncryption && $0.keyDescription.kind == .rsa }
    }

    /// Creates a key from an uncompressed point. Returns nil if the point isn't on the curve that its length
    /// determines.
    fileprivate static func ellipticCurve(_ point: Data) -> SubjectPublicKeyInfo? {
        let der: Data? =
            switch point.count {
            case 65: (try? P256.Signing.PublicKey(x963Representation: point))?.derRepresentation
            case 97: (try? P384.Signing.PublicKey(x963Representation: point))?.derRepresentation
            case 133: (try? P521.Signing.PublicKey(x963Representation: point))?.derRepresentation
            default: nil
            }
        return der.flatMap { try? SubjectPublicKeyInfo(der: [UInt8]($0)) }
    }
}

extension OID {
    /// 1.2.840.113549.1.1.1 (RFC 8017 § A.1)
    static let rsaEncryption = OID(contents: [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01])
}
#endif
