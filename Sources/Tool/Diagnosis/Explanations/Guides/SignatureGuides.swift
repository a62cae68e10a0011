// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let signatures: [FailureGuide] = [
        signatureInvalid, signatureAlgorithmMismatch, signatureUsesMD5, signatureUsesSHA1, signatureUsesDSA,
        signatureAlgorithmUnsupported, signatureParametersUnsupported,
    ]

    private static let unauthentic =
        "Nothing in a certificate with an invalid signature is authentic, not even its name and key. An exception would have nothing to identify."

    private static let signatureInvalid = FailureGuide(
        .signatureInvalid,
        meaning:
            "The signature of a certificate doesn't verify with the key of the certificate that is named as its issuer.",
        sign:
            "`openssl verify -partial_chain -trusted issuer.pem cert.pem` says `certificate signature failure`: the names match, but the keys don't.",
        causes: [
            "The CA was recreated under its old name, but the server still sends the old CA certificate or the old leaf.",
            "Two private CAs have the same subject, such as a template's default name, and one is used instead of the other.",
            "The certificate was damaged: edited, converted by a faulty tool, truncated or padded.",
            "An attacker put the name of a trusted CA into their own certificate.",
        ],
        serverRemedies: [
            "Send the chain that the CA delivered with this certificate. The issuer's subject key identifier has to match the leaf's authority key identifier: `openssl x509 -noout -ext subjectKeyIdentifier,authorityKeyIdentifier -in cert.pem`.",
            "After you recreate a CA, reissue the server's certificate, and give the new root a different name.",
            "On a private CA's clients, replace the old root. A frequent cause is two anchors with one name and different keys.",
        ],
        customization: .none(because: unauthentic),
        never: [
            "Treating it like an unknown CA: the CA isn't unknown here, and the signature contradicts its key.",
            "Retrying until it works: a node that serves the right chain hides the one that doesn't.",
        ])

    private static let signatureAlgorithmMismatch = FailureGuide(
        .signatureAlgorithmMismatch,
        meaning:
            "A certificate names one signature algorithm inside its signed part and a different one next to the signature.",
        sign: "`openssl x509 -noout -text -in cert.pem` shows two different `Signature Algorithm:` lines.",
        causes: [
            "The CA's software writes incorrect certificates, as custom issuing scripts sometimes do.",
            "The certificate was changed after it was signed, or was made to test parsers.",
        ],
        serverRemedies: [
            "Have the certificate reissued. If the new one has the same error, the CA's software has to be fixed.",
            "If it is an intermediate, ask the CA for a correct one.",
        ],
        customization: .none(
            because:
                "The outer algorithm isn't signed. Whichever one the client follows, an attacker may have chosen it."),
        never: [
            "Using the outer algorithm because \"it verifies\": the rule exists to prevent this substitution."
        ])

    private static let signatureUsesMD5 = FailureGuide(
        .signatureUsesMD5,
        meaning:
            "A certificate is signed with an MD2, MD4 or MD5 digest. Forgeries of such signatures have been possible since 2008.",
        sign: "`openssl x509 -noout -text -in cert.pem | grep 'Signature Algorithm'` shows `md5WithRSAEncryption`.",
        causes: [
            "An old device has its original factory certificate.",
            "A private CA uses an `openssl.cnf` from the last century with `default_md = md5`.",
        ],
        serverRemedies: [
            "Reissue the certificate with SHA-256: `default_md = sha256` in `openssl.cnf`, or `openssl x509 -req -sha256 …`.",
            "If you can't change a device, put a proxy with a current certificate in front of it.",
        ],
        customization: .none(
            because:
                "A laptop can create two certificates with the same MD5 signature, so the signature proves nothing."
        ),
        never: [
            "Lowering the security level of the whole program (`SECLEVEL=0`) for one device.",
            "Trusting the CA because it is internal: attackers can forge its certificates all the same.",
        ])

    private static let signatureUsesSHA1 = FailureGuide(
        .signatureUsesSHA1,
        meaning:
            "A certificate is signed with a SHA-1 digest. Chosen-prefix collisions cost about ten thousand dollars, and public CAs stopped using SHA-1 in 2016.",
        sign:
            "`openssl x509 -noout -text -in cert.pem | grep 'Signature Algorithm'` shows `sha1WithRSAEncryption` or `ecdsa-with-SHA1`.",
        causes: [
            "An internal CA was set up years ago and never changed its digest. AD CS keeps SHA-1 until you reconfigure it.",
            "The intermediate was renewed, but the old one, signed with SHA-1, is still in the chain file.",
            "A device or appliance creates its own certificate with an old library.",
        ],
        serverRemedies: [
            "Reissue with SHA-256: `openssl x509 -req -sha256 …`. On AD CS, run `certutil -setreg ca\\csp\\CNGHashAlgorithm SHA256`, restart, and renew.",
            "If a CA's certificate is signed with SHA-1, replace the chain file with the CA's current one. A root's signature on itself doesn't count.",
        ],
        customization: .none(
            because:
                "An attacker can move a SHA-1 signature to another certificate, so it no longer shows which one the CA signed."
        ),
        never: [
            "Setting `DEFAULT@SECLEVEL=0` or `update-crypto-policies --set LEGACY` for the whole machine.",
            "Making the intermediate that is signed with SHA-1 an anchor for every host.",
        ])

    private static let signatureUsesDSA = FailureGuide(
        .signatureUsesDSA,
        meaning: "A certificate is signed with DSA. No public CA uses DSA, and this package doesn't verify it.",
        sign:
            "`openssl x509 -noout -text -in cert.pem | grep 'Signature Algorithm'` shows `dsa_with_SHA256` or `dsaWithSHA1`.",
        causes: [
            "A private CA, often from a government or a Java product from around 2005, has a DSA key. `keytool -genkey` created one by default."
        ],
        serverRemedies: [
            "Create a CA with a P-256 or RSA key and reissue: `servertrust ca init`, or `keytool -genkeypair -keyalg EC`."
        ],
        customization: .none(
            because: "This package doesn't verify DSA, and it can't trust a signature that it doesn't verify."),
        never: ["Skipping the signature check for this CA."])

    private static let signatureAlgorithmUnsupported = FailureGuide(
        .signatureAlgorithmUnsupported,
        meaning: "A certificate is signed with an algorithm that this package doesn't support.",
        sign: "The message contains the object identifier. `openssl x509 -noout -text -in cert.pem` may show its name.",
        causes: [
            "The CA uses a national algorithm (SM2, GOST) or Ed448.",
            "The CA tests a post-quantum algorithm before its standard is final, or uses a parameter set other than ML-DSA-65 and ML-DSA-87.",
        ],
        serverRemedies: [
            "Serve a second certificate with a common algorithm (ECDSA P-256 or RSA). nginx and OpenSSL choose according to the client's signature algorithms.",
            "Have the CA sign with RSA, ECDSA or Ed25519.",
        ],
        customization: .none(because: "The signature can't be verified, so nothing proves who issued the certificate."),
        never: [
            "Accepting the certificate because its names are right: without a verified signature, names are only a claim."
        ])

    private static let signatureParametersUnsupported = FailureGuide(
        .signatureParametersUnsupported,
        meaning:
            "This package doesn't accept the parameters of the signature algorithm: RSASSA-PSS with unusual settings, or parameters where none are allowed.",
        sign:
            "`openssl x509 -noout -text -in cert.pem` shows values of `Hash Algorithm`, `Mask Algorithm` and `Salt Length` that don't match.",
        causes: [
            "The CA's software uses RSASSA-PSS with the longest possible salt, which is the default of some hardware security modules.",
            "The mask generation uses a different hash than the signature, such as SHA-1 for MGF1.",
            "A Java version from before 2021 signed with ECDSA and wrote NULL as parameters. OpenSSL, Java and Windows accept this, but browsers don't.",
        ],
        serverRemedies: [
            "Sign with the usual parameters: `openssl x509 -req -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest -sigopt rsa_mgf1_md:sha256 …`.",
            "You can also sign with PKCS #1 v1.5 or ECDSA. For ECDSA with NULL, have the certificate reissued by a current Java version.",
        ],
        customization: .change(
            "Under a private root, plain RFC 5280 accepts ECDSA with NULL. TLS 1.3 prescribes the parameters of RSASSA-PSS (RFC 8446 § 4.2.3).",
            .plainProfile),
        never: ["Treating unknown parameters as the usual ones."])
}
