// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ForeignMessages {
    static let openSSL: [ForeignMessage] =
        issuers + validity + structure + names + revocationData + strictness + handshake

    private static func verify(
        _ number: Int, _ name: String, _ text: String, _ codes: TrustFailure.Code..., note: String? = nil
    ) -> ForeignMessage {
        ForeignMessage(
            "OpenSSL",
            [
                text, "X509_V_ERR_\(name)", "error:num=\(number)", "return code: \(number)",
                "error \(number) at … depth lookup",
            ], codes, source: "OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h", note: note)
    }

    private static func reason(_ text: String, _ codes: TrustFailure.Code..., note: String? = nil) -> ForeignMessage {
        ForeignMessage(
            "OpenSSL", [text], codes, source: "OpenSSL 3.0.22: reason strings of libssl", note: note)
    }

    private static let issuers = [
        verify(
            20, "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "unable to get local issuer certificate", .unknownIssuer,
            .untrustedRoot,
            note:
                "The usual cause is an intermediate that the server doesn't send, rather than a root that the client lacks."
        ),
        verify(
            21, "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "unable to verify the first certificate", .unknownIssuer,
            note: "OpenSSL found no invalid signature. The server only sent one certificate, and its issuer is missing."
        ),
        verify(2, "UNABLE_TO_GET_ISSUER_CERT", "unable to get issuer certificate", .unknownIssuer, .untrustedRoot),
        verify(
            18, "DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed certificate", .selfSignedLeaf,
            note: "OpenSSL 1.1 and older print \"self signed certificate\"."),
        verify(
            19, "SELF_SIGNED_CERT_IN_CHAIN", "self-signed certificate in certificate chain", .untrustedRoot,
            note: "Every root is self-signed. The message means that this machine doesn't trust this root."),
        verify(27, "CERT_UNTRUSTED", "certificate not trusted", .untrustedRoot),
        verify(
            28, "CERT_REJECTED", "certificate rejected", .untrustedRoot,
            note: "The store contains the root, but with a setting that rejects it for this purpose."),
        verify(29, "SUBJECT_ISSUER_MISMATCH", "subject issuer mismatch", .unknownIssuer),
        verify(
            30, "AKID_SKID_MISMATCH", "authority and subject key identifier mismatch", .unknownIssuer, .signatureInvalid
        ),
        verify(
            31, "AKID_ISSUER_SERIAL_MISMATCH", "authority and issuer serial number mismatch", .unknownIssuer,
            .signatureInvalid),
        verify(
            22, "CERT_CHAIN_TOO_LONG", "certificate chain too long", .depthBudgetExceeded, .maximumIntermediatesExceeded
        ),
        verify(55, "PATH_LOOP", "path loop", .unknownIssuer),
        verify(70, "STORE_LOOKUP", "issuer certificate lookup error", .unknownIssuer, .systemAnchorsUnavailable),
    ]

    private static let validity = [
        verify(10, "CERT_HAS_EXPIRED", "certificate has expired", .certificateExpired),
        verify(9, "CERT_NOT_YET_VALID", "certificate is not yet valid", .certificateNotYetValid),
        verify(
            13, "ERROR_IN_CERT_NOT_BEFORE_FIELD", "format error in certificate's notBefore field",
            .certificateMalformed,
            .strictTimeEncoding),
        verify(
            14, "ERROR_IN_CERT_NOT_AFTER_FIELD", "format error in certificate's notAfter field", .certificateMalformed,
            .strictTimeEncoding),
    ]

    private static let structure = [
        verify(4, "UNABLE_TO_DECRYPT_CERT_SIGNATURE", "unable to decrypt certificate's signature", .signatureInvalid),
        verify(
            6, "UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY", "unable to decode issuer public key", .keyMalformed,
            .keyAlgorithmUnsupported),
        verify(7, "CERT_SIGNATURE_FAILURE", "certificate signature failure", .signatureInvalid),
        verify(
            24, "NO_ISSUER_PUBLIC_KEY", "issuer certificate doesn't have a public key", .keyMalformed,
            .notCertificateAuthority,
            note: "Number 24 was \"invalid CA certificate\" up to OpenSSL 1.1.1."),
        verify(25, "PATH_LENGTH_EXCEEDED", "path length constraint exceeded", .pathLengthExceeded),
        verify(
            26, "INVALID_PURPOSE", "unsuitable certificate purpose", .extendedKeyUsageNotAllowed, .keyUsageNotForTLS,
            note: "OpenSSL 1.1 and older print \"unsupported certificate purpose\"."),
        ForeignMessage(
            "OpenSSL", ["unsupported certificate purpose"], [.extendedKeyUsageNotAllowed, .keyUsageNotForTLS],
            source: "BoringSSL, crypto/x509/x509_txt (as OpenSSL up to 1.1.1)"),
        verify(32, "KEYUSAGE_NO_CERTSIGN", "key usage does not include certificate signing", .keyUsageLacksCertSign),
        verify(34, "UNHANDLED_CRITICAL_EXTENSION", "unhandled critical extension", .criticalExtensionUnhandled),
        verify(37, "INVALID_NON_CA", "invalid non-CA certificate (has CA markings)", .strictLeafIsAuthority),
        verify(
            39, "KEYUSAGE_NO_DIGITAL_SIGNATURE", "key usage does not include digital signature", .keyUsageNotForTLS),
        verify(41, "INVALID_EXTENSION", "invalid or inconsistent certificate extension", .certificateMalformed),
        verify(
            42, "INVALID_POLICY_EXTENSION", "invalid or inconsistent certificate policy extension",
            .policyNotAcceptable, .policyMappingOfAnyPolicy),
        verify(43, "NO_EXPLICIT_POLICY", "no explicit policy", .policyNotAcceptable),
        verify(45, "UNSUPPORTED_EXTENSION_FEATURE", "unsupported extension feature", .criticalExtensionUnhandled),
        verify(50, "APPLICATION_VERIFICATION", "application verification failure", .evaluatorRefused),
        verify(66, "EE_KEY_TOO_SMALL", "EE certificate key too weak", .rsaKeyTooSmall, .keyUsesUnsupportedCurve),
        verify(
            67, "CA_KEY_TOO_SMALL", "CA certificate key too weak", .rsaKeyTooSmall, .keyUsesUnsupportedCurve,
            note: "Certificate 1 or higher has the short key. A new key for the server doesn't help."),
        verify(
            68, "CA_MD_TOO_WEAK", "CA signature digest algorithm too weak", .signatureUsesSHA1, .signatureUsesMD5,
            note: "The message can be about the server's own certificate, because the CA makes its signature."),
        verify(
            76, "UNABLE_TO_FIND_SIGNATURE_ALGORITHM", "Cannot find certificate signature algorithm",
            .signatureAlgorithmUnsupported),
        ForeignMessage(
            "OpenSSL",
            [
                "X509_V_ERR_SIGNATURE_ALGORITHM_MISMATCH",
                "subject signature algorithm and issuer public key algorithm mismatch",
            ],
            [.signatureInvalid, .unknownIssuer], source: "OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h"),
        verify(
            78, "SIGNATURE_ALGORITHM_INCONSISTENCY", "cert info signature and signature algorithm mismatch",
            .signatureAlgorithmMismatch),
        verify(79, "INVALID_CA", "invalid CA certificate", .notCertificateAuthority, .basicConstraintsMissing),
        verify(
            94, "EC_KEY_EXPLICIT_PARAMS", "Certificate public key has explicit ECC parameters", .keyUsesExplicitCurve),
    ]

    private static let names = [
        verify(62, "HOSTNAME_MISMATCH", "hostname mismatch", .hostMismatch, .subjectAlternativeNameMissing),
        verify(64, "IP_ADDRESS_MISMATCH", "IP address mismatch", .hostMismatch, .subjectAlternativeNameMissing),
        verify(
            65, "DANE_NO_MATCH", "no matching DANE TLSA records", .pinNotMatched, .authorityNotMatched,
            note: "The zone's TLSA records weren't updated for the server's new key, or this is a different server."),
        verify(47, "PERMITTED_VIOLATION", "permitted subtree violation", .nameNotPermitted),
        verify(48, "EXCLUDED_VIOLATION", "excluded subtree violation", .nameExcluded),
        verify(
            49, "SUBTREE_MINMAX", "name constraints minimum and maximum not supported", .nameConstraintUndecidable,
            .strictNameConstraints),
        verify(
            51, "UNSUPPORTED_CONSTRAINT_TYPE", "unsupported name constraint type", .nameConstraintUndecidable),
        verify(
            52, "UNSUPPORTED_CONSTRAINT_SYNTAX", "unsupported or invalid name constraint syntax",
            .nameConstraintUndecidable, .strictNameConstraints),
        verify(
            53, "UNSUPPORTED_NAME_SYNTAX", "unsupported or invalid name syntax", .nameConstraintUndecidable,
            .strictAlternativeName),
    ]

    private static let revocationData = [
        verify(23, "CERT_REVOKED", "certificate revoked", .certificateRevoked),
        verify(3, "UNABLE_TO_GET_CRL", "unable to get certificate CRL", .revocationUnavailable),
        verify(5, "UNABLE_TO_DECRYPT_CRL_SIGNATURE", "unable to decrypt CRL's signature", .revocationUnavailable),
        verify(8, "CRL_SIGNATURE_FAILURE", "CRL signature failure", .revocationUnavailable),
        verify(11, "CRL_NOT_YET_VALID", "CRL is not yet valid", .revocationUnavailable),
        verify(
            12, "CRL_HAS_EXPIRED", "CRL has expired", .revocationUnavailable,
            note: "The certificate may be valid. The CA's CRL is out of date."),
        verify(33, "UNABLE_TO_GET_CRL_ISSUER", "unable to get CRL issuer certificate", .revocationUnavailable),
        verify(
            35, "KEYUSAGE_NO_CRL_SIGN", "key usage does not include CRL signing", .revocationUnavailable),
        verify(
            36, "UNHANDLED_CRITICAL_CRL_EXTENSION", "unhandled critical CRL extension", .revocationUnavailable),
        verify(44, "DIFFERENT_CRL_SCOPE", "different CRL scope", .revocationUnavailable),
        verify(54, "CRL_PATH_VALIDATION_ERROR", "CRL path validation error", .revocationUnavailable),
        verify(
            71, "NO_VALID_SCTS", "Certificate Transparency required, but no valid SCTs found", .transparencyNotMet,
            .transparencyLogListMissing,
            note: "OpenSSL needs one valid SCT from a log in the file that CTLOG_FILE names."),
        verify(73, "OCSP_VERIFY_NEEDED", "OCSP verification needed", .revocationUnavailable, .stapleMissing),
        verify(74, "OCSP_VERIFY_FAILED", "OCSP verification failed", .revocationUnavailable, .stapleMissing),
        verify(75, "OCSP_CERT_UNKNOWN", "OCSP unknown cert", .revocationUnavailable),
    ]

    // OpenSSL finds these errors with -x509_strict.
    private static let strictness = [
        verify(80, "PATHLEN_INVALID_FOR_NON_CA", "Path length invalid for non-CA cert", .strictKeyUsage),
        verify(
            81, "PATHLEN_WITHOUT_KU_KEY_CERT_SIGN", "Path length given without key usage keyCertSign", .strictKeyUsage),
        verify(
            82, "KU_KEY_CERT_SIGN_INVALID_FOR_NON_CA", "Key usage keyCertSign invalid for non-CA cert", .strictKeyUsage),
        verify(83, "ISSUER_NAME_EMPTY", "Issuer name empty", .issuerNameEmpty),
        verify(84, "SUBJECT_NAME_EMPTY", "Subject name empty", .strictSubjectName),
        verify(
            85, "MISSING_AUTHORITY_KEY_IDENTIFIER", "Missing Authority Key Identifier", .strictAuthorityKeyIdentifier,
            note: "Python 3.13 turned on strict checks, so it refuses such certificates by default."),
        verify(86, "MISSING_SUBJECT_KEY_IDENTIFIER", "Missing Subject Key Identifier", .strictSubjectKeyIdentifier),
        verify(
            87, "EMPTY_SUBJECT_ALT_NAME", "Empty Subject Alternative Name extension", .subjectAlternativeNameMissing,
            .strictAlternativeName),
        verify(
            88, "EMPTY_SUBJECT_SAN_NOT_CRITICAL", "Subject empty and Subject Alt Name extension not critical",
            .strictAlternativeName),
        verify(
            89, "CA_BCONS_NOT_CRITICAL", "Basic Constraints of CA cert not marked critical", .strictExtensionCriticality
        ),
        verify(
            90, "AUTHORITY_KEY_IDENTIFIER_CRITICAL", "Authority Key Identifier marked critical",
            .strictExtensionCriticality),
        verify(
            91, "SUBJECT_KEY_IDENTIFIER_CRITICAL", "Subject Key Identifier marked critical", .strictExtensionCriticality
        ),
        verify(92, "CA_CERT_MISSING_KEY_USAGE", "CA cert does not include key usage extension", .strictKeyUsage),
        verify(
            93, "EXTENSIONS_REQUIRE_VERSION_3", "Using cert extension requires at least X509v3",
            .certificateVersionNotAllowed),
    ]

    private static let handshake = [
        reason(
            "wrong version number", .presentedChainEmpty,
            note:
                "The server didn't answer with TLS. The port speaks plain HTTP, or a protocol that starts without TLS."
        ),
        reason(
            "packet length too long", .presentedChainEmpty,
            note:
                "The server didn't answer with TLS. The port speaks plain HTTP, or a protocol that starts without TLS."
        ),
        ForeignMessage(
            "OpenSSL", ["SSL_ERROR_SYSCALL"], [.presentedChainEmpty], source: "OpenSSL: SSL_get_error(3)",
            note:
                "The server, a proxy or a firewall closed the connection during the handshake. Check the server's log."
        ),
        reason("unsupported protocol", .tlsVersionOutdated),
        reason("tlsv1 alert protocol version", .tlsVersionOutdated),
        reason("no protocols available", .tlsVersionOutdated),
        reason("legacy sigalg disallowed or unsupported", .tlsVersionOutdated, .handshakeUnproven),
        ForeignMessage(
            "OpenSSL",
            [
                "no suitable signature algorithm", "no shared signature algorithms", "NO_COMMON_SIGNATURE_ALGORITHMS",
            ], [.handshakeUnproven, .signatureAlgorithmUnsupported, .rsaKeyTooSmall],
            source: "OpenSSL 3.0.22: reason strings of libssl, BoringSSL: ssl/ssl_privkey.cc",
            note:
                "Client and server share no signature algorithm for the server's key. Usual causes are an Ed25519 or RSA-PSS key, a key that is too short for the hash, or a policy that shortens the list."
        ),
        reason("ee key too small", .rsaKeyTooSmall),
        reason("ca key too small", .rsaKeyTooSmall),
        reason("ca md too weak", .signatureUsesSHA1, .signatureUsesMD5),
        reason("dh key too small", .handshakeUnproven),
        reason(
            "tlsv1 unrecognized name", .presentedChainEmpty,
            note: "The server doesn't serve this name, and ended the handshake with an alert."),
        reason(
            "sslv3 alert handshake failure", .presentedChainEmpty, .tlsVersionOutdated,
            note:
                "The server ended the handshake before it sent a certificate. The message has nothing to do with SSL 3."
        ),
        reason(
            "unexpected eof while reading", .presentedChainEmpty,
            note: "The server closed the connection. Check the server's log."),
        ForeignMessage(
            "OpenSSL", ["no peer certificate available"], [.presentedChainEmpty],
            source: "OpenSSL 3.0.22: openssl s_client"),
        ForeignMessage(
            "OpenSSL", ["certificate verify failed"],
            [.unknownIssuer, .untrustedRoot, .selfSignedLeaf, .certificateExpired, .hostMismatch],
            source: "OpenSSL 3.0.22: reason strings of libssl",
            note: "Look for the reason elsewhere in the log, or run `openssl s_client -connect HOST:443`."),
    ]
}
