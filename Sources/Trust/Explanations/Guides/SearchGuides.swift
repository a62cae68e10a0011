// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let search: [FailureGuide] = [
        unknownIssuer, issuerUnreadable, untrustedRoot, selfSignedLeaf, maximumIntermediatesExceeded,
    ]

    private static let unknownIssuer = FailureGuide(
        .unknownIssuer,
        meaning:
            "The path ends at a certificate whose issuer is neither among the anchors nor among the certificates that were sent.",
        sign:
            "`openssl s_client -connect HOST:443 -showcerts </dev/null` shows a chain whose last issuer (`i:`) isn't the subject (`s:`) of a trusted root; very often it shows one certificate alone.",
        causes: [
            "The server sends its leaf without the intermediate: `cert.pem` was configured in place of `fullchain.pem`. Browsers hide this, because they fetch or remember intermediates.",
            "The CA changed its intermediate at renewal, and the server still sends the old one.",
            "The certificate comes from a private CA whose root this machine doesn't have.",
            "A proxy or virus scanner intercepts the connection with its own CA.",
            "The list of roots is out of date or missing, as in minimal container images.",
        ],
        serverRemedies: [
            "Send the whole chain: `ssl_certificate /etc/letsencrypt/live/HOST/fullchain.pem;` in nginx, the same file in `SSLCertificateFile` of Apache 2.4.8 and newer, one PEM with leaf, intermediates and key for HAProxy.",
            "Have the chain made: `servertrust check HOST --fix > chain.pem` fetches what is missing from the CA.",
            "If the CA is private, give clients its root: `--anchors root.pem` here, `update-ca-certificates` on Debian, `update-ca-trust` on Fedora.",
            "On the client, install the roots: `apt-get install ca-certificates`.",
        ],
        customization: .change(
            "A client can bring the missing intermediate along. It gains no trust by that, and the root has to be trusted as ever.",
            .missingIntermediate),
        never: [
            "Adding the server's leaf or its intermediate to the machine's roots: an intermediate there is trusted for every name.",
            "Switching verification off (`curl -k`, `verify=False`, `NODE_TLS_REJECT_UNAUTHORIZED=0`) because \"the certificate is fine in the browser\".",
        ])

    private static let issuerUnreadable = FailureGuide(
        .issuerUnreadable,
        meaning:
            "The server sent the issuer's certificate, or the caller gave it, but its bytes aren't an X.509 certificate in strict DER.",
        sign:
            "The message names the certificate, the field, its value, and the rule that it breaks. `servertrust inspect chain.pem --format asn1` shows the bytes.",
        causes: [
            "A private CA's software writes a field that RFC 5280 doesn't allow: a date without seconds, a serial number with an extra byte, or an extension twice.",
            "The intermediate's file was cut off or changed when you copied it to the server.",
            "A person or an unchecked template wrote the certificate.",
        ],
        serverRemedies: [
            "Have the CA reissue its certificate with software that writes DER, under the same name and key. Send the new one. The certificates below it stay valid.",
            "If the CA delivered a good file, install it again. Check it with `openssl x509 -noout -text -in intermediate.pem`.",
            "If the certificate is an anchor in a client's own store, replace it there. The server needs no change.",
        ],
        customization: .none(
            because: "Clients can't rely on the name, key, or limits of an unreadable certificate."),
        never: [
            "Adding the certificate to the machine's roots: it is unreadable there, too.",
            "Reading it leniently: a reader that skips an error may skip a constraint.",
        ])

    private static let untrustedRoot = FailureGuide(
        .untrustedRoot,
        meaning: "The chain is complete and ends in a self-signed root that isn't among the anchors.",
        sign:
            "The last certificate of `openssl s_client -connect HOST:443 -showcerts </dev/null` is its own issuer, and isn't in the list of roots.",
        causes: [
            "The server's certificate comes from a private CA, and this client hasn't its root.",
            "A company's proxy, a virus scanner or a debugging tool (mitmproxy, Charles, Zscaler) intercepts the connection.",
            "The root was removed from the lists of roots, because its CA was distrusted.",
            "A container or a language runtime (Java, Python's certifi, Node) has its own list of roots.",
        ],
        serverRemedies: [
            "For a private CA: distribute its root to the clients, or use a certificate of a public CA.",
            "For a distrusted root: have a certificate issued by another CA; sending another chain doesn't help.",
            "Leave the root out of the chain that the server sends. Clients that trust it have it.",
        ],
        customization: .change(
            "Name the private root as the only anchor of the hosts that it is for.", .privateAnchors),
        never: [
            "Adding a root that came with the connection itself: compare its fingerprint with the CA's by another way first.",
            "Trusting an interceptor's root for all hosts in a shipped app.",
        ])

    private static let selfSignedLeaf = FailureGuide(
        .selfSignedLeaf,
        meaning: "The server's certificate is signed with its own key, and isn't an anchor: no CA vouches for it.",
        sign:
            "Subject and issuer of certificate 0 are the same: `openssl x509 -noout -subject -issuer -in cert.pem`.",
        causes: [
            "The server has the certificate that its installer made (`snakeoil`, `localhost`, a device's web page).",
            "A development server was made with `openssl req -x509`.",
            "A reverse proxy or ingress has no certificate for the name, and answers with its default (`Kubernetes Ingress Controller Fake Certificate`, `TRAEFIK DEFAULT CERT`).",
            "An interceptor makes certificates on the fly.",
        ],
        serverRemedies: [
            "Have a certificate issued by a public CA: `certbot --nginx -d HOST`, or an ACME module of the server.",
            "Inside a network, issue from a private CA: `servertrust ca init` and `servertrust ca issue HOST`.",
            "In Kubernetes, see that the ingress names the secret: `kubectl describe ingress NAME`, `kubectl get certificate`.",
        ],
        customization: .change(
            "Pin exactly this certificate for exactly this host; its fingerprint is read at the device, not from the connection.",
            .pinnedLeaf),
        never: [
            "Accepting every self-signed certificate: that is no authentication at all.",
            "Pinning the certificate of the first connection without comparing its fingerprint by another way.",
        ])

    private static let maximumIntermediatesExceeded = FailureGuide(
        .maximumIntermediatesExceeded,
        meaning: "The path has more intermediates than the client's own policy allows.",
        sign:
            "`servertrust verify --format json` lists the path; its intermediates are counted without self-issued ones.",
        causes: [
            "The CA put a cross-signed or a new issuing CA between leaf and root.",
            "The policy was written for a private PKI of two levels, and the PKI has three now.",
        ],
        serverRemedies: [
            "Nothing is wrong on the server, unless it sends a cross-sign that no client needs any more: leave that out of the chain.",
            "Have the client's limit raised by the one level that was added.",
        ],
        customization: .change("Raise the limit to the length that the PKI has now.", .longerPaths),
        never: [
            "Removing the limit: it was set so that no sub-CA of a sub-CA can issue for these hosts."
        ])
}
