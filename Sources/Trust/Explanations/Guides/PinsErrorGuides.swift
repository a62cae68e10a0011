// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of the folder Pins, of pins and of host patterns.
    static let pins: [ErrorGuide] = hostPatterns + pinTexts + pinRules + pinFiles + pinSigning + pinLists

    private static let hostPatterns: [ErrorGuide] = [
        ErrorGuide(
            "hostPatternEmpty",
            meaning: "The text of a host pattern is empty.",
            remedies: ["Write a host such as `api.example.com`, `*.example.com` or `**.example.com`."]),
        ErrorGuide(
            "hostPatternWithoutName",
            meaning: "The pattern is a wildcard without a name behind it. No pattern matches every host.",
            remedies: [
                "Write a name behind the wildcard: `**.example.com`.",
                "For hosts without a rule, set `allHostsMustBeEvaluated` of `ServerTrustManager`: false evaluates them by default.",
            ]),
        ErrorGuide(
            "hostPatternWildcardMisplaced",
            meaning:
                "A star is only a part of a label, or its label isn't the first one, or there are more than two stars.",
            remedies: [
                "Write `*.` for exactly one label, or `**.` for a name and all its subdomains, at the start of the pattern.",
                "Write one pattern for each host if no wildcard covers them.",
            ]),
        ErrorGuide(
            "hostPatternWildcardBeforeAddress",
            meaning: "A wildcard stands before an IP address. Addresses have no subdomains.",
            remedies: ["Write the address without the wildcard, one pattern for each address."]),
        ErrorGuide(
            "hostPatternTooLong",
            meaning:
                "The name behind `*.` is so long that no host name has room for one more label (RFC 1035 § 2.3.4).",
            remedies: ["Write the host names themselves."]),
        ErrorGuide(
            "hostPatternHasScheme",
            meaning: "The text is a URL. A pattern is a host without a scheme.",
            remedies: ["Leave out `https://` and everything from the next `/` on."]),
        ErrorGuide(
            "hostPatternHasPort",
            meaning: "The text has a port. A rule applies to a host on all its ports.",
            remedies: ["Leave out the colon and the port."]),
        ErrorGuide(
            "hostPatternHasPath",
            meaning: "The text has a path, a query, a fragment or the length of an address range.",
            remedies: [
                "Leave out everything from the `/`, `?` or `#` on.", "Write one pattern for each address of a range.",
            ]),
        ErrorGuide(
            "hostPatternHostInvalid",
            meaning: "The name behind the stars is no host name. The error has the reason in `host`.",
            remedies: [
                "Correct the name as the message says.",
                "Write international names as A-labels: `xn--bcher-kva.example`.",
            ]),
    ]

    private static let pinTexts: [ErrorGuide] = [
        ErrorGuide(
            "pinPrefixMissing",
            meaning: "The text of a pin doesn't start with `sha256/`.",
            remedies: [
                "Write a pin as `sha256/` and the base64 of 32 bytes. `servertrust pins make HOST` prints pins in this form.",
                "Make pins of other digests, such as SHA-1, again from the key or the certificate.",
            ]),
        ErrorGuide(
            "pinNotBase64",
            meaning: "The text behind `sha256/` isn't base64 with padding.",
            remedies: [
                "Copy the pin again as a whole, without spaces or line breaks.",
                "Replace `-` and `_` of base64url by `+` and `/`, and curl's `sha256//` by `sha256/`.",
            ]),
        ErrorGuide(
            "pinLengthWrong",
            meaning: "The digest of a pin doesn't have the 32 bytes of a SHA-256.",
            remedies: ["Copy the whole pin again.", "Create it again: `servertrust pins make HOST`."]),
        ErrorGuide(
            "pinSetEmpty",
            meaning: "No pin in use was given. An empty set would refuse every server.",
            remedies: [
                "Give the pin of a key that the server has: `servertrust pins make HOST`.",
                "Use `DefaultTrustEvaluator` for a host without pins.",
            ]),
        ErrorGuide(
            "pinSetWithoutBackup",
            meaning:
                "No backup pin was given. If the pinned keys are lost, every user is locked out until they update the app.",
            remedies: [
                "Make a second key, keep it away from the server, and give its pin as backup (RFC 7469 § 4.3).",
                "Use `init(pinsRiskingLockout:)` if you accept the risk.",
            ]),
        ErrorGuide(
            "pinSetDuplicate",
            meaning: "A pin was given more than once. A pin in use can't be its own backup.",
            remedies: ["Remove the repeated pin.", "Give the pin of another key as backup."]),
    ]

    private static let pinRules: [ErrorGuide] = [
        ErrorGuide(
            "pinEnforcementHostMissing",
            meaning: "The pins of the file are for any host, as in curl's option. A manager needs a host.",
            remedies: ["Bind the pins to a host: `configuration.bound(to: host)`."]),
        ErrorGuide(
            "pinEnforcementResourceMissing",
            meaning:
                "The file names a resource of the app with certificates, and the resource is missing or has no certificate.",
            remedies: [
                "Return the certificates of `raw/NAME` from the closure `resource` of `PinEnforcement`.",
                "Put the resource beside the file as in an app (`../raw/NAME`) if you use the command.",
            ]),
        ErrorGuide(
            "pinEnforcementAnchorsForAllHosts",
            meaning: "The file sets anchors for hosts whose rule has none. A manager has no anchors.",
            remedies: ["Call `serverTrustConfiguration(_:)` instead of `serverTrustManager(_:)`."]),
        ErrorGuide(
            "pinEnforcementRulesInvalid",
            meaning: "The rules of the file form no manager. The error has the reason in `rules`.",
            remedies: ["Correct the file as the message says.", "Find the line: `servertrust pins lint FILE`."]),
        ErrorGuide(
            "pinWritingNeedsHost",
            meaning: "The format has one set of pins for any host, and the file has several.",
            remedies: [
                "Name the host with `--host HOST` of `servertrust pins convert`, or with `host` of `PinWritingOptions`."
            ]),
        ErrorGuide(
            "pinWritingNothing",
            meaning: "There are no pins that the format can hold, or the named host has no pins.",
            remedies: [
                "Check the host's rule: `servertrust pins why FILE HOST`.",
                "Write another format. `servertrust help pins convert --all` lists what formats can hold.",
            ]),
        ErrorGuide(
            "pinWritingRefused",
            meaning:
                "The program that reads the format would refuse or misread the file. The error has the problems in `refusal`.",
            remedies: [
                "Give the hosts what the format requires, such as a second pin for TrustKit.", "Write another format.",
            ]),
        ErrorGuide(
            "pinWritingNotBinary",
            meaning: "A binary file was asked for, and the format isn't a property list.",
            remedies: [
                "Leave out `--binary`, or `isBinary` of `PinWritingOptions`.", "Write `ats`, `trustkit` or `isp`.",
            ]),
    ]

    private static let pinSigning: [ErrorGuide] = [
        ErrorGuide(
            "pinSigningKeyNotPEM",
            meaning:
                "The text isn't exactly one key in PEM: `PUBLIC KEY`, or `PRIVATE KEY` (PKCS #8) without a password.",
            remedies: [
                "Create a key pair: `servertrust pins list keygen`.",
                "Pass the file `NAME.pub` where a public key is expected.",
                "Convert a key: `openssl pkey -in FILE`, with `-pubout` for the public one.",
            ]),
        ErrorGuide(
            "pinSigningKeyUnsupported",
            meaning: "The key isn't of P-256 or Ed25519. Lists have signatures by these two only.",
            remedies: ["Create a key pair: `servertrust pins list keygen`."]),
        ErrorGuide(
            "pinSigningKeyInvalid",
            meaning: "The bytes aren't a point of the key's curve, or not in its only form.",
            remedies: ["Copy the whole key again.", "Create a new key pair: `servertrust pins list keygen`."]),
        ErrorGuide(
            "pinSigningKeyUnsafe",
            meaning: "An Ed25519 key of small order. Anyone can make signatures that it verifies.",
            remedies: [
                "Find out who gave you this key: no program makes such a key by accident.",
                "Create a new key pair: `servertrust pins list keygen`.",
            ]),
        ErrorGuide(
            "pinSignersEmpty",
            meaning: "There is no key that could sign a list.",
            remedies: ["Give at least one public key."]),
        ErrorGuide(
            "pinSignersTooMany",
            meaning: "There are more than 16 keys. Clients bound the work for one list.",
            remedies: ["Give at most 16 keys."]),
        ErrorGuide(
            "pinSignersDuplicate",
            meaning: "A key occurs twice. It would count twice for the threshold.",
            remedies: ["Remove the repeated key."]),
        ErrorGuide(
            "pinSignersThreshold",
            meaning: "The number of keys that have to sign isn't from 1 to the number of keys.",
            remedies: ["Choose a threshold that the keys can meet: `--threshold`."]),
    ]
}
