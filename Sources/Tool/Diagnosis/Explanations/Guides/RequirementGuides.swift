// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let requirements: [FailureGuide] = [
        hostNotListed, hostDenied, certificateDenied, extendedValidationMissing, attributeNotMatched,
        validityTooLong, evaluatorRefused,
    ]

    private static let hostNotListed = FailureGuide(
        .hostNotListed,
        meaning:
            "The program has a rule for each host that it may connect to, but none for this one. It didn't evaluate the host's certificates.",
        sign: "`ServerTrustManager.rule(for:)` returns nil for the host.",
        causes: [
            "A new backend host, a CDN or a redirect target isn't in the list of rules yet.",
            "The rule is for `example.com`, but the connection goes to `www.example.com`. A rule for a host doesn't cover its subdomains.",
            "A library inside the app connects to its own host.",
        ],
        serverRemedies: [
            "Nothing is wrong on the server. Add a rule for the host to the program.",
            "If the host comes from a redirect, change the redirect to a listed host.",
        ],
        customization: .change("Add a rule for this one host.", .hostRule),
        never: ["Allowing all hosts without a rule: this permits every redirect and every library."])

    private static let hostDenied = FailureGuide(
        .hostDenied,
        meaning: "A rule of the program refuses the host, regardless of its certificates.",
        sign: "The message contains the pattern of the rule. `ServerTrustManager.rule(for:)` returns it.",
        causes: [
            "The host was retired or blocked on purpose.",
            "A pattern such as `*.example.com` denies more hosts than intended.",
        ],
        serverRemedies: [
            "Nothing is wrong on the server. Correct the address that the program uses, or the rule.",
            "If the pattern is too wide, add a rule for the one host. An exact name takes precedence over a pattern.",
        ],
        customization: .change(
            "Add a rule for this one host. An exact name takes precedence over a pattern.", .hostRule),
        never: ["Connecting to the IP address to get around the rule."])

    private static let certificateDenied = FailureGuide(
        .certificateDenied,
        meaning:
            "The program's list of denied certificates or a root program's list distrusts a certificate in the path, or one that the server sent. The entry names its SHA-256 digest, its issuer and serial number, or its key. `TrustFailure.deniedEntry` has the entry.",
        sign:
            "The message names the entry, such as `key, sha256/…`. `servertrust verify chain.pem` with `--denied FILE` or `--roots-overlay FILE` refuses the same chain.",
        causes: [
            "Browsers removed a CA from their root programs, and its certificates are in OneCRL or a CRLSet.",
            "The certificate was revoked after an incident that affects all clients.",
            "A proxy intercepts the connection with a key that the list blocks.",
            "The key leaked, or is one of a known set such as keys in firmware images. The list denies it, but the server still uses it.",
        ],
        serverRemedies: [
            "Get a certificate from a CA that isn't on the list.",
            "If the server's key is denied, create a new one: `certbot certonly --force-renewal --new-key -d HOST`.",
            "If the CA has another, cross-signed certificate, send a chain with that one.",
        ],
        customization: .none(
            because: "The list takes precedence over everything: no pin, exception or anchor overrides it."),
        never: ["Running without the list, or removing an entry, because one server is on it."])

    private static let extendedValidationMissing = FailureGuide(
        .extendedValidationMissing,
        meaning: "The program requires extended validation, but the path doesn't assert its policy from leaf to root.",
        sign:
            "`openssl x509 -noout -ext certificatePolicies -in cert.pem` shows neither 2.23.140.1.1 nor the CA's own identifier.",
        causes: [
            "The certificate was renewed with ACME, which only provides domain validation.",
            "The intermediate or root isn't for extended validation.",
            "A CDN in front of the server has its own certificate.",
        ],
        serverRemedies: [
            "Order a certificate with extended validation, and install it together with its chain."
        ],
        customization: .change(
            "Require the CA and the subject's organization instead of the policy. Decide whether that is enough.",
            .attributes),
        never: ["Accepting an organization's name in any certificate as proof: only certain CAs verify it."])

    private static let attributeNotMatched = FailureGuide(
        .attributeNotMatched,
        meaning:
            "The path is valid, but the leaf lacks an attribute that the program requires: an organization, a purpose or a short validity.",
        sign: "The message states the found and expected values. `servertrust inspect HOST --long` shows all fields.",
        causes: [
            "The organization was renamed, or the CA writes its name differently (`Inc.` and `Incorporated`).",
            "The certificate was renewed with domain validation, and no longer has an organization.",
            "The validity is longer than the rule allows.",
        ],
        serverRemedies: [
            "Have the certificate reissued with the attribute.",
            "If the change is intended, announce it. Clients need the new value before you install the certificate.",
        ],
        customization: .change("Change this one requirement for this one host, and also require the CA.", .attributes),
        never: ["Requiring attributes without requiring the CA: every CA can issue for any organization."])

    private static let validityTooLong = FailureGuide(
        .validityTooLong,
        meaning:
            "The path is valid, but the leaf's validity is longer than Apple's systems permit. The program requires Apple's rules for this host.",
        sign: "The message states the number of days. `openssl x509 -noout -dates -in cert.pem` prints both dates.",
        causes: [
            "The organization's own CA issues certificates for several years.",
            "The certificate was created manually with `-days 3650`.",
        ],
        serverRemedies: [
            "Have the certificate reissued for at most 397 days, and renew it automatically.",
            "If the root belongs to the organization, distribute it with device management. Apple's systems exempt such roots.",
        ],
        customization: .none(
            because: "Apple's systems refuse the server. A client that accepts it hides this until the release."),
        never: ["Turning off evaluation in the app for Apple's systems because they refuse one server."])

    private static let evaluatorRefused = FailureGuide(
        .evaluatorRefused,
        meaning: "The path is valid, but the program's own evaluator refused it. The evaluator supplies the message.",
        sign: "The message ends with the evaluator's text. The rule for the host names the evaluator.",
        causes: [
            "The certificate doesn't meet the evaluator's condition. Ask the evaluator's author.",
            "The evaluator itself failed, for example because it couldn't read a file, so it refused the path to be safe.",
        ],
        serverRemedies: [
            "Read the evaluator's text, and change the certificate that it names. Nothing else is wrong with the path."
        ],
        customization: .none(because: "The rule is the program's own code. Change the rule for this one host there."),
        never: ["Removing the evaluator for all hosts."])
}
