// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ForeignMessages {
    private static let headers = "Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)"

    static let apple: [ForeignMessage] = urlErrors + secureTransport + security + trustTexts

    private static func status(
        _ name: String, _ number: Int, _ codes: TrustFailure.Code..., note: String? = nil
    ) -> ForeignMessage {
        ForeignMessage("Apple", [name, "\(number)"], codes, source: headers, note: note)
    }

    private static func urlError(
        _ name: String, _ swiftName: String, _ number: Int, _ codes: TrustFailure.Code..., note: String? = nil
    ) -> ForeignMessage {
        ForeignMessage("Apple", [name, "\(number)", swiftName], codes, source: headers, note: note)
    }

    private static let urlErrors = [
        urlError(
            "NSURLErrorSecureConnectionFailed", "secureConnectionFailed", -1200, .presentedChainEmpty,
            .tlsVersionOutdated,
            .pinNotMatched, .untrustedRoot,
            note:
                "App Transport Security uses this error for pins that don't match (NSPinnedDomains) and for old TLS. `_kCFStreamErrorCodeKey` names the reason."
        ),
        urlError("NSURLErrorServerCertificateHasBadDate", "serverCertificateHasBadDate", -1201, .certificateExpired),
        urlError(
            "NSURLErrorServerCertificateUntrusted", "serverCertificateUntrusted", -1202, .unknownIssuer, .untrustedRoot,
            .selfSignedLeaf, .hostMismatch, .certificateExpired,
            note:
                "Apple's software uses this error for every certificate failure. `_kCFStreamErrorCodeKey` (-9813, -9814, -9843) names the reason."
        ),
        urlError(
            "NSURLErrorServerCertificateHasUnknownRoot", "serverCertificateHasUnknownRoot", -1203, .unknownIssuer,
            .untrustedRoot),
        urlError(
            "NSURLErrorServerCertificateNotYetValid", "serverCertificateNotYetValid", -1204, .certificateNotYetValid),
        ForeignMessage(
            "Apple",
            [
                "The certificate for this server is invalid. You might be connecting to a server that is pretending to be …"
            ],
            [.unknownIssuer, .untrustedRoot, .selfSignedLeaf, .hostMismatch, .certificateExpired],
            source: "CFNetwork: text of -1202 (public sources that quote it)",
            note: "The text is the same for every certificate failure."),
        ForeignMessage(
            "Apple",
            [
                "A TLS error caused the secure connection to fail",
                "An SSL error has occurred and a secure connection to the server cannot be made",
            ],
            [.presentedChainEmpty, .tlsVersionOutdated, .pinNotMatched, .untrustedRoot],
            source: "CFNetwork: text of -1200 (public reports)",
            note: "App Transport Security also uses this error for pins that don't match."),
    ]

    private static let secureTransport = [
        status(
            "errSSLXCertChainInvalid", -9807, .untrustedRoot, .unknownIssuer, .selfSignedLeaf, .signatureInvalid),
        status("errSSLBadCert", -9808, .certificateMalformed, .unknownIssuer, .untrustedRoot),
        status("errSSLInternal", -9810, .systemEvaluationUnavailable),
        status("errSSLUnknownRootCert", -9812, .untrustedRoot, .selfSignedLeaf),
        status("errSSLNoRootCert", -9813, .unknownIssuer, .untrustedRoot),
        status("errSSLCertExpired", -9814, .certificateExpired),
        status("errSSLCertNotYetValid", -9815, .certificateNotYetValid),
        status("errSSLHostNameMismatch", -9843, .hostMismatch, .subjectAlternativeNameMissing),
        status("errSSLBadConfiguration", -9848, .systemAnchorsUnavailable),
        status("errSSLATSCertificateTrustViolation", -9886, .pinNotMatched, .certificateNotPinned),
        status(
            "errSSLFatalAlert", -9802, .presentedChainEmpty, .pinNotMatched, .tlsVersionOutdated,
            note:
                "Apple's software reports this for App Transport Security pins that don't match, and for handshakes that the server ends."
        ),
    ]

    private static let security = [
        status("errSecNotTrusted", -67843, .untrustedRoot, .selfSignedLeaf, .unknownIssuer),
        status("errSecCreateChainFailed", -25318, .unknownIssuer, .signatureInvalid),
        status("errSecCertificateExpired", -67818, .certificateExpired, .certificateNotYetValid),
        status("errSecCertificateNotValidYet", -67819, .certificateNotYetValid),
        status("errSecCertificateRevoked", -67820, .certificateRevoked),
        status("errSecHostNameMismatch", -67602, .hostMismatch, .subjectAlternativeNameMissing),
        status("errSecUnknownCriticalExtensionFlag", -67603, .criticalExtensionUnhandled),
        status("errSecNoBasicConstraints", -67604, .basicConstraintsMissing, .certificateVersionNotAllowed),
        status("errSecNoBasicConstraintsCA", -67605, .notCertificateAuthority),
        status("errSecInvalidAuthorityKeyID", -67606, .strictAuthorityKeyIdentifier),
        status("errSecInvalidSubjectKeyID", -67607, .strictSubjectKeyIdentifier),
        status("errSecInvalidKeyUsageForPolicy", -67608, .keyUsageNotForTLS, .keyUsageLacksCertSign),
        status("errSecInvalidExtendedKeyUsage", -67609, .extendedKeyUsageNotAllowed),
        status("errSecPathLengthConstraintExceeded", -67611, .pathLengthExceeded, .maximumIntermediatesExceeded),
        status("errSecInvalidRoot", -67612, .authorityNotMatched, .untrustedRoot),
        status("errSecIncompleteCertRevocationCheck", -67635, .revocationUnavailable, .stapleMissing),
        status("errSecTrustSettingDeny", -67654, .systemRefused, .hostDenied, .certificateDenied),
        status("errSecInvalidSubjectName", -67655, .strictSubjectName, .attributeNotMatched),
        status("errSecInternalError", -67671, .systemEvaluationUnavailable),
        status("errSecInvalidName", -67689, .nameNotPermitted, .nameExcluded),
        status("errSecUnsupportedKeySize", -67735, .rsaKeyTooSmall, .keyUsesUnsupportedCurve),
        status("errSecInvalidDigestAlgorithm", -67815, .signatureUsesSHA1, .signatureUsesMD5),
        status("errSecInvalidPolicyIdentifiers", -67835, .policyNotAcceptable, .extendedValidationMissing),
        status("errSecCertificateIsCA", -67902, .strictLeafIsAuthority),
        status("errSecCertificateValidityPeriodTooLong", -67901, .validityTooLong, .strictValidityPeriod),
        status("errSecTrustNotAvailable", -25245, .systemAnchorsUnavailable),
        status("errSecDecode", -26275, .certificateMalformed),
    ]

    // Texts of SecTrustEvaluateWithError, which Go prints on a Mac after "x509:".
    private static let trustTexts = [
        text("certificate is not trusted", .untrustedRoot, .unknownIssuer, .selfSignedLeaf),
        text("certificate is expired", .certificateExpired, .certificateNotYetValid),
        text("certificate name does not match input", .hostMismatch, .subjectAlternativeNameMissing),
        text("certificate is revoked", .certificateRevoked),
        text(
            "certificate is not standards compliant", .validityTooLong, .extendedKeyUsageNotAllowed, .systemRefused,
            note: "Usually the validity is longer than Apple allows: 825 days, or 398 for public CAs."),
        text("Certificate Transparency validation required for this use", .transparencyNotMet),
    ]

    private static func text(_ text: String, _ codes: TrustFailure.Code..., note: String? = nil) -> ForeignMessage {
        ForeignMessage(
            "Apple", [text], codes,
            source: "Security framework: SEC_TRUST_ERROR_SUBTYPE strings (Apple's published sources)",
            note: note)
    }
}
