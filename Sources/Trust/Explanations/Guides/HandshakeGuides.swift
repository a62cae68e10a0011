// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let handshakes: [FailureGuide] = [
        presentedChainEmpty, certificateMalformed, handshakeSignatureInvalid, handshakeUnproven, tlsVersionOutdated,
    ]

    private static let presentedChainEmpty = FailureGuide(
        .presentedChainEmpty,
        meaning:
            "The server sent no certificate: it authenticates by another way, or it doesn't speak TLS at this point.",
        sign: "`openssl s_client -connect HOST:443 </dev/null` prints `no peer certificate available`.",
        causes: [
            "The port speaks plain HTTP, or a protocol that begins in the clear (SMTP, PostgreSQL, LDAP) and changes to TLS later.",
            "The server has no certificate configured for the requested name and ends the handshake.",
            "The server has a pre-shared key or an anonymous suite configured.",
            "The adapter passed an empty list, because it reads the chain too early.",
        ],
        serverRemedies: [
            "Ask the port that has TLS, 443 as a rule, or use `servertrust check HOST:25 --starttls smtp` for protocols that begin in the clear.",
            "Configure certificate and key: `ssl_certificate` and `ssl_certificate_key` in nginx, and `listen 443 ssl;` for the port.",
        ],
        customization: .none(because: "Without a certificate there is nothing to evaluate and nothing to recognize."),
        never: ["Going on in the clear.", "Offering anonymous cipher suites."])

    private static let certificateMalformed = FailureGuide(
        .certificateMalformed,
        meaning: "The server sent bytes as its certificate that aren't an X.509 certificate in strict DER.",
        sign:
            "`openssl x509 -inform DER -noout -text -in leaf.der` fails, or the message has an offset and the rule that is broken there.",
        causes: [
            "The file on the server is damaged, or has a request or a key instead of the certificate.",
            "The CA's software writes a malformed certificate: a negative serial number length, BER in place of DER, a wrong time.",
            "A middlebox changes the handshake.",
        ],
        serverRemedies: [
            "Install the certificate again as the CA delivered it, and check it: `openssl x509 -noout -text -in cert.pem`.",
            "See where it breaks: `servertrust inspect cert.pem --format asn1`.",
            "For a private CA, change its software: other clients refuse such certificates too.",
        ],
        customization: .none(because: "Two parsers may read two different certificates out of malformed bytes."),
        never: ["Parsing leniently: a reader that skips an error may skip the name or the constraint."])

    private static let handshakeSignatureInvalid = FailureGuide(
        .handshakeSignatureInvalid,
        meaning: "The server's signature in the handshake isn't one by the key of the certificate that it shows.",
        sign:
            "`openssl x509 -noout -pubkey -in cert.pem` and `openssl pkey -pubout -in key.pem` print different keys, or something changes the handshake on its way.",
        causes: [
            "Certificate and key were renewed apart, and the server loaded one of each; most servers refuse to start then, hand-made ones don't.",
            "A hardware module signs with another key.",
            "The connection is tampered with: an attacker shows a certificate without its key.",
        ],
        serverRemedies: [
            "Install the pair that belongs together, and reload the server.",
            "Ask each node by its address: `servertrust check HOST --all-addresses`.",
        ],
        customization: .none(
            because:
                "Possession of the key is the only difference between the server and a holder of a copy of its certificate."
        ),
        never: ["Accepting a certificate without the proof of its key: certificates are public."])

    private static let handshakeUnproven = FailureGuide(
        .handshakeUnproven,
        meaning:
            "The probe saw the certificate and no proof that the server has its key: the suite has no signature, or one that isn't checked here.",
        sign:
            "`openssl s_client -connect HOST:443 -tls1_2 </dev/null | grep Cipher` shows a suite without `ECDHE` or `DHE`, or a signature with SHA-1.",
        causes: [
            "The server offers RSA key exchange alone (`AES128-SHA`), as before 2013.",
            "The server signs the handshake with SHA-1 or MD5.",
            "The server ended the handshake before it was complete.",
        ],
        serverRemedies: [
            "Offer TLS 1.3, and ECDHE with SHA-256 in TLS 1.2: `ssl_protocols TLSv1.2 TLSv1.3;` in nginx, and a suite list of today's (ssl-config.mozilla.org, \"intermediate\")."
        ],
        customization: .none(because: "A certificate alone proves nothing about the server that shows it."),
        never: ["Offering RSA key exchange again for one server: a stolen key then opens all recorded traffic."])

    private static let tlsVersionOutdated = FailureGuide(
        .tlsVersionOutdated,
        meaning:
            "The server speaks no version of TLS that is still in use: 1.0 and 1.1 were given up in 2021 (RFC 8996).",
        sign:
            "`openssl s_client -connect HOST:443 -tls1_2 </dev/null` fails, and `servertrust check HOST --tls-minimum 1.0` shows the version.",
        causes: [
            "The operating system or the library of the server is older than 2012: Windows Server 2008, OpenSSL 1.0.0, Java 6.",
            "An old configuration pins the version: `ssl_protocols TLSv1;`.",
            "A load balancer's policy is years old.",
        ],
        serverRemedies: [
            "Offer TLS 1.2 and 1.3: `ssl_protocols TLSv1.2 TLSv1.3;` in nginx, `SSLProtocol -all +TLSv1.2 +TLSv1.3` in Apache, a current policy on load balancers.",
            "Put a proxy with current TLS in front of a server that can't be updated.",
        ],
        customization: .none(
            because: "The old handshakes are signed over MD5 and SHA-1; an attacker can change them on the way."),
        never: ["Lowering the client's minimum version for all servers."])
}
