// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
// Trust settings, type identifiers, pointers into CoreFoundation, and Secure Transport. If a program uses one, the
// compiler prints the message.

@available(
    *, unavailable,
    message: "Linux has no keychain. Add intermediates to the array of SecTrustCreateWithCertificates."
)
@discardableResult
public func SecTrustSetKeychains(_ trust: SecTrust, _ keychainOrArray: CFTypeRef?) -> OSStatus { -4 }

@available(
    *, unavailable,
    message: "This relaxes checks for every certificate. Use SecTrustSetExceptions for a single one."
)
@discardableResult
public func SecTrustSetOptions(_ trustRef: SecTrust, _ options: CFOptionFlags) -> OSStatus { -4 }

@available(*, unavailable, message: "Use TrustAnchors.system.certificates from ServerTrust.")
@discardableResult
public func SecTrustCopyAnchorCertificates(_ anchors: UnsafeMutablePointer<CFArray?>) -> OSStatus { -4 }

@available(
    *, unavailable,
    message: "The adapters read timestamps from the handshake. Set TrustSettings.transparency from ServerTrust."
)
@discardableResult
public func SecTrustSetSignedCertificateTimestamps(_ trust: SecTrust, _ sctArray: CFArray?) -> OSStatus { -4 }

@available(
    *, unavailable,
    message: "Linux has no trust settings for users. Set your anchors with SecTrustSetAnchorCertificates."
)
@discardableResult
public func SecTrustSettingsCopyTrustSettings(
    _ certRef: SecCertificate, _ domain: UInt32, _ trustSettings: UnsafeMutablePointer<CFArray?>
) -> OSStatus { -4 }

@available(
    *, unavailable,
    message: "Linux has no trust settings for users. Set your anchors with SecTrustSetAnchorCertificates."
)
@discardableResult
public func SecTrustSettingsSetTrustSettings(
    _ certRef: SecCertificate, _ domain: UInt32, _ trustSettingsDictOrArray: CFTypeRef?
) -> OSStatus { -4 }

@available(
    *, unavailable,
    message: "Linux has no trust settings for users. Set your anchors with SecTrustSetAnchorCertificates."
)
@discardableResult
public func SecTrustSettingsCopyCertificates(_ domain: UInt32, _ certArray: UnsafeMutablePointer<CFArray?>?)
    -> OSStatus
{ -4 }

@available(
    *, unavailable, message: "Use SecPolicyCreateSSL, SecPolicyCreateBasicX509 or SecPolicyCreateRevocation."
)
@discardableResult
public func SecPolicyCreateWithProperties(_ policyIdentifier: CFTypeRef, _ properties: CFDictionary?) -> SecPolicy? {
    nil
}

@available(*, unavailable, message: "Linux has no Core Foundation type identifiers. Use Swift's is and as?.")
@discardableResult
public func SecTrustGetTypeID() -> UInt { 0 }

@available(*, unavailable, message: "Linux has no Core Foundation type identifiers. Use Swift's is and as?.")
@discardableResult
public func SecPolicyGetTypeID() -> UInt { 0 }

@available(*, unavailable, message: "Linux has no Core Foundation type identifiers. Use Swift's is and as?.")
@discardableResult
public func SecCertificateGetTypeID() -> UInt { 0 }

@available(*, unavailable, message: "Linux has no Core Foundation type identifiers. Use Swift's is and as?.")
@discardableResult
public func SecKeyGetTypeID() -> UInt { 0 }

@available(*, unavailable, message: "Linux has no Core Foundation type identifiers. Use Swift's is and as?.")
@discardableResult
public func SecIdentityGetTypeID() -> UInt { 0 }

@available(*, unavailable, message: "Linux has no Core Foundation type identifiers. Use Swift's is and as?.")
@discardableResult
public func CFGetTypeID(_ cf: CFTypeRef!) -> UInt { 0 }

@available(*, unavailable, message: "Use Swift's subscript: (array as? [SecCertificate])?[index].")
@discardableResult
public func CFArrayGetValueAtIndex(_ theArray: CFArray!, _ idx: CFIndex) -> UnsafeRawPointer! { nil }

@available(*, unavailable, message: "Use SecCertificateCopySerialNumberData(certificate, nil).")
@discardableResult
public func SecCertificateCopySerialNumber(_ certificate: SecCertificate) -> CFData? { nil }

@available(*, unavailable, message: "Use SecCertificateCopyNormalizedIssuerSequence(certificate).")
@discardableResult
public func SecCertificateCopyNormalizedIssuerContent(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { nil }

@available(*, unavailable, message: "Use SecCertificateCopyNormalizedSubjectSequence(certificate).")
@discardableResult
public func SecCertificateCopyNormalizedSubjectContent(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { nil }

@available(*, unavailable, message: "Use the properties of SecCertificate.certificate.")
@discardableResult
public func SecCertificateCopyLongDescription(
    _ alloc: CFAllocator?, _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFString? { nil }

@available(*, unavailable, message: "Use SecCertificateCopySubjectSummary(certificate).")
@discardableResult
public func SecCertificateCopyShortDescription(
    _ alloc: CFAllocator?, _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFString? { nil }

@available(
    *, unavailable,
    message:
        "Secure Transport is deprecated. Use URLSession from ServerTrustURLSession, or NIOSSLClientHandler from ServerTrustNIO."
)
@discardableResult
public func SSLHandshake(_ context: Any) -> OSStatus { -4 }

@available(
    *, unavailable,
    message:
        "Secure Transport is deprecated. Use URLSession from ServerTrustURLSession, or NIOSSLClientHandler from ServerTrustNIO."
)
@discardableResult
public func SSLCopyPeerTrust(_ context: Any, _ trust: UnsafeMutablePointer<SecTrust?>) -> OSStatus { -4 }

@available(
    *, unavailable,
    message: "Use SecPKCS12Import for identities, and CertificateFile from ServerTrust for certificates."
)
@discardableResult
public func SecItemImport(
    _ importedData: CFData, _ fileNameOrExtension: CFString?, _ inputFormat: UnsafeMutablePointer<UInt32>?,
    _ itemType: UnsafeMutablePointer<UInt32>?, _ flags: UInt32, _ keyParams: UnsafeRawPointer?,
    _ importKeychain: Any?, _ outItems: UnsafeMutablePointer<CFArray?>?
) -> OSStatus { -4 }
#endif
