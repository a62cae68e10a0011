// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ForeignMessages {
    // MARK: - GnuTLS

    static let gnuTLS: [ForeignMessage] = [
        gnu(
            "The certificate issuer is unknown", .unknownIssuer, .untrustedRoot, .selfSignedLeaf,
            note:
                "GnuTLS prints the same text for a missing intermediate, a private root and a self-signed certificate."),
        gnu("The certificate is NOT trusted", .untrustedRoot, .unknownIssuer, .selfSignedLeaf),
        gnu("The certificate issuer is not a CA", .notCertificateAuthority, .basicConstraintsMissing),
        gnu("The certificate chain uses expired certificate", .certificateExpired),
        gnu("The certificate chain uses not yet valid certificate", .certificateNotYetValid),
        gnu("The certificate chain uses insecure algorithm", .signatureUsesSHA1, .rsaKeyTooSmall, .signatureUsesMD5),
        gnu("The certificate chain is revoked", .certificateRevoked),
        gnu("The certificate was revoked via OCSP", .certificateRevoked),
        gnu(
            "The certificate chain violates the signer's constraints", .nameNotPermitted, .pathLengthExceeded,
            .nameExcluded),
        gnu(
            "The certificate chain does not match the intended purpose", .extendedKeyUsageNotAllowed, .keyUsageNotForTLS
        ),
        gnu("The name in the certificate does not match the expected", .hostMismatch, .subjectAlternativeNameMissing),
        gnu("The certificate contains an unknown critical extension", .criticalExtensionUnhandled),
        gnu("The certificate doesn't match the local copy (TOFU)", .certificateNotPinned, .pinNotMatched),
        gnu(
            "The certificate requires the server to include an OCSP status in its response, but the OCSP status is missing",
            .stapleMissing),
        gnu("The received OCSP status response is invalid", .stapleMissing, .revocationUnavailable),
        gnu("The revocation or OCSP data are old and have been superseded", .revocationUnavailable),
        gnu("The revocation or OCSP data are issued with a future date", .revocationUnavailable),
        gnu("The OCSP response is old", .revocationUnavailable, .stapleMissing),
        gnu(
            "Error in the certificate verification", .unknownIssuer, .untrustedRoot, .certificateExpired, .hostMismatch,
            constant: "GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR"),
        gnu(
            "Error in the time fields of certificate", .certificateMalformed, .strictTimeEncoding,
            constant: "GNUTLS_E_CERTIFICATE_TIME_ERROR"),
        gnu(
            "The provided X.509 certificate list is not sorted (in subject to issuer order)", .unknownIssuer,
            constant: "GNUTLS_E_CERTIFICATE_LIST_UNSORTED"),
        gnu("No certificate was found", .presentedChainEmpty, constant: "GNUTLS_E_NO_CERTIFICATE_FOUND"),
        gnu(
            "Public key signature verification has failed", .handshakeSignatureInvalid, .signatureInvalid,
            constant: "GNUTLS_E_PK_SIG_VERIFY_FAILED"),
        gnu(
            "An unexpected TLS packet was received", .presentedChainEmpty, constant: "GNUTLS_E_UNEXPECTED_PACKET",
            note:
                "The server didn't answer with TLS. The port speaks plain HTTP, or a protocol that starts without TLS."),
        gnu("The curve is unsupported", .keyUsesUnsupportedCurve),
    ]

    private static func gnu(
        _ text: String, _ codes: TrustFailure.Code..., constant: String? = nil, note: String? = nil
    ) -> ForeignMessage {
        ForeignMessage(
            "GnuTLS", [text] + [constant].compactMap { $0 }, codes,
            source: "GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror",
            note: note)
    }

    // MARK: - rustls and webpki: cargo, uv, reqwest

    static let rustls: [ForeignMessage] = [
        peer(
            "UnknownIssuer", .unknownIssuer, .untrustedRoot, .selfSignedLeaf,
            note: "Many programs that use rustls ship their own roots (webpki-roots) and ignore the machine's."),
        peer("Expired", .certificateExpired),
        ForeignMessage(
            "rustls", ["invalid peer certificate: certificate expired: verification time …"], [.certificateExpired],
            source: rustlsSource),
        peer("NotValidYet", .certificateNotYetValid),
        peer("BadSignature", .signatureInvalid),
        peer("BadEncoding", .certificateMalformed),
        peer("Revoked", .certificateRevoked),
        peer("NotValidForName", .hostMismatch, .subjectAlternativeNameMissing),
        ForeignMessage(
            "rustls", ["certificate not valid for name …"], [.hostMismatch, .subjectAlternativeNameMissing],
            source: rustlsSource),
        ForeignMessage(
            "webpki", ["InvalidDNSNameError", "invalid dnsname"], [.hostMismatch],
            source: "webpki: src/name (public reports)",
            note:
                "The program asked for an IP address, or for a string that isn't a host name, so rustls compared no certificate. Up to 0.20, rustls accepts only DNS names."
        ),
        ForeignMessage(
            "pyca", ["error parsing asn1 value: ParseError"], [.certificateMalformed, .strictEncoding],
            source: "pyca/cryptography: rust-asn1 (public reports)",
            note: "The last name in location is the malformed field."),
        ForeignMessage(
            "pyca", ["error parsing asn1 value: ParseError … TbsCertificate::serial"],
            [.strictSerialNumber, .certificateMalformed], source: "pyca/cryptography: rust-asn1 (public reports)",
            note: "The serial number is negative, zero, or too long."),
        peer("UnhandledCriticalExtension", .criticalExtensionUnhandled),
        ForeignMessage("rustls", ["peer sent no certificates"], [.presentedChainEmpty], source: rustlsSource),
        ForeignMessage(
            "rustls", ["received corrupt message of type InvalidContentType"], [.presentedChainEmpty],
            source: rustlsSource,
            note: "The server didn't answer with TLS."),
        ForeignMessage(
            "rustls", ["peer is incompatible: ServerDoesNotSupportTls12Or13"], [.tlsVersionOutdated],
            source: rustlsSource),
        webpki(
            "CaUsedAsEndEntity", .strictLeafIsAuthority,
            note: "The server's certificate says `CA:TRUE`, as `openssl req -x509` writes by default."),
        webpki("CertExpired", .certificateExpired),
        webpki("CertNotValidYet", .certificateNotYetValid),
        webpki("CertNotValidForName", .hostMismatch, .subjectAlternativeNameMissing),
        webpki("CertRevoked", .certificateRevoked),
        webpki("EndEntityUsedAsCa", .notCertificateAuthority, .basicConstraintsMissing),
        webpki("ExtensionValueInvalid", .certificateMalformed),
        webpki("InvalidSignatureForPublicKey", .signatureInvalid),
        webpki("NameConstraintViolation", .nameNotPermitted, .nameExcluded),
        webpki("PathLenConstraintViolated", .pathLengthExceeded),
        webpki("RequiredEkuNotFound", .extendedKeyUsageNotAllowed),
        webpki("SignatureAlgorithmMismatch", .signatureAlgorithmMismatch),
        webpki("UnsupportedCertVersion", .certificateVersionNotAllowed),
        webpki("UnsupportedCriticalExtension", .criticalExtensionUnhandled),
        webpki("UnsupportedSignatureAlgorithm", .signatureAlgorithmUnsupported, .signatureUsesSHA1),
        webpki("UnsupportedSignatureAlgorithmForPublicKey", .signatureAlgorithmUnsupported, .rsaKeyTooSmall),
        webpki("BadDerTime", .certificateMalformed, .strictTimeEncoding),
        webpki("InvalidNetworkMaskConstraint", .nameConstraintUndecidable, .strictNameConstraints),
        webpki("CrlExpired", .revocationUnavailable),
    ]

    private static let rustlsSource = "rustls: src/error.rs (rustls/rustls; public reports)"

    private static func peer(_ name: String, _ codes: TrustFailure.Code..., note: String? = nil) -> ForeignMessage {
        ForeignMessage(
            "rustls",
            ["invalid peer certificate: \(name)", "InvalidCertificate(\(name))", "invalid certificate: \(name)"], codes,
            source: rustlsSource, note: note)
    }

    private static func webpki(_ name: String, _ codes: TrustFailure.Code..., note: String? = nil) -> ForeignMessage {
        ForeignMessage("webpki", [name], codes, source: "rustls-webpki: src/error.rs", note: note)
    }

    // MARK: - Windows

    static let schannel: [ForeignMessage] = [
        windows(
            "SEC_E_UNTRUSTED_ROOT", "0x80090325",
            "The certificate chain was issued by an authority that is not trusted",
            .untrustedRoot, .selfSignedLeaf, .unknownIssuer),
        windows("SEC_E_CERT_EXPIRED", "0x80090328", "The received certificate has expired", .certificateExpired),
        windows(
            "SEC_E_WRONG_PRINCIPAL", "0x80090322", "The target principal name is incorrect", .hostMismatch,
            .subjectAlternativeNameMissing),
        windows(
            "CRYPT_E_NO_REVOCATION_CHECK", "0x80092012",
            "The revocation function was unable to check revocation for the certificate", .revocationUnavailable,
            note: "The network blocks the CA's CRLs, or a private CA doesn't publish any."),
        windows(
            "CRYPT_E_REVOCATION_OFFLINE", "0x80092013",
            "The revocation function was unable to check revocation because the revocation server was offline",
            .revocationUnavailable),
        windows("CRYPT_E_REVOKED", "0x80092010", "The certificate is revoked", .certificateRevoked),
        windows(
            "CERT_E_UNTRUSTEDROOT", "0x800B0109",
            "terminated in a root certificate which is not trusted by the trust provider", .untrustedRoot,
            .selfSignedLeaf,
            note: "Windows also prints this for installers, packages, and drivers from an untrusted signer."),
        windows(
            "CERT_E_CHAINING", "0x800B010A", "A certificate chain could not be built to a trusted root authority",
            .unknownIssuer, .untrustedRoot),
        windows(
            "CERT_E_EXPIRED", "0x800B0101",
            "A required certificate is not within its validity period when verifying against the current system clock",
            .certificateExpired, .certificateNotYetValid),
        windows(
            "CERT_E_CN_NO_MATCH", "0x800B010F", "The certificate's CN name does not match the passed value",
            .hostMismatch, .subjectAlternativeNameMissing),
        windows(
            "CERT_E_REVOKED", "0x800B010C", "A certificate was explicitly revoked by its issuer", .certificateRevoked),
        windows(
            "CERT_E_REVOCATION_FAILURE", "0x800B010E", "The revocation process could not continue",
            .revocationUnavailable),
        windows(
            "CERT_E_WRONG_USAGE", "0x800B0110", "The certificate is not valid for the requested usage",
            .extendedKeyUsageNotAllowed, .keyUsageNotForTLS),
        windows(
            "TRUST_E_CERT_SIGNATURE", "0x80096004", "The signature of the certificate cannot be verified",
            .signatureInvalid),
        trustStatus("IS_UNTRUSTED_ROOT", .untrustedRoot, .selfSignedLeaf),
        trustStatus("IS_PARTIAL_CHAIN", .unknownIssuer, .untrustedRoot),
        trustStatus("IS_NOT_TIME_VALID", .certificateExpired, .certificateNotYetValid),
        trustStatus("IS_NOT_VALID_FOR_USAGE", .extendedKeyUsageNotAllowed, .keyUsageNotForTLS),
        trustStatus("IS_REVOKED", .certificateRevoked),
        trustStatus(
            "REVOCATION_STATUS_UNKNOWN", .revocationUnavailable,
            note:
                "curl has `--ssl-revoke-best-effort`, and git has http.schannelCheckRevoke. Both skip the check without removing the cause."
        ),
        trustStatus("IS_OFFLINE_REVOCATION", .revocationUnavailable),
    ]

    private static func windows(
        _ name: String, _ number: String, _ text: String, _ codes: TrustFailure.Code..., note: String? = nil
    ) -> ForeignMessage {
        ForeignMessage(
            "Windows", [text, name, number], codes,
            source: "Schannel: winerror.h (curl and SQL Server in public reports)",
            note: note)
    }

    private static func trustStatus(
        _ name: String, _ codes: TrustFailure.Code..., note: String? = nil
    ) -> ForeignMessage {
        ForeignMessage(
            "Windows", ["CERT_TRUST_\(name)"], codes,
            source: "CryptoAPI: CERT_TRUST_STATUS of wincrypt.h (curl, certutil in public reports)", note: note)
    }

    // MARK: - BoringSSL and SwiftNIO

    static let boringSSL: [ForeignMessage] = [
        ForeignMessage(
            "BoringSSL",
            [
                "OPENSSL_internal:CERTIFICATE_VERIFY_FAILED",
                "error:1000007d:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED",
            ],
            [.unknownIssuer, .untrustedRoot, .selfSignedLeaf, .certificateExpired],
            source: "BoringSSL in swift-nio-ssl: gen/crypto/err_data.cc",
            note:
                "The error doesn't include BoringSSL's reason. `servertrust check HOST` names it. SwiftNIO SSL, Envoy, gRPC, and Bun check the name separately."
        ),
        ForeignMessage(
            "BoringSSL", ["OPENSSL_internal:WRONG_VERSION_NUMBER"], [.presentedChainEmpty],
            source: "BoringSSL in swift-nio-ssl: gen/crypto/err_data.cc", note: "The server didn't answer with TLS."),
        ForeignMessage(
            "BoringSSL",
            ["OPENSSL_internal:KEY_USAGE_BIT_INCORRECT", "KEY_USAGE_BIT_INCORRECT", "key usage bit incorrect"],
            [.keyUsageNotForTLS], source: "BoringSSL in swift-nio-ssl: gen/crypto/err_data.cc",
            note:
                "BoringSSL compares the leaf's key usage with the negotiated suite: digitalSignature for TLS 1.3 and (EC)DHE, keyEncipherment for RSA."
        ),
        ForeignMessage(
            "SwiftNIO SSL", ["NIOSSLExtraError.failedToValidateHostname", "Couldn't find … in certificate from peer"],
            [.hostMismatch, .subjectAlternativeNameMissing], source: "swift-nio-ssl: SSLErrors.swift"),
        ForeignMessage(
            "SwiftNIO SSL", ["NIOSSLExtraError.serverHostnameImpossibleToMatch"], [.hostMismatch],
            source: "swift-nio-ssl: SSLErrors.swift"),
        ForeignMessage(
            "SwiftNIO SSL", ["BoringSSLError.unknownError"],
            [.presentedChainEmpty, .unknownIssuer, .untrustedRoot, .handshakeUnproven],
            source: "swift-nio-ssl: SSLErrors.swift (public reports)",
            note:
                "The handshake ended, but BoringSSL's list of errors is empty. The program's verification callback may have refused the certificate, or the peer closed the connection."
        ),
        ForeignMessage(
            "SwiftNIO SSL", ["EOF during handshake"], [.presentedChainEmpty], source: "swift-nio-ssl: SSLErrors.swift",
            note: "The server closed the connection. Check the server's log."),
    ]

    // MARK: - PostgreSQL

    static let postgreSQL: [ForeignMessage] = [
        libpq("server certificate for … does not match host name …", .hostMismatch),
        libpq("could not get server's host name from server certificate", .subjectAlternativeNameMissing),
        libpq(
            "root certificate file … does not exist", .systemAnchorsUnavailable,
            note: "`sslmode=verify-full` needs ~/.postgresql/root.crt or sslrootcert."),
        libpq("could not read root certificate file …", .systemAnchorsUnavailable),
        libpq("server does not support SSL, but SSL was required", .presentedChainEmpty),
        libpq(
            "SSL error: certificate verify failed", .unknownIssuer, .untrustedRoot, .selfSignedLeaf,
            .certificateExpired,
            note: "libpq doesn't print the reason. `servertrust check HOST:5432 --starttls postgres` names it."),
    ]

    private static func libpq(_ text: String, _ codes: TrustFailure.Code..., note: String? = nil) -> ForeignMessage {
        ForeignMessage("psql", [text], codes, source: "libpq of PostgreSQL 15.18: strings of the library", note: note)
    }
}
