// SPDX-License-Identifier: Apache-2.0

// The parts of SecKey.h, SecRandom.h and SecImportExport.h for public keys, random bytes and imported items. CFBase.h,
// CFData.h, CFError.h and CFNumber.h, which have no nullability annotations.

public typealias CFBoolean = Bool
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
public let kCFBooleanTrue: CFBoolean! = true
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
public let kCFBooleanFalse: CFBoolean! = false
public typealias CFErrorDomain = CFString
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
public let kCFErrorDomainOSStatus: CFErrorDomain! = "NSOSStatusErrorDomain"
public var noErr: OSStatus { 0 }

@discardableResult
public func CFErrorCreate(
    _ allocator: CFAllocator!, _ domain: CFErrorDomain!, _ code: CFIndex, _ userInfo: CFDictionary!
) -> CFError! { stub() }
@discardableResult public func CFEqual(_ cf1: CFTypeRef!, _ cf2: CFTypeRef!) -> Bool { stub() }
@discardableResult
public func CFDataCreate(
    _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex
) -> CFData! { stub() }
@discardableResult public func CFDataGetLength(_ theData: CFData!) -> CFIndex { stub() }
@discardableResult public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! { stub() }

public struct SecKeyAlgorithm: RawRepresentable, Hashable, @unchecked Sendable {
    public let rawValue: CFString
    public init(rawValue: CFString) { self.rawValue = rawValue }

    // Values from Apple's published sources.
    public static let rsaSignatureMessagePKCS1v15SHA256 = Self(rawValue: "algid:sign:RSA:message-PKCS1v15:SHA256")
    public static let rsaSignatureMessagePKCS1v15SHA384 = Self(rawValue: "algid:sign:RSA:message-PKCS1v15:SHA384")
    public static let rsaSignatureMessagePKCS1v15SHA512 = Self(rawValue: "algid:sign:RSA:message-PKCS1v15:SHA512")
    public static let rsaSignatureMessagePSSSHA256 = Self(rawValue: "algid:sign:RSA:message-PSS:SHA256:SHA256:32")
    public static let rsaSignatureMessagePSSSHA384 = Self(rawValue: "algid:sign:RSA:message-PSS:SHA384:SHA384:48")
    public static let rsaSignatureMessagePSSSHA512 = Self(rawValue: "algid:sign:RSA:message-PSS:SHA512:SHA512:64")
    public static let ecdsaSignatureMessageX962SHA256 = Self(rawValue: "algid:sign:ECDSA:message-X962:SHA256")
    public static let ecdsaSignatureMessageX962SHA384 = Self(rawValue: "algid:sign:ECDSA:message-X962:SHA384")
    public static let ecdsaSignatureMessageX962SHA512 = Self(rawValue: "algid:sign:ECDSA:message-X962:SHA512")
    public static let ecdsaSignatureDigestX962SHA256 = Self(rawValue: "algid:sign:ECDSA:digest-X962:SHA256")
    public static let ecdsaSignatureDigestX962SHA384 = Self(rawValue: "algid:sign:ECDSA:digest-X962:SHA384")
    public static let ecdsaSignatureDigestX962SHA512 = Self(rawValue: "algid:sign:ECDSA:digest-X962:SHA512")
    public static let ecdsaSignatureMessageRFC4754SHA256 = Self(rawValue: "algid:sign:ECDSA:message-RFC4754:SHA256")
    public static let ecdsaSignatureMessageRFC4754SHA384 = Self(rawValue: "algid:sign:ECDSA:message-RFC4754:SHA384")
    public static let ecdsaSignatureMessageRFC4754SHA512 = Self(rawValue: "algid:sign:ECDSA:message-RFC4754:SHA512")
}

public enum SecKeyOperationType: CFIndex, @unchecked Sendable {
    case sign = 0
    case verify = 1
    case encrypt = 2
    case decrypt = 3
    case keyExchange = 4
}

@discardableResult
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? { stub() }
@discardableResult public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { stub() }
@discardableResult
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool { stub() }
@discardableResult
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool { stub() }
// iOS
@available(*, deprecated, renamed: "SecCertificateCopyKey(_:)")
@discardableResult
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? { stub() }

public let kSecAttrKeyClassPrivate: CFString = "1"
public let kSecImportItemLabel: CFString = "label"
public let kSecImportItemKeyID: CFString = "keyid"
public var errSecUnimplemented: OSStatus { -4 }
public var errSecVerifyFailed: OSStatus { -67808 }

public enum SecRandomRef: Sendable {}
public let kSecRandomDefault: SecRandomRef? = nil
// Annotated with `warn_unused_result`.
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 { stub() }
