// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
// Private keys, and operations that need them or that encrypt. If a program uses one, the compiler prints the
// message.

@available(*, unavailable, message: "SecKey has no private keys. Use P256.Signing.PrivateKey from swift-crypto.")
@discardableResult
public func SecKeyCreateRandomKey(_ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?)
    -> SecKey?
{ nil }

@available(*, unavailable, message: "SecKey has no private keys. Use P256.Signing.PrivateKey from swift-crypto.")
@discardableResult
public func SecKeyGeneratePair(
    _ parameters: CFDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?,
    _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus { -4 }

@available(*, unavailable, message: "SecKey has no private keys. Use P256.Signing.PrivateKey from swift-crypto.")
@discardableResult
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { nil }

@available(
    *, unavailable,
    message: "SecKey has no private keys. Pass the identity to URLCredential(identity:certificates:persistence:)."
)
@discardableResult
public func SecIdentityCopyPrivateKey(_ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>)
    -> OSStatus
{ -4 }

@available(
    *, unavailable,
    message: "SecKey can't encrypt or decrypt. Use _RSA.Encryption from swift-crypto's CryptoExtras, or HPKE."
)
@discardableResult
public func SecKeyCreateEncryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { nil }

@available(
    *, unavailable,
    message: "SecKey can't encrypt or decrypt. Use _RSA.Encryption from swift-crypto's CryptoExtras, or HPKE."
)
@discardableResult
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { nil }

@available(*, unavailable, message: "SecKey has no private keys. Use P256.KeyAgreement from swift-crypto.")
@discardableResult
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { nil }

/// The padding for functions that the compiler refuses.
@available(*, unavailable, message: "Use a SecKeyAlgorithm, such as rsaSignatureMessagePKCS1v15SHA256.")
public struct SecPadding: Sendable {
    public static let PKCS1 = SecPadding()
    public static let PKCS1SHA1 = SecPadding()
    public static let PKCS1SHA256 = SecPadding()
    public static let PKCS1SHA384 = SecPadding()
    public static let PKCS1SHA512 = SecPadding()
    public static let OAEP = SecPadding()
}

@available(*, unavailable, message: "Pass the message and a Message algorithm to SecKeyVerifySignature.")
@discardableResult
public func SecKeyRawVerify(
    _ key: SecKey, _ padding: SecPadding, _ signedData: UnsafePointer<UInt8>, _ signedDataLen: Int,
    _ sig: UnsafePointer<UInt8>, _ sigLen: Int
) -> OSStatus { -4 }

@available(*, unavailable, message: "SecKey has no private keys. Use P256.Signing.PrivateKey from swift-crypto.")
@discardableResult
public func SecKeyRawSign(
    _ key: SecKey, _ padding: SecPadding, _ dataToSign: UnsafePointer<UInt8>, _ dataToSignLen: Int,
    _ sig: UnsafeMutablePointer<UInt8>, _ sigLen: UnsafeMutablePointer<Int>
) -> OSStatus { -4 }

@available(
    *, unavailable,
    message: "SecKey can't encrypt or decrypt. Use _RSA.Encryption from swift-crypto's CryptoExtras, or HPKE."
)
@discardableResult
public func SecKeyEncrypt(
    _ key: SecKey, _ padding: SecPadding, _ plainText: UnsafePointer<UInt8>, _ plainTextLen: Int,
    _ cipherText: UnsafeMutablePointer<UInt8>, _ cipherTextLen: UnsafeMutablePointer<Int>
) -> OSStatus { -4 }

@available(*, unavailable, message: "SecKey has no private keys. Use P256.Signing.PrivateKey from swift-crypto.")
public var kSecAttrIsPermanent: CFString { "" }

@available(*, unavailable, message: "SecKey has no private keys. Use P256.Signing.PrivateKey from swift-crypto.")
public var kSecAttrTokenID: CFString { "" }

@available(*, unavailable, message: "SecKey has no private keys. Use P256.Signing.PrivateKey from swift-crypto.")
public var kSecAttrTokenIDSecureEnclave: CFString { "" }

@available(*, unavailable, message: "SecKey has no private keys. Use P256.Signing.PrivateKey from swift-crypto.")
public var kSecPrivateKeyAttrs: CFString { "" }

@available(*, unavailable, message: "SecKey has no private keys. Use P256.Signing.PrivateKey from swift-crypto.")
public var kSecPublicKeyAttrs: CFString { "" }

@available(*, unavailable, message: "SecKey has no private keys. Use P256.Signing.PrivateKey from swift-crypto.")
public var kSecAttrCanSign: CFString { "" }

@available(*, unavailable, message: "SecKey has no private keys. Use P256.Signing.PrivateKey from swift-crypto.")
public var kSecAttrCanDecrypt: CFString { "" }

@available(
    *, unavailable,
    message: "SecKey can't encrypt or decrypt. Use _RSA.Encryption from swift-crypto's CryptoExtras, or HPKE."
)
@discardableResult
public func SecKeyDecrypt(
    _ key: SecKey, _ padding: SecPadding, _ cipherText: UnsafePointer<UInt8>, _ cipherTextLen: Int,
    _ plainText: UnsafeMutablePointer<UInt8>, _ plainTextLen: UnsafeMutablePointer<Int>
) -> OSStatus { -4 }
#endif
