// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let search: [FailureGuide] = [
        unknownIssuer, issuerUnreadable, untrustedRoot, selfSignedLeaf, maximumIntermediatesExceeded,
    ]

    private static let unknownIssuer = FailureGuide(
        .unknownIssuer,
        meaning:
            "The path ends at a certificate whose issuer is neither an anchor nor among the certificates that the server sent.",
        sign:
            "`openssl s_client -connect HOST:443 -showcerts </dev/null` shows a chain whose last issuer (`i:`) isn't the subject (`s:`) of a trusted root. Very often it shows only one certificate.",
        causes: [
            "The server sends its leaf without the intermediate, because `cert.pem` is configured instead of `fullchain.pem`. Browsers hide this: they fetch or remember intermediates.",
            "The CA changed its intermediate at renewal, but the server still sends the old one.",
            "The certificate comes from a private CA, and this machine doesn't have its root.",
            "A proxy or virus scanner intercepts the connection with its own CA.",
            "The list of roots is out of date or missing, as in minimal container images.",
        ],
        serverRemedies: [
            "Send the whole chain: `ssl_certificate /etc/letsencrypt/live/HOST/fullchain.pem;` in nginx, the same file as `SSLCertificateFile` in Apache 2.4.8 and newer, or one PEM file with leaf, intermediates and key for HAProxy.",
            "Create the chain: `servertrust check HOST --fix > chain.pem` fetches the missing certificates from the CA.",
            "If the CA is private, give clients its root: `--anchors root.pem` for this command, `update-ca-certificates` on Debian, `update-ca-trust` on Fedora.",
            "On the client, install the roots: `apt-get install ca-certificates`.",
        ],
        customization: .change(
            "A client can supply the missing intermediate. This adds no trust: the root still has to be trusted.",
            .missingIntermediate),
        never: [
            "Adding the server's leaf or its intermediate to the machine's roots: the machine would trust such an intermediate for every name.",
            "Turning off verification (`curl -k`, `verify=False`, `NODE_TLS_REJECT_UNAUTHORIZED=0`) because \"the certificate is fine in the browser\".",
        ])

    private static let issuerUnreadable = FailureGuide(
        .issuerUnreadable,
        meaning:
            "The server sent the issuer's certificate, or the caller passed it, but its bytes aren't an X.509 certificate in strict DER.",
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
            "The server's certificate comes from a private CA, and this client doesn't have its root.",
            "A company's proxy, a virus scanner or a debugging tool (mitmproxy, Charles, Zscaler) intercepts the connection.",
            "Root programs removed the root because they no longer trust its CA.",
            "A container or a language runtime (Java, Python's certifi, Node) uses its own list of roots.",
        ],
        serverRemedies: [
            "For a private CA, distribute its root to the clients, or use a certificate from a public CA.",
            "For a distrusted root, have a certificate issued by another CA. A different chain to the same root doesn't help.",
            "Leave the root out of the chain that the server sends. Clients that trust it already have it.",
        ],
        customization: .change(
            "Make the private root the only anchor for its hosts.", .privateAnchors),
        never: [
            "Adding a root that came with the connection itself: first compare its fingerprint with the CA's over another channel.",
            "Trusting an interceptor's root for all hosts in an app that you ship.",
        ])

    private static let selfSignedLeaf = FailureGuide(
        .selfSignedLeaf,
        meaning: "The server's certificate is signed with its own key and isn't an anchor, so no CA vouches for it.",
        sign:
            "Certificate 0 has the same subject and issuer: `openssl x509 -noout -subject -issuer -in cert.pem`.",
        causes: [
            "The server uses the certificate that its installer created (`snakeoil`, `localhost`, a device's web page).",
            "A development server's certificate was created with `openssl req -x509`.",
            "A reverse proxy or ingress has no certificate for the name and answers with its default (`Kubernetes Ingress Controller Fake Certificate`, `TRAEFIK DEFAULT CERT`).",
            "An interceptor creates certificates on the fly.",
        ],
        serverRemedies: [
            "Get a certificate from a public CA: use `certbot --nginx -d HOST`, or the server's ACME module.",
            "Inside your network, issue from a private CA: `servertrust ca init` and `servertrust ca issue HOST`.",
            "In Kubernetes, check that the ingress names the secret: `kubectl describe ingress NAME`, `kubectl get certificate`.",
        ],
        customization: .change(
            "Pin exactly this certificate for exactly this host. Read its fingerprint on the device, not from the connection.",
            .pinnedLeaf),
        never: [
            "Accepting every self-signed certificate: this is no authentication at all.",
            "Pinning the certificate of the first connection without comparing its fingerprint over another channel.",
        ])

    private static let maximumIntermediatesExceeded = FailureGuide(
        .maximumIntermediatesExceeded,
        meaning: "The path has more intermediates than the client's policy allows.",
        sign:
            "`servertrust verify --format json` lists the path. Self-issued intermediates don't count.",
        causes: [
            "The CA inserted a cross-signed or new issuing CA between leaf and root.",
            "The policy was written for a private PKI with two levels, but the PKI now has three.",
        ],
        serverRemedies: [
            "Nothing is wrong on the server, unless it sends a cross-signed certificate that no client needs anymore. In that case, remove it from the chain.",
            "Raise the client's limit by the one level that was added.",
        ],
        customization: .change("Raise the limit to the current length of the PKI's paths.", .longerPaths),
        never: [
            "Removing the limit: it prevents a sub-CA of a sub-CA from issuing for these hosts."
        ])
}
