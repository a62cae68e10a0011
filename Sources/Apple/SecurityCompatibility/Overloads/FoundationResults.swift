// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation

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
