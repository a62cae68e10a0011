// SPDX-License-Identifier: Apache-2.0

import PinLint
import ServerTrust

extension ErrorGuide {
    /// The guides to errors of the targets in the folder Pins: pins and host patterns.
    static let pins: [ErrorGuide] = hostPatterns + pinTexts + pinRules + pinFiles + pinSigning + pinLists

    /// The guides to problems in pin files, which lint rules also show.
    private static let pinFiles = PinLintBook.pinFiles.entries.map {
        ErrorGuide($0.name, meaning: $0["meaning"], remedies: $0.all("remedy"))
    }

    private static let hostPatterns: [ErrorGuide] = [
        ErrorGuide(
            "hostPatternEmpty",
            meaning: "The text of a host pattern is empty.",
            remedies: ["Write a host such as `api.example.com`, `*.example.com` or `**.example.com`."]),
        ErrorGuide(
            "hostPatternWithoutName",
            meaning: "The pattern is a wildcard without a name after it. No pattern matches every host.",
            remedies: [
                "Write a name after the wildcard: `**.example.com`.",
                "To choose what happens to hosts without a rule, set `ServerTrustManager`'s `allHostsMustBeEvaluated`. If it is false, the default evaluation applies to these hosts.",
            ]),
        ErrorGuide(
            "hostPatternWildcardMisplaced",
            meaning:
                "A star is only a part of a label, its label isn't the first one, or there are more than two stars.",
            remedies: [
                "Start the pattern with `*.` for exactly one label, or with `**.` for a name and all its subdomains.",
                "If no wildcard covers the hosts, write one pattern for each host.",
            ]),
        ErrorGuide(
            "hostPatternWildcardBeforeAddress",
            meaning: "A wildcard precedes an IP address. Addresses have no subdomains.",
            remedies: ["Write each address as a separate pattern without a wildcard."]),
        ErrorGuide(
            "hostPatternTooLong",
            meaning:
                "The name after `*.` is so long that a host name has no room for another label (RFC 1035 § 2.3.4).",
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
            meaning: "The text has a path, a query, a fragment or a prefix length of an address range.",
            remedies: [
                "Leave out everything from the `/`, `?` or `#` on.", "Write one pattern for each address of a range.",
            ]),
        ErrorGuide(
            "hostPatternHostInvalid",
            meaning: "The name after the stars isn't a host name. The error's `host` property has the reason.",
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
                "Create pins with other digests, such as SHA-1, again from the key or the certificate.",
            ]),
        ErrorGuide(
            "pinNotBase64",
            meaning: "The text after `sha256/` isn't base64 with padding.",
            remedies: [
                "Copy the whole pin again, without spaces or line breaks.",
                "Replace `-` and `_` of base64url with `+` and `/`, and curl's `sha256//` with `sha256/`.",
            ]),
        ErrorGuide(
            "pinLengthWrong",
            meaning: "The digest of a pin isn't 32 bytes long, as SHA-256 digests are.",
            remedies: ["Copy the whole pin again.", "Create it again: `servertrust pins make HOST`."]),
        ErrorGuide(
            "pinSetEmpty",
            meaning: "You passed no pin in use. An empty set would refuse every server.",
            remedies: [
                "Pass the pin of a key that the server uses: `servertrust pins make HOST`.",
                "Use `DefaultTrustEvaluator` for a host without pins.",
            ]),
        ErrorGuide(
            "pinSetWithoutBackup",
            meaning:
                "You passed no backup pin. If the pinned keys are lost, every user is locked out until they update the app.",
            remedies: [
                "Create a second key, keep it away from the server, and pass its pin as the backup (RFC 7469 § 4.3).",
                "If you accept the risk, use `init(pinsRiskingLockout:)`.",
            ]),
        ErrorGuide(
            "pinSetDuplicate",
            meaning: "You passed a pin more than once. A pin in use can't be its own backup.",
            remedies: ["Remove the repeated pin.", "Pass the pin of another key as the backup."]),
    ]

    private static let pinRules: [ErrorGuide] = [
        ErrorGuide(
            "pinEnforcementHostMissing",
            meaning: "The pins in the file are for any host, as in curl's option. A manager needs a host.",
            remedies: ["Bind the pins to a host: `configuration.bound(to: host)`."]),
        ErrorGuide(
            "pinEnforcementResourceMissing",
            meaning:
                "The file names an app resource with certificates, but the resource is missing or contains no certificate.",
            remedies: [
                "In `PinEnforcement`'s `resource` closure, return the certificates in `raw/NAME`.",
                "If you use the command, put the resource next to the file as in an app (`../raw/NAME`).",
            ]),
        ErrorGuide(
            "pinEnforcementAnchorsForAllHosts",
            meaning: "The file sets anchors for hosts whose rules have none, but a manager has no anchors.",
            remedies: ["Call `serverTrustConfiguration(_:)` instead of `serverTrustManager(_:)`."]),
        ErrorGuide(
            "pinEnforcementRulesInvalid",
            meaning: "A manager can't use the rules in the file. The error's `rules` property has the reason.",
            remedies: ["Correct the file as the message says.", "Find the line: `servertrust pins lint FILE`."]),
        ErrorGuide(
            "pinWritingNeedsHost",
            meaning: "The format supports one set of pins for any host, but the file has several.",
            remedies: [
                "Name the host with `servertrust pins convert --host HOST`, or with `PinWritingOptions.host`."
            ]),
        ErrorGuide(
            "pinWritingNothing",
            meaning: "There are no pins that the format can express, or the named host has no pins.",
            remedies: [
                "Check the host's rule: `servertrust pins why FILE HOST`.",
                "Write another format. `servertrust help pins convert --all` lists what each format can express.",
            ]),
        ErrorGuide(
            "pinWritingRefused",
            meaning:
                "The program that reads the format would refuse or misread the file. The error's `refusal` property has the problems.",
            remedies: [
                "Add what the format requires for the hosts, such as a second pin for TrustKit.",
                "Write another format.",
            ]),
        ErrorGuide(
            "pinWritingNotBinary",
            meaning: "You requested a binary file, but the format isn't a property list.",
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
                "Pass the `NAME.pub` file where a public key is expected.",
                "Convert a key: `openssl pkey -in FILE`. Add `-pubout` for the public key.",
            ]),
        ErrorGuide(
            "pinSigningKeyUnsupported",
            meaning: "The key isn't a P-256 or Ed25519 key. Lists only support signatures by these two kinds of keys.",
            remedies: ["Create a key pair: `servertrust pins list keygen`."]),
        ErrorGuide(
            "pinSigningKeyInvalid",
            meaning: "The bytes aren't a point on the key's curve, or aren't in the only valid encoding.",
            remedies: ["Copy the whole key again.", "Create a new key pair: `servertrust pins list keygen`."]),
        ErrorGuide(
            "pinSigningKeyUnsafe",
            meaning: "The key is an Ed25519 key of small order. Anyone can make signatures that it verifies.",
            remedies: [
                "Find out who gave you this key. No program creates such a key by accident.",
                "Create a new key pair: `servertrust pins list keygen`.",
            ]),
        ErrorGuide(
            "pinSignersEmpty",
            meaning: "You passed no key that could sign a list.",
            remedies: ["Pass at least one public key."]),
        ErrorGuide(
            "pinSignersTooMany",
            meaning: "You passed more than 16 keys. Clients limit the work for one list.",
            remedies: ["Pass at most 16 keys."]),
        ErrorGuide(
            "pinSignersDuplicate",
            meaning: "A key occurs twice. It would count twice for the threshold.",
            remedies: ["Remove the repeated key."]),
        ErrorGuide(
            "pinSignersThreshold",
            meaning: "The number of keys that have to sign is less than 1 or greater than the number of keys.",
            remedies: ["Choose a threshold that the keys can meet: `--threshold`."]),
    ]
}
