// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let revocation: [FailureGuide] = [certificateRevoked, stapleMissing, revocationUnavailable]

    private static let certificateRevoked = FailureGuide(
        .certificateRevoked,
        meaning: "The CA revoked a certificate in the path before it expired.",
        sign:
            "`servertrust check HOST --revocation required --fetch` names the CRL or OCSP response, the date and the reason.",
        causes: [
            "The key was lost or published, for example in a repository, and its owner or the person who found it reported it.",
            "The CA revoked a batch that it had issued incorrectly. Public CAs have to do so within 24 hours or five days.",
            "The certificate was revoked as superseded, but a node still serves it.",
            "The domain or the contract changed hands.",
        ],
        serverRemedies: [
            "Create a new key and have a new certificate issued: `certbot certonly --force-renewal --new-key -d HOST`. Then reload every node.",
            "If the reason is `keyCompromise`, find out how the key leaked before you install the new one. Replace every secret that was encrypted with it.",
            "Use an ACME client with ARI (RFC 9773), which announces mass revocations in advance.",
        ],
        customization: .none(
            because: "An attacker may have stolen the key of a revoked certificate. Revocation exists for this case."),
        never: [
            "Turning off revocation checks so that the connection succeeds.",
            "Renewing with the same key after a compromise.",
        ])

    private static let stapleMissing = FailureGuide(
        .stapleMissing,
        meaning:
            "The certificate promises that its server always staples an OCSP response (\"must staple\", RFC 7633), but the handshake had no good one.",
        sign:
            "`openssl s_client -connect HOST:443 -status </dev/null | grep -A1 'OCSP response'` prints `no response sent`, and `openssl x509 -noout -ext tlsfeature -in cert.pem` prints `status_request`.",
        causes: [
            "Stapling is turned off, or the server can't reach the CA's responder through its firewall.",
            "After a restart, nginx only fetches the response during the first handshake, and sends none in that handshake.",
            "The stapled response is out of date because the process that renews it has stopped.",
            "The CA ended OCSP, as Let's Encrypt did in 2025, but old certificates still require a staple.",
        ],
        serverRemedies: [
            "Turn on stapling: `ssl_stapling on; ssl_stapling_verify on; resolver 9.9.9.9;` in nginx, `SSLUseStapling on` and `SSLStaplingCache` in Apache.",
            "Allow the server to reach the responder. `openssl x509 -noout -ocsp_uri -in cert.pem` prints its address.",
            "Have a certificate issued without \"must staple\": run `certbot` without `--must-staple`.",
        ],
        customization: .none(
            because:
                "The certificate's owner asked for this refusal, so that an attacker who has stolen its key can't hide the revocation."
        ),
        never: ["Ignoring the TLS feature extension in clients that can see the staple."])

    private static let revocationUnavailable = FailureGuide(
        .revocationUnavailable,
        meaning:
            "The client requires a revocation check, but found no usable CRL or OCSP response for a certificate in the path. Or the check took more work than the budget allows.",
        sign:
            "`servertrust check HOST --revocation required --fetch --format json` lists the reasons for each certificate in `revocation[].obstacles`.",
        causes: [
            "The client can't reach the CA's responder and CRLs. They use plain HTTP on port 80, which firewalls block.",
            "The available CRL or OCSP response is out of date.",
            "The certificate has neither a CRL address nor a responder, as with many private CAs. Leaves with noRevAvail and short-lived leaves of public CAs are exempt. Those of other CAs are exempt if `--exempt-short-lived all` or `RevocationPolicy.shortLivedExemption` says so.",
            "The CRL or OCSP response is older than permitted below a public anchor: 10 days for a leaf (`crlTooOld`, `ocspTooOld`).",
            "The CA's CRL is larger than the budget.",
        ],
        serverRemedies: [
            "If the CA has a responder, have the server staple an OCSP response (`ssl_stapling on;`).",
            "For a private CA, publish each CRL before the previous one expires: run `servertrust ca crl` in a scheduled job. Put the CRL's address into certificates.",
            "Allow clients to reach the addresses in `openssl x509 -noout -ext crlDistributionPoints,authorityInfoAccess -in cert.pem`, or give them a cache.",
        ],
        customization: .change(
            "Supply the CA's current CRL in the client.",
            .revocationData),
        never: ["Turning off the requirement for all hosts because one CA publishes nothing."])
}
