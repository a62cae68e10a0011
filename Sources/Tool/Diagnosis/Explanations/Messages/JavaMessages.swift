// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ForeignMessages {
    private static let jdk = "OpenJDK 17.0.15: java.base (strings of lib/modules)"

    private static func jsse(_ text: String, _ codes: TrustFailure.Code..., note: String? = nil) -> ForeignMessage {
        ForeignMessage("Java", [text], codes, source: jdk, note: note)
    }

    static let java: [ForeignMessage] = [
        jsse(
            "PKIX path building failed", .unknownIssuer, .untrustedRoot, .selfSignedLeaf,
            note:
                "Java has its own roots in lib/security/cacerts and doesn't fetch missing intermediates. A browser on the same machine shows no error."
        ),
        jsse(
            "unable to find valid certification path to requested target", .unknownIssuer, .untrustedRoot,
            .selfSignedLeaf,
            note:
                "Usually the server doesn't send the intermediate. `keytool -importcert` of the leaf hides this until the next renewal."
        ),
        jsse(
            "PKIX path validation failed", .certificateExpired, .signatureInvalid, .certificateRevoked,
            note: "The reason follows after CertPathValidatorException."),
        jsse("Path does not chain with any of the trust anchors", .untrustedRoot, .unknownIssuer),
        ForeignMessage(
            "Java",
            [
                "the trustAnchors parameter must be non-empty",
                "InvalidAlgorithmParameterException: the trustAnchors parameter",
            ],
            [.systemAnchorsUnavailable], source: jdk,
            note:
                "The file of roots is missing, empty or unreadable. Check `javax.net.ssl.trustStore` and the ca-certificates-java package."
        ),
        jsse("No subject alternative DNS name matching … found", .hostMismatch),
        jsse(
            "No subject alternative names matching IP address … found", .hostMismatch,
            note:
                "The connection goes to an IP address. Connect by name, or have the certificate reissued with the address."
        ),
        jsse("No subject alternative names present", .subjectAlternativeNameMissing, .hostMismatch),
        jsse("No name matching … found", .subjectAlternativeNameMissing, .hostMismatch),
        ForeignMessage(
            "Java", ["CertificateExpiredException", "NotAfter: …"], [.certificateExpired],
            source: jdk + "; java.security.cert"),
        ForeignMessage(
            "Java", ["CertificateNotYetValidException", "NotBefore: …"], [.certificateNotYetValid],
            source: jdk + "; java.security.cert"),
        ForeignMessage(
            "Java", ["validity check failed", "CertPathValidatorException: validity check failed"],
            [.certificateExpired, .certificateNotYetValid], source: jdk),
        ForeignMessage(
            "Java",
            [
                "signature check failed", "CertPathValidatorException: signature check failed",
                "BasicReason.INVALID_SIGNATURE",
            ],
            [.signatureInvalid], source: jdk),
        ForeignMessage(
            "Java",
            ["Certificate has been revoked, reason: …", "CertificateRevokedException", "BasicReason.REVOKED"],
            [.certificateRevoked], source: jdk),
        ForeignMessage(
            "Java",
            [
                "Could not determine revocation status", "Unable to determine revocation status due to network error",
                "UNDETERMINED_REVOCATION_STATUS", "Certificate's revocation status is unknown",
            ], [.revocationUnavailable], source: jdk),
        jsse(
            "Algorithm constraints check failed on signature algorithm: …", .signatureUsesSHA1, .signatureUsesMD5,
            note: "`jdk.certpath.disabledAlgorithms` in java.security lists the algorithms."),
        jsse("Algorithm constraints check failed on keysize limits: …", .rsaKeyTooSmall, .keyUsesUnsupportedCurve),
        ForeignMessage(
            "Java", ["Algorithm constraints check failed on disabled algorithm: …", "ALGORITHM_CONSTRAINED"],
            [.signatureUsesSHA1, .rsaKeyTooSmall, .signatureUsesMD5, .keyUsesDSA], source: jdk),
        ForeignMessage(
            "Java",
            [
                "unrecognized critical extension(s)", "UNRECOGNIZED_CRIT_EXT",
                "Certificate contains unsupported critical extensions: …",
            ],
            [.criticalExtensionUnhandled], source: jdk),
        ForeignMessage(
            "Java",
            [
                "Extended key usage does not permit use for TLS server authentication",
                "Extended key usage does not permit use for TLS client authentication",
            ],
            [.extendedKeyUsageNotAllowed], source: jdk,
            note: "The peer's certificate lacks the purpose: serverAuth for a server, clientAuth for a client."),
        ForeignMessage(
            "Java",
            [
                "Certificates do not conform to algorithm constraints",
                "Certificates does not conform to algorithm constraints",
            ],
            [.signatureUsesSHA1, .rsaKeyTooSmall, .signatureUsesMD5, .signatureAlgorithmUnsupported], source: jdk,
            note:
                "The java.security file disables a signature or key algorithm of the chain, in `jdk.certpath.disabledAlgorithms` or `jdk.tls.disabledAlgorithms`."
        ),
        jsse(
            "TrustAnchor with subject … is not a CA certificate", .notCertificateAuthority, .basicConstraintsMissing,
            note: "Java 8u241, 11.0.6, and later require CA:TRUE in version 3 roots of the trust store."),
        jsse(
            "Certificate does not specify OCSP responder", .revocationUnavailable,
            note: "Java should use OCSP (ocsp.enable), but the certificate contains no OCSP address."),
        jsse("Duplicate extensions not allowed", .certificateMalformed),
        jsse("Parse Generalized time, …", .certificateMalformed, .strictTimeEncoding),
        jsse("Parse UTC time, …", .certificateMalformed, .strictTimeEncoding),
        jsse("timestamp check failed", .certificateExpired, .certificateNotYetValid),
        ForeignMessage(
            "SQL Server", ["Failed to validate the server name in a certificate"],
            [.hostMismatch, .subjectAlternativeNameMissing],
            source: "Microsoft JDBC driver for SQL Server (public reports)",
            note: "The hostNameInCertificate property differs from the certificate's name, or the URL has an alias."),
        ForeignMessage(
            "Bouncy Castle", ["No issuer certificate for certificate in certification path found"],
            [.unknownIssuer, .untrustedRoot], source: "Bouncy Castle: bcprov, bctls (public reports)"),
        ForeignMessage(
            "Bouncy Castle", ["OCSP responder failed: …"], [.revocationUnavailable],
            source: "Bouncy Castle: OcspCache.java (public reports)",
            note:
                "The number is the status of the response (RFC 6960): 1 malformed request, 3 try later, 6 unauthorized."
        ),
        ForeignMessage(
            "Bouncy Castle", ["Unable to build a CertPath: no PKIXBuilderParameters available"],
            [.systemAnchorsUnavailable], source: "Bouncy Castle: ProvX509TrustManager.java (public reports)",
            note: "The trust manager's store is missing or empty."),
        jsse("KeyUsage does not allow digital signatures", .keyUsageNotForTLS),
        jsse("KeyUsage does not allow key encipherment", .keyUsageNotForTLS),
        ForeignMessage(
            "Java",
            [
                "check failed: this is not a CA certificate", "BasicReason.NOT_CA_CERT",
                "basic constraints check failed",
            ],
            [.notCertificateAuthority, .basicConstraintsMissing], source: jdk + "; java.security.cert.PKIXReason"),
        ForeignMessage(
            "Java", ["PKIXReason.PATH_TOO_LONG", "PATH_TOO_LONG"], [.pathLengthExceeded],
            source: jdk + "; java.security.cert.PKIXReason"),
        ForeignMessage(
            "Java", ["NO_TRUST_ANCHOR"], [.untrustedRoot, .unknownIssuer],
            source: jdk + "; java.security.cert.PKIXReason"),
        ForeignMessage(
            "Java", ["INVALID_KEY_USAGE"], [.keyUsageLacksCertSign, .keyUsageNotForTLS],
            source: jdk + "; java.security.cert.PKIXReason"),
        ForeignMessage(
            "Java", ["NAME_CHAINING"], [.unknownIssuer], source: jdk + "; java.security.cert.PKIXReason"),
        jsse("certificate does not satisfy existing name constraints", .nameNotPermitted, .nameExcluded),
        jsse(
            "UntrustedChecker: untrusted certificate", .certificateDenied, .untrustedRoot,
            note: "The certificate is on the JDK's list of blocked certificates."),
        jsse("Empty server certificate chain", .presentedChainEmpty),
        jsse("peer not authenticated", .presentedChainEmpty, .unknownIssuer),
        jsse(
            "Unsupported or unrecognized SSL message", .presentedChainEmpty,
            note:
                "The server didn't answer with TLS. The port speaks plain HTTP, or a protocol that starts without TLS."),
        jsse("The server selected protocol version … is not accepted by client preferences", .tlsVersionOutdated),
        jsse("Remote host terminated the handshake", .presentedChainEmpty, .tlsVersionOutdated),
        jsse(
            "Received fatal alert: handshake_failure", .presentedChainEmpty, .tlsVersionOutdated,
            note:
                "Client and server share no version, cipher suite or key exchange, or the server requires a client certificate."
        ),
        jsse("Received fatal alert: protocol_version", .tlsVersionOutdated),
    ]

    static let android: [ForeignMessage] = [
        ForeignMessage(
            "Android", ["Certificate chain does not conform to required transparency policy"], [.transparencyNotMet],
            source: "Conscrypt: TrustManagerImpl.java",
            note: "Newer versions print the reason after a colon: too few SCTs, too few operators, or no list of logs."),
        ForeignMessage(
            "Android", ["Trust anchor for certification path not found"],
            [.unknownIssuer, .untrustedRoot, .selfSignedLeaf],
            source: "Conscrypt: TrustManagerImpl.java (public reports)",
            note:
                "Since Android 7, apps only trust user-installed roots if network_security_config.xml permits it."
        ),
        ForeignMessage(
            "OkHttp", ["Certificate pinning failure!"], [.pinNotMatched], source: "OkHttp: CertificatePinner.kt"),
        ForeignMessage(
            "OkHttp", ["SSLPeerUnverifiedException: Hostname … not verified", "Hostname … not verified: certificate"],
            [.hostMismatch, .subjectAlternativeNameMissing], source: "OkHttp: RealConnection.kt (public reports)"),
        ForeignMessage(
            "Android", ["Pin verification failed"], [.pinNotMatched],
            source: "Android: NetworkSecurityTrustManager.java"),
        ForeignMessage(
            "Android", ["Chain validation failed"], [.certificateExpired, .certificateNotYetValid, .untrustedRoot],
            source: "Android: SSLHandshakeException of Conscrypt (public reports)",
            note:
                "The lines that begin with \"Caused by\" name the reason. Usually it is a date, or the device's clock."
        ),
    ]
}
