// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of the engine.
    static let engine: [ErrorGuide] = hosts + texts + encodings

    private static let hosts: [ErrorGuide] = [
        ErrorGuide(
            "hostEmpty", meaning: "The host name is empty.",
            remedies: [
                "Print the setting that the name comes from: a missing environment variable or an empty field is the usual cause."
            ]),
        ErrorGuide(
            "hostTooLong",
            meaning: "The host name has more than 253 characters, or a label of more than 63 (RFC 1035 § 2.3.4).",
            remedies: [
                "Check that the text is one host name, and not a list or a whole line of a file.",
                "Shorten the label: no DNS server can have such a name.",
            ]),
        ErrorGuide(
            "hostLabelMalformed",
            meaning:
                "The host name has an empty label, a hyphen at its start, or a character that host names don't have. White space, `/`, `@` and `*` are such characters.",
            remedies: [
                "Remove white space at the ends, a path behind the name, and a user in front of it.",
                "Where wildcards are allowed, use the type for patterns: `HostPattern(\"*.example.com\")`.",
            ]),
        ErrorGuide(
            "hostLabelNotCertifiable",
            meaning:
                "A label of the host name ends with a hyphen. Resolvers accept such a name, and certificates can't have it (RFC 1034 § 3.5).",
            remedies: ["Rename the host, or issue the certificate for another name of the server."]),
        ErrorGuide(
            "hostAddressMalformed",
            meaning:
                "The text has the form of an IP address and isn't one. A name that ends with a number counts as an address.",
            remedies: [
                "Write IPv4 addresses as four decimal numbers without leading zeros: `192.0.2.1`.",
                "Write IPv6 addresses as in RFC 5952, with or without brackets: `2001:db8::1`.",
            ]),
        ErrorGuide(
            "hostIsURL", meaning: "The text is a URL. A host name has no scheme and no path.",
            remedies: ["Pass the host of the URL, such as `www.example.com` for `https://www.example.com/path`."]),
        ErrorGuide(
            "hostHasPort",
            meaning: "The text has a port. Certificates are for names, and one name counts on every port.",
            remedies: [
                "Pass the name without the port, such as `example.com` for `example.com:8443`.",
                "For an endpoint to connect to, use the type that has a port.",
            ]),
        ErrorGuide(
            "hostHasZone",
            meaning:
                "The IPv6 address has a zone such as `%eth0`. A zone is for connecting, and no rule or certificate has one.",
            remedies: ["Leave the zone out: `fe80::1` in place of `fe80::1%eth0`."]),
        ErrorGuide(
            "hostZoneMalformed",
            meaning: "The text behind `%` isn't the name or number of a network interface.",
            remedies: ["List the interfaces by `ip link`, and write one of them: `fe80::1%eth0`."]),
        ErrorGuide(
            "hostNotASCII",
            meaning:
                "The host name has characters outside ASCII. Certificates and DNS have internationalised names as A-labels.",
            remedies: [
                "Write the name as A-labels: `xn--bcher-kva.example` for the name with an umlaut. `idn2 NAME` converts it.",
                "If the name comes from a person, let the library that reads it convert it: `URL` of Foundation does.",
            ]),
    ]

    private static let texts: [ErrorGuide] = [
        ErrorGuide(
            "timeMalformed", meaning: "The text isn't a date or a time of RFC 3339.",
            remedies: ["Write `2026-11-21` or `2026-11-21T09:30:00Z`: `date -u +%Y-%m-%dT%H:%M:%SZ` prints this form."]),
        ErrorGuide(
            "pemNotTerminated", meaning: "An object of the PEM text has no END line. The text was cut off.",
            remedies: [
                "Copy the whole file again, with the line that begins with `-----END`.",
                "Compare the sizes of the original and the copy: `wc -c FILE`.",
            ]),
        ErrorGuide(
            "pemLabelMismatch",
            meaning: "An object of the PEM text begins with one label and ends with another.",
            remedies: [
                "Write the same label into both lines. If two files were joined in the middle of an object, join them anew."
            ]),
        ErrorGuide(
            "pemNotBase64",
            meaning:
                "An object of the PEM text has a character that isn't base64, or wrong padding. The message has the byte.",
            remedies: [
                "Get the file anew: editors, mail and terminals add and drop characters.",
                "Write the object anew from its DER: `openssl x509 -inform DER -in cert.der -out cert.pem`.",
            ]),
        ErrorGuide(
            "pemHasHeaders",
            meaning:
                "An object of the PEM text has header lines such as `Proc-Type` (RFC 1421). As a rule it is an encrypted key.",
            remedies: [
                "Pass the certificate, and not the key.",
                "Decrypt a key that is meant: `openssl pkey -in key.pem -out plain.pem`.",
            ]),
    ]

    private static let encodings: [ErrorGuide] = [
        ErrorGuide(
            "derCutOff", meaning: "The DER ends before its length says. The object is incomplete.",
            remedies: ["Get the whole file anew, and compare the sizes: `wc -c FILE`."]),
        ErrorGuide(
            "derTrailingBytes",
            meaning: "Bytes follow the end of the DER. Several objects were joined, or the file has a rest.",
            remedies: [
                "Store each object in a file. `openssl asn1parse -inform DER -in FILE` prints the first one's end.",
                "Write several certificates as PEM, which can hold them.",
            ]),
        ErrorGuide(
            "derLimitExceeded",
            meaning:
                "The DER is larger, longer or nested more deeply than the limit. No certificate that a CA issues comes near the limits.",
            remedies: [
                "Check that the file is the one that you mean: `servertrust inspect FILE`.",
                "Refuse it: bytes of this kind are made to use up time or memory.",
            ]),
        ErrorGuide(
            "derMalformed",
            meaning: "The bytes aren't DER, or not the expected type. The message has the field and the byte.",
            remedies: [
                "Look up the type: `servertrust inspect FILE` says whether the file is a certificate, a key or a request.",
                "Have the CA issue the certificate anew if its encoding is wrong. A certificate can't be repaired without a new signature.",
            ]),
        ErrorGuide(
            "clubcardMalformed", meaning: "The bytes aren't a CRLite filter, or they were cut off or altered.",
            remedies: [
                "Fetch the filters anew: `servertrust cache update --filters DIR --from URL`.",
                "Keep the earlier filters until the new ones can be read. Without a filter the status comes from OCSP and CRLs.",
            ]),
        ErrorGuide(
            "clubcardVersionUnknown", meaning: "The CRLite filter has a version of the format other than 3 and 4.",
            remedies: [
                "Update this package.", "Fetch filters of a channel that has version 3 or 4 until then.",
            ]),
    ]
}
