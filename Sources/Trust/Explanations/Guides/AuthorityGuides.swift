// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let authorities: [FailureGuide] = [
        criticalExtensionUnhandled, certificateVersionNotAllowed, issuerNameEmpty, notCertificateAuthority,
        basicConstraintsMissing, keyUsageLacksCertSign, pathLengthExceeded, extendedKeyUsageNotAllowed,
        keyUsageNotForTLS,
    ]

    private static let sendCAs =
        "See which certificate stands there: `openssl s_client -connect HOST:443 -showcerts </dev/null`, then replace the chain file by the CA's own (`fullchain.pem`)."

    private static let criticalExtensionUnhandled = FailureGuide(
        .criticalExtensionUnhandled,
        meaning:
            "A certificate has an extension marked critical that this package doesn't process; RFC 5280 demands that it be refused then.",
        sign:
            "`openssl x509 -noout -text -in cert.pem` shows the extension with `critical`; the message has its object identifier.",
        causes: [
            "A private CA marks a private extension, or one that is usually not critical, as critical.",
            "The certificate is for another purpose: a precertificate (1.3.6.1.4.1.11129.2.4.3), a proxy certificate or an attestation.",
        ],
        serverRemedies: [
            "Have the certificate issued with the extension not critical, or without it.",
            "If a precertificate is installed, install the certificate that the CA delivered afterwards.",
        ],
        customization: .none(
            because:
                "The CA itself says that software that doesn't understand the extension mustn't use the certificate."),
        never: ["Ignoring criticality: the extension may be the one that limits the certificate to another use."])

    private static let certificateVersionNotAllowed = FailureGuide(
        .certificateVersionNotAllowed,
        meaning:
            "A certificate of the path is of X.509 version 1 or 2. These can't say whether they are a CA, so any holder of one could issue.",
        sign: "`openssl x509 -noout -text -in cert.pem` shows `Version: 1 (0x0)`.",
        causes: [
            "`openssl x509 -req` without `-extfile` makes version 1, before OpenSSL 3.2.",
            "A private root of before 2000, or of a small device, is of version 1.",
        ],
        serverRemedies: [
            "Issue again with extensions: `openssl x509 -req -extfile ext.cnf …` with `basicConstraints=critical,CA:TRUE` for a CA, or `servertrust ca init` for a new one.",
            sendCAs,
        ],
        customization: .change(
            "For a private PKI with a root of version 1, plain RFC 5280 accepts it as an anchor. Intermediates of version 1 are refused even then.",
            .plainProfile),
        never: ["Switching the profile for servers of the public web: no root there is of version 1 any more."])

    private static let issuerNameEmpty = FailureGuide(
        .issuerNameEmpty,
        meaning: "A certificate names no issuer, so that its CA can't be found by name.",
        sign: "`openssl x509 -noout -issuer -in cert.pem` prints `issuer=` and nothing after it.",
        causes: [
            "A script makes certificates without a subject and signs them with themselves.",
            "The private CA itself has an empty subject.",
        ],
        serverRemedies: [
            "Give the CA a subject (`-subj '/CN=Example Issuing CA'`), and issue the server's certificate again.",
            "For a single server: `servertrust ca init --name 'Example Root'` and `servertrust ca issue HOST`.",
        ],
        customization: .change("Recognize exactly this certificate at exactly this host.", .pinnedLeaf),
        never: ["Matching issuers by key identifier alone: those are chosen freely by the issuer of the certificate."])

    private static let notCertificateAuthority = FailureGuide(
        .notCertificateAuthority,
        meaning:
            "A certificate was signed with the key of another one that says of itself `CA:FALSE`: a server's certificate used as a CA.",
        sign: "`openssl x509 -noout -ext basicConstraints -in issuer.pem` prints `CA:FALSE`.",
        causes: [
            "The chain file has a server's certificate instead of the intermediate.",
            "A developer signed a certificate with the key of another server's certificate.",
            "An attacker who holds some valid certificate issues others with it, hoping that clients don't check.",
        ],
        serverRemedies: [
            sendCAs,
            "For a private CA: issue from a CA with `basicConstraints=critical,CA:TRUE` and `keyUsage=critical,keyCertSign,cRLSign`.",
        ],
        customization: .change(
            "If the server can't be changed, recognize exactly its certificate; the certificate above it gains nothing.",
            .pinnedLeaf),
        never: ["Making the wrong issuer an anchor: the holder of that server's key could then issue for every name."])

    private static let basicConstraintsMissing = FailureGuide(
        .basicConstraintsMissing,
        meaning:
            "A certificate is used as a CA and has no basic constraints, without which a version 3 certificate is none.",
        sign: "`openssl x509 -noout -ext basicConstraints -in issuer.pem` prints `No extensions in certificate`.",
        causes: [
            "The private CA was made without an extensions section: `openssl req -x509` with a configuration that lacks `x509_extensions`.",
            "The chain file has the wrong certificate above the leaf.",
        ],
        serverRemedies: [
            "Make the CA's certificate again over the same key, with `basicConstraints=critical,CA:TRUE`; leaves stay valid, as name and key stay.",
            sendCAs,
        ],
        customization: .change("Recognize exactly the server's certificate, while the CA is replaced.", .pinnedLeaf),
        never: ["Accepting CAs without the extension: then every server's certificate of old software is a CA."])

    private static let keyUsageLacksCertSign = FailureGuide(
        .keyUsageLacksCertSign,
        meaning: "A certificate is used as a CA, and its key usage doesn't permit to sign certificates.",
        sign: "`openssl x509 -noout -ext keyUsage -in issuer.pem` lists usages without `Certificate Sign`.",
        causes: [
            "The CA was made with the key usage of a server (`digitalSignature, keyEncipherment`).",
            "A self-signed server certificate is used as a root for others.",
            "The chain file has the wrong certificate above the leaf.",
        ],
        serverRemedies: [
            "Make the CA's certificate again over the same key with `keyUsage=critical,keyCertSign,cRLSign`.",
            sendCAs,
        ],
        customization: .change("Recognize exactly the server's certificate, while the CA is replaced.", .pinnedLeaf),
        never: ["Dropping the check of key usages for all CAs."])

    private static let pathLengthExceeded = FailureGuide(
        .pathLengthExceeded,
        meaning: "A CA of the path limits how many CAs may stand below it, and there are more.",
        sign:
            "`openssl x509 -noout -ext basicConstraints -in ca.pem` shows `pathlen:0` or another number, and the chain has more CAs below it.",
        causes: [
            "An issuing CA with `pathlen:0` has issued another CA, by its own template or by mistake.",
            "A cross-signed certificate makes the path one longer than the constraint foresaw.",
        ],
        serverRemedies: [
            "Issue the server's certificate directly from the CA with the limit.",
            "Have the CA above issue an intermediate with a larger `pathlen`, over the same key and name.",
            "Leave out a cross-signed certificate that leads to the longer path.",
        ],
        customization: .change(
            "Recognize exactly the server's certificate; the superfluous CA gains nothing.", .pinnedLeaf),
        never: ["Making the lowest CA an anchor for every host: the limit was set to stop exactly such a CA."])

    private static let extendedKeyUsageNotAllowed = FailureGuide(
        .extendedKeyUsageNotAllowed,
        meaning:
            "A certificate of the path isn't for this purpose: its extended key usage lists others, for servers it lacks `serverAuth`.",
        sign: "`openssl x509 -noout -ext extendedKeyUsage -in cert.pem` doesn't list `TLS Web Server Authentication`.",
        causes: [
            "A client's or a code signing certificate was installed on the server.",
            "The template of a private CA issues `clientAuth` alone, as for devices and users.",
            "An intermediate is limited to another purpose, such as e-mail.",
        ],
        serverRemedies: [
            "Have the certificate issued with `extendedKeyUsage=serverAuth`; for AD CS use the template \"Web Server\".",
            "If an intermediate is limited, have the certificate issued by the CA's intermediate for TLS.",
        ],
        customization: .change(
            "For peers that authenticate with certificates for clients, under a private root alone, ask for that purpose.",
            .purpose),
        never: ["Asking for any purpose against the system's anchors: every e-mail certificate is then a server's."])

    private static let keyUsageNotForTLS = FailureGuide(
        .keyUsageNotForTLS,
        meaning:
            "The key usage of the server's certificate permits none of the operations of a TLS handshake, or not the one that the negotiated suite needs: a signature in TLS 1.3 and with (EC)DHE.",
        sign:
            "`openssl x509 -noout -ext keyUsage -in cert.pem` lacks `Digital Signature`; `Key Encipherment` alone serves TLS 1.2 with RSA only. BoringSSL's clients print `KEY_USAGE_BIT_INCORRECT`.",
        causes: [
            "The certificate is from a template for CAs (`keyCertSign`), encryption or e-mail.",
            "A self-signed certificate was made with the extensions of a CA.",
            "A script for certificates of old asks for `keyEncipherment` and `dataEncipherment` alone.",
        ],
        serverRemedies: [
            "Have the certificate issued with `keyUsage=critical,digitalSignature` (and `keyEncipherment` for RSA in TLS 1.2)."
        ],
        customization: .change(
            "Under a private root, plain RFC 5280 doesn't check the leaf's key usage. TLS libraries may still refuse it.",
            .plainProfile),
        never: ["Using the CA's own certificate as the server's certificate: its key then lies on the server."])
}
