// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ForeignMessages {
    // MARK: - Chrome, Edge, Brave and others over Chromium

    static let chrome: [ForeignMessage] = [
        netError(
            "CERT_COMMON_NAME_INVALID", -200, .hostMismatch, .subjectAlternativeNameMissing,
            note:
                "Despite the name, Chrome hasn't read the common name since version 58. The certificate lacks an alternative name."
        ),
        netError("CERT_DATE_INVALID", -201, .certificateExpired, .certificateNotYetValid),
        netError(
            "CERT_AUTHORITY_INVALID", -202, .untrustedRoot, .selfSignedLeaf, .unknownIssuer,
            note:
                "Chrome fetches missing intermediates on most platforms, so the cause is more often a missing root than in other tools."
        ),
        netError("CERT_CONTAINS_ERRORS", -203, .certificateMalformed),
        netError("CERT_NO_REVOCATION_MECHANISM", -204, .revocationUnavailable),
        netError("CERT_UNABLE_TO_CHECK_REVOCATION", -205, .revocationUnavailable),
        netError("CERT_REVOKED", -206, .certificateRevoked),
        netError(
            "CERT_INVALID", -207, .certificateMalformed, .extendedKeyUsageNotAllowed, .criticalExtensionUnhandled,
            .notCertificateAuthority),
        netError("CERT_WEAK_SIGNATURE_ALGORITHM", -208, .signatureUsesSHA1, .signatureUsesMD5),
        netError(
            "CERT_NON_UNIQUE_NAME", -210, .hostMismatch,
            note: "The name is internal. Public CAs may not issue for such names."),
        netError("CERT_WEAK_KEY", -211, .rsaKeyTooSmall),
        netError("CERT_NAME_CONSTRAINT_VIOLATION", -212, .nameNotPermitted, .nameExcluded),
        netError(
            "CERT_VALIDITY_TOO_LONG", -213, .strictValidityPeriod, .validityTooLong,
            note:
                "Public certificates may be valid for at most 398 days, and for less from 2026 on. `verify --strict` finds this problem."
        ),
        netError(
            "CERTIFICATE_TRANSPARENCY_REQUIRED", -214, .transparencyNotMet, .systemRefused,
            note:
                "Chrome only requires this of certificates from public CAs. If a certificate is a few minutes old, a slow clock can be the cause."
        ),
        netError("CERT_SYMANTEC_LEGACY", -215, .anchorDistrustedAfter, .untrustedRoot),
        netError("CERT_KNOWN_INTERCEPTION_BLOCKED", -217, .certificateDenied, .untrustedRoot),
        netError("SSL_PINNED_KEY_NOT_IN_CERT_CHAIN", -150, .pinNotMatched),
        netError("SSL_SERVER_CERT_BAD_FORMAT", -167, .certificateMalformed),
        netError("SSL_BAD_PEER_PUBLIC_KEY", -149, .keyMalformed, .keyAlgorithmUnsupported),
        netError("SSL_KEY_USAGE_INCOMPATIBLE", -181, .keyUsageNotForTLS),
        netError("SSL_UNRECOGNIZED_NAME_ALERT", -159, .presentedChainEmpty),
        netError("SSL_OBSOLETE_CIPHER", -172, .handshakeUnproven, .tlsVersionOutdated),
        netError("SSL_VERSION_OR_CIPHER_MISMATCH", -113, .tlsVersionOutdated, .presentedChainEmpty),
        netError(
            "SSL_PROTOCOL_ERROR", -107, .presentedChainEmpty, .tlsVersionOutdated,
            note: "The server's answer wasn't TLS, or the server ended the handshake."),
    ]

    private static func netError(
        _ name: String, _ number: Int, _ codes: TrustFailure.Code..., note: String? = nil
    ) -> ForeignMessage {
        let constant = "ERR_\(name)"
        return ForeignMessage(
            "Chrome", [constant, "net_error \(number)"], codes,
            source: "Chromium: net/base/net_error_list.h (chromium/chromium)", note: note)
    }

    // MARK: - Firefox, Thunderbird and others over NSS

    static let nss: [ForeignMessage] = [
        secError(
            "SEC_ERROR_UNKNOWN_ISSUER", .unknownIssuer, .untrustedRoot,
            note: "Firefox remembers intermediates from earlier visits, so the same server may work in another profile."
        ),
        secError(
            "SEC_ERROR_UNTRUSTED_ISSUER", .untrustedRoot,
            text: "Peer's certificate issuer has been marked as not trusted by the user",
            note: "The root in the database lacks the C trust flag for servers. Set it with certutil -M -t CT,,."),
        secError("SEC_ERROR_UNTRUSTED_CERT", .untrustedRoot, .selfSignedLeaf),
        secError("SEC_ERROR_EXPIRED_CERTIFICATE", .certificateExpired),
        secError(
            "SEC_ERROR_EXPIRED_ISSUER_CERTIFICATE", .certificateExpired,
            note: "Certificate 1 or higher has expired, because the server sends an old chain."),
        secError("SEC_ERROR_REVOKED_CERTIFICATE", .certificateRevoked),
        secError("SEC_ERROR_REVOKED_CERTIFICATE_CRL", .certificateRevoked),
        secError("SEC_ERROR_REVOKED_CERTIFICATE_OCSP", .certificateRevoked),
        secError("SEC_ERROR_BAD_SIGNATURE", .signatureInvalid),
        secError("SEC_ERROR_BAD_DER", .certificateMalformed),
        secError("SEC_ERROR_CA_CERT_INVALID", .notCertificateAuthority, .basicConstraintsMissing),
        secError("SEC_ERROR_INADEQUATE_KEY_USAGE", .keyUsageLacksCertSign, .keyUsageNotForTLS),
        secError("SEC_ERROR_INADEQUATE_CERT_TYPE", .extendedKeyUsageNotAllowed),
        secError("SEC_ERROR_CERT_USAGES_INVALID", .extendedKeyUsageNotAllowed, .keyUsageNotForTLS),
        secError("SEC_ERROR_CERT_NOT_IN_NAME_SPACE", .nameNotPermitted, .nameExcluded),
        secError("SEC_ERROR_CERT_SIGNATURE_ALGORITHM_DISABLED", .signatureUsesSHA1, .signatureUsesMD5),
        secError("SEC_ERROR_UNKNOWN_CRITICAL_EXTENSION", .criticalExtensionUnhandled),
        secError("SEC_ERROR_EXTENSION_VALUE_INVALID", .certificateMalformed),
        secError("SEC_ERROR_PATH_LEN_CONSTRAINT_INVALID", .pathLengthExceeded),
        secError("SEC_ERROR_POLICY_VALIDATION_FAILED", .policyNotAcceptable),
        secError("SEC_ERROR_INVALID_TIME", .certificateMalformed, .strictTimeEncoding),
        secError("SEC_ERROR_INVALID_KEY", .keyMalformed),
        secError("SEC_ERROR_UNSUPPORTED_KEYALG", .keyAlgorithmUnsupported),
        secError("SEC_ERROR_UNSUPPORTED_ELLIPTIC_CURVE", .keyUsesUnsupportedCurve),
        secError("SEC_ERROR_OCSP_UNKNOWN_CERT", .revocationUnavailable),
        secError("SEC_ERROR_OCSP_OLD_RESPONSE", .revocationUnavailable, .stapleMissing),
        secError("SEC_ERROR_OCSP_FUTURE_RESPONSE", .revocationUnavailable),
        secError("SEC_ERROR_OCSP_TRY_SERVER_LATER", .revocationUnavailable),
        secError("SEC_ERROR_OCSP_SERVER_ERROR", .revocationUnavailable),
        secError("SEC_ERROR_OCSP_INVALID_SIGNING_CERT", .revocationUnavailable),
        secError("SEC_ERROR_OCSP_BAD_SIGNATURE", .revocationUnavailable),
        secError(
            "SSL_ERROR_BAD_CERT_DOMAIN", .hostMismatch, .subjectAlternativeNameMissing,
            text: "requested domain name does not match the server's certificate"),
        secError(
            "SSL_ERROR_WEAK_SERVER_CERT_KEY", .rsaKeyTooSmall,
            text: "The server certificate included a public key that was too weak"),
        secError("SSL_ERROR_UNSUPPORTED_VERSION", .tlsVersionOutdated),
        secError("SSL_ERROR_PROTOCOL_VERSION_ALERT", .tlsVersionOutdated),
        ForeignMessage(
            "Firefox", ["PR_END_OF_FILE_ERROR"], [.presentedChainEmpty, .tlsVersionOutdated], source: "NSPR: prerr.h",
            note: "The server, a proxy or a firewall closed the connection during the handshake."),
        secError("SSL_ERROR_NO_CYPHER_OVERLAP", .tlsVersionOutdated, .presentedChainEmpty, .handshakeUnproven),
        secError(
            "SSL_ERROR_UNRECOGNIZED_NAME_ALERT", .presentedChainEmpty,
            text: "SSL peer has no certificate for the requested DNS name"),
        secError(
            "SSL_ERROR_RX_RECORD_TOO_LONG", .presentedChainEmpty,
            note: "The length has no meaning. The server answered with plain HTTP."),
        secError("SSL_ERROR_HANDSHAKE_FAILURE_ALERT", .presentedChainEmpty, .tlsVersionOutdated),
        ForeignMessage(
            "NSS", ["Peer's Certificate issuer is not recognized"], [.unknownIssuer, .untrustedRoot, .selfSignedLeaf],
            source: "NSS: certutil and curl with NSS (mozilla/CCADB-Tools, public reports)"),
        ForeignMessage(
            "NSS", ["Peer's Certificate has expired"], [.certificateExpired],
            source: "NSS: certutil (mozilla/CCADB-Tools)"),
        mozilla("SELF_SIGNED_CERT", .selfSignedLeaf),
        mozilla(
            "MITM_DETECTED", .untrustedRoot,
            note: "Firefox saw the same unknown issuer on several sites: a proxy or virus scanner intercepts them."),
        mozilla("KEY_PINNING_FAILURE", .pinNotMatched),
        mozilla(
            "CA_CERT_USED_AS_END_ENTITY", .strictLeafIsAuthority,
            note: "The server's certificate says `CA:TRUE`, as `openssl req -x509` writes by default."),
        mozilla("INADEQUATE_KEY_SIZE", .rsaKeyTooSmall),
        mozilla("V1_CERT_USED_AS_CA", .certificateVersionNotAllowed, .basicConstraintsMissing),
        mozilla("NOT_YET_VALID_CERTIFICATE", .certificateNotYetValid),
        mozilla("NOT_YET_VALID_ISSUER_CERTIFICATE", .certificateNotYetValid),
        mozilla("SIGNATURE_ALGORITHM_MISMATCH", .signatureAlgorithmMismatch),
        mozilla("OCSP_RESPONSE_FOR_CERT_MISSING", .revocationUnavailable, .stapleMissing),
        mozilla("VALIDITY_TOO_LONG", .strictValidityPeriod, .validityTooLong),
        mozilla("REQUIRED_TLS_FEATURE_MISSING", .stapleMissing, .tlsFeatureMissing),
        mozilla("INVALID_INTEGER_ENCODING", .strictSerialNumber, .certificateMalformed),
        mozilla("EMPTY_ISSUER_NAME", .issuerNameEmpty),
        mozilla(
            "ADDITIONAL_POLICY_CONSTRAINT_FAILED", .anchorDistrustedAfter, .anchorNameNotPermitted, .untrustedRoot,
            note: "Firefox distrusts some certificates of the CA, such as those issued after a date."),
        mozilla(
            "ISSUER_NO_LONGER_TRUSTED", .anchorDistrustedAfter, .anchorNotInProgram,
            note: "Firefox compares the certificate's notBefore with the date in Mozilla's list of roots."),
        mozilla(
            "INSUFFICIENT_CERTIFICATE_TRANSPARENCY", .transparencyNotMet, .anchorDistrustedAfter,
            note:
                "Firefox also reports this if an SCT is later than the date on which Mozilla's list distrusts the root, regardless of notBefore."
        ),
    ]

    private static func secError(
        _ name: String, _ codes: TrustFailure.Code..., text: String? = nil, note: String? = nil
    ) -> ForeignMessage {
        ForeignMessage(
            "Firefox", [name] + [text].compactMap { $0 }, codes,
            source: "NSS 3.87.1: error tables of libnssutil3 and libssl3", note: note)
    }

    private static func mozilla(_ name: String, _ codes: TrustFailure.Code..., note: String? = nil) -> ForeignMessage {
        ForeignMessage(
            // Reports omit the middle word.
            "Firefox", ["MOZILLA_PKIX_ERROR_\(name)", "MOZILLA_PKIX_\(name)"], codes,
            source: "mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)", note: note)
    }
}
