// SPDX-License-Identifier: Apache-2.0

struct ProfilesTopic: Topic {
    static let name = "profiles"
    static let title = "The rules of --profile and --strict."
    static let text = """
        webPKI    the rules of browsers for a public TLS server: RFC 5280, and a v3 leaf
                  under v3 issuers. The default.
        rfc5280   plain path validation, for private PKIs and purposes other than
                  TLS: v1 anchors and keys of unknown algorithms in the leaf are
                  accepted, key usage of the leaf is not checked.
        --strict  on top of either: rules that bind CAs and that practical verifiers
                  relax (serial numbers, key identifiers, criticality, ...). With
                  webPKI those of the CA/Browser baseline too. Their codes start with
                  "strict": servertrust explain --list

        Both take the host name from the subject alternative name alone, and refuse
        RSA below 2048 bits, SHA-1, MD5, DSA and curves other than P-256, P-384 and
        P-521.
        """
}
