// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ForeignMessages {
    // MARK: - Mbed TLS: ESP-IDF, Arduino, PHP and Dart on devices

    static let mbedTLS: [ForeignMessage] = [
        mbed(
            0x2700, "Certificate verification failed, e.g. CRL, CA or signature check failed",
            .unknownIssuer, .untrustedRoot, .selfSignedLeaf, .certificateExpired, .hostMismatch, also: ["-9984"],
            note:
                "The flags of mbedtls_ssl_get_verify_result name the reason. A device that hasn't set its clock refuses every certificate."
        ),
        mbed(
            0x2500, "The extension tag or value is invalid", .certificateMalformed, .criticalExtensionUnhandled,
            also: ["-0x2562", "-9570"],
            note: "The number is a sum of two errors: -0x2562 is -0x2500 plus ASN.1's unexpected tag (-0x0062)."),
        mbed(0x2400, "The date tag or value is invalid", .certificateMalformed, .strictTimeEncoding),
        mbed(0x2280, "The serial tag or value is invalid", .certificateMalformed, .strictSerialNumber),
        mbed(0x2380, "The name tag or value is invalid", .certificateMalformed),
        mbed(0x2300, "The algorithm tag or value is invalid", .certificateMalformed),
        mbed(0x2480, "The signature tag or value is invalid", .certificateMalformed),
        mbed(0x2200, "The CRT/CRL/CSR version element is invalid", .certificateMalformed),
        mbed(0x2580, "CRT/CRL/CSR has an unsupported version number", .certificateVersionNotAllowed),
        mbed(0x2180, "The CRT/CRL/CSR format is invalid, e.g. different type expected", .certificateMalformed),
        mbed(0x2780, "Format not recognized as DER or PEM", .certificateMalformed),
        mbed(0x2600, "Signature algorithm (oid) is unsupported", .signatureAlgorithmUnsupported),
        mbed(0x2680, "Signature algorithms do not match", .signatureAlgorithmMismatch),
        flag("BADCERT_EXPIRED", "The certificate validity has expired", .certificateExpired),
        flag("BADCERT_FUTURE", "The certificate validity starts in the future", .certificateNotYetValid),
        flag("BADCERT_REVOKED", "The certificate has been revoked (is on a CRL)", .certificateRevoked),
        flag(
            "BADCERT_CN_MISMATCH", "The certificate Common Name (CN) does not match with the expected CN",
            .hostMismatch, .subjectAlternativeNameMissing),
        flag(
            "BADCERT_NOT_TRUSTED", "The certificate is not correctly signed by the trusted CA", .unknownIssuer,
            .untrustedRoot, .selfSignedLeaf,
            note: "A missing CA, a missing intermediate, and a wrong signature all set this flag."),
        flag("BADCERT_KEY_USAGE", "Usage does not match the keyUsage extension", .keyUsageNotForTLS),
        flag(
            "BADCERT_EXT_KEY_USAGE", "Usage does not match the extendedKeyUsage extension",
            .extendedKeyUsageNotAllowed),
        flag(
            "BADCERT_BAD_MD", "The certificate is signed with an unacceptable hash", .signatureUsesSHA1,
            .signatureUsesMD5),
        flag(
            "BADCERT_BAD_KEY", "The certificate is signed with an unacceptable key", .rsaKeyTooSmall,
            .keyUsesUnsupportedCurve),
        flag("BADCRL_EXPIRED", "The CRL is expired", .revocationUnavailable),
    ]

    private static func mbed(
        _ number: Int, _ text: String, _ codes: TrustFailure.Code..., also: [String] = [], note: String? = nil
    ) -> ForeignMessage {
        let number = "-0x\(String(number, radix: 16))"
        return ForeignMessage(
            "Mbed TLS", ["X509 - \(text)", number] + also, codes, source: "Mbed TLS: x509.h, error.c (public reports)",
            note: note)
    }

    private static func flag(
        _ name: String, _ text: String, _ codes: TrustFailure.Code..., note: String? = nil
    ) -> ForeignMessage {
        ForeignMessage(
            "Mbed TLS", [text, "MBEDTLS_X509_\(name)"], codes, source: "Mbed TLS: x509.h, mbedtls_x509_crt_verify_info",
            note: note)
    }

    // MARK: - wolfSSL

    static let wolfSSL: [ForeignMessage] = [
        wolf("ASN_NO_SIGNER_E", "ASN no signer error to confirm failure", .unknownIssuer, .untrustedRoot),
        wolf("ASN_SELF_SIGNED_E", "ASN self-signed certificate error", .selfSignedLeaf),
        wolf("ASN_SIG_CONFIRM_E", "ASN sig error, confirm failure", .signatureInvalid),
        wolf("ASN_AFTER_DATE_E", "ASN date error, current date after", .certificateExpired),
        wolf("ASN_BEFORE_DATE_E", "ASN date error, current date before", .certificateNotYetValid),
        wolf("DOMAIN_NAME_MISMATCH", "peer subject name mismatch", .hostMismatch, .subjectAlternativeNameMissing),
        wolf("IPADDR_MISMATCH", "peer ip address mismatch", .hostMismatch, .subjectAlternativeNameMissing),
    ]

    private static func wolf(_ name: String, _ text: String, _ codes: TrustFailure.Code...) -> ForeignMessage {
        ForeignMessage(
            "wolfSSL", [text, name], codes, source: "wolfSSL: wolfcrypt/src/error.c, src/internal.c (public reports)")
    }

    // MARK: - BearSSL: ESP8266, Arduino

    static let bearSSL: [ForeignMessage] = [
        bear(
            "NOT_TRUSTED", "Chain could not be linked to a trust anchor", .unknownIssuer, .untrustedRoot,
            .selfSignedLeaf),
        bear(
            "BAD_SERVER_NAME", "Expected server name was not found in the chain", .hostMismatch,
            .subjectAlternativeNameMissing),
        bear(
            "EXPIRED", "Certificate is expired or not yet valid", .certificateExpired, .certificateNotYetValid,
            note: "A device that hasn't set its clock refuses every certificate."),
        bear(
            "TIME_UNKNOWN", "Validation time is unknown", .certificateExpired, .certificateNotYetValid,
            note: "The device's clock isn't set, so BearSSL can't compare dates."),
        bear("DN_MISMATCH", "Issuer/Subject DN mismatch in the chain", .unknownIssuer),
        bear(
            "NOT_CA", "Not a CA, or path length constraint violation", .notCertificateAuthority, .pathLengthExceeded),
        bear(
            "FORBIDDEN_KEY_USAGE", "Key Usage extension prohibits intended usage", .keyUsageNotForTLS,
            .keyUsageLacksCertSign),
        bear("WEAK_PUBLIC_KEY", "Public key found in certificate is too small", .rsaKeyTooSmall),
        bear("CRITICAL_EXTENSION", "Unknown critical extension in certificate", .criticalExtensionUnhandled),
    ]

    private static func bear(
        _ name: String, _ text: String, _ codes: TrustFailure.Code..., note: String? = nil
    ) -> ForeignMessage {
        ForeignMessage(
            "BearSSL", [text, "BR_ERR_X509_\(name)"], codes,
            source: "BearSSL: bearssl_x509.h, strings of the ESP8266 core for Arduino, curl (public sources)",
            note: note)
    }
}
