// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Foundation
import ServerTrust

// The numbers are from SecBase.h (macOS 11.3 SDK). Every number that an evaluation reports (AppleErrorNumbers) has
// a constant here.

/// No error.
public let errSecSuccess: OSStatus = 0
/// A parameter isn't valid.
public let errSecParam: OSStatus = -50
/// The input can't be decoded.
public let errSecDecode: OSStatus = -26275
/// The passphrase is wrong, or the data was changed.
public let errSecAuthFailed: OSStatus = -25293
/// A passphrase is required.
public let errSecPassphraseRequired: OSStatus = -25260
/// The format of a file is not supported.
public let errSecUnsupportedFormat: OSStatus = -25256
/// The item doesn't exist.
public let errSecItemNotFound: OSStatus = -25300
/// An internal error.
public let errSecInternalError: OSStatus = -67671
/// An issuer is missing.
public let errSecCreateChainFailed: OSStatus = -25318
/// The certificate isn't valid for the server's name.
public let errSecHostNameMismatch: OSStatus = -67602
/// A certificate has expired or isn't valid yet.
public let errSecCertificateExpired: OSStatus = -67818
/// A certificate isn't valid yet. As on Apple platforms, evaluations report ``errSecCertificateExpired`` for it.
public let errSecCertificateNotValidYet: OSStatus = -67819
/// A certificate is revoked.
public let errSecCertificateRevoked: OSStatus = -67820
/// The path doesn't end in an anchor.
public let errSecNotTrusted: OSStatus = -67843
/// An attribute of the key is not supported.
public let errSecInvalidKeyRef: OSStatus = -67712
/// The anchors can't be read.
public let errSecTrustNotAvailable: OSStatus = -25245
/// A certificate has an unknown critical extension.
public let errSecUnknownCriticalExtensionFlag: OSStatus = -67603
/// A CA certificate has no basic constraints.
public let errSecNoBasicConstraints: OSStatus = -67604
/// An issuer's certificate isn't a CA certificate.
public let errSecNoBasicConstraintsCA: OSStatus = -67605
/// The authority key identifier is missing or isn't valid.
public let errSecInvalidAuthorityKeyID: OSStatus = -67606
/// The subject key identifier is missing or isn't valid.
public let errSecInvalidSubjectKeyID: OSStatus = -67607
/// A certificate's key usage doesn't permit its use.
public let errSecInvalidKeyUsageForPolicy: OSStatus = -67608
/// A certificate's extended key usage doesn't permit its use.
public let errSecInvalidExtendedKeyUsage: OSStatus = -67609
/// The path is longer than a CA permits.
public let errSecPathLengthConstraintExceeded: OSStatus = -67611
/// The path doesn't lead to the required CA.
public let errSecInvalidRoot: OSStatus = -67612
/// A certificate's revocation check has no result.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67635
/// A rule denies the server.
public let errSecTrustSettingDeny: OSStatus = -67654
/// A certificate's subject is empty, or isn't the required one.
public let errSecInvalidSubjectName: OSStatus = -67655
/// A name isn't valid, or a CA may not certify it.
public let errSecInvalidName: OSStatus = -67689
/// A key is too small, or its type isn't supported.
public let errSecUnsupportedKeySize: OSStatus = -67735
/// A certificate is signed with a weak digest.
public let errSecInvalidDigestAlgorithm: OSStatus = -67815
/// The path has no acceptable certificate policy.
public let errSecInvalidPolicyIdentifiers: OSStatus = -67835
/// A certificate is valid for longer than permitted.
public let errSecCertificateValidityPeriodTooLong: OSStatus = -67901
/// The server's certificate is a CA certificate.
public let errSecCertificateIsCA: OSStatus = -67902
/// No certificate matches the pins.
public let errSSLATSCertificateTrustViolation: OSStatus = -9886

/// Returns a description of a status, for display, or nil for a number without a description here.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    messages[status]
}

private let messages: [OSStatus: String] = [
    errSecSuccess: "No error.", errSecParam: "A parameter isn't valid.",
    errSecDecode: "The input can't be decoded.",
    errSecAuthFailed: "The passphrase is wrong, or the data was changed.",
    errSecPassphraseRequired: "A passphrase is required.",
    errSecUnsupportedFormat: "The file format isn't supported.",
    errSecCertificateNotValidYet: "A certificate isn't valid yet.",
    errSecItemNotFound: "The item doesn't exist.",
    errSecInternalError: "An internal error occurred.",
    errSecCreateChainFailed: "The chain lacks the issuer of a certificate.",
    errSecHostNameMismatch: "The certificate isn't valid for the server's name.",
    errSecCertificateExpired: "A certificate isn't valid at the verify date.",
    errSecCertificateRevoked: "A certificate was revoked.",
    errSecNotTrusted: "The path doesn't end in a trusted root.",
    errSecInvalidKeyRef: "The key's type isn't supported.",
    errSecTrustNotAvailable: "The anchors can't be read.",
    errSecUnknownCriticalExtensionFlag: "A certificate has an unknown critical extension.",
    errSecNoBasicConstraints: "A CA certificate has no basic constraints.",
    errSecNoBasicConstraintsCA: "An issuer's certificate isn't a CA certificate.",
    errSecInvalidAuthorityKeyID: "The authority key identifier is missing or isn't valid.",
    errSecInvalidSubjectKeyID: "The subject key identifier is missing or isn't valid.",
    errSecInvalidKeyUsageForPolicy: "A certificate's key usage doesn't permit its use.",
    errSecInvalidExtendedKeyUsage: "A certificate's extended key usage doesn't permit its use.",
    errSecPathLengthConstraintExceeded: "The path is longer than a CA permits.",
    errSecInvalidRoot: "The path doesn't lead to a required CA.",
    errSecIncompleteCertRevocationCheck: "A certificate's revocation check has no result.",
    errSecTrustSettingDeny: "A rule denies the server.",
    errSecInvalidSubjectName: "A certificate's subject is empty or isn't the required one.",
    errSecInvalidName: "A name isn't valid, or a CA isn't allowed to certify it.",
    errSecUnsupportedKeySize: "A key is too small, or its type isn't supported.",
    errSecInvalidDigestAlgorithm: "A certificate is signed with a weak digest.",
    errSecInvalidPolicyIdentifiers: "The path has no acceptable certificate policy.",
    errSecCertificateValidityPeriodTooLong: "A certificate is valid for longer than permitted.",
    errSecCertificateIsCA: "The server's certificate is a CA certificate.",
    errSSLATSCertificateTrustViolation: "No certificate matches the pins.",
]

extension NSError {
    /// Creates the error for a function of the Security framework.
    static func status(_ status: OSStatus, _ text: String, underlying: NSError? = nil) -> NSError {
        var info: [String: Any] = [NSLocalizedDescriptionKey: text]
        if let underlying { info[NSUnderlyingErrorKey] = underlying }
        return NSError(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: info)
    }

    /// Creates the error for an untrusted verdict. Apple's software reports one failure, in its own order
    /// (`AppleErrorNumbers.namedByApple(among:)`). If the verdict's headline is another failure, it becomes the
    /// underlying error.
    static func refusal(_ verdict: TrustVerdict) -> NSError {
        let named = AppleErrorNumbers.namedByApple(among: verdict.failures) ?? verdict.headline
        guard let named, let headline = verdict.headline else {
            return status(errSecInternalError, "The evaluation ended without a result.")
        }
        let underlying = status(headline.code.appleErrorNumbers.securityStatus, headline.message)
        return status(
            named.code.appleErrorNumbers.asReported.securityStatus, named.message,
            underlying: named == headline ? nil : underlying)
    }
}

// The numbers are from SecureTransport.h. Every number in the error of a refused session
// (`AppleErrorNumbers.secureTransportStatus`) has a constant here.

/// The certificate chain isn't valid.
public let errSSLXCertChainInvalid: OSStatus = -9807
/// A certificate is malformed.
public let errSSLBadCert: OSStatus = -9808
/// The evaluation ended without a result.
public let errSSLInternal: OSStatus = -9810
/// The path ends in a root that isn't an anchor.
public let errSSLUnknownRootCert: OSStatus = -9812
/// The path doesn't end in a root.
public let errSSLNoRootCert: OSStatus = -9813
/// A certificate has expired.
public let errSSLCertExpired: OSStatus = -9814
/// A certificate isn't valid yet.
public let errSSLCertNotYetValid: OSStatus = -9815
/// The certificate isn't valid for the server's name.
public let errSSLHostNameMismatch: OSStatus = -9843
/// The connection ended with a fatal alert.
public let errSSLFatalAlert: OSStatus = -9802
/// The configuration isn't valid.
public let errSSLBadConfiguration: OSStatus = -9848

#endif
