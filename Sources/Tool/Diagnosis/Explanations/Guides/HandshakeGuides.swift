// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let handshakes: [FailureGuide] = [
        presentedChainEmpty, certificateMalformed, handshakeSignatureInvalid, handshakeUnproven, tlsVersionOutdated,
    ]

    private static let presentedChainEmpty = FailureGuide(
        .presentedChainEmpty,
        meaning:
            "The server sent no certificate. It authenticates in another way, or it doesn't speak TLS at this point.",
        sign: "`openssl s_client -connect HOST:443 </dev/null` prints `no peer certificate available`.",
        causes: [
            "The port speaks plain HTTP, or a protocol that starts without TLS and switches later (SMTP, PostgreSQL, LDAP).",
            "The server has no certificate for the requested name and ends the handshake.",
            "The server is configured with a pre-shared key or an anonymous cipher suite.",
            "The adapter passed an empty list because it reads the chain too early.",
        ],
        serverRemedies: [
            "Connect to the port that has TLS, usually 443. For protocols that start without TLS, use `servertrust check HOST:25 --starttls smtp`.",
            "Configure a certificate and a key: `ssl_certificate` and `ssl_certificate_key` in nginx, and `listen 443 ssl;` for the port.",
        ],
        customization: .none(because: "Without a certificate, there is nothing to evaluate and nothing to pin."),
        never: ["Continuing without TLS.", "Offering anonymous cipher suites."])

    private static let certificateMalformed = FailureGuide(
        .certificateMalformed,
        meaning: "The bytes that the server sent as its certificate aren't an X.509 certificate in strict DER.",
        sign:
            "`openssl x509 -inform DER -noout -text -in leaf.der` fails, or the message names an offset and the rule that the bytes break there.",
        causes: [
            "The file on the server is damaged, or contains a request or a key instead of the certificate.",
            "The CA's software writes malformed certificates: a negative serial number length, BER instead of DER, or a wrong time.",
            "A middlebox changes the handshake.",
        ],
        serverRemedies: [
            "Reinstall the certificate as the CA delivered it, and check it: `openssl x509 -noout -text -in cert.pem`.",
            "Find the malformed part: `servertrust inspect cert.pem --format asn1`.",
            "For a private CA, change its software. Other clients refuse such certificates, too.",
        ],
        customization: .none(because: "Two parsers may read two different certificates from the same malformed bytes."),
        never: ["Parsing leniently: a parser that skips an error may skip the name or the constraint."])

    private static let handshakeSignatureInvalid = FailureGuide(
        .handshakeSignatureInvalid,
        meaning: "The server's signature in the handshake wasn't made with the key of the certificate that it sent.",
        sign:
            "`openssl x509 -noout -pubkey -in cert.pem` and `openssl pkey -pubout -in key.pem` print different keys, or something changes the handshake in transit.",
        causes: [
            "Certificate and key were renewed separately, and the server loaded one of each. In that case, most servers refuse to start, but custom ones may not.",
            "A hardware security module signs with another key.",
            "An attacker on the network path presents a certificate without having its key.",
        ],
        serverRemedies: [
            "Install a certificate and a key that belong together, and reload the server.",
            "Check each node by its address: `servertrust check HOST --all-addresses`.",
        ],
        customization: .none(
            because:
                "Only the key distinguishes the server from an attacker who copied its certificate."
        ),
        never: ["Accepting a certificate without proof of its key: certificates are public."])

    private static let handshakeUnproven = FailureGuide(
        .handshakeUnproven,
        meaning:
            "The probe saw the certificate, but no proof that the server has its key. The suite has no signature, or this package doesn't verify its signature.",
        sign:
            "`openssl s_client -connect HOST:443 -tls1_2 </dev/null | grep Cipher` shows a suite without `ECDHE` or `DHE`, or a signature with SHA-1.",
        causes: [
            "The server only offers RSA key exchange (`AES128-SHA`), as was common before 2013.",
            "The server signs the handshake with SHA-1 or MD5.",
            "The server ended the handshake before it was complete.",
        ],
        serverRemedies: [
            "Offer TLS 1.3, and ECDHE with SHA-256 in TLS 1.2: `ssl_protocols TLSv1.2 TLSv1.3;` in nginx, with a current list of suites (ssl-config.mozilla.org, \"intermediate\")."
        ],
        customization: .none(
            because: "Without proof of its key, a certificate says nothing about the server that sends it."),
        never: ["Offering RSA key exchange again for one server: a stolen key then decrypts all recorded traffic."])

    private static let tlsVersionOutdated = FailureGuide(
        .tlsVersionOutdated,
        meaning:
            "The server supports no current version of TLS. Versions 1.0 and 1.1 were deprecated in 2021 (RFC 8996).",
        sign:
            "`openssl s_client -connect HOST:443 -tls1_2 </dev/null` fails, and `servertrust check HOST --tls-minimum 1.0` shows the version.",
        causes: [
            "The server's operating system or library dates from before 2012: Windows Server 2008, OpenSSL 1.0.0, Java 6.",
            "An old configuration pins the version: `ssl_protocols TLSv1;`.",
            "A load balancer uses an outdated policy.",
        ],
        serverRemedies: [
            "Offer TLS 1.2 and 1.3: `ssl_protocols TLSv1.2 TLSv1.3;` in nginx, `SSLProtocol -all +TLSv1.2 +TLSv1.3` in Apache, or a current policy on load balancers.",
            "Put a proxy with current TLS in front of a server that can't be updated.",
        ],
        customization: .none(
            because: "The signatures of old handshakes use MD5 and SHA-1, so an attacker can change them in transit."),
        never: ["Lowering the client's minimum TLS version for all servers."])
}
