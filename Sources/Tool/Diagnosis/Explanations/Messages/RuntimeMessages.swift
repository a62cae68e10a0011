// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ForeignMessages {
    // MARK: - Python

    static let python: [ForeignMessage] =
        [
            verifyFailed("unable to get local issuer certificate", .unknownIssuer, .untrustedRoot),
            verifyFailed("self-signed certificate", .selfSignedLeaf),
            verifyFailed("self-signed certificate in certificate chain", .untrustedRoot),
            verifyFailed("certificate has expired", .certificateExpired),
            verifyFailed("certificate is not yet valid", .certificateNotYetValid),
            verifyFailed("unable to get issuer certificate", .unknownIssuer, .untrustedRoot),
            verifyFailed("Missing Authority Key Identifier", .strictAuthorityKeyIdentifier),
            verifyFailed("Basic Constraints of CA cert not marked critical", .strictExtensionCriticality),
            verifyFailed(
                "Hostname mismatch, certificate is not valid for …", .hostMismatch, .subjectAlternativeNameMissing),
            verifyFailed(
                "IP address mismatch, certificate is not valid for …", .hostMismatch, .subjectAlternativeNameMissing),
        ] + [
            ForeignMessage(
                "Python", ["SSLCertVerificationError", "CERTIFICATE_VERIFY_FAILED"],
                [.unknownIssuer, .untrustedRoot, .selfSignedLeaf, .certificateExpired, .hostMismatch],
                source: "CPython 3.11: Modules/_ssl.c, Lib/ssl.py",
                note: "The reason follows after \"certificate verify failed:\". Pass it, too."),
            ForeignMessage(
                "Python", ["hostname … doesn't match either of …"], [.hostMismatch],
                source: "urllib3 2.7.0: util/ssl_match_hostname.py, CPython up to 3.6: Lib/ssl.py"),
            ForeignMessage(
                "Python", ["hostname … doesn't match …"], [.hostMismatch],
                source: "urllib3 2.7.0: util/ssl_match_hostname.py"),
            ForeignMessage(
                "Python",
                [
                    "no appropriate subjectAltName fields were found",
                    "no appropriate commonName or subjectAltName fields were found",
                ],
                [.subjectAlternativeNameMissing], source: "urllib3 2.7.0: util/ssl_match_hostname.py"),
            ForeignMessage(
                "Python", ["Fingerprints did not match"], [.certificateNotPinned],
                source: "urllib3 2.7.0: util/ssl_.py"),
            ForeignMessage(
                "Python", ["Could not find a suitable TLS CA certificate bundle, invalid path: …"],
                [.systemAnchorsUnavailable], source: "requests 2.34.2: adapters.py",
                note: "REQUESTS_CA_BUNDLE or CURL_CA_BUNDLE names a file that doesn't exist."),
        ]

    private static func verifyFailed(_ text: String, _ codes: TrustFailure.Code...) -> ForeignMessage {
        ForeignMessage(
            "Python", ["certificate verify failed: \(text)"], codes,
            source: "CPython 3.11: Modules/_ssl.c (the reason is OpenSSL's)")
    }

    // MARK: - Node.js

    static let node: [ForeignMessage] = [
        nodeCode(
            "UNABLE_TO_VERIFY_LEAF_SIGNATURE", .unknownIssuer,
            note: "Node found no invalid signature. The server sends its certificate without the intermediate."),
        nodeCode("UNABLE_TO_GET_ISSUER_CERT_LOCALLY", .unknownIssuer, .untrustedRoot),
        nodeCode("UNABLE_TO_GET_ISSUER_CERT", .unknownIssuer, .untrustedRoot),
        nodeCode("DEPTH_ZERO_SELF_SIGNED_CERT", .selfSignedLeaf),
        nodeCode(
            "SELF_SIGNED_CERT_IN_CHAIN", .untrustedRoot,
            note: "Behind a company's proxy, set NODE_EXTRA_CA_CERTS to a file with the proxy's root."),
        nodeCode("CERT_HAS_EXPIRED", .certificateExpired),
        nodeCode("CERT_NOT_YET_VALID", .certificateNotYetValid),
        nodeCode("CERT_SIGNATURE_FAILURE", .signatureInvalid),
        nodeCode("CERT_UNTRUSTED", .untrustedRoot),
        nodeCode("CERT_REJECTED", .untrustedRoot),
        nodeCode("CERT_REVOKED", .certificateRevoked),
        nodeCode("CERT_CHAIN_TOO_LONG", .depthBudgetExceeded, .maximumIntermediatesExceeded),
        nodeCode("INVALID_CA", .notCertificateAuthority, .basicConstraintsMissing),
        nodeCode("INVALID_PURPOSE", .extendedKeyUsageNotAllowed, .keyUsageNotForTLS),
        nodeCode("PATH_LENGTH_EXCEEDED", .pathLengthExceeded),
        nodeCode("HOSTNAME_MISMATCH", .hostMismatch),
        nodeCode("UNABLE_TO_GET_CRL", .revocationUnavailable),
        nodeCode("CRL_HAS_EXPIRED", .revocationUnavailable),
        nodeCode("UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY", .keyMalformed, .keyAlgorithmUnsupported),
        nodeCode("UNABLE_TO_DECRYPT_CERT_SIGNATURE", .signatureInvalid),
        ForeignMessage(
            "Node.js", ["Hostname/IP does not match certificate's altnames: …", "ERR_TLS_CERT_ALTNAME_INVALID"],
            [.hostMismatch, .subjectAlternativeNameMissing], source: nodeSource),
        ForeignMessage(
            "Node.js", ["is not in the cert's altnames: …"], [.hostMismatch], source: nodeSource),
        ForeignMessage(
            "Node.js", ["is not in the cert's list: …"], [.hostMismatch], source: nodeSource,
            note: "The connection goes to an IP address, but the certificate lists other addresses or none."),
        ForeignMessage(
            "Node.js", ["Cert does not contain a DNS name"], [.subjectAlternativeNameMissing], source: nodeSource),
        ForeignMessage(
            "Node.js", ["ERR_TLS_CERT_ALTNAME_FORMAT", "Invalid subject alternative name string"],
            [.certificateMalformed, .strictAlternativeName], source: nodeSource),
    ]

    private static let nodeSource = "Node.js 20.20.2: lib/tls.js, lib/internal/errors.js"

    private static func nodeCode(_ name: String, _ codes: TrustFailure.Code..., note: String? = nil) -> ForeignMessage {
        ForeignMessage(
            "Node.js", [name], codes, source: "Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls",
            note: note)
    }

    // MARK: - Go

    static let go: [ForeignMessage] = [
        goX509(
            "x509: certificate signed by unknown authority", .unknownIssuer, .untrustedRoot, .selfSignedLeaf,
            note:
                "Usual causes are an intermediate that the server doesn't send, a private root, a self-signed certificate, or a container without a package of roots."
        ),
        goX509(
            "x509: certificate signed by unknown authority (possibly because of … while trying to verify candidate authority certificate",
            .signatureInvalid, .notCertificateAuthority,
            note:
                "Go knows a CA with the right name, but its key didn't sign this certificate. Often the CA was recreated under its old name."
        ),
        goX509(
            "x509: certificate has expired or is not yet valid: current time … is after …", .certificateExpired),
        goX509(
            "x509: certificate has expired or is not yet valid: current time … is before …", .certificateNotYetValid),
        goX509("x509: certificate has expired or is not yet valid", .certificateExpired, .certificateNotYetValid),
        goX509("x509: certificate is valid for … not …", .hostMismatch),
        goX509("x509: certificate is not valid for any names, but wanted to match …", .subjectAlternativeNameMissing),
        goX509(
            "x509: certificate relies on legacy Common Name field, use SANs instead", .subjectAlternativeNameMissing),
        goX509(
            "x509: cannot validate certificate for … because it doesn't contain any IP SANs", .hostMismatch,
            .subjectAlternativeNameMissing,
            note:
                "The connection goes to an IP address. Connect by name, or have the certificate reissued with the address."
        ),
        goX509(
            "x509: certificate is not authorized to sign other certificates", .notCertificateAuthority,
            .basicConstraintsMissing),
        goX509(
            "x509: a root or intermediate certificate is not authorized to sign for this name", .nameNotPermitted,
            .nameExcluded),
        goX509("x509: … is excluded by constraint …", .nameExcluded),
        goX509("x509: … is not permitted by any constraint", .nameNotPermitted),
        goX509(
            "x509: a root or intermediate certificate is not authorized for an extended key usage",
            .extendedKeyUsageNotAllowed),
        goX509("x509: too many intermediates for path length constraint", .pathLengthExceeded),
        goX509(
            "x509: certificate specifies an incompatible key usage", .extendedKeyUsageNotAllowed,
            note: "This is about the extended key usage. Go doesn't check the key usage."),
        goX509("x509: issuer name does not match subject from issuing certificate", .unknownIssuer),
        goX509(
            "x509: issuer has name constraints but leaf contains unknown or unconstrained name",
            .nameConstraintUndecidable, .nameNotPermitted),
        goX509(
            "x509: issuer has name constraints but leaf doesn't have a SAN extension", .subjectAlternativeNameMissing,
            .nameNotPermitted),
        goX509("x509: failed to load system roots and no roots provided", .systemAnchorsUnavailable),
        goX509("x509: unhandled critical extension", .criticalExtensionUnhandled),
        goX509(
            "x509: signature check attempts limit reached while verifying certificate chain", .signatureBudgetExceeded),
        ForeignMessage(
            "Go", ["tls: first record does not look like a TLS handshake"], [.presentedChainEmpty],
            source: "Go: crypto/tls/conn.go (golang/go)",
            note:
                "The server didn't answer with TLS. The port speaks plain HTTP, or a protocol that starts without TLS."),
        ForeignMessage(
            "Go", ["remote error: tls: handshake failure"], [.presentedChainEmpty, .tlsVersionOutdated],
            source: "Go: crypto/tls/alert.go (golang/go)",
            note: "The server ended the handshake before it sent a certificate."),
        ForeignMessage(
            "Go", ["remote error: tls: protocol version not supported"], [.tlsVersionOutdated],
            source: "Go: crypto/tls/alert.go (golang/go)"),
        ForeignMessage(
            "Go", ["http: server gave HTTP response to HTTPS client"], [.presentedChainEmpty],
            source: "Go: net/http/transport.go (golang/go)"),
        ForeignMessage(
            "Go", ["tls: failed to verify certificate"],
            [.unknownIssuer, .untrustedRoot, .selfSignedLeaf, .certificateExpired, .hostMismatch],
            source: "Go: crypto/tls/common.go (golang/go)", note: "The reason follows. It comes from crypto/x509."),
    ]

    private static func goX509(_ text: String, _ codes: TrustFailure.Code..., note: String? = nil) -> ForeignMessage {
        ForeignMessage("Go", [text], codes, source: "Go: crypto/x509/verify.go (golang/go)", note: note)
    }

    // MARK: - .NET

    static let dotNet: [ForeignMessage] = [
        ForeignMessage(
            ".NET", ["The remote certificate is invalid according to the validation procedure"],
            [.unknownIssuer, .untrustedRoot, .selfSignedLeaf, .hostMismatch, .certificateExpired],
            source: "System.Net.Security: resources (public reports and tests)",
            note: "The names after the colon are the reasons. Pass them, too."),
        ForeignMessage(
            ".NET", ["RemoteCertificateNameMismatch"], [.hostMismatch, .subjectAlternativeNameMissing],
            source: "System.Net.Security.SslPolicyErrors (documentation)"),
        ForeignMessage(
            ".NET", ["RemoteCertificateChainErrors"],
            [.unknownIssuer, .untrustedRoot, .selfSignedLeaf, .certificateExpired],
            source: "System.Net.Security.SslPolicyErrors (documentation)"),
        ForeignMessage(
            ".NET", ["RemoteCertificateNameMismatch, RemoteCertificateChainErrors"],
            [.hostMismatch, .unknownIssuer], source: "System.Net.Security.SslPolicyErrors (documentation)",
            note: "Both the name and the chain are wrong. The usual cause is a server's default certificate."),
        ForeignMessage(
            ".NET", ["RemoteCertificateNotAvailable"], [.presentedChainEmpty],
            source: "System.Net.Security.SslPolicyErrors (documentation)"),
        chainStatus(
            "PartialChain", .unknownIssuer, .untrustedRoot,
            note: "An intermediate is missing. On Linux, the root can also be missing: run `update-ca-certificates`."),
        chainStatus("UntrustedRoot", .untrustedRoot, .selfSignedLeaf),
        chainStatus("NotTimeValid", .certificateExpired, .certificateNotYetValid),
        chainStatus("NotSignatureValid", .signatureInvalid),
        chainStatus("NotValidForUsage", .extendedKeyUsageNotAllowed, .keyUsageNotForTLS),
        chainStatus("RevocationStatusUnknown", .revocationUnavailable),
        chainStatus("OfflineRevocation", .revocationUnavailable),
        chainStatus("InvalidBasicConstraints", .notCertificateAuthority, .pathLengthExceeded),
        chainStatus("InvalidNameConstraints", .nameConstraintUndecidable, .strictNameConstraints),
        chainStatus("HasNotPermittedNameConstraint", .nameNotPermitted),
        chainStatus("HasExcludedNameConstraint", .nameExcluded),
        chainStatus("HasNotSupportedNameConstraint", .nameConstraintUndecidable),
        chainStatus("HasNotDefinedNameConstraint", .nameConstraintUndecidable, .nameNotPermitted),
        chainStatus("InvalidPolicyConstraints", .policyNotAcceptable),
        chainStatus("NoIssuanceChainPolicy", .policyNotAcceptable),
        chainStatus("HasWeakSignature", .signatureUsesSHA1, .signatureUsesMD5),
        chainStatus("HasNotSupportedCriticalExtension", .criticalExtensionUnhandled),
        chainStatus("ExplicitDistrust", .untrustedRoot),
        chainStatus("InvalidExtension", .certificateMalformed, .criticalExtensionUnhandled),
        ForeignMessage(
            ".NET", ["errors in the certificate chain: Revoked", "X509ChainStatusFlags.Revoked"], [.certificateRevoked],
            source: chainStatusSource),
    ]

    private static let chainStatusSource =
        "System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)"

    private static func chainStatus(_ name: String, _ codes: TrustFailure.Code..., note: String? = nil)
        -> ForeignMessage
    {
        ForeignMessage(".NET", [name], codes, source: chainStatusSource, note: note)
    }

    // MARK: - Ruby and PHP

    static let otherRuntimes: [ForeignMessage] = [
        ForeignMessage(
            "Ruby",
            ["SSL_connect returned=1 errno=0 … certificate verify failed (unable to get local issuer certificate)"],
            [.unknownIssuer, .untrustedRoot],
            source: "Ruby: ext/openssl/ossl_ssl.c (the reason is OpenSSL's; public reports)"),
        ForeignMessage(
            "PHP", ["SSL operation failed with code 1. OpenSSL Error messages: … certificate verify failed"],
            [.unknownIssuer, .untrustedRoot, .selfSignedLeaf, .certificateExpired],
            source: "PHP: ext/openssl/xp_ssl.c (public reports)"),
        ForeignMessage(
            "PHP", ["Peer certificate CN=… did not match expected CN=…"], [.hostMismatch],
            source: "PHP: ext/openssl/xp_ssl.c (public reports)"),
    ]
}
