// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let keys: [FailureGuide] = [
        keyUsesExplicitCurve, keyUsesUnsupportedCurve, keyUsesDSA, rsaKeyTooSmall, rsaKeyTooLarge, keyMalformed,
        keyAlgorithmUnsupported,
    ]

    private static let newKey =
        "Create a new key and request, and have a certificate issued for it: `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout key.pem -out request.pem -subj /CN=HOST -addext subjectAltName=DNS:HOST`."

    private static let keyUsesExplicitCurve = FailureGuide(
        .keyUsesExplicitCurve,
        meaning:
            "The key of a certificate spells out its elliptic curve as numbers instead of naming it. Such curves made forged CAs possible (CVE-2020-0601).",
        sign:
            "`openssl x509 -noout -text -in cert.pem` shows `Field Type: prime-field` and numbers instead of `ASN1 OID: prime256v1`.",
        causes: [
            "The key was created with `openssl ecparam -param_enc explicit`, or by a smart card or a Java provider that writes the parameters out.",
            "An attacker presents a CA key with a specially chosen generator, so that they know the private key.",
        ],
        serverRemedies: [
            newKey,
            "To keep an existing key, write it with the curve's name: `openssl ec -in key.pem -param_enc named_curve -out named.pem`. Then have the certificate reissued.",
        ],
        customization: .none(because: "An attacker who can choose the curve can imitate the signatures of any CA."),
        never: [
            "Comparing the numbers to those of a known curve and accepting \"the same\" curve: that check failed in CVE-2020-0601."
        ])

    private static let keyUsesUnsupportedCurve = FailureGuide(
        .keyUsesUnsupportedCurve,
        meaning: "The key of a certificate uses a curve other than P-256, P-384 and P-521.",
        sign:
            "`openssl x509 -noout -text -in cert.pem | grep 'ASN1 OID'` shows a curve such as `secp256k1`, `brainpoolP256r1` or `prime192v1`.",
        causes: [
            "The key was created for another purpose: secp256k1 for a blockchain, Brainpool curves for government PKIs.",
            "An administrator copied instructions with `openssl ecparam -name secp256k1`.",
        ],
        serverRemedies: [
            newKey, "If a regulation requires the other curve, have the server offer a second certificate with P-256.",
        ],
        customization: .none(
            because:
                "This package doesn't verify signatures on these curves, and the CA/Browser baseline doesn't allow them either."
        ),
        never: [
            "Making a self-signed certificate with such a key an anchor: the handshake's signature still can't be verified."
        ])

    private static let keyUsesDSA = FailureGuide(
        .keyUsesDSA,
        meaning: "The key of a certificate is a DSA key. TLS 1.3 doesn't have DSA, and no current client offers it.",
        sign: "`openssl x509 -noout -text -in cert.pem | grep 'Public Key Algorithm'` shows `dsaEncryption`.",
        causes: ["The key was created by an old `keytool -genkey` or by `openssl dsaparam -genkey`."],
        serverRemedies: [newKey],
        customization: .none(because: "This package doesn't verify DSA."),
        never: ["Keeping the key and only renewing the certificate: the key is the cause."])

    private static let rsaKeyTooSmall = FailureGuide(
        .rsaKeyTooSmall,
        meaning:
            "The RSA key of a certificate is shorter than 2048 bits. Researchers have factored 829 bits, and public CAs stopped issuing for 1024 bits in 2013.",
        sign: "`openssl x509 -noout -text -in cert.pem | grep 'Public-Key'` shows `(1024 bit)`.",
        causes: [
            "A device creates its own short key because its processor is slow.",
            "A key from before 2010 survived all renewals (`--reuse-key`, an old request file).",
            "A private root from that time signs good leaves with a short key.",
        ],
        serverRemedies: [
            newKey,
            "For RSA: `openssl req -new -newkey rsa:2048 -noenc …`. Have the ACME client create new keys: `certbot renew --new-key`.",
            "If a CA has the short key, move to a new CA. A new leaf key doesn't help.",
        ],
        customization: .none(
            because:
                "Others may know the key. A pin or an exception would accept the attacker as well as the server."
        ),
        never: ["Lowering the limit for all servers because you can't update one device: put a proxy in front of it."])

    private static let rsaKeyTooLarge = FailureGuide(
        .rsaKeyTooLarge,
        meaning:
            "The RSA key of a certificate is longer than 8192 bits, so each check takes too much of the client's time.",
        sign: "`openssl x509 -noout -text -in cert.pem | grep 'Public-Key'` shows `(16384 bit)`.",
        causes: [
            "The key is as long as the tool allows, in the belief that longer is safer.",
            "An attacker made the certificate to keep clients busy.",
        ],
        serverRemedies: [
            newKey,
            "For RSA, 3072 bits are enough beyond 2030 (NIST SP 800-57). The longest size in common use is 4096.",
        ],
        customization: .none(
            because:
                "The limit protects the client's processor, and the engine doesn't verify signatures with longer keys."
        ),
        never: [
            "Removing limits on key sizes: every connection to a hostile server then takes seconds of processor time."
        ])

    private static let keyMalformed = FailureGuide(
        .keyMalformed,
        meaning: "The bytes of a certificate's key aren't a key of the algorithm that the certificate names.",
        sign:
            "`openssl x509 -noout -pubkey -in cert.pem` fails or prints a key that `openssl pkey -pubin -check` refuses.",
        causes: [
            "The CA's software encoded the key incorrectly: an even modulus or exponent, a point that isn't on the curve, or parameters where none are allowed.",
            "The certificate is damaged, or was made to test parsers.",
        ],
        serverRemedies: [
            newKey,
            "Check the request before you send it to the CA: `openssl req -verify -noout -in request.pem`.",
        ],
        customization: .none(because: "No signature can be verified with such a key."),
        never: ["Repairing the key in the client."])

    private static let keyAlgorithmUnsupported = FailureGuide(
        .keyAlgorithmUnsupported,
        meaning: "The key of a certificate has an algorithm that this package doesn't support.",
        sign:
            "The message contains the object identifier. `openssl x509 -noout -text -in cert.pem | grep 'Public Key Algorithm'` shows its name, if it has one.",
        causes: [
            "The certificate has a key of a national algorithm (SM2, GOST), an Ed448 key, or an X25519 key, which can't sign.",
            "The certificate is a test of a post-quantum algorithm.",
        ],
        serverRemedies: [
            newKey,
            "Use two certificates: OpenSSL, nginx and HAProxy serve both for one name and choose according to the client's algorithms.",
        ],
        customization: .none(
            because: "No signature by this key can be verified, so neither the chain nor the handshake can be."),
        never: [
            "Accepting the leaf by its fingerprint: without a signature, the server doesn't prove that it has the key."
        ])
}
