// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
// CommonCrypto names that this module doesn't have. If a program uses one, the compiler prints the message.

@available(
    *, unavailable, message: "MD5 is broken. Use SHA256, or Insecure.MD5 from swift-crypto for an old format."
)
@discardableResult
public func CC_MD5(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { nil }

@available(
    *, unavailable, message: "MD5 is broken. Use SHA256, or Insecure.MD5 from swift-crypto for an old format."
)
public var CC_MD5_DIGEST_LENGTH: Int32 { 16 }

@available(*, unavailable, message: "swift-crypto has no SHA-224. Use CC_SHA256_DIGEST_LENGTH.")
public var CC_SHA224_DIGEST_LENGTH: Int32 { 28 }

@available(*, unavailable, message: "swift-crypto has no SHA-224. Use CC_SHA256.")
@discardableResult
public func CC_SHA224(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { nil }

@available(*, unavailable, message: "MD5 is broken. Use kCCHmacAlgSHA256.")
public var kCCHmacAlgMD5: Int { 1 }

@available(*, unavailable, message: "swift-crypto has no SHA-224. Use kCCHmacAlgSHA256.")
public var kCCHmacAlgSHA224: Int { 5 }

@available(*, unavailable, message: "Use AES.GCM from swift-crypto, or AES._CBC from its CryptoExtras.")
@discardableResult
public func CCCrypt(
    _ op: UInt32, _ alg: UInt32, _ options: UInt32, _ key: UnsafeRawPointer!, _ keyLength: Int,
    _ iv: UnsafeRawPointer!, _ dataIn: UnsafeRawPointer!, _ dataInLength: Int,
    _ dataOut: UnsafeMutableRawPointer!, _ dataOutAvailable: Int, _ dataOutMoved: UnsafeMutablePointer<Int>!
) -> Int32 { -4300 }

@available(*, unavailable, message: "Use KDF.Insecure.PBKDF2 from swift-crypto's CryptoExtras.")
@discardableResult
public func CCKeyDerivationPBKDF(
    _ algorithm: UInt32, _ password: UnsafePointer<CChar>!, _ passwordLen: Int, _ salt: UnsafePointer<UInt8>!,
    _ saltLen: Int, _ prf: UInt32, _ rounds: UInt32, _ derivedKey: UnsafeMutablePointer<UInt8>!,
    _ derivedKeyLen: Int
) -> Int32 { -4300 }

@available(*, unavailable, message: "Use SystemRandomNumberGenerator, or SymmetricKey(size:) from swift-crypto.")
@discardableResult
public func CCRandomGenerateBytes(_ bytes: UnsafeMutableRawPointer!, _ count: Int) -> Int32 { -4300 }
#endif
