// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of the engine.
    static let engine: [ErrorGuide] = hosts + texts + encodings

    private static let hosts: [ErrorGuide] = [
        ErrorGuide(
            "hostEmpty", meaning: "The host name is empty.",
            remedies: [
                "Print the setting that contains the name. The usual cause is a missing environment variable or an empty field."
            ]),
        ErrorGuide(
            "hostTooLong",
            meaning: "The host name has more than 253 characters, or a label of more than 63 (RFC 1035 § 2.3.4).",
            remedies: [
                "Check that the text is one host name, rather than a list or a whole line of a file.",
                "Shorten the label. No DNS server can serve such a name.",
            ]),
        ErrorGuide(
            "hostLabelMalformed",
            meaning:
                "The host name has an empty label, starts with a hyphen, or contains a forbidden character, such as white space, `/`, `@` or `*`.",
            remedies: [
                "Remove white space at both ends, a path after the name, and a user name before it.",
                "Where wildcards are allowed, use the pattern type: `HostPattern(\"*.example.com\")`.",
            ]),
        ErrorGuide(
            "hostLabelNotCertifiable",
            meaning:
                "A label of the host name starts or ends with a hyphen. Resolvers accept such a name, but certificates can't contain it (RFC 1034 § 3.5).",
            remedies: ["Rename the host, or issue the certificate for another name of the server."]),
        ErrorGuide(
            "hostAddressMalformed",
            meaning:
                "The text looks like an IP address, but isn't valid. A name that ends with a number counts as an address.",
            remedies: [
                "Write IPv4 addresses as four decimal numbers without leading zeros: `192.0.2.1`.",
                "Write IPv6 addresses as in RFC 5952, with or without brackets: `2001:db8::1`.",
            ]),
        ErrorGuide(
            "hostIsURL", meaning: "The text is a URL. A host name has neither a scheme nor a path.",
            remedies: ["Pass the host of the URL, such as `www.example.com` for `https://www.example.com/path`."]),
        ErrorGuide(
            "hostHasPort",
            meaning: "The text has a port. Certificates are for names, and a name is valid on every port.",
            remedies: [
                "Pass the name without the port, such as `example.com` for `example.com:8443`.",
                "To name an endpoint for a connection, use the type that has a port.",
            ]),
        ErrorGuide(
            "hostHasZone",
            meaning:
                "The IPv6 address has a zone such as `%eth0`. A zone is only for connecting. Rules and certificates don't have zones.",
            remedies: ["Leave out the zone: `fe80::1` instead of `fe80::1%eth0`."]),
        ErrorGuide(
            "hostZoneMalformed",
            meaning: "The text after `%` isn't the name or number of a network interface.",
            remedies: ["List the interfaces with `ip link`, and use one of them: `fe80::1%eth0`."]),
        ErrorGuide(
            "hostNotASCII",
            meaning:
                "The host name has characters outside ASCII. Certificates and DNS contain internationalized names as A-labels.",
            remedies: [
                "Write the name as A-labels, such as `xn--bcher-kva.example` for the name with an umlaut. `idn2 NAME` converts a name.",
                "If a user enters the name, convert it with the library that reads it, such as Foundation's `URL`.",
            ]),
    ]

    private static let texts: [ErrorGuide] = [
        ErrorGuide(
            "timeMalformed", meaning: "The text isn't a date or time in the form of RFC 3339.",
            remedies: [
                "Write `2026-11-21` or `2026-11-21T09:30:00Z`. `date -u +%Y-%m-%dT%H:%M:%SZ` prints the current time in this form."
            ]),
        ErrorGuide(
            "pemNotTerminated", meaning: "An object in the PEM text has no END line, because the text was cut off.",
            remedies: [
                "Copy the whole file again, including the line that begins with `-----END`.",
                "Compare the sizes of the original and the copy: `wc -c FILE`.",
            ]),
        ErrorGuide(
            "pemLabelMismatch",
            meaning: "An object in the PEM text has different labels in its BEGIN and END lines.",
            remedies: [
                "Write the same label into both lines. If two files were joined in the middle of an object, join them again."
            ]),
        ErrorGuide(
            "pemNotBase64",
            meaning:
                "An object in the PEM text has a character that isn't base64, or wrong padding. The message names the byte.",
            remedies: [
                "Get the file again. Editors, mail programs and terminals add and drop characters.",
                "Write the object again from its DER: `openssl x509 -inform DER -in cert.der -out cert.pem`.",
            ]),
        ErrorGuide(
            "pemHasHeaders",
            meaning:
                "An object in the PEM text has header lines such as `Proc-Type` (RFC 1421). It is usually an encrypted key.",
            remedies: [
                "Pass the certificate instead of the key.",
                "If you need the key, decrypt it: `openssl pkey -in key.pem -out plain.pem`.",
            ]),
    ]

    private static let encodings: [ErrorGuide] = [
        ErrorGuide(
            "derCutOff", meaning: "The DER is shorter than its length field says, so the object is incomplete.",
            remedies: ["Get the whole file again, and compare the sizes: `wc -c FILE`."]),
        ErrorGuide(
            "derTrailingBytes",
            meaning:
                "The DER is followed by more bytes. Several objects were joined, or the file has extra bytes at its end.",
            remedies: [
                "Store each object in its own file. `openssl asn1parse -inform DER -in FILE` shows where the first object ends.",
                "To store several certificates in one file, use PEM.",
            ]),
        ErrorGuide(
            "derLimitExceeded",
            meaning:
                "The DER exceeds a limit on size, length or nesting depth. No certificate from a CA comes near these limits.",
            remedies: [
                "Check that this is the right file: `servertrust inspect FILE`.",
                "Otherwise, refuse the data. Bytes of this kind are made to use up time or memory.",
            ]),
        ErrorGuide(
            "derMalformed",
            meaning: "The bytes aren't DER, or aren't the expected type. The message names the field and the byte.",
            remedies: [
                "Find out the type: `servertrust inspect FILE` says whether the file is a certificate, a key or a request.",
                "If the encoding is wrong, have the CA reissue the certificate. A certificate can't be repaired without a new signature.",
            ]),
        ErrorGuide(
            "clubcardMalformed", meaning: "The bytes aren't a CRLite filter, or were cut off or changed.",
            remedies: [
                "Fetch the filters again: `servertrust cache update --filters DIR --from URL`.",
                "Keep the earlier filters until you have new ones that can be read. Without a filter, OCSP and CRLs provide the status.",
            ]),
        ErrorGuide(
            "clubcardVersionUnknown", meaning: "The CRLite filter has a format version other than 3 and 4.",
            remedies: [
                "Update this package.", "Until then, fetch filters from a channel that has version 3 or 4.",
            ]),
    ]
}
