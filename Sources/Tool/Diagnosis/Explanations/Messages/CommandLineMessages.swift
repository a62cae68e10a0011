// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ForeignMessages {
    private static let libcurl = "libcurl 7.88.1: strings of the library"
    private static let anyReason: [TrustFailure.Code] = [
        .unknownIssuer, .untrustedRoot, .selfSignedLeaf, .certificateExpired, .hostMismatch,
    ]

    static let curl: [ForeignMessage] =
        [
            problem("unable to get local issuer certificate", .unknownIssuer, .untrustedRoot),
            problem("unable to get issuer certificate", .unknownIssuer, .untrustedRoot),
            problem("self-signed certificate", .selfSignedLeaf),
            problem("self-signed certificate in certificate chain", .untrustedRoot),
            problem("certificate has expired", .certificateExpired),
            problem("certificate is not yet valid", .certificateNotYetValid),
            problem("unsuitable certificate purpose", .extendedKeyUsageNotAllowed, .keyUsageNotForTLS),
            problem("EE certificate key too weak", .rsaKeyTooSmall),
            problem("CA signature digest algorithm too weak", .signatureUsesSHA1, .signatureUsesMD5),
            problem("certificate revoked", .certificateRevoked),
            problem("unable to get certificate CRL", .revocationUnavailable),
        ] + [
            ForeignMessage(
                "curl", ["SSL: no alternative certificate subject name matches target host name …"],
                [.hostMismatch, .subjectAlternativeNameMissing], source: libcurl),
            ForeignMessage(
                "curl", ["SSL: certificate subject name … does not match target host name …"],
                [.hostMismatch, .subjectAlternativeNameMissing], source: libcurl),
            ForeignMessage(
                "curl", ["SSL: unable to obtain common name from peer certificate"],
                [.subjectAlternativeNameMissing, .hostMismatch], source: libcurl),
            ForeignMessage(
                "curl",
                ["SSL: public key does not match pinned public key", "curl: (90)", "CURLE_SSL_PINNEDPUBKEYNOTMATCH"],
                [.pinNotMatched], source: libcurl + "; curl.h"),
            ForeignMessage(
                "curl",
                ["SSL server certificate status verification FAILED", "curl: (91)", "CURLE_SSL_INVALIDCERTSTATUS"],
                [.stapleMissing, .certificateRevoked, .revocationUnavailable], source: libcurl + "; curl.h"),
            ForeignMessage(
                "curl", ["SSL certificate revocation reason: …"], [.certificateRevoked], source: libcurl),
            ForeignMessage(
                "curl", ["Issuer check against peer certificate failed", "curl: (83)", "CURLE_SSL_ISSUER_ERROR"],
                [.authorityNotMatched, .unknownIssuer], source: libcurl + "; curl.h"),
            ForeignMessage(
                "curl",
                [
                    "Problem with the SSL CA cert (path? access rights?)", "curl: (77)", "CURLE_SSL_CACERT_BADFILE",
                    "error setting certificate verify locations",
                ], [.systemAnchorsUnavailable], source: libcurl + "; curl.h",
                note: "Nothing is wrong on the server. The client can't read its file of roots."),
            ForeignMessage(
                "curl",
                ["SSL peer certificate or SSH remote key was not OK", "curl: (60)", "CURLE_PEER_FAILED_VERIFICATION"],
                anyReason, source: libcurl + "; curl.h",
                note: "The text after the number names the reason. Pass that text, too."),
            ForeignMessage(
                "curl", ["curl: (51)"], [.hostMismatch, .unknownIssuer, .certificateExpired],
                source: "curl.h, up to curl 7.61 (now 60)"),
            ForeignMessage(
                "curl", ["SSL connect error", "curl: (35)", "CURLE_SSL_CONNECT_ERROR"],
                [.presentedChainEmpty, .tlsVersionOutdated, .handshakeUnproven], source: libcurl + "; curl.h",
                note:
                    "The handshake ended before curl verified the certificate. Check the TLS versions, the cipher suites, and whether the port has TLS."
            ),
        ]

    private static func problem(_ text: String, _ codes: TrustFailure.Code...) -> ForeignMessage {
        ForeignMessage(
            "curl", ["SSL certificate problem: \(text)"], codes, source: libcurl + " (the reason is OpenSSL's)")
    }

    static let wget: [ForeignMessage] = [
        gnuWget("The certificate of … is not trusted", .untrustedRoot, .unknownIssuer, .selfSignedLeaf),
        gnuWget("The certificate of … doesn't have a known issuer", .unknownIssuer, .untrustedRoot, .selfSignedLeaf),
        gnuWget("The certificate of … hasn't got a known issuer", .unknownIssuer, .untrustedRoot, .selfSignedLeaf),
        gnuWget("The certificate of … has been revoked", .certificateRevoked),
        gnuWget("The certificate signer of … was not a CA", .notCertificateAuthority, .basicConstraintsMissing),
        gnuWget("The certificate of … was signed using an insecure algorithm", .signatureUsesSHA1, .signatureUsesMD5),
        gnuWget("The certificate of … is not yet activated", .certificateNotYetValid),
        gnuWget("The certificate of … has expired", .certificateExpired),
        gnuWget("The certificate has expired", .certificateExpired),
        gnuWget("The certificate's owner does not match hostname …", .hostMismatch, .subjectAlternativeNameMissing),
        gnuWget("No certificate presented by …", .presentedChainEmpty),
        gnuWget("The public key does not match pinned public key", .pinNotMatched),
        gnuWget(
            "Unable to locally verify the issuer's authority", .unknownIssuer, .untrustedRoot,
            note: "wget prints this for OpenSSL's error 20 (unable to get local issuer certificate)."),
        gnuWget("Self-signed certificate encountered", .selfSignedLeaf, .untrustedRoot),
        gnuWget("Issued certificate has expired", .certificateExpired),
        gnuWget("Issued certificate not yet valid", .certificateNotYetValid),
        gnuWget(
            "no certificate subject alternative name matches requested host name", .hostMismatch,
            .subjectAlternativeNameMissing),
        gnuWget(
            "certificate common name … doesn't match requested host name", .hostMismatch,
            .subjectAlternativeNameMissing),
    ]

    private static func gnuWget(_ text: String, _ codes: TrustFailure.Code..., note: String? = nil) -> ForeignMessage {
        ForeignMessage("wget", [text], codes, source: "GNU Wget 1.21: src/gnutls.c, src/openssl.c", note: note)
    }

    static let git: [ForeignMessage] = [
        ForeignMessage(
            "git", ["server certificate verification failed. CAfile: …", "server certificate verification failed"],
            anyReason, source: "libcurl with GnuTLS, as git of Debian and Ubuntu prints it (public reports)",
            note: "git doesn't print the reason. `gnutls-cli HOST` or `servertrust check HOST` names it."),
        ForeignMessage(
            "git", ["fatal: unable to access … SSL certificate problem"], anyReason,
            source: "git 2.39.5: git-remote-https, which prints libcurl's message"),
    ]
}
