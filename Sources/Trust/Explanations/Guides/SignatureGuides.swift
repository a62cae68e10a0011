// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let signatures: [FailureGuide] = [
        signatureInvalid, signatureAlgorithmMismatch, signatureUsesMD5, signatureUsesSHA1, signatureUsesDSA,
        signatureAlgorithmUnsupported, signatureParametersUnsupported,
    ]

    private static let unauthentic =
        "Nothing in a certificate with a bad signature is authentic, its name and its key included, so there is nothing to make an exception for."

    private static let signatureInvalid = FailureGuide(
        .signatureInvalid,
        meaning:
            "The signature of a certificate doesn't verify with the key of the certificate that is named as its issuer.",
        sign:
            "`openssl verify -partial_chain -trusted issuer.pem cert.pem` says `certificate signature failure`; names match and keys don't.",
        causes: [
            "The CA was made anew under its old name, and the server still sends the old CA certificate, or the old leaf.",
            "Two private CAs have the same subject, such as the default name of a template, and one is used instead of the other.",
            "The certificate was damaged: edited, converted by a faulty tool, or truncated and padded.",
            "An attacker has put the name of a trusted CA into a certificate of their own.",
        ],
        serverRemedies: [
            "Send the chain that the CA delivered with this certificate: compare the subject key identifier of the issuer with the authority key identifier of the leaf by `openssl x509 -noout -ext subjectKeyIdentifier,authorityKeyIdentifier -in cert.pem`.",
            "After a CA was made anew, issue the server's certificate anew, and give the new root another name.",
            "On a private CA's clients, replace the old root: two anchors of one name and different keys are a frequent cause.",
        ],
        customization: .none(because: unauthentic),
        never: [
            "Treating it like an unknown CA: an unknown CA is missing knowledge, a bad signature is a contradiction.",
            "Retrying until it works; a node that serves the right chain hides the one that doesn't.",
        ])

    private static let signatureAlgorithmMismatch = FailureGuide(
        .signatureAlgorithmMismatch,
        meaning:
            "A certificate names one signature algorithm inside its signed part and another one beside the signature.",
        sign: "`openssl x509 -noout -text -in cert.pem` shows two different lines `Signature Algorithm:`.",
        causes: [
            "The CA's software writes its certificates wrongly, which happens with home-made issuing scripts.",
            "The certificate was altered after it was signed, or made to test parsers.",
        ],
        serverRemedies: [
            "Have the certificate issued again; if the new one is the same, the CA's software has to be mended.",
            "If an intermediate is concerned, ask the CA for one that is in order.",
        ],
        customization: .none(
            because: "The algorithm outside isn't signed: whichever is followed, an attacker may have chosen it."),
        never: [
            "Following the outer algorithm because \"it verifies\": that is the substitution which the rule prevents."
        ])

    private static let signatureUsesMD5 = FailureGuide(
        .signatureUsesMD5,
        meaning:
            "A certificate is signed over an MD2, MD4 or MD5 digest, for which forgeries have been made since 2008.",
        sign: "`openssl x509 -noout -text -in cert.pem | grep 'Signature Algorithm'` shows `md5WithRSAEncryption`.",
        causes: [
            "An old device carries a certificate from its factory.",
            "A private CA runs on an `openssl.cnf` of the last century with `default_md = md5`.",
        ],
        serverRemedies: [
            "Issue the certificate again with SHA-256: `default_md = sha256` in `openssl.cnf`, or `openssl x509 -req -sha256 …`.",
            "Put a proxy with a current certificate in front of a device that can't be changed.",
        ],
        customization: .none(
            because:
                "Two certificates with the same MD5 signature can be made on a laptop, so the signature proves nothing."
        ),
        never: [
            "Lowering the security level of the whole program (`SECLEVEL=0`) for one device.",
            "Trusting the CA further because it is internal: its certificates can be forged all the same.",
        ])

    private static let signatureUsesSHA1 = FailureGuide(
        .signatureUsesSHA1,
        meaning:
            "A certificate is signed over a SHA-1 digest. Collisions with chosen prefixes cost some ten thousand dollars, and public CAs stopped in 2016.",
        sign:
            "`openssl x509 -noout -text -in cert.pem | grep 'Signature Algorithm'` shows `sha1WithRSAEncryption` or `ecdsa-with-SHA1`.",
        causes: [
            "An internal CA was set up years ago and never changed its digest; AD CS keeps SHA-1 until it is reconfigured.",
            "The intermediate was renewed and the old one, signed with SHA-1, is still in the chain file.",
            "A device or appliance makes its own certificate with an old library.",
        ],
        serverRemedies: [
            "Issue again with SHA-256: `openssl x509 -req -sha256 …`; on AD CS `certutil -setreg ca\\csp\\CNGHashAlgorithm SHA256` and a restart, then renew.",
            "If certificate 1 or higher is signed with SHA-1, replace the chain file by the CA's current one. The signature of a root on itself doesn't count.",
        ],
        customization: .none(
            because:
                "A signature over SHA-1 can be moved to another certificate, so it shows no longer which one the CA signed."
        ),
        never: [
            "Setting `DEFAULT@SECLEVEL=0` or `update-crypto-policies --set LEGACY` for the whole machine.",
            "Making the intermediate with SHA-1 an anchor for every host.",
        ])

    private static let signatureUsesDSA = FailureGuide(
        .signatureUsesDSA,
        meaning: "A certificate is signed with DSA, which no public CA uses and this package doesn't verify.",
        sign:
            "`openssl x509 -noout -text -in cert.pem | grep 'Signature Algorithm'` shows `dsa_with_SHA256` or `dsaWithSHA1`.",
        causes: [
            "A private CA, often of a government or a Java product of around 2005, has a DSA key: `keytool -genkey` made one by default."
        ],
        serverRemedies: [
            "Make a CA with a P-256 or RSA key and issue anew: `servertrust ca init`, or `keytool -genkeypair -keyalg EC`."
        ],
        customization: .none(because: "DSA isn't verified here, and a signature that isn't verified can't be trusted."),
        never: ["Skipping the signature check for this CA."])

    private static let signatureAlgorithmUnsupported = FailureGuide(
        .signatureAlgorithmUnsupported,
        meaning: "A certificate is signed with an algorithm that this package doesn't know.",
        sign: "The message names the object identifier; `openssl x509 -noout -text -in cert.pem` may name it.",
        causes: [
            "The CA uses a national algorithm (SM2, GOST) or Ed448.",
            "The CA tries a post-quantum algorithm before its standard is final, or a parameter set other than ML-DSA-65 and ML-DSA-87.",
        ],
        serverRemedies: [
            "Serve a second certificate of a usual algorithm (ECDSA P-256 or RSA): nginx and OpenSSL choose by the client's signature algorithms.",
            "Have the CA sign with RSA, ECDSA or Ed25519.",
        ],
        customization: .none(because: "The signature can't be verified, so nothing shows who issued the certificate."),
        never: [
            "Accepting the certificate because its names are right: names without a verified signature are an assertion."
        ])

    private static let signatureParametersUnsupported = FailureGuide(
        .signatureParametersUnsupported,
        meaning:
            "The signature algorithm has parameters that aren't accepted: RSASSA-PSS with unusual settings, or parameters where there must be none.",
        sign:
            "`openssl x509 -noout -text -in cert.pem` shows `Hash Algorithm`, `Mask Algorithm` and `Salt Length` that don't belong together.",
        causes: [
            "The CA's software signs with RSASSA-PSS and a salt of the largest possible length, which is the default of some hardware modules.",
            "The hash of the mask generation differs from the hash of the signature, such as SHA-1 for MGF1.",
            "A Java version of before 2021 signed with ECDSA and wrote NULL as parameters. OpenSSL, Java and Windows accept that, browsers don't.",
        ],
        serverRemedies: [
            "Sign with the usual parameters: `openssl x509 -req -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest -sigopt rsa_mgf1_md:sha256 …`.",
            "Or sign with PKCS #1 v1.5 or ECDSA. For ECDSA with NULL, have the certificate reissued by a current Java version.",
        ],
        customization: .change(
            "Under a private root, plain RFC 5280 accepts ECDSA with NULL. The parameters of RSASSA-PSS are fixed by TLS 1.3 (RFC 8446 § 4.2.3).",
            .plainProfile),
        never: ["Reading unknown parameters as the usual ones."])
}
