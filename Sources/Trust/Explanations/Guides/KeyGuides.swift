// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let keys: [FailureGuide] = [
        keyUsesExplicitCurve, keyUsesUnsupportedCurve, keyUsesDSA, rsaKeyTooSmall, rsaKeyTooLarge, keyMalformed,
        keyAlgorithmUnsupported,
    ]

    private static let newKey =
        "Make a new key and request: `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout key.pem -out request.pem -subj /CN=HOST -addext subjectAltName=DNS:HOST`, and have a certificate issued for it."

    private static let keyUsesExplicitCurve = FailureGuide(
        .keyUsesExplicitCurve,
        meaning:
            "The key of a certificate is on an elliptic curve that is written out as numbers in place of its name. Such curves made forged CAs possible (CVE-2020-0601).",
        sign:
            "`openssl x509 -noout -text -in cert.pem` shows `Field Type: prime-field` and numbers, and no `ASN1 OID: prime256v1`.",
        causes: [
            "The key was made with `openssl ecparam -param_enc explicit`, or by a smart card or a Java provider that writes parameters out.",
            "An attacker presents a CA whose generator was chosen so that the key is known.",
        ],
        serverRemedies: [
            newKey,
            "An existing key can be written with the curve's name: `openssl ec -in key.pem -param_enc named_curve -out named.pem`; then have the certificate issued again.",
        ],
        customization: .none(because: "With a curve of the attacker's choice, signatures of any CA can be imitated."),
        never: [
            "Comparing the numbers with those of a known curve and accepting \"the same\" curve: that check is what failed in CVE-2020-0601."
        ])

    private static let keyUsesUnsupportedCurve = FailureGuide(
        .keyUsesUnsupportedCurve,
        meaning: "The key of a certificate is on a curve other than P-256, P-384 and P-521.",
        sign:
            "`openssl x509 -noout -text -in cert.pem | grep 'ASN1 OID'` shows a curve such as `secp256k1`, `brainpoolP256r1` or `prime192v1`.",
        causes: [
            "The key was made for another purpose: secp256k1 for a block chain, Brainpool curves for government PKIs.",
            "A recipe with `openssl ecparam -name secp256k1` was copied.",
        ],
        serverRemedies: [
            newKey, "Have the server offer a second certificate with P-256 beside the one that a regulation demands.",
        ],
        customization: .none(
            because:
                "Signatures on these curves aren't verified here; the CA/Browser baseline doesn't allow them either."),
        never: [
            "Making a self-signed certificate with such a key an anchor: the handshake's signature can't be verified."
        ])

    private static let keyUsesDSA = FailureGuide(
        .keyUsesDSA,
        meaning: "The key of a certificate is a DSA key, which TLS 1.3 doesn't have and no client of today offers.",
        sign: "`openssl x509 -noout -text -in cert.pem | grep 'Public Key Algorithm'` shows `dsaEncryption`.",
        causes: ["The key was made by an old `keytool -genkey` or by `openssl dsaparam -genkey`."],
        serverRemedies: [newKey],
        customization: .none(because: "DSA isn't verified here."),
        never: ["Keeping the key and having only the certificate renewed: the key is the cause."])

    private static let rsaKeyTooSmall = FailureGuide(
        .rsaKeyTooSmall,
        meaning:
            "The RSA key of a certificate is shorter than 2048 bits. 829 bits have been factored in public; public CAs stopped issuing for 1024 bits in 2013.",
        sign: "`openssl x509 -noout -text -in cert.pem | grep 'Public-Key'` shows `(1024 bit)`.",
        causes: [
            "A device makes a short key by itself, because its processor is slow.",
            "A key from before 2010 has been kept through all renewals (`--reuse-key`, an old request file).",
            "A private root of the same age signs good leaves with a short key.",
        ],
        serverRemedies: [
            newKey,
            "For RSA: `openssl req -new -newkey rsa:2048 -noenc …`. Let the ACME client make new keys: `certbot renew --new-key`.",
            "If a CA has the short key, move to a new CA; the leaf's key doesn't help.",
        ],
        customization: .none(
            because:
                "The key may be known to others: a pin or an exception would protect the attacker as well as the server."
        ),
        never: ["Lowering the limit for all servers because one device can't be updated: put a proxy in front of it."])

    private static let rsaKeyTooLarge = FailureGuide(
        .rsaKeyTooLarge,
        meaning:
            "The RSA key of a certificate is longer than 8192 bits, so that each check takes too much of the client's time.",
        sign: "`openssl x509 -noout -text -in cert.pem | grep 'Public-Key'` shows `(16384 bit)`.",
        causes: [
            "The key was made as long as the tool allows, in the belief that longer is safer.",
            "The certificate is meant to keep clients busy.",
        ],
        serverRemedies: [
            newKey, "For RSA, 3072 bits are enough beyond 2030 (NIST SP 800-57); 4096 is the longest in common use.",
        ],
        customization: .none(
            because: "The limit protects the client's processor, and signatures are only verified below it."),
        never: ["Removing limits on key sizes: every connection of a hostile server then costs seconds."])

    private static let keyMalformed = FailureGuide(
        .keyMalformed,
        meaning: "The bytes of a certificate's key aren't a key of the algorithm that the certificate names.",
        sign:
            "`openssl x509 -noout -pubkey -in cert.pem` fails or prints a key that `openssl pkey -pubin -check` refuses.",
        causes: [
            "The CA's software wrote the key wrongly: an even modulus or exponent, a point that isn't on the curve, parameters where there must be none.",
            "The certificate is damaged, or made to test parsers.",
        ],
        serverRemedies: [
            newKey,
            "Check the request before it goes to the CA: `openssl req -verify -noout -in request.pem`.",
        ],
        customization: .none(because: "No signature can be verified with such a key."),
        never: ["Mending the key on the client's side."])

    private static let keyAlgorithmUnsupported = FailureGuide(
        .keyAlgorithmUnsupported,
        meaning: "The key of a certificate is of an algorithm that this package doesn't know.",
        sign:
            "The message names the object identifier; `openssl x509 -noout -text -in cert.pem | grep 'Public Key Algorithm'` shows its name, if it has one.",
        causes: [
            "The certificate has a key of a national algorithm (SM2, GOST), Ed448 or X25519, which can't sign.",
            "The certificate is a trial of a post-quantum algorithm.",
        ],
        serverRemedies: [
            newKey,
            "Keep both: OpenSSL, nginx and HAProxy serve two certificates for one name and choose by the client's algorithms.",
        ],
        customization: .none(
            because: "No signature by this key can be verified, so neither the chain nor the handshake can."),
        never: [
            "Accepting the leaf by its fingerprint: without its signature the server proves no possession of the key."
        ])
}
