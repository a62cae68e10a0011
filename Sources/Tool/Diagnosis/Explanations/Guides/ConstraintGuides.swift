// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let constraints: [FailureGuide] = [
        nameExcluded, nameNotPermitted, nameConstraintUndecidable, policyMappingOfAnyPolicy, policyNotAcceptable,
        tlsFeatureMissing,
    ]

    private static let tlsFeatureMissing = FailureGuide(
        .tlsFeatureMissing,
        meaning:
            "A CA in the path requires TLS features from its servers (RFC 7633), but a certificate below it doesn't require them.",
        sign:
            "`openssl x509 -noout -ext tlsfeature -in ca.pem` prints `status_request`. For the certificate below it, the same command prints less.",
        causes: [
            "The CA's certificate was created with \"must staple\", but the CA's software doesn't put the extension into the certificates it issues.",
            "The extension was meant for one server, but was added to the configuration of a CA.",
        ],
        serverRemedies: [
            "Have the certificate reissued with the same extension (`tlsfeature=status_request` in OpenSSL's configuration), and turn on stapling.",
            "If the CA's servers don't staple, have the CA's certificate renewed without the extension.",
        ],
        customization: .change(
            "Accept exactly this certificate at exactly this host until the CA has issued a new one.",
            .pinnedLeaf),
        never: ["Ignoring the requirement of a CA: it is there so that a stolen key can be revoked in time."])

    private static let nameExcluded = FailureGuide(
        .nameExcluded,
        meaning:
            "A CA in the path must not issue for a name of the certificate, because the name is in an excluded subtree.",
        sign:
            "`openssl x509 -noout -ext nameConstraints -in ca.pem` lists the name's domain or address under `Excluded`.",
        causes: [
            "A company's CA excludes certain domains, but issued a certificate for one of them.",
            "The CA excludes IP ranges (`0.0.0.0/0`), and the certificate has an address in addition to its DNS names.",
        ],
        serverRemedies: [
            "If the server doesn't need the excluded name, remove it from the request. Often it is an address beside DNS names.",
            "Get a certificate for the name from a CA that may issue for it.",
        ],
        customization: .change(
            "Accept exactly this certificate at exactly this host until another CA has issued one.", .pinnedLeaf),
        never: [
            "Making the constrained CA an anchor without its constraints: it got its certificate only with these constraints."
        ])

    private static let nameNotPermitted = FailureGuide(
        .nameNotPermitted,
        meaning: "A CA in the path may only issue for certain names, and a name of the certificate isn't among them.",
        sign:
            "`openssl x509 -noout -ext nameConstraints -in ca.pem` lists `Permitted` subtrees that don't cover every name of `openssl x509 -noout -ext subjectAltName -in cert.pem`.",
        causes: [
            "The CA is for `corp.example`, but issued a certificate for a server in a new domain.",
            "The company was renamed, and the constraint doesn't contain its new DNS names.",
            "The certificate has an IP address or an email address, but the constraint only permits DNS names.",
        ],
        serverRemedies: [
            "Have the certificate issued only for permitted names, or by a CA that may issue for the other names.",
            "Have the CA's certificate renewed with the new domain in its permitted subtrees.",
        ],
        customization: .change(
            "Accept exactly this certificate at exactly this host until another CA has issued one.", .pinnedLeaf),
        never: [
            "Ignoring name constraints: they limit a private CA to its own names on every machine that trusts it."
        ])

    private static let nameConstraintUndecidable = FailureGuide(
        .nameConstraintUndecidable,
        meaning:
            "A name and a name constraint of the same type can't be compared: one of them is malformed, or this package doesn't compare its form.",
        sign:
            "`openssl x509 -noout -ext nameConstraints -in ca.pem` shows the constraint that the message names, such as a URI or a mask with gaps.",
        causes: [
            "The constraint is malformed: `*.example.com` or `https://example.com` instead of `example.com`, or an address without a mask.",
            "The certificate has a name with a space or a misplaced underscore, or a URI without a host.",
        ],
        serverRemedies: [
            "Have the certificate reissued without the malformed name.",
            "Have the CA's certificate reissued with a constraint in the form of RFC 5280 § 4.2.1.10: `permitted;DNS:example.com`, `permitted;IP:10.0.0.0/255.0.0.0`.",
        ],
        customization: .change("Accept exactly this certificate at exactly this host.", .pinnedLeaf),
        never: ["Treating a constraint that can't be compared as met."])

    private static let policyMappingOfAnyPolicy = FailureGuide(
        .policyMappingOfAnyPolicy,
        meaning: "A CA's certificate maps a certificate policy to or from anyPolicy, which RFC 5280 forbids.",
        sign: "`openssl x509 -noout -ext policyMappings -in ca.pem` shows `2.5.29.32.0`.",
        causes: ["A bridge CA was configured with a wildcard mapping, to accept every policy of its partner."],
        serverRemedies: [
            "Have the cross-certificate reissued with one mapping for each policy.",
            "If there is another path, send it without that cross-certificate.",
        ],
        customization: .change("Accept exactly the server's certificate until the bridge CA is fixed.", .pinnedLeaf),
        never: ["Ignoring policy mappings in a PKI that relies on policies."])

    private static let policyNotAcceptable = FailureGuide(
        .policyNotAcceptable,
        meaning:
            "The client or a CA in the path requires a certificate policy, but no acceptable policy is valid along the whole path.",
        sign:
            "`openssl x509 -noout -ext certificatePolicies,policyConstraints -in cert.pem`, run for each certificate, shows no common policy.",
        causes: [
            "The issuing CA was replaced, and the new one asserts another policy.",
            "The client requires the policy for extended validation or for a government PKI, but the certificate is an ordinary one.",
            "A CA sets `requireExplicitPolicy`, but the leaf has no policies.",
        ],
        serverRemedies: [
            "Have the certificate issued under the required policy.",
            "Have the CA's certificates assert the policy. A CA certificate without the policy ends it for every certificate below.",
        ],
        customization: .change(
            "Add the new policy's identifier to the acceptable ones, and keep requiring a policy.", .certificatePolicies
        ),
        never: ["Turning off `requireExplicit` for all servers: the policy is the reason to trust this PKI."])
}
