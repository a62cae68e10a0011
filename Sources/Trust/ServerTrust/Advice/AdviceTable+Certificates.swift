// SPDX-License-Identifier: Apache-2.0

import PKIX

// Faults of a single certificate: signatures, keys, the rights of a CA, dates, revocation.

extension AdviceTable {
    static let certificateRows: [([TrustFailure.Code], Row)] = [
        (
            [.signatureInvalid],
            Row(
                leaf: "Reinstall the certificate exactly as its CA delivered it. The one in use was altered.",
                sent:
                    "Send the chain that the CA delivered with the certificate. The {peer} sends an intermediate that \(Certificate.otherKeyWords), or the certificate below it was altered.",
                intermediate: Self.madeAgain("intermediate"), root: Self.madeAgain("root"),
                published:
                    "Ask the CA to publish the intermediate that issued the certificate. The published one \(Certificate.otherKeyWords).",
                whole: "Reinstall the certificates exactly as their CA delivered them.")
        ),
        (
            [.signatureAlgorithmMismatch],
            .fault(
                leaf:
                    "Reinstall the certificate exactly as its CA delivered it. If that doesn't help, have the CA issue another.",
                sent:
                    "Send the CA's certificates exactly as it delivered them. If that doesn't help, move to another chain.",
                replacement: "the certificate that its CA issued")
        ),
        (
            [.signatureUsesMD5, .signatureUsesSHA1, .signatureUsesDSA, .signatureAlgorithmUnsupported],
            .fault(
                leaf: "Have the certificate reissued with an RSA or ECDSA signature over SHA-256.",
                sent: "Move to a chain whose CA certificates are signed with SHA-256 or better.",
                replacement: "one that has an RSA or ECDSA signature over SHA-256")
        ),
        (
            [.signatureParametersUnsupported],
            .fault(
                leaf:
                    "Have the certificate reissued by software that encodes the signature parameters as the standard requires. Old versions of Java write NULL for ECDSA.",
                sent: "Move to a chain whose CA certificates encode the signature parameters as the standard requires.",
                replacement: "one whose signature parameters follow the standard")
        ),
        (
            [
                .rsaKeyTooSmall, .rsaKeyTooLarge, .keyUsesDSA, .keyUsesExplicitCurve, .keyUsesUnsupportedCurve,
                .keyMalformed, .keyAlgorithmUnsupported,
            ],
            .fault(
                leaf: "Generate a new key (P-256, or RSA with 2048 to 8192 bits) and have a certificate issued for it.",
                sent: "Move to a chain whose CAs use P-256, P-384, or RSA keys with 2048 to 8192 bits.",
                replacement: "one that has a P-256, P-384, or RSA key with 2048 to 8192 bits")
        ),
        (
            [.criticalExtensionUnhandled],
            .fault(
                leaf: "Have the certificate reissued without the extension, or with the extension marked non-critical.",
                sent: "Move to a chain whose CA certificates don't have the extension.",
                replacement: "one without the critical extension")
        ),
        (
            [.certificateVersionNotAllowed],
            .fault(
                leaf: "Have the certificate reissued as X.509 v3.",
                sent: "Send the CA's v3 certificate. The one in use is older, or isn't a CA certificate.",
                replacement: "the CA's v3 certificate")
        ),
        (
            [.issuerNameEmpty],
            .fault(
                leaf: "Have the certificate reissued by a CA that has a name.",
                sent: "Move to a chain whose CAs have names.", replacement: "one that names its issuer")
        ),
        (
            [.notCertificateAuthority, .basicConstraintsMissing, .keyUsageLacksCertSign],
            .fault(
                leaf: nil,
                sent:
                    "After the {peer}'s certificate, send only certificates of CAs. One of those in use can't issue certificates.",
                replacement:
                    "a certificate that may issue others (CA:TRUE, and keyCertSign if it has a key usage)")
        ),
        (
            [.pathLengthExceeded],
            Row(
                sent: "Have the certificate issued through fewer CAs. A CA in this chain limits their number.",
                intermediate:
                    "Ask the CA to issue through fewer CAs. The intermediate in {place} limits their number.",
                root: "Ask the CA to issue through fewer CAs. The root in {place} limits their number.",
                published:
                    "Ask the CA to issue through fewer CAs. An intermediate that it publishes limits their number."
            ).with(.authority, at: .givenIntermediate, .givenRoot, .storedRoot)
        ),
        (
            [.extendedKeyUsageNotAllowed],
            Row.fault(
                leaf:
                    "Have a certificate issued for TLS {peer}s (extended key usage {usage}).{publicCAs}",
                sent:
                    "Have a certificate issued by a CA that may issue for {usage}. This intermediate's extended key usage lacks it, and that applies to every certificate below it.",
                replacement: "one whose extended key usage is absent or names {usage}"
            ).forUsages
        ),
        (
            [.keyUsageNotForTLS],
            Row(
                leaf:
                    "Have the certificate reissued with key usage digitalSignature. TLS 1.3 and every cipher suite with forward secrecy need it."
            ).forUsages
        ),
        (
            [.policyMappingOfAnyPolicy],
            .fault(
                leaf: "Have the certificate reissued without the policy mapping.",
                sent: "Move to a chain whose CA certificates don't map anyPolicy.",
                replacement: "one that doesn't map anyPolicy")
        ),
        (
            [.tlsFeatureMissing],
            .fault(
                leaf: "Have the certificate reissued with the TLS features that its CA requires.",
                sent: "Move to a chain whose CA certificates require the same TLS features.",
                replacement: "one that requires the TLS features of the CA above it")
        ),
        (
            [.certificateExpired],
            .fault(
                leaf: "Renew the {peer}'s certificate. Automate the renewal and the {peer}'s reload.",
                sent:
                    "Send the CA's current chain. The CA certificate in use has expired. If the CA kept its key, the {peer}'s certificate can stay.",
                replacement: "the CA's current one")
        ),
        (
            [.certificateNotYetValid],
            .fault(
                leaf:
                    "Install the certificate later, or correct the clock of the machine that issued it.",
                sent: "Send the CA's current chain until the new one is valid.",
                replacement: "the CA's current one, which is valid now")
        ),
        (
            [.certificateRevoked],
            Row(
                leaf: "Generate a new key and have a certificate issued for it. Find out why the CA revoked this one.",
                sent: "Move to a chain without the revoked CA.",
                intermediate: "Remove the revoked intermediate from {place}. Ask its CA for the current one.",
                published:
                    "Ask for a certificate from another issuing CA. The intermediate that the CA publishes was revoked."
            )
        ),
        (
            [.revocationUnavailable],
            Row(
                leaf: "Staple an OCSP response, or provide a current CRL or OCSP response for the certificate.",
                sent: "Provide a current CRL or OCSP response from the CA above the intermediate.",
                intermediate: "Provide a current CRL or OCSP response from the CA above the intermediate.",
                published: "Provide a current CRL or OCSP response from the CA above the intermediate."
            ).with(.user, at: .sentIntermediate, .fetchedIntermediate, option: .evidence)
        ),
        (
            [.certificateDenied],
            Row(
                leaf: "Use a certificate, a key, and a CA that are not on the list. If the entry is wrong, correct it.",
                sent: "Move to a chain without the denied CA. If the entry on the list is wrong, correct it.",
                intermediate: "Remove the intermediate from {place}. If the entry on the list is wrong, correct it.",
                root: "Remove the root from {place}. If the entry on the list is wrong, correct it.",
                published: "Use a certificate from another CA. If the entry on the list is wrong, correct it."
            ).with(.user, at: .fetchedIntermediate)
        ),
    ]

    private static func madeAgain(_ role: String) -> String {
        "The \(role) in {place} \(Certificate.otherKeyWords), or the certificate below it was altered. If the CA was created again, replace the \(role) with its current certificate. Otherwise don't trust the certificate."
    }
}
