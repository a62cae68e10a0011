// SPDX-License-Identifier: Apache-2.0

// SecTrust.h and SecPolicy.h. The importer makes the result of every C function discardable, unless the function is
// annotated with `warn_unused_result`.
import Dispatch

public enum SecTrustResultType: UInt32, @unchecked Sendable {
    case invalid = 0
    case proceed = 1
    case deny = 3
    case unspecified = 4
    case recoverableTrustFailure = 5
    case fatalTrustFailure = 6
    case otherError = 7
}

public typealias SecTrustCallback = (SecTrust, SecTrustResultType) -> Void
public typealias SecTrustWithErrorCallback = (SecTrust, Bool, CFError?) -> Void

@discardableResult
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus { stub() }
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus { stub() }
@discardableResult
public func SecTrustCopyPolicies(_ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>) -> OSStatus { stub() }
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus { stub() }
@discardableResult
public func SecTrustGetNetworkFetchAllowed(
    _ trust: SecTrust, _ allowFetch: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus { stub() }
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus { stub() }
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus { stub() }
@discardableResult
public func SecTrustCopyCustomAnchorCertificates(
    _ trust: SecTrust, _ anchors: UnsafeMutablePointer<CFArray?>
) -> OSStatus { stub() }
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus { stub() }
@discardableResult
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime { stub() }
@available(*, deprecated, renamed: "SecTrustEvaluateWithError(_:_:)")
@discardableResult
public func SecTrustEvaluate(
    _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus { stub() }
@available(*, deprecated, renamed: "SecTrustEvaluateAsyncWithError(_:_:_:)")
@discardableResult
public func SecTrustEvaluateAsync(
    _ trust: SecTrust, _ queue: DispatchQueue?, _ result: @escaping SecTrustCallback
) -> OSStatus { stub() }
// Annotated with `warn_unused_result`.
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool { stub() }
@discardableResult
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust, _ queue: DispatchQueue, _ result: @escaping SecTrustWithErrorCallback
) -> OSStatus { stub() }
@discardableResult
public func SecTrustGetTrustResult(
    _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus { stub() }
@available(*, deprecated, renamed: "SecTrustCopyKey(_:)")
@discardableResult
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { stub() }
@discardableResult
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? { stub() }
@discardableResult
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { stub() }
@available(*, deprecated, renamed: "SecTrustCopyCertificateChain(_:)")
@discardableResult
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ ix: CFIndex) -> SecCertificate? { stub() }
@discardableResult
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { stub() }
@discardableResult
public func SecTrustCopyExceptions(_ trust: SecTrust) -> CFData? { stub() }
@discardableResult
public func SecTrustSetExceptions(_ trust: SecTrust, _ exceptions: CFData?) -> Bool { stub() }
@discardableResult
public func SecTrustCopyProperties(_ trust: SecTrust) -> CFArray? { stub() }
@discardableResult
public func SecTrustCopyResult(_ trust: SecTrust) -> CFDictionary? { stub() }
@discardableResult
public func SecTrustSetOCSPResponse(_ trust: SecTrust, _ responseData: CFTypeRef?) -> OSStatus { stub() }

// Values from SecTrust.c.
public let kSecTrustEvaluationDate: CFString = "TrustEvaluationDate"
public let kSecTrustExtendedValidation: CFString = "TrustExtendedValidation"
public let kSecTrustOrganizationName: CFString = "Organization"
public let kSecTrustResultValue: CFString = "TrustResultValue"
public let kSecTrustRevocationChecked: CFString = "TrustRevocationChecked"
public let kSecTrustRevocationValidUntilDate: CFString = "TrustExpirationDate"
public let kSecTrustCertificateTransparency: CFString = "TrustCertificateTransparency"
// macOS 15.4, iOS 18.4
public let kSecTrustQCStatements: CFString = "TrustQCStatements"
public let kSecTrustQWACValidation: CFString = "TrustQWACValidation"
public let kSecPropertyTypeTitle: CFString = "title"
public let kSecPropertyTypeError: CFString = "error"

// MARK: - SecPolicy.h

@discardableResult
public func SecPolicyCopyProperties(_ policyRef: SecPolicy) -> CFDictionary? { stub() }
@discardableResult
public func SecPolicyCreateBasicX509() -> SecPolicy { stub() }
@discardableResult
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy { stub() }
@discardableResult
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? { stub() }

public var kSecRevocationOCSPMethod: CFOptionFlags { 1 << 0 }
public var kSecRevocationCRLMethod: CFOptionFlags { 1 << 1 }
public var kSecRevocationPreferCRL: CFOptionFlags { 1 << 2 }
public var kSecRevocationRequirePositiveResponse: CFOptionFlags { 1 << 3 }
public var kSecRevocationNetworkAccessDisabled: CFOptionFlags { 1 << 4 }
public var kSecRevocationUseAnyAvailableMethod: CFOptionFlags { kSecRevocationOCSPMethod | kSecRevocationCRLMethod }

public let kSecPolicyAppleX509Basic: CFString = "1.2.840.113635.100.1.2"
public let kSecPolicyAppleSSL: CFString = "1.2.840.113635.100.1.3"
public let kSecPolicyAppleRevocation: CFString = "1.2.840.113635.100.1.21"
public let kSecPolicyOid: CFString = "SecPolicyOid"
public let kSecPolicyName: CFString = "SecPolicyName"
public let kSecPolicyClient: CFString = "SecPolicyClient"
