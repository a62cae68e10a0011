// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let requirements: [FailureGuide] = [
        hostNotListed, hostDenied, certificateDenied, extendedValidationMissing, attributeNotMatched,
        validityTooLong, evaluatorRefused,
    ]

    private static let hostNotListed = FailureGuide(
        .hostNotListed,
        meaning:
            "The program has a rule for each host that it may connect to, and none for this one. Its certificates weren't evaluated.",
        sign: "`ServerTrustManager.rule(for:)` returns nil for the host.",
        causes: [
            "A new host of the backend, a CDN or a redirect isn't in the list of rules yet.",
            "The rule is for `example.com`, and the connection goes to `www.example.com`; a rule for a host doesn't cover its subdomains.",
            "A library inside the app connects to its own host.",
        ],
        serverRemedies: [
            "Nothing is wrong on the server: add a rule for the host to the program.",
            "If the host came by a redirect, let the server redirect to a listed host.",
        ],
        customization: .change("Add a rule for the one host.", .hostRule),
        never: ["Allowing all hosts without a rule: that opens every redirect and every library."])

    private static let hostDenied = FailureGuide(
        .hostDenied,
        meaning: "A rule of the program refuses the host, whatever its certificates are.",
        sign: "The message names the pattern of the rule; `ServerTrustManager.rule(for:)` returns it.",
        causes: [
            "The host was retired or blocked on purpose.",
            "A pattern such as `*.example.com` denies more hosts than intended.",
        ],
        serverRemedies: [
            "Nothing is wrong on the server: correct the address that the program uses, or the rule.",
            "If the pattern is too wide, add a rule for the one host: an exact name goes before a pattern.",
        ],
        customization: .change("Add a rule for the one host; an exact name goes before a pattern.", .hostRule),
        never: ["Connecting by address to get around the rule."])

    private static let certificateDenied = FailureGuide(
        .certificateDenied,
        meaning:
            "A certificate of the path, or one that was sent, is on a list of denied certificates that the program uses, or a root program's list distrusts it: by its SHA-256, its issuer and serial number, or its key. `TrustFailure.deniedEntry` has the entry.",
        sign:
            "The message names the entry, such as `key, sha256/…`; `servertrust verify chain.pem` with `--denied FILE` or `--roots-overlay FILE` refuses the same chain.",
        causes: [
            "A CA was withdrawn from the browsers' programs, and its certificates are in OneCRL or a CRLSet.",
            "The certificate was revoked after an incident that concerns all clients.",
            "A proxy intercepts the connection with a key that the list blocks.",
            "The key leaked or is one of a known set (keys in firmware images), the list was made for it, and the server still uses it.",
        ],
        serverRemedies: [
            "Get a certificate from a CA that is not on the list.",
            "If the server's key is denied, make a new one: `certbot certonly --force-renewal --new-key -d HOST`.",
            "If the CA has another, cross-signed certificate, send a chain over that one.",
        ],
        customization: .none(
            because: "The list exists so that nothing else can overrule it: no pin, no exception, no anchor."),
        never: ["Running without the list, or taking an entry off it, because one server is on it."])

    private static let extendedValidationMissing = FailureGuide(
        .extendedValidationMissing,
        meaning: "The program requires extended validation, and the path doesn't assert its policy from leaf to root.",
        sign:
            "`openssl x509 -noout -ext certificatePolicies -in cert.pem` lacks 2.23.140.1.1 and the CA's own identifier.",
        causes: [
            "The certificate was renewed by ACME, which issues domain validation.",
            "The intermediate or root isn't one for extended validation.",
            "A CDN in front of the server has its own certificate.",
        ],
        serverRemedies: [
            "Order a certificate with extended validation, and install it with the chain that belongs to it."
        ],
        customization: .change(
            "Require the CA and the organization in the subject in place of the policy; decide whether that is enough.",
            .attributes),
        never: ["Taking an organization's name in any certificate as proof: only CAs of a known practice check it."])

    private static let attributeNotMatched = FailureGuide(
        .attributeNotMatched,
        meaning:
            "The path is valid, and the leaf lacks an attribute that the program requires: an organization, a purpose, a short validity.",
        sign: "The message has the found and the expected value; `servertrust inspect HOST --long` shows all fields.",
        causes: [
            "The organization was renamed, or the CA writes its name differently (`Inc.` and `Incorporated`).",
            "The certificate was renewed with domain validation and has no organization any more.",
            "The validity is longer than the rule allows.",
        ],
        serverRemedies: [
            "Have the certificate issued with the attribute.",
            "If the change was intended, announce it: clients need the new value before the certificate is installed.",
        ],
        customization: .change("Change the one requirement for the one host; require the CA beside it.", .attributes),
        never: ["Requiring attributes without requiring the CA: every CA can write every organization."])

    private static let validityTooLong = FailureGuide(
        .validityTooLong,
        meaning:
            "The path is valid, and the leaf is valid for longer than Apple's systems permit. The program requires Apple's rules for this host.",
        sign: "The message has the days; `openssl x509 -noout -dates -in cert.pem` prints both dates.",
        causes: [
            "The organization's own CA issues for several years.",
            "The certificate was made by hand, with `-days 3650`.",
        ],
        serverRemedies: [
            "Have the certificate issued for at most 397 days, and renew it automatically.",
            "If the root belongs to the organization, distribute it by device management: Apple's systems exempt such roots.",
        ],
        customization: .none(
            because: "Apple's systems refuse the server, so a client that accepts it hides the refusal until release."),
        never: ["Turning evaluation off in the app for Apple's systems because one server is refused there."])

    private static let evaluatorRefused = FailureGuide(
        .evaluatorRefused,
        meaning: "The path is valid, but the program's own evaluator refused it, with the program's own text.",
        sign: "The message ends with that text; the rule for the host names the evaluator.",
        causes: [
            "The evaluator's condition isn't met: its author knows it best.",
            "The evaluator failed itself, such as by a file that it couldn't read, and refused to be safe.",
        ],
        serverRemedies: [
            "Read the text of the evaluator, and change the certificate that it names. Nothing else is wrong with the path."
        ],
        customization: .none(because: "The rule is the program's own code: change the rule for the one host there."),
        never: ["Removing the evaluator for all hosts."])
}
