// SPDX-License-Identifier: Apache-2.0

struct ProfilesTopic: Topic {
    static let name = "profiles"
    static let title = "The rules of --profile and --strict."
    static let text = """
        webPKI    browsers' rules for public TLS servers: RFC 5280, and a v3 leaf
                  under v3 issuers. The default.
        rfc5280   plain path validation, for private PKIs and purposes other than TLS.
                  Accepts v1 anchors and leaf keys of unknown algorithms, and doesn't
                  check the leaf's key usage.
        --strict  adds to either the rules that bind CAs, but that most verifiers relax
                  (serial numbers, key identifiers, criticality, ...), and to webPKI
                  those of the CA/Browser baseline, too. Their codes start with
                  "strict": servertrust explain --list

        Both take the host name only from the subject alternative name, and refuse
        RSA below 2048 bits, SHA-1, MD5, DSA and curves other than P-256, P-384 and
        P-521.
        """
}
