// SPDX-License-Identifier: Apache-2.0

import PKIX

extension FailureGuides {
    static let strict: [FailureGuide] = [
        rule(
            .strictSerialNumber, "The serial number isn't positive, or has more than 20 bytes.",
            sign: "`openssl x509 -noout -serial -in cert.pem` prints a minus, zero or more than 40 digits.",
            cause: "A script numbers certificates from 0, or sets a random number whose first bit makes it negative.",
            remedy:
                "Let the CA's software choose: `openssl x509 -req -CAcreateserial …`, or 8 to 20 random bytes with the first bit clear."
        ),
        rule(
            .strictAuthorityKeyIdentifier,
            "The authority key identifier is missing, critical, or lacks the key identifier.",
            sign: "`openssl x509 -noout -ext authorityKeyIdentifier -in cert.pem` has no `keyid`.",
            cause:
                "The extensions section of the CA lacks `authorityKeyIdentifier=keyid`, or asks for `issuer:always`.",
            remedy:
                "Issue with `authorityKeyIdentifier=keyid:always`; paths are then found at once even after a change of keys."
        ),
        rule(
            .strictSubjectKeyIdentifier, "A CA's certificate has no subject key identifier.",
            sign:
                "`openssl x509 -noout -ext subjectKeyIdentifier -in ca.pem` finds none: `No extensions in certificate`.",
            cause: "The CA was made without `subjectKeyIdentifier=hash`.",
            remedy: "Make the CA's certificate again over the same key and name, with `subjectKeyIdentifier=hash`."),
        rule(
            .strictExtensionCriticality,
            "An extension is critical where its section says that it isn't, or the other way round.",
            sign:
                "`openssl x509 -noout -text -in cert.pem` shows `critical` where it doesn't belong; the message names the extension.",
            cause:
                "A configuration writes `basicConstraints=CA:TRUE` without `critical,`, or `critical` before a key identifier.",
            remedy: "Write `basicConstraints=critical,CA:TRUE`, `keyUsage=critical,…` and no `critical` elsewhere."),
        rule(
            .strictExtensionNotAllowed, "The server's certificate has an extension that belongs into CA certificates.",
            sign:
                "`openssl x509 -noout -text -in cert.pem` shows `Name Constraints`, `Policy Mappings` or `Policy Constraints` in the leaf.",
            cause: "The template of a CA was used for a server.",
            remedy: "Issue the server's certificate from the template for servers."),
        rule(
            .strictKeyUsage, "Key usage and basic constraints contradict each other, or a CA lacks one of them.",
            sign:
                "`openssl x509 -noout -ext keyUsage,basicConstraints -in cert.pem` shows `Certificate Sign` with `CA:FALSE`, or a CA without key usage.",
            cause: "A self-signed certificate has the usages of a CA and of a server at once.",
            remedy:
                "Give a CA `keyUsage=critical,keyCertSign,cRLSign`, and a server `keyUsage=critical,digitalSignature`."),
        rule(
            .strictExtendedKeyUsage,
            "The extended key usage breaks the CA/Browser baseline, which requires `serverAuth` for servers and intermediates, and none for roots.",
            sign:
                "`openssl x509 -noout -ext extendedKeyUsage -in cert.pem` shows `No extensions in certificate`, `Any Extended Key Usage` or `OCSP Signing` for a server, `Any Extended Key Usage` for an intermediate, or a usage for a root.",
            cause: "A private CA issues without extended key usage, which RFC 5280 reads as any purpose.",
            remedy: "Issue servers with `extendedKeyUsage=serverAuth`, and roots without the extension."),
        rule(
            .strictSubjectName, "A CA has an empty subject, or a common name is none of the alternative names.",
            sign:
                "`openssl x509 -noout -subject -ext subjectAltName -in cert.pem` shows a common name that isn't repeated below.",
            cause:
                "The common name is a description such as `Web server 3`, or has another case than the alternative name.",
            remedy: "Leave the common name out, or repeat one of the alternative names in it, letter by letter."),
        rule(
            .strictAlternativeName,
            "An alternative name isn't in preferred form, or the extension has the wrong criticality.",
            sign:
                "`openssl x509 -noout -ext subjectAltName -in cert.pem` shows an underscore, a trailing dot, a port or a URL.",
            cause: "A name such as `my_host.example.com` or `https://example.com` was written into the request.",
            remedy:
                "Request names of letters, digits and hyphens; mark the extension critical exactly if the subject is empty."
        ),
        rule(
            .strictNameConstraints, "Name constraints are in a form that RFC 5280 § 4.2.1.10 doesn't have.",
            sign:
                "`openssl x509 -noout -ext nameConstraints -in ca.pem` shows a DNS name with a dot in front, or an address without a value.",
            cause:
                "The constraint was written by hand after the form of a host pattern, or by AD CS, which excludes all addresses in this way.",
            remedy: "Write `nameConstraints=critical,permitted;DNS:example.com`, without dot or asterisk in front."),
        rule(
            .strictLeafIsAuthority, "The server's certificate is that of a certificate authority (`CA:TRUE`).",
            sign: "`openssl x509 -noout -ext basicConstraints -in cert.pem` prints `CA:TRUE` for the leaf.",
            cause: "`openssl req -x509` marks every certificate as a CA unless it is asked not to.",
            remedy: "Add `-addext basicConstraints=critical,CA:FALSE`, or issue from a CA: `servertrust ca issue HOST`."
        ),
        rule(
            .strictKeySize, "The length of an RSA modulus isn't a multiple of 8 bits.",
            sign: "`openssl x509 -noout -text -in cert.pem | grep 'Public-Key'` shows a size such as 2047 or 4095.",
            cause: "The key's generator doesn't set the first two bits of its primes.",
            remedy: "Make a new key with a current library: `openssl genrsa -out key.pem 2048`."),
        rule(
            .strictTimeEncoding, "A date through 2049 is a GeneralizedTime, or a later one a UTCTime.",
            sign: "`openssl asn1parse -in cert.pem | grep TIME` shows `GENERALIZEDTIME` for a year before 2050.",
            cause: "Home-made issuing software writes every date in one type.",
            remedy: "Issue with software that follows RFC 5280 § 4.1.2.5."),
        rule(
            .strictEncoding, "A default value is written out, or a list of bits ends in zeros, against DER.",
            sign:
                "`servertrust inspect cert.pem --format asn1` shows `BOOLEAN false` in an extension, or the list of bits that the message names.",
            cause: "The CA's software writes `critical=false` or `cA=false` out, as several old ones do.",
            remedy:
                "Issue with software that writes DER; the certificate's meaning is the same, and some parsers refuse it."
        ),
        rule(
            .strictValidityPeriod,
            "A public CA has issued the server's certificate for longer than the CA/Browser baseline allows at its date: 398 days, 200 from March 2026 on, 100 from March 2027 on, 47 from March 2029 on.",
            sign:
                "`openssl x509 -noout -dates -in cert.pem` shows more days between `notBefore` and `notAfter` than the message expects.",
            cause: "A private CA whose root is in the system's store issues for years.",
            remedy:
                "Renew by ACME with a shorter validity; for a private CA install the root as the administrator's own, where the limits don't apply."
        ),
    ]

    private static func rule(
        _ code: TrustFailure.Code, _ meaning: String, sign: String, cause: String, remedy: String
    ) -> FailureGuide {
        FailureGuide(
            code, meaning: meaning + " This is a strict rule: it applies where the policy asks for it alone.",
            sign: sign,
            causes: [
                cause, "Public CAs broke the rule before it was enforced, and old certificates are still in use.",
            ],
            serverRemedies: [remedy],
            customization: .change(
                "Strictness is the client's choice. Without it the path is validated by the rules that browsers apply.",
                .notStrict),
            never: ["Dropping the profile or the evaluation as a whole where dropping strictness is enough."])
    }
}
