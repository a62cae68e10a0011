// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let constraints: [FailureGuide] = [
        nameExcluded, nameNotPermitted, nameConstraintUndecidable, policyMappingOfAnyPolicy, policyNotAcceptable,
        tlsFeatureMissing,
    ]

    private static let tlsFeatureMissing = FailureGuide(
        .tlsFeatureMissing,
        meaning:
            "A CA of the path requires TLS features of its servers (RFC 7633), and a certificate below it doesn't require them.",
        sign:
            "`openssl x509 -noout -ext tlsfeature -in ca.pem` prints `status_request`, and the same command prints less for the certificate below it.",
        causes: [
            "The CA's certificate was made with \"must staple\", and its software doesn't put the extension into the certificates that it issues.",
            "The extension was meant for one server, and got into the configuration of a CA.",
        ],
        serverRemedies: [
            "Have the certificate reissued with the same extension, `tlsfeature=status_request` in OpenSSL's configuration, and switch stapling on.",
            "If the servers of the CA don't staple, have the CA's certificate renewed without the extension.",
        ],
        customization: .change(
            "Recognize exactly this certificate at exactly this host, until the CA has issued a new one.",
            .pinnedLeaf),
        never: ["Ignoring the requirement of a CA: it is there so that a stolen key can be revoked in time."])

    private static let nameExcluded = FailureGuide(
        .nameExcluded,
        meaning: "A name of the certificate lies within a subtree that a CA above it is forbidden to issue for.",
        sign:
            "`openssl x509 -noout -ext nameConstraints -in ca.pem` lists the name's domain or address under `Excluded`.",
        causes: [
            "A company's CA has its constraint for other domains, and issued for one of them.",
            "Excluded IP ranges (`0.0.0.0/0`) meet a certificate that has an address beside its DNS names.",
        ],
        serverRemedies: [
            "Take the excluded name out of the request, if the server doesn't need it: an address beside DNS names is frequent.",
            "Have the name certified by a CA that may issue for it.",
        ],
        customization: .change(
            "Recognize exactly this certificate at exactly this host, until another CA has issued.", .pinnedLeaf),
        never: [
            "Making the constrained CA an anchor without its constraints: they were the condition of its certificate."
        ])

    private static let nameNotPermitted = FailureGuide(
        .nameNotPermitted,
        meaning: "A CA of the path may issue for certain names alone, and a name of the certificate isn't among them.",
        sign:
            "`openssl x509 -noout -ext nameConstraints -in ca.pem` lists `Permitted` subtrees that don't cover every name of `openssl x509 -noout -ext subjectAltName -in cert.pem`.",
        causes: [
            "The CA is for `corp.example`, and a server under a new domain got a certificate from it.",
            "The constraint has no DNS names of a renamed company.",
            "The certificate has an IP address or an e-mail address, and the constraint permits DNS names alone.",
        ],
        serverRemedies: [
            "Have the certificate issued for permitted names alone, or by a CA for the other names.",
            "Have the CA's certificate renewed with the new domain in its permitted subtrees.",
        ],
        customization: .change(
            "Recognize exactly this certificate at exactly this host, until another CA has issued.", .pinnedLeaf),
        never: [
            "Ignoring name constraints: they confine a private CA to its own names on every machine that trusts it."
        ])

    private static let nameConstraintUndecidable = FailureGuide(
        .nameConstraintUndecidable,
        meaning:
            "A name and a name constraint of the same form can't be compared: one of them is malformed, or of a form that isn't compared here.",
        sign:
            "`openssl x509 -noout -ext nameConstraints -in ca.pem` shows the constraint that the message names, such as a URI or a mask with gaps.",
        causes: [
            "The constraint is written wrongly: `*.example.com` or `https://example.com` instead of `example.com`, an address without mask.",
            "The certificate has a name with a space, an underscore in an odd place or a URI without host.",
        ],
        serverRemedies: [
            "Have the certificate issued without the odd name.",
            "Have the CA's certificate made anew with a constraint in the form of RFC 5280 § 4.2.1.10: `permitted;DNS:example.com`, `permitted;IP:10.0.0.0/255.0.0.0`.",
        ],
        customization: .change("Recognize exactly this certificate at exactly this host.", .pinnedLeaf),
        never: ["Counting a constraint that can't be compared as met."])

    private static let policyMappingOfAnyPolicy = FailureGuide(
        .policyMappingOfAnyPolicy,
        meaning: "A CA's certificate maps a certificate policy to or from anyPolicy, which RFC 5280 forbids.",
        sign: "`openssl x509 -noout -ext policyMappings -in ca.pem` shows `2.5.29.32.0`.",
        causes: ["A bridge CA was configured with a wild card mapping, to accept every policy of its partner."],
        serverRemedies: [
            "Have the cross certificate issued again with a mapping for each policy.",
            "Send another path, without that cross certificate, if there is one.",
        ],
        customization: .change("Recognize exactly the server's certificate, while the bridge is mended.", .pinnedLeaf),
        never: ["Ignoring policy mappings in a PKI that decides by policies."])

    private static let policyNotAcceptable = FailureGuide(
        .policyNotAcceptable,
        meaning:
            "A certificate policy is required, by the client or by a CA of the path, and no acceptable one holds along the whole path.",
        sign:
            "`openssl x509 -noout -ext certificatePolicies,policyConstraints -in cert.pem`, for each certificate, has no policy in common.",
        causes: [
            "The issuing CA was replaced, and the new one asserts another policy.",
            "The client requires the policy of extended validation or of a government PKI, and the certificate is an ordinary one.",
            "A CA sets `requireExplicitPolicy`, and the leaf has no policies.",
        ],
        serverRemedies: [
            "Have the certificate issued under the required policy.",
            "Have the CA's certificates assert the policy: one without it ends it for everything below.",
        ],
        customization: .change(
            "Add the new policy's identifier to the acceptable ones, and keep requiring one.", .certificatePolicies),
        never: ["Dropping `requireExplicit` for all servers: the policy is the reason why this PKI is trusted."])
}
