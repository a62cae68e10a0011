// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Apple's numbers for a failure, chosen **by meaning**: each is the constant whose documentation describes the
/// failure. Apple's software often reports a less specific number instead (``asReported``).
///
/// The numbers come from these sources. They weren't observed on Apple systems:
/// - Numbers and names: `NSURLError.h` (macOS 10.13 SDK, the same as in `URLError.Code` on Linux) and `SecBase.h`
///   (macOS 11.3 SDK).
/// - ``securityStatus``: the list of checks (`SecPolicyChecks.list`) in Apple's published Security sources, which has
///   an OSStatus for each check. A rule that Apple doesn't check gets the constant with its meaning, or
///   `errSecNotTrusted`.
/// - ``secureTransportStatus``: the comments beside the constants. Apple hasn't published which of them CFNetwork uses.
///
/// If the app's own rule (a pin or a host rule) refuses a server, the number is `serverCertificateUntrusted`. An Apple
/// app that cancels the challenge gets `NSURLErrorCancelled` (-999), the same number as for a canceled request. This
/// package never uses -999 for a failure.
public struct AppleErrorNumbers: Sendable, Hashable {
    let urlError: Constant
    let secureTransport: Constant
    let security: Constant

    /// The raw value of the `URLError.Code` (`NSURLErrorDomain`), from -1204 to -1200.
    public var urlErrorCode: Int { Int(urlError.number) }
    /// The case of `URLError.Code`, such as `serverCertificateUntrusted`.
    package var urlErrorName: String { urlError.name }

    /// The OSStatus of Secure Transport, which CFNetwork reports in `_kCFStreamErrorCodeKey`.
    public var secureTransportStatus: Int32 { secureTransport.number }
    /// The name of the constant, such as `errSSLXCertChainInvalid`.
    package var secureTransportName: String { secureTransport.name }

    /// The OSStatus of the error from `SecTrustEvaluateWithError`.
    public var securityStatus: Int32 { security.number }
    /// The name of the constant, such as `errSecNotTrusted`.
    package var securityName: String { security.name }

    /// One of Apple's constants.
    struct Constant: Sendable, Hashable {
        let name: String
        let number: Int32

        private init(_ name: String, _ number: Int32) {
            self.name = name
            self.number = number
        }
    }
}

// MARK: - Of a failure

extension TrustFailure.Code {
    /// Apple's numbers for this failure.
    ///
    /// A code that isn't in the table gets -1202 `serverCertificateUntrusted`, -9807 `errSSLXCertChainInvalid` and
    /// -67843 `errSecNotTrusted`. If its severity is undecided, it gets -1200 `secureConnectionFailed`, -9810
    /// `errSSLInternal` and -67671 `errSecInternalError`.
    public var appleErrorNumbers: AppleErrorNumbers { AppleErrorNumbers.row(of: self).numbers }
}

extension AppleErrorNumbers {
    /// Returns the numbers of the first failure, which match the headline's message. Returns nil if `failures` is
    /// empty. The list must start with the most specific failure.
    ///
    /// Apple's software often reports another failure first (``namedByApple(among:)``).
    package static func headline(of failures: [TrustFailure]) -> AppleErrorNumbers? {
        failures.first?.code.appleErrorNumbers
    }

    /// Returns the failure that determines the error of `SecTrustEvaluateWithError`, or nil if `failures` is empty.
    ///
    /// Apple's order, according to `SecTrust.c` and the list of checks: revoked, key too weak, digest too weak, denied,
    /// not compliant with the standards, pins and policies, trust, usage, name, dates. Between equal failures, the
    /// certificate nearest to the leaf wins. So Apple reports an unknown root before a wrong name, and both before bad
    /// dates. This package's order is the opposite.
    ///
    /// Unknown: the order in which CFNetwork chooses its own two numbers.
    public static func namedByApple(among failures: [TrustFailure]) -> TrustFailure? {
        // In Apple's order, a failure of the whole path has no certificate, so it comes after failures that have one.
        func place(_ failure: TrustFailure) -> (Int, Int) {
            (row(of: failure.code).precedence.rawValue, failure.certificate ?? .max)
        }
        // `min` returns the first of several equal elements.
        return failures.min { place($0) < place($1) }
    }

    /// The numbers that Apple's software reports instead of these, according to public error reports and its sources.
    /// Use them in a replacement of `URLSession` whose users expect Apple's numbers.
    ///
    /// - `URLError` is -1202 for every certificate failure. Reports exist for unknown roots, wrong names and expired
    ///   certificates, and the sources of Firefox and Brave for iOS note it. No report with -1201, -1203 or -1204 was
    ///   found.
    /// - Secure Transport's status is -9813 for a path without a trusted anchor, -9814 for dates, -9843 for names. Some
    ///   reports have -9807 instead of -9813. Since macOS and iOS 26.4, browsers report that the key is absent and that
    ///   the underlying error is -9808 for every failure. This property doesn't reproduce that.
    /// - One check covers both ends of the validity: `errSecCertificateExpired` also for a certificate that isn't valid
    ///   yet.
    /// - A missed pin is -1200 and -9802 `errSSLFatalAlert`. Reports exist for `NSPinnedDomains` of App Transport
    ///   Security, the only pins in Apple's software.
    ///
    /// Not covered: an untrusted root under App Transport Security, for which reports also have -1200 and -9802.
    public var asReported: AppleErrorNumbers {
        guard urlError != .secureConnectionFailed else { return self }
        if security == .errSSLATSCertificateTrustViolation {
            return AppleErrorNumbers(
                urlError: .secureConnectionFailed, secureTransport: .errSSLFatalAlert, security: security)
        }
        let reported: Constant =
            switch secureTransport {
            case .errSSLUnknownRootCert: .errSSLNoRootCert
            case .errSSLCertNotYetValid: .errSSLCertExpired
            // Apple's path building rejects a certificate whose signature doesn't verify, so the path then lacks an
            // issuer.
            case .errSSLXCertChainInvalid where security == .errSecCreateChainFailed: .errSSLNoRootCert
            default: secureTransport
            }
        return AppleErrorNumbers(
            urlError: .serverCertificateUntrusted, secureTransport: reported,
            security: security == .errSecCertificateNotValidYet ? .errSecCertificateExpired : security)
    }
}

// MARK: - Table

extension AppleErrorNumbers {
    /// The precedence of a failure in Apple's reports: the subtypes in the order of `SecTrustErrorSubType`. Its first
    /// subtype, "blocked", is about Apple's own lists and isn't here.
    enum Precedence: Int {
        case revoked, keySize, weakHash, denied, compliance, pinning, trust, usage, name, expired
        /// A failure without an equivalent at Apple.
        case undecided
    }

    struct Row {
        let numbers: AppleErrorNumbers
        let precedence: Precedence

        init(_ urlError: Constant, _ secureTransport: Constant, _ security: Constant, _ precedence: Precedence) {
            self.numbers = AppleErrorNumbers(urlError: urlError, secureTransport: secureTransport, security: security)
            self.precedence = precedence
        }

        /// Returns a row with the default numbers in the first two columns.
        static func refused(_ security: Constant, _ precedence: Precedence) -> Row {
            Row(.serverCertificateUntrusted, .errSSLXCertChainInvalid, security, precedence)
        }

        static func undecided(_ secureTransport: Constant, _ security: Constant) -> Row {
            Row(.secureConnectionFailed, secureTransport, security, .undecided)
        }
    }

    static func row(of code: TrustFailure.Code) -> Row {
        rows[code.name]
            ?? (code.severity == .undecided
                ? .undecided(.errSSLInternal, .errSecInternalError) : .refused(.errSecNotTrusted, .trust))
    }

    /// The rows by the code's name, because other targets define some of the codes.
    private static let rows: [String: Row] = [
        // Signatures. Apple drops a candidate path at the first signature that doesn't verify, so the path then lacks
        // an issuer.
        "signatureInvalid": .refused(.errSecCreateChainFailed, .trust),
        "signatureAlgorithmMismatch": .refused(.errSecCreateChainFailed, .trust),
        "signatureUsesMD5": .refused(.errSecInvalidDigestAlgorithm, .weakHash),
        "signatureUsesSHA1": .refused(.errSecInvalidDigestAlgorithm, .weakHash),
        "signatureUsesDSA": .refused(.errSecCreateChainFailed, .trust),
        "signatureAlgorithmUnsupported": .refused(.errSecCreateChainFailed, .trust),
        "signatureParametersUnsupported": .refused(.errSecCreateChainFailed, .trust),

        // Keys. Apple has a single check of keys, for their size.
        "keyUsesExplicitCurve": .refused(.errSecUnsupportedKeySize, .keySize),
        "keyUsesUnsupportedCurve": .refused(.errSecUnsupportedKeySize, .keySize),
        "keyUsesDSA": .refused(.errSecUnsupportedKeySize, .keySize),
        "rsaKeyTooSmall": .refused(.errSecUnsupportedKeySize, .keySize),
        "rsaKeyTooLarge": .refused(.errSecUnsupportedKeySize, .keySize),
        "keyMalformed": .refused(.errSecUnsupportedKeySize, .keySize),
        "keyAlgorithmUnsupported": .refused(.errSecUnsupportedKeySize, .keySize),
        "strictKeySize": .refused(.errSecUnsupportedKeySize, .keySize),

        // Certificates. For Apple, a CA certificate of an older version lacks basic constraints.
        "criticalExtensionUnhandled": .refused(.errSecUnknownCriticalExtensionFlag, .compliance),
        "certificateVersionNotAllowed": .refused(.errSecNoBasicConstraints, .compliance),
        "issuerNameEmpty": .refused(.errSecInvalidName, .compliance),
        "notCertificateAuthority": .refused(.errSecNoBasicConstraintsCA, .compliance),
        "basicConstraintsMissing": .refused(.errSecNoBasicConstraints, .compliance),
        "keyUsageLacksCertSign": .refused(.errSecInvalidKeyUsageForPolicy, .usage),
        "pathLengthExceeded": .refused(.errSecPathLengthConstraintExceeded, .compliance),
        "extendedKeyUsageNotAllowed": .refused(.errSecInvalidExtendedKeyUsage, .usage),
        "keyUsageNotForTLS": .refused(.errSecInvalidKeyUsageForPolicy, .usage),
        // errSecCertificateNameNotAllowed and …PolicyNotAllowed are about constraints that Apple itself sets for a CA.
        "nameExcluded": .refused(.errSecInvalidName, .compliance),
        "nameNotPermitted": .refused(.errSecInvalidName, .compliance),
        "nameConstraintUndecidable": .refused(.errSecInvalidName, .compliance),
        "policyMappingOfAnyPolicy": .refused(.errSecInvalidPolicyIdentifiers, .compliance),
        "policyNotAcceptable": .refused(.errSecInvalidPolicyIdentifiers, .compliance),
        // Apple doesn't read this extension of a CA. The number is Apple's for a leaf that lacks its required staple.
        "tlsFeatureMissing": .refused(.errSecIncompleteCertRevocationCheck, .compliance),
        "certificateExpired":
            Row(.serverCertificateHasBadDate, .errSSLCertExpired, .errSecCertificateExpired, .expired),
        "certificateNotYetValid":
            Row(.serverCertificateNotYetValid, .errSSLCertNotYetValid, .errSecCertificateNotValidYet, .expired),
        "certificateRevoked": .refused(.errSecCertificateRevoked, .revoked),
        "stapleMissing": .refused(.errSecIncompleteCertRevocationCheck, .pinning),
        "revocationUnavailable": .refused(.errSecIncompleteCertRevocationCheck, .pinning),

        // Handshakes that a probe observes. Apple reports them as errors of its TLS, not as a result of a trust object.
        "handshakeSignatureInvalid": .refused(.errSecNotTrusted, .trust),
        "handshakeUnproven": .refused(.errSecNotTrusted, .trust),
        "tlsVersionOutdated": .refused(.errSecNotTrusted, .trust),

        // Names.
        "subjectAlternativeNameMissing":
            Row(.serverCertificateUntrusted, .errSSLHostNameMismatch, .errSecHostNameMismatch, .name),
        "hostMismatch": Row(.serverCertificateUntrusted, .errSSLHostNameMismatch, .errSecHostNameMismatch, .name),

        // Strict rules. Apple checks few of them.
        "strictSerialNumber": .refused(.errSecNotTrusted, .compliance),
        "strictAuthorityKeyIdentifier": .refused(.errSecInvalidAuthorityKeyID, .compliance),
        "strictSubjectKeyIdentifier": .refused(.errSecInvalidSubjectKeyID, .compliance),
        "strictExtensionCriticality": .refused(.errSecNotTrusted, .compliance),
        "strictExtensionNotAllowed": .refused(.errSecNotTrusted, .compliance),
        "strictKeyUsage": .refused(.errSecInvalidKeyUsageForPolicy, .usage),
        "strictExtendedKeyUsage": .refused(.errSecInvalidExtendedKeyUsage, .usage),
        "strictSubjectName": .refused(.errSecInvalidSubjectName, .compliance),
        "strictAlternativeName": .refused(.errSecInvalidName, .compliance),
        "strictNameConstraints": .refused(.errSecInvalidName, .compliance),
        "strictLeafIsAuthority": .refused(.errSecCertificateIsCA, .compliance),
        "strictEncoding": .refused(.errSecNotTrusted, .compliance),
        "strictValidityPeriod": .refused(.errSecCertificateValidityPeriodTooLong, .compliance),
        "strictTimeEncoding": .refused(.errSecNotTrusted, .compliance),

        // Search. For Apple, a path that ends in a self-signed certificate lacks trust. Any other incomplete path lacks
        // an intermediate.
        "maximumIntermediatesExceeded": .refused(.errSecPathLengthConstraintExceeded, .pinning),
        "selfSignedLeaf": Row(.serverCertificateUntrusted, .errSSLUnknownRootCert, .errSecNotTrusted, .trust),
        "untrustedRoot": Row(.serverCertificateUntrusted, .errSSLUnknownRootCert, .errSecNotTrusted, .trust),
        // As with a signature that doesn't verify, Apple has no candidate for the issuer.
        "issuerUnreadable": .refused(.errSecCreateChainFailed, .trust),
        "unknownIssuer":
            Row(.serverCertificateHasUnknownRoot, .errSSLNoRootCert, .errSecCreateChainFailed, .trust),

        // Root programs and transparency. Apple has its own lists, and reports only that the certificate isn't trusted.
        "anchorDistrustedAfter": .refused(.errSecNotTrusted, .trust),
        "anchorNameNotPermitted": .refused(.errSecNotTrusted, .trust),
        "anchorPurposeNotPermitted": .refused(.errSecNotTrusted, .trust),
        "anchorNotInProgram": .refused(.errSecNotTrusted, .trust),
        "transparencyNotMet": .refused(.errSecNotTrusted, .pinning),
        "transparencyLogListMissing": .refused(.errSecNotTrusted, .pinning),

        // The caller's requirements. Apple's own pins (`NSPinnedDomains`) have a Secure Transport status in the third
        // column.
        "pinNotMatched": .refused(.errSSLATSCertificateTrustViolation, .pinning),
        "pinsExpired": .refused(.errSSLATSCertificateTrustViolation, .pinning),
        "certificateNotPinned": .refused(.errSSLATSCertificateTrustViolation, .pinning),
        "authorityNotMatched": .refused(.errSecInvalidRoot, .pinning),
        "extendedValidationMissing": .refused(.errSecInvalidPolicyIdentifiers, .pinning),
        "attributeNotMatched": .refused(.errSecInvalidSubjectName, .pinning),
        "validityTooLong": .refused(.errSecCertificateValidityPeriodTooLong, .compliance),
        "evaluatorRefused": .refused(.errSecNotTrusted, .pinning),
        "systemRefused": .refused(.errSecNotTrusted, .trust),
        "hostNotListed": .refused(.errSecTrustSettingDeny, .denied),
        "hostDenied": .refused(.errSecTrustSettingDeny, .denied),
        "certificateDenied": .refused(.errSecTrustSettingDeny, .denied),

        // No decision. A server that sends no certificate is refused, but there is no certificate to distrust.
        "presentedChainEmpty":
            Row(.secureConnectionFailed, .errSSLXCertChainInvalid, .errSecNotTrusted, .trust),
        "certificateMalformed": .undecided(.errSSLBadCert, .errSecDecode),
        "systemAnchorsUnavailable": .undecided(.errSSLBadConfiguration, .errSecTrustNotAvailable),
        "systemEvaluationUnavailable": .undecided(.errSSLInternal, .errSecInternalError),
        "depthBudgetExceeded": .undecided(.errSSLInternal, .errSecInternalError),
        "signatureBudgetExceeded": .undecided(.errSSLInternal, .errSecInternalError),
        "comparisonBudgetExceeded": .undecided(.errSSLInternal, .errSecInternalError),
        "stepBudgetExceeded": .undecided(.errSSLInternal, .errSecInternalError),
        "workBudgetExceeded": .undecided(.errSSLInternal, .errSecInternalError),
        "byteBudgetExceeded": .undecided(.errSSLInternal, .errSecInternalError),
    ]
}

// MARK: - Constants

extension AppleErrorNumbers.Constant {
    // URLError.Code, NSURLErrorDomain
    static let secureConnectionFailed = Self("secureConnectionFailed", -1200)
    static let serverCertificateHasBadDate = Self("serverCertificateHasBadDate", -1201)
    static let serverCertificateUntrusted = Self("serverCertificateUntrusted", -1202)
    static let serverCertificateHasUnknownRoot = Self("serverCertificateHasUnknownRoot", -1203)
    static let serverCertificateNotYetValid = Self("serverCertificateNotYetValid", -1204)

    // Secure Transport
    static let errSSLFatalAlert = Self("errSSLFatalAlert", -9802)
    static let errSSLXCertChainInvalid = Self("errSSLXCertChainInvalid", -9807)
    static let errSSLBadCert = Self("errSSLBadCert", -9808)
    static let errSSLInternal = Self("errSSLInternal", -9810)
    static let errSSLUnknownRootCert = Self("errSSLUnknownRootCert", -9812)
    static let errSSLNoRootCert = Self("errSSLNoRootCert", -9813)
    static let errSSLCertExpired = Self("errSSLCertExpired", -9814)
    static let errSSLCertNotYetValid = Self("errSSLCertNotYetValid", -9815)
    static let errSSLHostNameMismatch = Self("errSSLHostNameMismatch", -9843)
    static let errSSLBadConfiguration = Self("errSSLBadConfiguration", -9848)
    static let errSSLATSCertificateTrustViolation = Self("errSSLATSCertificateTrustViolation", -9886)

    // Security
    static let errSecTrustNotAvailable = Self("errSecTrustNotAvailable", -25245)
    static let errSecCreateChainFailed = Self("errSecCreateChainFailed", -25318)
    static let errSecDecode = Self("errSecDecode", -26275)
    static let errSecHostNameMismatch = Self("errSecHostNameMismatch", -67602)
    static let errSecUnknownCriticalExtensionFlag = Self("errSecUnknownCriticalExtensionFlag", -67603)
    static let errSecNoBasicConstraints = Self("errSecNoBasicConstraints", -67604)
    static let errSecNoBasicConstraintsCA = Self("errSecNoBasicConstraintsCA", -67605)
    static let errSecInvalidAuthorityKeyID = Self("errSecInvalidAuthorityKeyID", -67606)
    static let errSecInvalidSubjectKeyID = Self("errSecInvalidSubjectKeyID", -67607)
    static let errSecInvalidKeyUsageForPolicy = Self("errSecInvalidKeyUsageForPolicy", -67608)
    static let errSecInvalidExtendedKeyUsage = Self("errSecInvalidExtendedKeyUsage", -67609)
    static let errSecPathLengthConstraintExceeded = Self("errSecPathLengthConstraintExceeded", -67611)
    static let errSecInvalidRoot = Self("errSecInvalidRoot", -67612)
    static let errSecIncompleteCertRevocationCheck = Self("errSecIncompleteCertRevocationCheck", -67635)
    static let errSecTrustSettingDeny = Self("errSecTrustSettingDeny", -67654)
    static let errSecInvalidSubjectName = Self("errSecInvalidSubjectName", -67655)
    static let errSecInternalError = Self("errSecInternalError", -67671)
    static let errSecInvalidName = Self("errSecInvalidName", -67689)
    static let errSecUnsupportedKeySize = Self("errSecUnsupportedKeySize", -67735)
    static let errSecInvalidDigestAlgorithm = Self("errSecInvalidDigestAlgorithm", -67815)
    static let errSecCertificateExpired = Self("errSecCertificateExpired", -67818)
    static let errSecCertificateNotValidYet = Self("errSecCertificateNotValidYet", -67819)
    static let errSecCertificateRevoked = Self("errSecCertificateRevoked", -67820)
    static let errSecInvalidPolicyIdentifiers = Self("errSecInvalidPolicyIdentifiers", -67835)
    static let errSecNotTrusted = Self("errSecNotTrusted", -67843)
    static let errSecCertificateValidityPeriodTooLong = Self("errSecCertificateValidityPeriodTooLong", -67901)
    static let errSecCertificateIsCA = Self("errSecCertificateIsCA", -67902)
}
