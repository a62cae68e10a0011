// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let authorities: [FailureGuide] = [
        criticalExtensionUnhandled, certificateVersionNotAllowed, issuerNameEmpty, notCertificateAuthority,
        basicConstraintsMissing, keyUsageLacksCertSign, pathLengthExceeded, extendedKeyUsageNotAllowed,
        keyUsageNotForTLS,
    ]

    private static let sendCAs =
        "Look at the certificates that the server sends: `openssl s_client -connect HOST:443 -showcerts </dev/null`. Then replace the chain file with the CA's own (`fullchain.pem`)."

    private static let criticalExtensionUnhandled = FailureGuide(
        .criticalExtensionUnhandled,
        meaning:
            "A certificate has a critical extension that this package doesn't process. RFC 5280 requires clients to reject such a certificate.",
        sign:
            "`openssl x509 -noout -text -in cert.pem` shows the extension with `critical`. The message names its object identifier.",
        causes: [
            "A private CA marks a private extension as critical, or an extension that usually isn't critical.",
            "The certificate has another purpose: it is a precertificate (1.3.6.1.4.1.11129.2.4.3), a proxy certificate or an attestation.",
        ],
        serverRemedies: [
            "Have the certificate reissued without the extension, or with the extension not marked critical.",
            "If you installed a precertificate, replace it with the certificate that the CA delivered afterwards.",
        ],
        customization: .none(
            because:
                "By marking the extension critical, the CA says that software must not use the certificate if it doesn't understand the extension."
        ),
        never: ["Ignoring criticality: this extension may be the one that limits the certificate to another use."])

    private static let certificateVersionNotAllowed = FailureGuide(
        .certificateVersionNotAllowed,
        meaning:
            "A certificate in the path has X.509 version 1 or 2. These versions can't say whether a certificate is a CA, so anyone with such a certificate could issue others.",
        sign: "`openssl x509 -noout -text -in cert.pem` shows `Version: 1 (0x0)`.",
        causes: [
            "Before OpenSSL 3.2, `openssl x509 -req` without `-extfile` creates version 1 certificates.",
            "A private root from before 2000, or from a small device, has version 1.",
        ],
        serverRemedies: [
            "Reissue the certificate with extensions: `openssl x509 -req -extfile ext.cnf …` with `basicConstraints=critical,CA:TRUE` for a CA. `servertrust ca init` creates a new CA.",
            sendCAs,
        ],
        customization: .change(
            "For a private PKI with a version 1 root, plain RFC 5280 accepts the root as an anchor. It still rejects version 1 intermediates.",
            .plainProfile),
        never: ["Switching the profile for servers on the public web, where no root has version 1 anymore."])

    private static let issuerNameEmpty = FailureGuide(
        .issuerNameEmpty,
        meaning: "A certificate has no issuer name, so its CA can't be found by name.",
        sign: "`openssl x509 -noout -issuer -in cert.pem` prints `issuer=` and nothing after it.",
        causes: [
            "A script creates self-signed certificates without a subject.",
            "The private CA itself has an empty subject.",
        ],
        serverRemedies: [
            "Give the CA a subject (`-subj '/CN=Example Issuing CA'`), and reissue the server's certificate.",
            "For a single server: `servertrust ca init --name 'Example Root'` and `servertrust ca issue HOST`.",
        ],
        customization: .change("Accept exactly this certificate at exactly this host.", .pinnedLeaf),
        never: ["Matching issuers by key identifier only: the issuer of a certificate can choose any identifier."])

    private static let notCertificateAuthority = FailureGuide(
        .notCertificateAuthority,
        meaning:
            "The issuer of a certificate isn't a CA: the issuer's own certificate says `CA:FALSE`.",
        sign: "`openssl x509 -noout -ext basicConstraints -in issuer.pem` prints `CA:FALSE`.",
        causes: [
            "The chain file contains a server's certificate instead of the intermediate.",
            "A developer signed a certificate with the key of another server's certificate.",
            "An attacker uses the key of a valid certificate to issue others, hoping that clients don't check.",
        ],
        serverRemedies: [
            sendCAs,
            "For a private CA, issue from a CA with `basicConstraints=critical,CA:TRUE` and `keyUsage=critical,keyCertSign,cRLSign`.",
        ],
        customization: .change(
            "If you can't change the server, accept exactly its certificate. The certificate above it gains no trust.",
            .pinnedLeaf),
        never: [
            "Making the wrong issuer an anchor: the holder of that server's key could then issue certificates for every name."
        ])

    private static let basicConstraintsMissing = FailureGuide(
        .basicConstraintsMissing,
        meaning:
            "A certificate is used as a CA, but has no basic constraints. A version 3 certificate without them isn't a CA.",
        sign: "`openssl x509 -noout -ext basicConstraints -in issuer.pem` prints `No extensions in certificate`.",
        causes: [
            "The private CA was created without an extensions section: `openssl req -x509` with a configuration that lacks `x509_extensions`.",
            "The chain file contains the wrong certificate above the leaf.",
        ],
        serverRemedies: [
            "Reissue the CA's certificate with `basicConstraints=critical,CA:TRUE`. Keep the name and the key, so that existing leaves stay valid.",
            sendCAs,
        ],
        customization: .change("Accept exactly the server's certificate until the CA is replaced.", .pinnedLeaf),
        never: ["Accepting CAs without the extension: every server certificate from old software would then be a CA."])

    private static let keyUsageLacksCertSign = FailureGuide(
        .keyUsageLacksCertSign,
        meaning: "A certificate is used as a CA, but its key usage doesn't permit signing certificates.",
        sign: "`openssl x509 -noout -ext keyUsage -in issuer.pem` lists usages without `Certificate Sign`.",
        causes: [
            "The CA was created with a server's key usage (`digitalSignature, keyEncipherment`).",
            "A self-signed server certificate is used as a root for others.",
            "The chain file contains the wrong certificate above the leaf.",
        ],
        serverRemedies: [
            "Reissue the CA's certificate for the same key with `keyUsage=critical,keyCertSign,cRLSign`.",
            sendCAs,
        ],
        customization: .change("Accept exactly the server's certificate until the CA is replaced.", .pinnedLeaf),
        never: ["Skipping the key usage check for all CAs."])

    private static let pathLengthExceeded = FailureGuide(
        .pathLengthExceeded,
        meaning: "A CA in the path limits how many CAs may be below it, but the path has more.",
        sign:
            "`openssl x509 -noout -ext basicConstraints -in ca.pem` shows `pathlen:0` or another number, and the chain has more CAs below it.",
        causes: [
            "An issuing CA with `pathlen:0` issued another CA, because of its template or by mistake.",
            "A cross-signed certificate makes the path one certificate longer than the limit allows.",
        ],
        serverRemedies: [
            "Issue the server's certificate directly from the CA with the limit.",
            "Have the CA above it issue an intermediate with a larger `pathlen` for the same key and name.",
            "Leave out the cross-signed certificate that makes the path longer.",
        ],
        customization: .change(
            "Accept exactly the server's certificate. The extra CA gains no trust.", .pinnedLeaf),
        never: ["Making the lowest CA an anchor for every host: the limit is there to stop exactly such a CA."])

    private static let extendedKeyUsageNotAllowed = FailureGuide(
        .extendedKeyUsageNotAllowed,
        meaning:
            "A certificate in the path isn't for this purpose: its extended key usage lists only other purposes. For a server, `serverAuth` is missing.",
        sign: "`openssl x509 -noout -ext extendedKeyUsage -in cert.pem` doesn't list `TLS Web Server Authentication`.",
        causes: [
            "A client certificate or a code signing certificate was installed on the server.",
            "The template of a private CA only issues `clientAuth`, as for devices and users.",
            "An intermediate is limited to another purpose, such as email.",
        ],
        serverRemedies: [
            "Have the certificate reissued with `extendedKeyUsage=serverAuth`. In AD CS, use the template \"Web Server\".",
            "If an intermediate is limited, have the certificate issued by the CA's intermediate for TLS.",
        ],
        customization: .change(
            "For peers that authenticate with client certificates, set that purpose. Do so only with a private root as the anchor.",
            .purpose),
        never: [
            "Allowing any purpose with the system's anchors: every email certificate would then be valid for a server."
        ])

    private static let keyUsageNotForTLS = FailureGuide(
        .keyUsageNotForTLS,
        meaning:
            "The key usage of the server's certificate permits no operation of a TLS handshake, or not the one that the negotiated suite needs. TLS 1.3 and (EC)DHE need a signature.",
        sign:
            "`openssl x509 -noout -ext keyUsage -in cert.pem` lacks `Digital Signature`. `Key Encipherment` without it only works with RSA key exchange in TLS 1.2. BoringSSL's clients print `KEY_USAGE_BIT_INCORRECT`.",
        causes: [
            "The certificate comes from a template for CAs (`keyCertSign`), encryption or email.",
            "A self-signed certificate was created with the extensions of a CA.",
            "An old script only requests `keyEncipherment` and `dataEncipherment`.",
        ],
        serverRemedies: [
            "Have the certificate reissued with `keyUsage=critical,digitalSignature` (and `keyEncipherment` for RSA in TLS 1.2)."
        ],
        customization: .change(
            "Under a private root, plain RFC 5280 doesn't check the leaf's key usage. TLS libraries may still refuse it.",
            .plainProfile),
        never: ["Using the CA's own certificate as the server's certificate: the CA's key is then on the server."])
}
