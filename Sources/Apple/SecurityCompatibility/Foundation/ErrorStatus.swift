// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
    import Foundation
    import ServerTrust

    // Numbers: SecBase.h (macOS 11.3 SDK). Each number that an evaluation reports (AppleErrorNumbers) has its constant here.

    /// No error.
    public let errSecSuccess: OSStatus = 0
    /// A parameter is not valid.
    public let errSecParam: OSStatus = -50
    /// The input can't be decoded.
    public let errSecDecode: OSStatus = -26275
    /// The passphrase is wrong, or the data was changed.
    public let errSecAuthFailed: OSStatus = -25293
    /// A passphrase is required.
    public let errSecPassphraseRequired: OSStatus = -25260
    /// The format of a file is not supported.
    public let errSecUnsupportedFormat: OSStatus = -25256
    /// The item is not there.
    public let errSecItemNotFound: OSStatus = -25300
    /// An internal error.
    public let errSecInternalError: OSStatus = -67671
    /// An issuer is missing.
    public let errSecCreateChainFailed: OSStatus = -25318
    /// The name of the server is another.
    public let errSecHostNameMismatch: OSStatus = -67602
    /// A certificate has expired, or is not valid yet.
    public let errSecCertificateExpired: OSStatus = -67818
    /// A certificate is not valid yet; evaluations report ``errSecCertificateExpired`` for it, as Apple's.
    public let errSecCertificateNotValidYet: OSStatus = -67819
    /// A certificate was revoked.
    public let errSecCertificateRevoked: OSStatus = -67820
    /// The path doesn't end in an anchor.
    public let errSecNotTrusted: OSStatus = -67843
    /// An attribute of the key is not supported.
    public let errSecInvalidKeyRef: OSStatus = -67712
    /// The anchors can't be read.
    public let errSecTrustNotAvailable: OSStatus = -25245
    /// A certificate has a critical extension that isn't known.
    public let errSecUnknownCriticalExtensionFlag: OSStatus = -67603
    /// A CA certificate has no basic constraints.
    public let errSecNoBasicConstraints: OSStatus = -67604
    /// The certificate of an issuer is not that of a CA.
    public let errSecNoBasicConstraintsCA: OSStatus = -67605
    /// The authority key identifier is missing or not valid.
    public let errSecInvalidAuthorityKeyID: OSStatus = -67606
    /// The subject key identifier is missing or not valid.
    public let errSecInvalidSubjectKeyID: OSStatus = -67607
    /// The key usage of a certificate doesn't permit its use.
    public let errSecInvalidKeyUsageForPolicy: OSStatus = -67608
    /// The extended key usage of a certificate doesn't permit its use.
    public let errSecInvalidExtendedKeyUsage: OSStatus = -67609
    /// The path is longer than a CA permits.
    public let errSecPathLengthConstraintExceeded: OSStatus = -67611
    /// The path doesn't lead to a required CA.
    public let errSecInvalidRoot: OSStatus = -67612
    /// The revocation check of a certificate has no result.
    public let errSecIncompleteCertRevocationCheck: OSStatus = -67635
    /// A rule denies the server.
    public let errSecTrustSettingDeny: OSStatus = -67654
    /// The subject of a certificate is empty or not the required one.
    public let errSecInvalidSubjectName: OSStatus = -67655
    /// A name is not valid, or a CA may not certify it.
    public let errSecInvalidName: OSStatus = -67689
    /// A key is too small, or of a kind that isn't supported.
    public let errSecUnsupportedKeySize: OSStatus = -67735
    /// A certificate is signed over a weak digest.
    public let errSecInvalidDigestAlgorithm: OSStatus = -67815
    /// The path has no acceptable certificate policy.
    public let errSecInvalidPolicyIdentifiers: OSStatus = -67835
    /// A certificate is valid for a longer time than is permitted.
    public let errSecCertificateValidityPeriodTooLong: OSStatus = -67901
    /// The certificate of the server is that of a CA.
    public let errSecCertificateIsCA: OSStatus = -67902
    /// No certificate matches the pins.
    public let errSSLATSCertificateTrustViolation: OSStatus = -9886

    /// Returns a description of a status for people; nil for a number without one here.
    public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
        messages[status]
    }

    private let messages: [OSStatus: String] = [
        errSecSuccess: "No error.", errSecParam: "A parameter is not valid.",
        errSecDecode: "The input can't be decoded.",
        errSecAuthFailed: "The passphrase is wrong, or the data was changed.",
        errSecPassphraseRequired: "A passphrase is required.",
        errSecUnsupportedFormat: "The format of the file is not supported.",
        errSecCertificateNotValidYet: "A certificate is not valid yet.",
        errSecItemNotFound: "The item is not there.",
        errSecInternalError: "An internal error occurred.",
        errSecCreateChainFailed: "The chain lacks the issuer of a certificate.",
        errSecHostNameMismatch: "The certificate is not valid for the name of the server.",
        errSecCertificateExpired: "A certificate is not valid at the date.",
        errSecCertificateRevoked: "A certificate was revoked.",
        errSecNotTrusted: "The path doesn't end in a trusted root.",
        errSecInvalidKeyRef: "The key's kind is not supported.",
        errSecTrustNotAvailable: "The anchors can't be read.",
        errSecUnknownCriticalExtensionFlag: "A certificate has a critical extension that isn't known.",
        errSecNoBasicConstraints: "A CA certificate has no basic constraints.",
        errSecNoBasicConstraintsCA: "The certificate of an issuer is not that of a CA.",
        errSecInvalidAuthorityKeyID: "The authority key identifier is missing or not valid.",
        errSecInvalidSubjectKeyID: "The subject key identifier is missing or not valid.",
        errSecInvalidKeyUsageForPolicy: "The key usage of a certificate doesn't permit its use.",
        errSecInvalidExtendedKeyUsage: "The extended key usage of a certificate doesn't permit its use.",
        errSecPathLengthConstraintExceeded: "The path is longer than a CA permits.",
        errSecInvalidRoot: "The path doesn't lead to a required CA.",
        errSecIncompleteCertRevocationCheck: "The revocation check of a certificate has no result.",
        errSecTrustSettingDeny: "A rule denies the server.",
        errSecInvalidSubjectName: "The subject of a certificate is empty or not the required one.",
        errSecInvalidName: "A name is not valid, or a CA may not certify it.",
        errSecUnsupportedKeySize: "A key is too small, or of a kind that isn't supported.",
        errSecInvalidDigestAlgorithm: "A certificate is signed over a weak digest.",
        errSecInvalidPolicyIdentifiers: "The path has no acceptable certificate policy.",
        errSecCertificateValidityPeriodTooLong: "A certificate is valid for a longer time than is permitted.",
        errSecCertificateIsCA: "The certificate of the server is that of a CA.",
        errSSLATSCertificateTrustViolation: "No certificate matches the pins.",
    ]

    extension NSError {
        /// Creates the error of a function of the Security framework.
        static func status(_ status: OSStatus, _ text: String, underlying: NSError? = nil) -> NSError {
            var info: [String: Any] = [NSLocalizedDescriptionKey: text]
            if let underlying { info[NSUnderlyingErrorKey] = underlying }
            return NSError(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: info)
        }

        /// Creates the error for an untrusted verdict. Apple's software reports one failure, in an order of its own
        /// (`AppleErrorNumbers.namedByApple(among:)`); the headline of the verdict is the underlying error where that is another.
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
#endif
