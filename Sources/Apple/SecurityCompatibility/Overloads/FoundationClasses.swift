// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Foundation

// On Apple platforms, Swift converts NSString, NSData, NSArray, NSDictionary and NSDate to CoreFoundation types
// without a cast. On Linux it doesn't, so these functions accept them. They are disfavored, so that a literal or
// nil selects the function with Swift's type.

/// `SecCertificateCreateWithData(_:_:)` for an `NSData`.
@_disfavoredOverload
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: NSData) -> SecCertificate? {
    SecCertificateCreateWithData(allocator, Data(referencing: data))
}

/// `SecPolicyCreateSSL(_:_:)` for an `NSString`.
@_disfavoredOverload
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: NSString?) -> SecPolicy {
    SecPolicyCreateSSL(server, hostname?.description)
}

/// `SecTrustSetAnchorCertificates(_:_:)` for an `NSArray`.
@_disfavoredOverload
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: NSArray?) -> OSStatus {
    SecTrustSetAnchorCertificates(trust, anchorCertificates.map(Array.init))
}

/// `SecTrustSetVerifyDate(_:_:)` for an `NSDate`.
@_disfavoredOverload
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: NSDate) -> OSStatus {
    SecTrustSetVerifyDate(trust, Date(timeIntervalSinceReferenceDate: verifyDate.timeIntervalSinceReferenceDate))
}

/// `SecTrustSetExceptions(_:_:)` for an `NSData`.
@_disfavoredOverload
public func SecTrustSetExceptions(_ trust: SecTrust, _ exceptions: NSData?) -> Bool {
    SecTrustSetExceptions(trust, exceptions.map { Data(referencing: $0) })
}

/// `SecPKCS12Import(_:_:_:)` for an `NSData`.
@_disfavoredOverload
@discardableResult
public func SecPKCS12Import(
    _ pkcs12_data: NSData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { SecPKCS12Import(Data(referencing: pkcs12_data), options, items) }

/// `SecPKCS12Import(_:_:_:)` for an `NSDictionary`.
@_disfavoredOverload
@discardableResult
public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: NSDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { SecPKCS12Import(pkcs12_data, dictionary(options), items) }

/// `SecPKCS12Import(_:_:_:)` for an `NSData` and an `NSDictionary`.
@_disfavoredOverload
@discardableResult
public func SecPKCS12Import(
    _ pkcs12_data: NSData, _ options: NSDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { SecPKCS12Import(Data(referencing: pkcs12_data), dictionary(options), items) }

/// `SecKeyCreateWithData(_:_:_:)` for an `NSData`.
@_disfavoredOverload
public func SecKeyCreateWithData(
    _ keyData: NSData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? { SecKeyCreateWithData(Data(referencing: keyData), attributes, error) }

/// `SecKeyCreateWithData(_:_:_:)` for an `NSDictionary`.
@_disfavoredOverload
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: NSDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? { SecKeyCreateWithData(keyData, dictionary(attributes), error) }

/// `SecKeyCreateWithData(_:_:_:)` for an `NSData` and an `NSDictionary`.
@_disfavoredOverload
public func SecKeyCreateWithData(
    _ keyData: NSData, _ attributes: NSDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? { SecKeyCreateWithData(Data(referencing: keyData), dictionary(attributes), error) }

/// `SecKeyVerifySignature(_:_:_:_:_:)` for `NSData`.
@_disfavoredOverload
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: NSData, _ signature: NSData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    SecKeyVerifySignature(key, algorithm, Data(referencing: signedData), Data(referencing: signature), error)
}

/// ``CFDataGetLength(_:)`` for an `NSData`.
@_disfavoredOverload
public func CFDataGetLength(_ theData: NSData!) -> CFIndex { theData?.length ?? 0 }

/// ``CFDataGetBytePtr(_:)`` for an `NSData`.
@_disfavoredOverload
public func CFDataGetBytePtr(_ theData: NSData!) -> [UInt8]! {
    theData.map { [UInt8](Data(referencing: $0)) }
}

/// ``CFErrorCreate(_:_:_:_:)`` for an `NSString`.
@_disfavoredOverload
public func CFErrorCreate(
    _ allocator: CFAllocator!, _ domain: NSString!, _ code: CFIndex, _ userInfo: CFDictionary!
) -> CFError! { CFErrorCreate(allocator, domain?.description, code, userInfo) }

/// ``CFArrayGetCount(_:)`` for an `NSArray`.
@_disfavoredOverload
public func CFArrayGetCount(_ theArray: NSArray!) -> CFIndex { theArray?.count ?? 0 }

/// Returns the pairs whose keys are strings. The functions read no others.
private func dictionary(_ dictionary: NSDictionary) -> CFDictionary {
    // As a key, an NSString isn't equal to a String with the same text.
    let pairs = dictionary.compactMap { pair in (pair.key as? String).map { (AnyHashable($0), pair.value) } }
    return CFDictionary(pairs) { first, _ in first }
}

// Results as Foundation classes, for `let data: NSData = SecCertificateCopyData(certificate)` and `… as NSData`,
// which Swift converts on Apple platforms. They are disfavored, so that a result without a type is Swift's.

/// `SecCertificateCopyData(_:)` as an `NSData`.
@_disfavoredOverload
public func SecCertificateCopyData(_ certificate: SecCertificate) -> NSData {
    NSData(data: SecCertificateCopyData(certificate) as Data)
}

/// `SecCertificateCopySerialNumberData(_:_:)` as an `NSData`.
@_disfavoredOverload
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> NSData? {
    (SecCertificateCopySerialNumberData(certificate, error) as Data?).map { NSData(data: $0) }
}

/// `SecKeyCopyExternalRepresentation(_:_:)` as an `NSData`.
@_disfavoredOverload
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> NSData? {
    (SecKeyCopyExternalRepresentation(key, error) as Data?).map { NSData(data: $0) }
}

/// `SecTrustCopyExceptions(_:)` as an `NSData`.
@_disfavoredOverload
public func SecTrustCopyExceptions(_ trust: SecTrust) -> NSData? {
    (SecTrustCopyExceptions(trust) as Data?).map { NSData(data: $0) }
}

/// `SecTrustCopyCertificateChain(_:)` as an `NSArray`.
@_disfavoredOverload
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> NSArray? {
    (SecTrustCopyCertificateChain(trust) as CFArray?).map { NSArray(array: $0) }
}

/// `SecTrustCopyResult(_:)` as an `NSDictionary`.
@_disfavoredOverload
public func SecTrustCopyResult(_ trust: SecTrust) -> NSDictionary? {
    (SecTrustCopyResult(trust) as CFDictionary?).map { NSDictionary(dictionary: $0) }
}

/// `SecKeyCopyAttributes(_:)` as an `NSDictionary`.
@_disfavoredOverload
public func SecKeyCopyAttributes(_ key: SecKey) -> NSDictionary? {
    (SecKeyCopyAttributes(key) as CFDictionary?).map { NSDictionary(dictionary: $0) }
}

/// `SecCertificateCopySubjectSummary(_:)` as an `NSString`.
@_disfavoredOverload
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> NSString? {
    (SecCertificateCopySubjectSummary(certificate) as String?).map { NSString(string: $0) }
}

/// `SecCopyErrorMessageString(_:_:)` as an `NSString`.
@_disfavoredOverload
public func SecCopyErrorMessageString(
    _ status: OSStatus, _ reserved: UnsafeMutableRawPointer?
) -> NSString? {
    (SecCopyErrorMessageString(status, reserved) as String?).map { NSString(string: $0) }
}

#endif
