// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let revocation: [FailureGuide] = [certificateRevoked, stapleMissing, revocationUnavailable]

    private static let certificateRevoked = FailureGuide(
        .certificateRevoked,
        meaning: "The CA has withdrawn a certificate of the path before its end.",
        sign:
            "`servertrust check HOST --revocation required --fetch` names the CRL or OCSP response, the date and the reason.",
        causes: [
            "The key was lost or published, such as in a repository, and its owner or a finder reported it.",
            "The CA revoked a batch that it had issued wrongly; public CAs have to do so within 24 hours or five days.",
            "The certificate was revoked as superseded, and a node still serves it.",
            "The domain or the contract changed hands.",
        ],
        serverRemedies: [
            "Make a new key and have a new certificate issued: `certbot certonly --force-renewal --new-key -d HOST`; then reload every node.",
            "If the reason is `keyCompromise`, find out how the key got out before the new one is installed, and change everything that was encrypted to it.",
            "Let the ACME client watch for it: ARI (RFC 9773) announces mass revocations ahead.",
        ],
        customization: .none(
            because: "A revoked certificate may be in the hands of a thief; that is the very reason for revocation."),
        never: [
            "Switching revocation checks off to get through.",
            "Renewing with the same key after a compromise.",
        ])

    private static let stapleMissing = FailureGuide(
        .stapleMissing,
        meaning:
            "The certificate says that its server always staples an OCSP response (\"must staple\", RFC 7633), and there was no good one in the handshake.",
        sign:
            "`openssl s_client -connect HOST:443 -status </dev/null | grep -A1 'OCSP response'` prints `no response sent`, and `openssl x509 -noout -ext tlsfeature -in cert.pem` prints `status_request`.",
        causes: [
            "Stapling isn't switched on, or the server can't reach the CA's responder through its firewall.",
            "nginx fetches the response with the first handshake after a restart and sends none in that one.",
            "The stapled response is out of date, because the process that renews it has stopped.",
            "The CA has given up OCSP, as Let's Encrypt did in 2025, and old certificates still demand a staple.",
        ],
        serverRemedies: [
            "Switch stapling on: `ssl_stapling on; ssl_stapling_verify on; resolver 9.9.9.9;` in nginx, `SSLUseStapling on` and `SSLStaplingCache` in Apache.",
            "Let the server reach the responder: `openssl x509 -noout -ocsp_uri -in cert.pem` has its address.",
            "Have a certificate issued without \"must staple\": `certbot` without `--must-staple`.",
        ],
        customization: .none(
            because:
                "The owner of the certificate asked for this refusal, so that a thief of its key can't hide the revocation."
        ),
        never: ["Ignoring the TLS feature extension in clients that can see the staple."])

    private static let revocationUnavailable = FailureGuide(
        .revocationUnavailable,
        meaning:
            "The client requires a revocation check, and for a certificate of the path there was no usable answer, or answering took more work than the budget allows.",
        sign:
            "`servertrust check HOST --revocation required --fetch --format json` has the reasons for each certificate in `revocation[].obstacles`.",
        causes: [
            "The client has no network to the CA's responder and CRLs: they are on plain HTTP, port 80, which firewalls close.",
            "The CRL or response at hand is out of date.",
            "The certificate has neither a CRL address nor a responder, as many of private CAs. Leaves with noRevAvail are exempt, and short-lived ones of public CAs; those of other CAs if `--exempt-short-lived all` or `RevocationPolicy.shortLivedExemption` says so.",
            "The CRL or response is older than evidence may be below a public anchor: 10 days about a leaf (`crlTooOld`, `ocspTooOld`).",
            "The CA's CRL is larger than the budget.",
        ],
        serverRemedies: [
            "Have the server staple an OCSP response (`ssl_stapling on;`), if its CA has a responder.",
            "For a private CA: publish a CRL before the old one ends, with `servertrust ca crl` in a scheduled job, and put its address into certificates.",
            "Open the way from clients to the addresses in `openssl x509 -noout -ext crlDistributionPoints,authorityInfoAccess -in cert.pem`, or give them a cache.",
        ],
        customization: .change(
            "Bring the CA's current CRL along.",
            .revocationData),
        never: ["Turning the requirement off for all hosts because one CA publishes nothing."])
}
