// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrust
import Testing

/// Messages as people paste them, with times, hosts and prefixes around them.
@Suite("Pasted messages") struct PastedMessageTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var code: TrustFailure.Code
        var testDescription: String { String(text.prefix(60)) }

        init(_ text: String, _ code: TrustFailure.Code) {
            self.text = text
            self.code = code
        }
    }

    static let rows: [Row] = commandLines + runtimes + clients

    static let commandLines: [Row] = [
        Row("unable to get local issuer certificate", .unknownIssuer),
        Row("Unable To Get Local Issuer Certificate", .unknownIssuer),
        Row("“unable to get local issuer certificate”", .unknownIssuer),
        Row("Error: api.example.com: verify error:num=20:unable to get local issuer certificate", .unknownIssuer),
        Row("verify error:num=10:certificate has expired\nnotAfter=Nov 20 12:00:00 2026 GMT", .certificateExpired),
        Row("Verify return code: 21 (unable to verify the first certificate)", .unknownIssuer),
        Row("    Verify return code: 18 (self signed certificate)", .selfSignedLeaf),
        Row("error 19 at 1 depth lookup: self-signed certificate in certificate chain", .untrustedRoot),
        Row(
            "CN = api.example.com\nerror 26 at 0 depth lookup: unsuitable certificate purpose",
            .extendedKeyUsageNotAllowed),
        Row("X509_V_ERR_CERT_REVOKED", .certificateRevoked),
        Row("key usage bit incorrect", .keyUsageNotForTLS),
        Row("error:10000130:SSL routines:OPENSSL_internal:KEY_USAGE_BIT_INCORRECT", .keyUsageNotForTLS),
        Row("verify error:num=68:CA signature digest algorithm too weak", .signatureUsesSHA1),
        Row(
            "curl: (60) SSL certificate problem: unable to get local issuer certificate\nMore details here: https://curl.se/docs/sslcerts.html",
            .unknownIssuer),
        Row("curl: (60) SSL certificate problem: certificate has expired", .certificateExpired),
        Row(
            "curl: (60) SSL: no alternative certificate subject name matches target host name 'api.example.com'",
            .hostMismatch),
        Row(
            "curl: (51) SSL: no alternative certificate subject name matches target host name 'api.example.com'",
            .hostMismatch),
        Row("curl: (60)", .unknownIssuer),
        Row("curl: (35) OpenSSL/3.0.22: error:0A00010B:SSL routines::wrong version number", .presentedChainEmpty),
        Row("curl: (35) OpenSSL/3.2.1: error:0A0000C6:SSL routines::packet length too long", .presentedChainEmpty),
        Row("curl: (35) OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to a.example:443", .presentedChainEmpty),
        Row("javax.net.ssl.SSLHandshakeException: Received fatal alert: handshake_failure", .presentedChainEmpty),
        Row("javax.net.ssl.SSLException: Received fatal alert: protocol_version", .tlsVersionOutdated),
        Row("Get \"https://a.example\": remote error: tls: handshake failure", .presentedChainEmpty),
        Row("remote error: tls: protocol version not supported", .tlsVersionOutdated),
        Row("Error code: PR_END_OF_FILE_ERROR", .presentedChainEmpty),
        Row("curl: (90) SSL: public key does not match pinned public key", .pinNotMatched),
        Row("curl: (91) No OCSP response received", .stapleMissing),
        Row(
            "curl: (77) error setting certificate verify locations:  CAfile: /etc/ssl/certs/ca-certificates.crt CApath: none",
            .systemAnchorsUnavailable),
        Row(
            "curl: (60) schannel: SNI or certificate check failed: SEC_E_WRONG_PRINCIPAL (0x80090322) - The target principal name is incorrect.",
            .hostMismatch),
        Row(
            "curl: (35) schannel: next InitializeSecurityContext failed: CRYPT_E_NO_REVOCATION_CHECK (0x80092012) - The revocation function was unable to check revocation for the certificate.",
            .revocationUnavailable),
        Row(
            "ERROR: cannot verify www.example.com's certificate, issued by ‘CN=R3,O=Let's Encrypt,C=US’:\n  Unable to locally verify the issuer's authority.",
            .unknownIssuer),
        Row("ERROR: The certificate of ‘www.example.com’ has expired.", .certificateExpired),
        Row("ERROR: The certificate of ‘www.example.com’ doesn't have a known issuer.", .unknownIssuer),
        Row("The certificate's owner does not match hostname ‘www.example.com’", .hostMismatch),
        Row(
            "fatal: unable to access 'https://git.example.com/a.git/': SSL certificate problem: self-signed certificate",
            .selfSignedLeaf),
        Row(
            "fatal: unable to access 'https://github.com/a/b.git/': server certificate verification failed. CAfile: none CRLfile: none",
            .unknownIssuer),
        Row("- Status: The certificate is NOT trusted. The certificate issuer is unknown. ", .unknownIssuer),
        Row(
            "- Status: The certificate is NOT trusted. The certificate chain uses expired certificate. ",
            .certificateExpired),
        Row("*** Fatal error: An unexpected TLS packet was received.", .presentedChainEmpty),
        Row(
            #"psql: error: connection to server at "db.example.com" (192.0.2.7), port 5432 failed: server certificate for "db.internal" does not match host name "db.example.com""#,
            .hostMismatch),
        Row(
            #"connection to server at "db" failed: root certificate file "/root/.postgresql/root.crt" does not exist"#,
            .systemAnchorsUnavailable),
    ]

    static let runtimes: [Row] = [
        Row("x509: certificate signed by unknown authority", .unknownIssuer),
        Row(
            #"2026/11/20 09:30:00 Get "https://api.example.com/v1": tls: failed to verify certificate: x509: certificate signed by unknown authority"#,
            .unknownIssuer),
        Row(
            #"Get "https://api.example.com": x509: certificate signed by unknown authority (possibly because of "crypto/rsa: verification error" while trying to verify candidate authority certificate "Corp Root")"#,
            .signatureInvalid),
        Row(
            "x509: certificate has expired or is not yet valid: current time 2026-11-20T09:30:00Z is after 2026-11-01T00:00:00Z",
            .certificateExpired),
        Row(
            "x509: certificate has expired or is not yet valid: current time 2026-01-01T00:00:00Z is before 2026-11-01T00:00:00Z",
            .certificateNotYetValid),
        Row(
            "Unable to connect to the server: x509: certificate is valid for 10.96.0.1, 192.168.1.10, not 203.0.113.7",
            .hostMismatch),
        Row("x509: cannot validate certificate for 192.0.2.7 because it doesn't contain any IP SANs", .hostMismatch),
        Row("x509: certificate relies on legacy Common Name field, use SANs instead", .subjectAlternativeNameMissing),
        Row("x509: “api.example.com” certificate is not standards compliant", .validityTooLong),
        Row("PKIX path building failed", .unknownIssuer),
        Row(
            "javax.net.ssl.SSLHandshakeException: PKIX path building failed: sun.security.provider.certpath.SunCertPathBuilderException: unable to find valid certification path to requested target",
            .unknownIssuer),
        Row(
            "Caused by: java.security.cert.CertificateException: No subject alternative DNS name matching api.example.com found.",
            .hostMismatch),
        Row(
            "java.security.cert.CertificateException: No subject alternative names present",
            .subjectAlternativeNameMissing),
        Row(
            "Caused by: java.security.cert.CertificateExpiredException: NotAfter: Fri Nov 20 12:00:00 UTC 2026\n\tat java.base/sun.security.x509.CertificateValidity.valid",
            .certificateExpired),
        Row(
            "java.security.InvalidAlgorithmParameterException: the trustAnchors parameter must be non-empty",
            .systemAnchorsUnavailable),
        Row(
            "sun.security.validator.ValidatorException: PKIX path validation failed: java.security.cert.CertPathValidatorException: validity check failed",
            .certificateExpired),
        Row(
            "requests.exceptions.SSLError: HTTPSConnectionPool(host='api.example.com', port=443): Max retries exceeded with url: / (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate (_ssl.c:1006)')))",
            .unknownIssuer),
        Row(
            "ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: Hostname mismatch, certificate is not valid for 'api.example.com'. (_ssl.c:1006)",
            .hostMismatch),
        Row(
            "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: Missing Authority Key Identifier (_ssl.c:1032)",
            .strictAuthorityKeyIdentifier),
        Row(
            "OSError: Could not find a suitable TLS CA certificate bundle, invalid path: /opt/corp.pem",
            .systemAnchorsUnavailable),
        Row(
            "npm ERR! code UNABLE_TO_GET_ISSUER_CERT_LOCALLY\nnpm ERR! request to https://registry.npmjs.org/ failed",
            .unknownIssuer),
        Row(
            "Error: self-signed certificate in certificate chain\n    at TLSSocket.onConnectSecure { code: 'SELF_SIGNED_CERT_IN_CHAIN' }",
            .untrustedRoot),
        Row(
            "{\"level\":\"error\",\"msg\":\"Error: unable to verify the first certificate\\n    at TLSSocket\",\"code\":\"UNABLE_TO_VERIFY_LEAF_SIGNATURE\"}",
            .unknownIssuer),
        Row(
            "Error [ERR_TLS_CERT_ALTNAME_INVALID]: Hostname/IP does not match certificate's altnames: Host: api.example.com. is not in the cert's altnames: DNS:www.example.com",
            .hostMismatch),
        Row("DEPTH_ZERO_SELF_SIGNED_CERT", .selfSignedLeaf),
        Row(
            "System.Security.Authentication.AuthenticationException: The remote certificate is invalid according to the validation procedure: RemoteCertificateNameMismatch, RemoteCertificateChainErrors",
            .hostMismatch),
        Row(
            "The remote certificate is invalid because of errors in the certificate chain: UntrustedRoot",
            .untrustedRoot),
        Row(
            "The remote certificate is invalid because of errors in the certificate chain: PartialChain", .unknownIssuer
        ),
        Row(
            "A connection was successfully established with the server, but then an error occurred during the login process. (provider: SSL Provider, error: 0 - The certificate chain was issued by an authority that is not trusted.)",
            .untrustedRoot),
        Row(
            "error sending request for url (https://api.example.com/): invalid peer certificate: UnknownIssuer",
            .unknownIssuer),
        Row(
            "invalid peer certificate: certificate expired: verification time 1757268307 (UNIX), but certificate is not valid after 1428883199",
            .certificateExpired),
        Row("invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))", .strictLeafIsAuthority),
        Row(#"invalid peer certificate: certificate not valid for name "api.example.com""#, .hostMismatch),
    ]

    static let clients: [Row] = [
        Row("ERR_CERT_DATE_INVALID", .certificateExpired),
        Row("Your connection is not private\nNET::ERR_CERT_AUTHORITY_INVALID", .untrustedRoot),
        Row("net::ERR_CERT_COMMON_NAME_INVALID", .hostMismatch),
        Row(
            "[1120/093000:ERROR:ssl_client_socket_impl.cc(970)] handshake failed; returned -1, SSL error code 1, net_error -202",
            .untrustedRoot),
        Row("Error code: SEC_ERROR_UNKNOWN_ISSUER", .unknownIssuer),
        Row("Error code: <a>MOZILLA_PKIX_ERROR_SELF_SIGNED_CERT</a>", .selfSignedLeaf),
        Row("SSL_ERROR_BAD_CERT_DOMAIN", .hostMismatch),
        Row("-1202", .unknownIssuer),
        Row("-9843", .hostMismatch),
        Row("errSSLHostNameMismatch", .hostMismatch),
        Row(
            "Error Domain=NSURLErrorDomain Code=-1202 \"The certificate for this server is invalid. You might be connecting to a server that is pretending to be “api.example.com” which could put your confidential information at risk.\" UserInfo={_kCFStreamErrorCodeKey=-9843, NSErrorFailingURLStringKey=https://api.example.com/}",
            .hostMismatch),
        Row("NSURLSession/NSURLConnection HTTP load failed (kCFStreamErrorDomainSSL, -9814)", .certificateExpired),
        Row("errSecCertificateRevoked", .certificateRevoked),
        Row(
            "java.security.cert.CertPathValidatorException: Trust anchor for certification path not found.",
            .unknownIssuer),
        Row(
            "javax.net.ssl.SSLPeerUnverifiedException: Certificate pinning failure!\n  Peer certificate chain:\n    sha256/x=: CN=api.example.com",
            .pinNotMatched),
        Row(
            "handshakeFailed(NIOSSL.BoringSSLError.sslError([Error: 268435581 error:1000007d:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED at ssl.cc:400]))",
            .unknownIssuer),
        Row(
            "NIOSSLExtraError.failedToValidateHostname: Couldn't find api.example.com in certificate from peer",
            .hostMismatch),
        Row("\u{1b}[31mERROR\u{1b}[0m certificate has expired", .certificateExpired),
    ]

    @Test("The search finds the code of a pasted message", arguments: rows) func aPastedMessageLeadsToItsCode(
        _ row: Row
    ) {
        let search = MessageSearch(row.text)
        #expect(
            search.codes.first == row.code,
            "\(search.codes), \(search.matches.map { "\($0.message.tool): \($0.form)" })")
    }

    @Test("There are at least 60 pasted messages") func thereAreSixty() { #expect(Self.rows.count >= 60) }
}
