// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension ReportedMessageTests {
    /// Sixty messages from public threads, each from another tool or for another reason.
    static let threads: [Row] = [
        Row(
            "schannel: SEC_E_UNTRUSTED_ROOT (0x80090325) - The certificate chain was issued by an authority that is not trusted.",
            .untrustedRoot, .selfSignedLeaf, .unknownIssuer),
        Row(
            "curl: (60) schannel: CertGetCertificateChain trust error CERT_TRUST_REVOCATION_STATUS_UNKNOWN",
            .revocationUnavailable),
        Row(
            "schannel: next InitializeSecurityContext failed: Unknown error (0x80092013) - The revocation function was unable to check revocation because the revocation server was offline.",
            .revocationUnavailable),
        Row(
            "esp-tls-mbedtls: mbedtls_ssl_handshake returned -0x2700", .unknownIssuer, .untrustedRoot, .selfSignedLeaf,
            .certificateExpired, .hostMismatch),
        Row(
            "WiFiClientSecure SSL error: Chain could not be linked to a trust anchor.", .unknownIssuer, .untrustedRoot,
            .selfSignedLeaf),
        Row("err = -188, ASN no signer error to confirm failure", .unknownIssuer, .untrustedRoot),
        Row("wolfSSL_connect error -275, ASN self-signed certificate error", .selfSignedLeaf),
        Row("ASN sig error, confirm failure", .signatureInvalid),
        Row(
            "TLS client: In state certify at ssl_handshake.erl:1847 generated CLIENT ALERT: Fatal - Handshake Failure - {bad_cert,hostname_check_failed}",
            .hostMismatch, .subjectAlternativeNameMissing),
        Row(
            #"{tls_alert,{unknown_ca,"TLS client: In state certify at ssl_handshake.erl:2125 generated CLIENT ALERT: Fatal - Unknown CA\n"}}"#,
            .unknownIssuer, .untrustedRoot, .selfSignedLeaf),
        Row(
            "TLS server: In state wait_cert at ssl_handshake.erl:2113 generated SERVER ALERT: Fatal - Handshake Failure - {bad_cert,invalid_ext_key_usage}",
            .extendedKeyUsageNotAllowed),
        Row(
            "stream_socket_client(): Peer certificate CN=`*.example.com' did not match expected CN=`mail.example.net'",
            .hostMismatch),
        Row(
            "SSL_connect returned=1 errno=0 peeraddr=192.0.2.1:443 state=error: certificate verify failed (unable to get certificate CRL) (OpenSSL::SSL::SSLError)",
            .revocationUnavailable),
        Row("MOZILLA_PKIX_ERROR_SELF_SIGNED_CERT", .selfSignedLeaf),
        Row("MOZILLA_PKIX_CA_CERT_USED_AS_END_ENTITY", .strictLeafIsAuthority),
        Row("mozilla_pkix_error_key_pinning_failure", .pinNotMatched),
        Row("MOZILLA_PKIX_ERROR_OCSP_RESPONSE_FOR_CERT_MISSING", .revocationUnavailable, .stapleMissing),
        Row(
            "MOZILLA_PKIX_ERROR_ADDITIONAL_POLICY_CONSTRAINT_FAILED", .anchorDistrustedAfter, .anchorNameNotPermitted,
            .untrustedRoot),
        Row(
            "Certificate contains unknown critical extension. (Error code: sec_error_unknown_critical_extension)",
            .criticalExtensionUnhandled),
        Row("sec_error_ca_cert_invalid", .notCertificateAuthority, .basicConstraintsMissing),
        Row(
            "The remote certificate is invalid according to the validation procedure: RemoteCertificateNameMismatch, RemoteCertificateChainErrors",
            .hostMismatch, .unknownIssuer),
        Row(
            "Server cert key DER is valid; qed: InvalidCertificate(Other(OtherError(UnsupportedCriticalExtension)))",
            .criticalExtensionUnhandled),
        Row("invalid peer certificate: Other(OtherError(UnsupportedCertVersion))", .certificateVersionNotAllowed),
        Row(
            "invalid peer certificate contents: invalid peer certificate: CertNotValidForName", .hostMismatch,
            .subjectAlternativeNameMissing),
        Row(
            "error trying to connect: invalid certificate: UnknownIssuer", .unknownIssuer, .untrustedRoot,
            .selfSignedLeaf),
        Row(
            #"Failure(Error { code: -67843, message: "The certificate was not trusted." }"#, .untrustedRoot,
            .selfSignedLeaf, .unknownIssuer),
        Row(
            "PlatformException(CONNECTION_NOT_SECURE, Connection is not secure, Fingerprint doesn't match, null)",
            .certificateNotPinned, .unknownIssuer),
        Row("CertificateNotVerifiedException: Connection is not secure", .certificateNotPinned, .unknownIssuer),
        Row(
            "VERIFY X509NAME ERROR: C=A, ST=B, L=C, O=D, OU=E, CN=F, must be C=A, ST=B, L=C, O=D, OU=E",
            .attributeNotMatched, .hostMismatch),
        Row(
            "javax.net.ssl.SSLHandshakeException: No subject alternative DNS name matching broker.example.com found.",
            .hostMismatch),
        Row("Certificate error: No subject alternative names present", .subjectAlternativeNameMissing, .hostMismatch),
        Row(
            "certificate verification failed for mail.example.com[192.0.2.27]:25: untrusted issuer /O=Example/CN=Example Root",
            .untrustedRoot, .unknownIssuer),
        Row("Server certificate not trusted", .untrustedRoot, .unknownIssuer, .selfSignedLeaf),
        Row(
            "upstream connect error or disconnect/reset before headers. reset reason: remote connection failure, transport failure reason: TLS_error:|268435581:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED:TLS_error_end",
            .unknownIssuer, .untrustedRoot, .selfSignedLeaf, .certificateExpired),
        Row("TLS: peer cert untrusted or revoked (0x42)", .unknownIssuer, .untrustedRoot, .selfSignedLeaf),
        Row("TLS: hostname does not match CN in peer certificate", .hostMismatch, .subjectAlternativeNameMissing),
        Row("TLS: unable to get CN from peer certificate", .subjectAlternativeNameMissing),
        Row("TLS error -8172:Peer's certificate issuer has been marked as not trusted by the user.", .untrustedRoot),
        Row(
            #"Error Domain=NSURLErrorDomain Code=-1202 "The certificate for this server is invalid. You might be connecting to a server that is pretending to be "192.0.2.191" which could put your confidential information at risk.""#,
            .unknownIssuer, .untrustedRoot, .selfSignedLeaf, .hostMismatch, .certificateExpired),
        Row(
            #"Error Domain=NSOSStatusErrorDomain Code=-67602 "Certificate 0 "*.example.com" has errors: SSL hostname does not match name(s) in certificate;""#,
            .hostMismatch, .subjectAlternativeNameMissing),
        Row("hostname '192.0.2.49' doesn't match either of 'example.com', '192.0.2.49'", .hostMismatch),
        Row(
            "ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: IP address mismatch, certificate is not valid for '192.0.2.223'. (_ssl.c:1051)",
            .hostMismatch, .subjectAlternativeNameMissing),
        Row(
            "x509: cannot verify signature: insecure algorithm SHA1-RSA (temporarily override with GODEBUG=x509sha1=1)",
            .signatureUsesSHA1, .signatureUsesMD5),
        Row("x509: unhandled critical extension", .criticalExtensionUnhandled),
        Row(
            "A certificate chain processed, but terminated in a root certificate which is not trusted by the trust provider. (0x800B0109)",
            .untrustedRoot, .selfSignedLeaf),
        Row(
            "PKIX path validation failed: java.security.cert.CertPathValidatorException: Algorithm constraints check failed on keysize limits: RSA 1024 bit key used with certificate: CN=www.example.com",
            .rsaKeyTooSmall, .keyUsesUnsupportedCurve),
        Row(
            "TLS/SSL error: Certificate verification failure: The certificate is NOT trusted.", .untrustedRoot,
            .unknownIssuer, .selfSignedLeaf),
        Row(
            #"connection to server at "192.0.2.1", port 5432 failed: server certificate for "localhost" does not match host name "192.0.2.1""#,
            .hostMismatch),
        Row(
            "ERROR: cannot verify www.example.com's certificate, issued by 'CN=R3,O=Example': Unable to locally verify the issuer's authority.",
            .unknownIssuer, .untrustedRoot),
        Row(
            "ERROR: no certificate subject alternative name matches requested host name 'www.example.com'.",
            .hostMismatch, .subjectAlternativeNameMissing),
        Row(
            "TrustKit was initialized with less than 2 pins (ie. no backup pins) for domain api.example.com. This might brick your App",
            .pinNotMatched),
        Row("reason: 'TrustKit was initialized with an invalid Pin'", .pinNotMatched),
        Row("javax.net.ssl.SSLHandshakeException: Pin verification failed", .pinNotMatched),
        Row(
            "javax.net.ssl.SSLHandshakeException: Chain validation failed", .certificateExpired,
            .certificateNotYetValid, .untrustedRoot),
        Row(
            "java.security.cert.CertificateException: No issuer certificate for certificate in certification path found.",
            .unknownIssuer, .untrustedRoot),
        Row("Unable to build a CertPath: no PKIXBuilderParameters available", .systemAnchorsUnavailable),
        Row(
            #"upstream SSL certificate does not match "backend.example.com" while SSL handshaking to upstream"#,
            .hostMismatch, .subjectAlternativeNameMissing),
        Row(
            "The server certificate does not match the host name. Hostname: 127.0.0.1 does not match SAN(s): *.example.com example.com",
            .hostMismatch, .subjectAlternativeNameMissing),
        Row(
            "SSL upgrade failed: hostname verification failed at LWP/Protocol/http.pm line 205.", .hostMismatch,
            .subjectAlternativeNameMissing),
        Row("error.CertificateIssuerMismatch", .unknownIssuer),
    ]
}
