// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension ReportedMessageTests {
    /// The messages of situations rebuilt from public reports.
    static let situations: [Row] = [
        Row(
            #""failed to mount" err="failed to get secret, name:api: x509: negative serial number""#,
            .strictSerialNumber, .certificateMalformed),
        Row(
            "ERROR: tls: failed to parse certificate from server: x509: negative serial number", .strictSerialNumber,
            .certificateMalformed),
        Row(
            #"ValueError: error parsing asn1 value: ParseError { kind: InvalidValue, location: ["RawCertificate::tbs_cert", "TbsCertificate::serial"] }"#,
            .strictSerialNumber, .certificateMalformed),
        Row(
            "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: Missing Authority Key Identifier (_ssl.c:1032)",
            .strictAuthorityKeyIdentifier),
        Row(
            "ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: Basic Constraints of CA cert not marked critical (_ssl.c:1032)",
            .strictExtensionCriticality),
        Row(
            "called `Result::unwrap()` on an `Err` value: InvalidCertificate(Other(CaUsedAsEndEntity))",
            .strictLeafIsAuthority),
        Row("invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))", .strictLeafIsAuthority),
        Row("error trying to connect: invalid dnsname", .hostMismatch),
        Row("called `Result::unwrap()` on an `Err` value: InvalidDNSNameError", .hostMismatch),
        Row("invalid peer certificate: BadEncoding", .certificateMalformed),
        Row("invalid peer certificate: NotValidForName", .hostMismatch, .subjectAlternativeNameMissing),
        Row("x509: certificate relies on legacy Common Name field, use SANs instead", .subjectAlternativeNameMissing),
        Row(
            "x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs", .hostMismatch,
            .subjectAlternativeNameMissing),
        Row("x509: x509: IP constraint contained value of length 0", .nameConstraintUndecidable, .certificateMalformed),
        Row(
            "x509: a root or intermediate certificate is not authorized to sign in this domain", .nameNotPermitted,
            .nameExcluded),
        Row(
            #"x509: a root or intermediate certificate is not authorized to sign for this name: DNS name "a.example.com" is not permitted by any constraint"#,
            .nameNotPermitted, .nameExcluded),
        Row("error 47 at 0 depth lookup: permitted subtree violation", .nameNotPermitted),
        Row("SEC_ERROR_CERT_NOT_IN_NAME_SPACE", .nameNotPermitted, .nameExcluded),
        Row("x509: malformed extension", .certificateMalformed, .strictEncoding),
        Row(
            "http: TLS handshake error from 192.0.2.7:40000: tls: failed to verify certificate: x509: certificate specifies an incompatible key usage",
            .extendedKeyUsageNotAllowed),
        Row("SEC_ERROR_INADEQUATE_CERT_TYPE", .extendedKeyUsageNotAllowed),
        Row(
            "NET::ERR_CERT_INVALID", .certificateMalformed, .extendedKeyUsageNotAllowed, .criticalExtensionUnhandled,
            .notCertificateAuthority),
        Row(
            "error 26 at 0 depth lookup: unsupported certificate purpose", .extendedKeyUsageNotAllowed,
            .keyUsageNotForTLS),
        Row("SSL says error 26 : unsupported certificate purpose", .extendedKeyUsageNotAllowed, .keyUsageNotForTLS),
        Row(
            "VERIFY ERROR: depth=1, error=authority and subject key identifier mismatch: CN=vpn.example.com",
            .unknownIssuer, .signatureInvalid),
        Row(
            "error 30 at 0 depth lookup: authority and subject key identifier mismatch", .unknownIssuer,
            .signatureInvalid),
        Row("javax.net.ssl.SSLPeerUnverifiedException: Certificate pinning failure!", .pinNotMatched),
        Row("curl: (90) SSL: public key does not match pinned public key!", .pinNotMatched),
        Row(
            "com.datatheorem.android.trustkit.config.ConfigurationException: Less than two pins were supplied for domain api.example.com. This might brick your App",
            .pinNotMatched),
        Row("=== TrustKit: Pin validation failed for api.example.com", .pinNotMatched, .unknownIssuer),
        Row("=== TrustKit: Error: SSL Pin not found for api.example.com", .pinNotMatched),
        Row(
            "HandshakeException: Handshake error in client (OS Error: CERTIFICATE_VERIFY_FAILED: unable to get local issuer certificate(handshake.cc:354))",
            .unknownIssuer, .untrustedRoot),
        Row(
            "ERR_TLS_CERT_ALTNAME_INVALID: Hostname/IP does not match certificate's altnames: Cert does not contain a DNS name",
            .hostMismatch, .subjectAlternativeNameMissing),
        Row(
            #"PKIX path validation failed: sun.security.validator.ValidatorException: TrustAnchor with subject "CN=example" is not a CA certificate"#,
            .notCertificateAuthority, .basicConstraintsMissing),
        Row("Extended key usage does not permit use for TLS client authentication", .extendedKeyUsageNotAllowed),
        Row(
            "javax.net.ssl.SSLHandshakeException: Certificates do not conform to algorithm constraints",
            .signatureUsesSHA1, .rsaKeyTooSmall, .signatureUsesMD5, .signatureAlgorithmUnsupported),
        Row(
            "PKIX path building failed: sun.security.provider.certpath.SunCertPathBuilderException: unable to find valid certification path to requested target",
            .unknownIssuer, .untrustedRoot, .selfSignedLeaf),
        Row(
            "java.security.cert.CertPathValidatorException: Path does not chain with any of the trust anchors",
            .untrustedRoot, .unknownIssuer),
        Row(
            "java.security.cert.CertPathValidatorException: Certificate does not specify OCSP responder",
            .revocationUnavailable),
        Row(
            "java.security.cert.CertificateParsingException: java.io.IOException: Duplicate extensions not allowed",
            .certificateMalformed),
        Row("java.io.IOException: Parse Generalized time, invalid offset", .certificateMalformed, .strictTimeEncoding),
        Row(
            "RevocationStatusUnknown: The revocation function was unable to check revocation for the certificate.",
            .revocationUnavailable),
        Row(
            #"Chain status: "NotTimeValid,RevocationStatusUnknown,UntrustedRoot""#, .revocationUnavailable,
            .untrustedRoot, .selfSignedLeaf, .certificateExpired, .certificateNotYetValid),
        Row("PartialChain:unable to get local issuer certificate", .unknownIssuer, .untrustedRoot),
        Row(
            "NSLocalizedDescription=SSL certificate problem: self signed certificate in certificate chain",
            .untrustedRoot),
        Row("connection error Error: self signed certificate in certificate chain", .untrustedRoot),
        Row(#"root certificate file "/home/app/root.crt" does not exist"#, .systemAnchorsUnavailable),
        Row(
            "Server trust evaluation failed due to reason: No certificates were found or provided for evaluation.",
            .certificateNotPinned),
        Row(
            "Server trust evaluation failed due to reason: SecTrust evaluation failed with error: “*.example.com” certificate name does not match input",
            .hostMismatch, .subjectAlternativeNameMissing),
        Row(
            "x509: “vpn.example.com” certificate is not standards compliant", .validityTooLong,
            .extendedKeyUsageNotAllowed, .systemRefused),
        Row("OSStatus -67901", .validityTooLong, .strictValidityPeriod),
        Row(
            "-0x2562: X509 - The extension tag or value is invalid : ASN1 - ASN1 tag was of an unexpected value",
            .certificateMalformed, .criticalExtensionUnhandled),
        Row(
            "MbedTLS error code -9570: X509 - The extension tag or value is invalid : ASN1 - ASN1 tag was of an unexpected value",
            .certificateMalformed, .criticalExtensionUnhandled),
        Row(
            "X509 - Certificate verification failed, e.g. CRL, CA or signature check failed (-0x2700)", .unknownIssuer,
            .untrustedRoot, .selfSignedLeaf, .certificateExpired, .hostMismatch),
        Row(
            "ERROR: Certificate verification: Not trusted: no issuer was found", .unknownIssuer, .untrustedRoot,
            .selfSignedLeaf),
        Row(
            "server certificate verification failed. CAfile: none CRLfile: none", .unknownIssuer, .untrustedRoot,
            .selfSignedLeaf, .certificateExpired, .hostMismatch),
        Row(
            "handshakeFailed(NIOSSL.BoringSSLError.sslError([Error: 268435581 error:1000007d:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED at handshake.cc:393]))",
            .unknownIssuer, .untrustedRoot, .selfSignedLeaf, .certificateExpired),
        Row(
            "BoringSSLError.unknownError([])", .presentedChainEmpty, .unknownIssuer, .untrustedRoot, .handshakeUnproven),
        Row("kCFStreamErrorDomainSSL, -9802", .pinNotMatched, .tlsVersionOutdated),
        Row(
            "NSURLConnection/CFURLConnection HTTP load failed (kCFStreamErrorDomainSSL, -9813)", .unknownIssuer,
            .untrustedRoot),
        Row(
            "Error finalizing order :: OCSP must-staple extension is no longer available: see https://letsencrypt.org/2024/12/05/ending-ocsp",
            .stapleMissing, .tlsFeatureMissing),
        Row(
            "java.security.cert.CertPathValidatorException: Trust anchor for certification path not found.",
            .unknownIssuer, .untrustedRoot, .selfSignedLeaf),
        Row(
            "javax.net.ssl.SSLPeerUnverifiedException: Failed to find a trusted cert that signed Certificate:",
            .unknownIssuer, .untrustedRoot),
        Row(
            "failed to verify client's certificate: x509: certificate specifies an incompatible key usage",
            .extendedKeyUsageNotAllowed),
        Row("FAILED:unable to get certificate CRL", .revocationUnavailable),
        Row("verify error:num=10:certificate has expired", .certificateExpired),
        Row("invalid peer certificate: Revoked", .certificateRevoked),
        Row(
            #"x509: certificate signed by unknown authority (possibly because of "crypto/rsa: verification error" while trying to verify candidate authority certificate "Example CA")"#,
            .signatureInvalid, .notCertificateAuthority),
        Row(
            "error:10000416:SSL routines:OPENSSL_internal:SSLV3_ALERT_CERTIFICATE_UNKNOWN", .unknownIssuer,
            .untrustedRoot, .hostMismatch, .certificateExpired),
        Row(
            "error:0A000076:SSL routines::no suitable signature algorithm", .handshakeUnproven,
            .signatureAlgorithmUnsupported, .rsaKeyTooSmall),
        Row(
            "error:1000041b NO_COMMON_SIGNATURE_ALGORITHMS", .handshakeUnproven, .signatureAlgorithmUnsupported,
            .rsaKeyTooSmall),
        Row("error:0A00010B:SSL routines::wrong version number", .presentedChainEmpty),
        Row(
            "The remote certificate is invalid because of errors in the certificate chain: PartialChain",
            .unknownIssuer, .untrustedRoot),
        Row(
            "failed to connect: tls: failed to verify certificate: x509: certificate is valid for ingress.example.com, not api.example.com",
            .hostMismatch),
        Row(
            #"rejected connection from "192.0.2.5:40001" (error "remote error: tls: bad certificate", ServerName "")"#,
            .unknownIssuer, .untrustedRoot, .hostMismatch, .certificateMalformed),
        Row(
            "SSL: CERTIFICATE_VERIFY_FAILED certificate verify failed: self-signed certificate in certificate chain (_ssl.c:1000)",
            .untrustedRoot),
        Row("npm ERR! code UNABLE_TO_GET_ISSUER_CERT_LOCALLY", .unknownIssuer, .untrustedRoot),
        Row("UNABLE_TO_VERIFY_LEAF_SIGNATURE", .unknownIssuer),
        Row(
            "ERROR 2026 (HY000): SSL connection error: error:0A000086:SSL routines::certificate verify failed",
            .unknownIssuer, .untrustedRoot, .selfSignedLeaf, .certificateExpired, .hostMismatch),
        Row("SSL peer certificate validation failed: self signed certificate", .selfSignedLeaf),
        Row(
            "SSL handshake failed: error:1416F086:SSL routines:tls_process_server_certificate:certificate verify failed: broker certificate could not be verified, verify that ssl.ca.location is correctly configured",
            .unknownIssuer, .untrustedRoot, .selfSignedLeaf, .certificateExpired, .hostMismatch),
    ]
}
