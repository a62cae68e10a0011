// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation

// Results as Foundation classes, for `let data: NSData = SecCertificateCopyData(certificate)` and `… as NSData`,
// which Swift converts on Apple platforms. They are disfavored, so that a result without a type is Swift's.

/// `SecCertificateCopyData(_:)` as an `NSData`.
@_disfavoredOverload
public func SecCertificateCopyData(_ certificate: SecCertificate) -> NSData {
    let data: Data = SecCertificateCopyData(certificate)
    return NSData(data: data)
}

/// `SecCertificateCopySerialNumberData(_:_:)` as an `NSData`.
@_disfavoredOverload
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> NSData? {
    let data: Data? = SecCertificateCopySerialNumberData(certificate, error)
    return data.map { NSData(data: $0) }
}

/// `SecKeyCopyExternalRepresentation(_:_:)` as an `NSData`.
@_disfavoredOverload
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> NSData? {
    let data: Data? = SecKeyCopyExternalRepresentation(key, error)
    return data.map { NSData(data: $0) }
}

/// `SecTrustCopyExceptions(_:)` as an `NSData`.
@_disfavoredOverload
public func SecTrustCopyExceptions(_ trust: SecTrust) -> NSData? {
    let data: Data? = SecTrustCopyExceptions(trust)
    return data.map { NSData(data: $0) }
}

/// `SecTrustCopyCertificateChain(_:)` as an `NSArray`.
@_disfavoredOverload
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> NSArray? {
    let chain: CFArray? = SecTrustCopyCertificateChain(trust)
    return chain.map { NSArray(array: $0) }
}

/// `SecTrustCopyResult(_:)` as an `NSDictionary`.
@_disfavoredOverload
public func SecTrustCopyResult(_ trust: SecTrust) -> NSDictionary? {
    let result: CFDictionary? = SecTrustCopyResult(trust)
    return result.map { NSDictionary(dictionary: $0) }
}

/// `SecKeyCopyAttributes(_:)` as an `NSDictionary`.
@_disfavoredOverload
public func SecKeyCopyAttributes(_ key: SecKey) -> NSDictionary? {
    let attributes: CFDictionary? = SecKeyCopyAttributes(key)
    return attributes.map { NSDictionary(dictionary: $0) }
}

/// `SecCertificateCopySubjectSummary(_:)` as an `NSString`.
@_disfavoredOverload
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> NSString? {
    let summary: String? = SecCertificateCopySubjectSummary(certificate)
    return summary.map { NSString(string: $0) }
}

/// `SecCopyErrorMessageString(_:_:)` as an `NSString`.
@_disfavoredOverload
public func SecCopyErrorMessageString(
    _ status: OSStatus, _ reserved: UnsafeMutableRawPointer?
) -> NSString? {
    let message: String? = SecCopyErrorMessageString(status, reserved)
    return message.map { NSString(string: $0) }
}
#endif
