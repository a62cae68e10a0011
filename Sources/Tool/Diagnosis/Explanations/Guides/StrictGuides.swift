// SPDX-License-Identifier: Apache-2.0

import PKIX

extension FailureGuides {
    static let strict: [FailureGuide] = [
        rule(
            .strictSerialNumber, "The serial number isn't positive, or is longer than 20 bytes.",
            sign: "`openssl x509 -noout -serial -in cert.pem` prints a minus sign, zero or more than 40 digits.",
            cause: "A script numbers certificates from 0, or uses a random number whose first bit makes it negative.",
            remedy:
                "Have the CA's software choose it: `openssl x509 -req -CAcreateserial …`. Otherwise use 8 to 20 random bytes with the first bit clear."
        ),
        rule(
            .strictAuthorityKeyIdentifier,
            "The authority key identifier is missing, is critical, or lacks the key identifier.",
            sign: "`openssl x509 -noout -ext authorityKeyIdentifier -in cert.pem` has no `keyid`.",
            cause:
                "The CA's extensions section lacks `authorityKeyIdentifier=keyid`, or asks for `issuer:always`.",
            remedy:
                "Issue with `authorityKeyIdentifier=keyid:always`. Clients then find paths at once, even after a change of keys."
        ),
        rule(
            .strictSubjectKeyIdentifier, "A CA's certificate has no subject key identifier.",
            sign:
                "`openssl x509 -noout -ext subjectKeyIdentifier -in ca.pem` prints `No extensions in certificate`.",
            cause: "The CA was created without `subjectKeyIdentifier=hash`.",
            remedy: "Reissue the CA's certificate for the same key and name with `subjectKeyIdentifier=hash`."),
        rule(
            .strictExtensionCriticality,
            "An extension is critical where its specification forbids it, or isn't critical where the specification requires it.",
            sign:
                "`openssl x509 -noout -text -in cert.pem` shows `critical` where it doesn't belong, or lacks it. The message names the extension.",
            cause:
                "A configuration has `basicConstraints=CA:TRUE` without `critical,`, or `critical` before a key identifier.",
            remedy:
                "Write `basicConstraints=critical,CA:TRUE` and `keyUsage=critical,…`, and don't write `critical` elsewhere."
        ),
        rule(
            .strictExtensionNotAllowed, "The server's certificate has an extension that belongs in CA certificates.",
            sign:
                "`openssl x509 -noout -text -in cert.pem` shows `Name Constraints`, `Policy Mappings` or `Policy Constraints` in the leaf.",
            cause: "A template for CAs was used for a server.",
            remedy: "Issue the server's certificate from the template for servers."),
        rule(
            .strictKeyUsage, "Key usage and basic constraints contradict each other, or a CA lacks one of them.",
            sign:
                "`openssl x509 -noout -ext keyUsage,basicConstraints -in cert.pem` shows `Certificate Sign` with `CA:FALSE`, or a CA without key usage.",
            cause: "A self-signed certificate has the usages of both a CA and a server.",
            remedy:
                "Give a CA `keyUsage=critical,keyCertSign,cRLSign`, and a server `keyUsage=critical,digitalSignature`."),
        rule(
            .strictExtendedKeyUsage,
            "The extended key usage violates the CA/Browser baseline, which requires `serverAuth` for servers and intermediates, and no extended key usage for roots.",
            sign:
                "`openssl x509 -noout -ext extendedKeyUsage -in cert.pem` shows `No extensions in certificate`, `Any Extended Key Usage` or `OCSP Signing` for a server, `Any Extended Key Usage` for an intermediate, or a usage for a root.",
            cause: "A private CA issues without extended key usage, which RFC 5280 reads as any purpose.",
            remedy: "Issue servers with `extendedKeyUsage=serverAuth`, and roots without the extension."),
        rule(
            .strictSubjectName, "A CA has an empty subject, or a common name isn't one of the alternative names.",
            sign:
                "`openssl x509 -noout -subject -ext subjectAltName -in cert.pem` shows a common name that isn't repeated below.",
            cause:
                "The common name is a description such as `Web server 3`, or differs in case from the alternative name.",
            remedy:
                "Leave out the common name, or make it exactly one of the alternative names, character by character."),
        rule(
            .strictAlternativeName,
            "An alternative name isn't in the preferred form, or the extension has the wrong criticality.",
            sign:
                "`openssl x509 -noout -ext subjectAltName -in cert.pem` shows an underscore, a trailing dot, a port or a URL.",
            cause: "The request contains a name such as `my_host.example.com` or `https://example.com`.",
            remedy:
                "Request names of letters, digits and hyphens. Mark the extension critical if and only if the subject is empty."
        ),
        rule(
            .strictNameConstraints, "A name constraint has a form that RFC 5280 § 4.2.1.10 doesn't define.",
            sign:
                "`openssl x509 -noout -ext nameConstraints -in ca.pem` shows a DNS name with a leading dot, or an address without a value.",
            cause:
                "The constraint was written by hand like a host pattern, or by AD CS, which excludes all addresses this way.",
            remedy: "Write `nameConstraints=critical,permitted;DNS:example.com`, without a leading dot or asterisk."),
        rule(
            .strictLeafIsAuthority, "The server's certificate says that it is a certificate authority (`CA:TRUE`).",
            sign: "`openssl x509 -noout -ext basicConstraints -in cert.pem` prints `CA:TRUE` for the leaf.",
            cause: "By default, `openssl req -x509` marks every certificate as a CA.",
            remedy: "Add `-addext basicConstraints=critical,CA:FALSE`, or issue from a CA: `servertrust ca issue HOST`."
        ),
        rule(
            .strictKeySize, "The length of an RSA modulus isn't a multiple of 8 bits.",
            sign: "`openssl x509 -noout -text -in cert.pem | grep 'Public-Key'` shows a size such as 2047 or 4095.",
            cause: "The key generator doesn't set the first two bits of its primes.",
            remedy: "Create a new key with a current library: `openssl genrsa -out key.pem 2048`."),
        rule(
            .strictTimeEncoding, "A date through 2049 is a GeneralizedTime instead of a UTCTime.",
            sign: "`openssl asn1parse -in cert.pem | grep TIME` shows `GENERALIZEDTIME` for a year before 2050.",
            cause: "Custom issuing software writes every date with the same type.",
            remedy: "Issue with software that follows RFC 5280 § 4.1.2.5."),
        rule(
            .strictEncoding,
            "Contrary to DER, a default value is encoded, or a bit string with named bits ends in zero bits.",
            sign:
                "`servertrust inspect cert.pem --format asn1` shows `BOOLEAN false` in an extension, or the bit string that the message names.",
            cause: "The CA's software encodes `critical=false` or `cA=false`, as some old software does.",
            remedy:
                "Issue with software that writes DER. The certificate's meaning doesn't change, but some parsers refuse it."
        ),
        rule(
            .strictValidityPeriod,
            "A public CA issued the server's certificate for longer than the CA/Browser baseline allows at that date: 398 days, 200 from March 2026 on, 100 from March 2027 on, 47 from March 2029 on.",
            sign:
                "`openssl x509 -noout -dates -in cert.pem` shows more days between `notBefore` and `notAfter` than the message expects.",
            cause: "A private CA whose root is in the system's store issues certificates for years.",
            remedy:
                "Renew with ACME and a shorter validity. For a private CA, install the root as the administrator's own: the limits don't apply there."
        ),
    ]

    private static func rule(
        _ code: TrustFailure.Code, _ meaning: String, sign: String, cause: String, remedy: String
    ) -> FailureGuide {
        FailureGuide(
            code, meaning: meaning + " This is a strict rule: it only applies if the policy asks for it.",
            sign: sign,
            causes: [
                cause, "Public CAs broke the rule before it was enforced, and their old certificates are still in use.",
            ],
            serverRemedies: [remedy],
            customization: .change(
                "The client chooses strictness. Without it, the engine validates the path by the rules that browsers apply.",
                .notStrict),
            never: ["Turning off the profile or the whole evaluation, although turning off strictness is enough."])
    }
}
