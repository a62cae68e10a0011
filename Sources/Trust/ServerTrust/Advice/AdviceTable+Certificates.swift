// SPDX-License-Identifier: Apache-2.0

import PKIX

// Faults of one certificate: signatures, keys, the rights of a CA, dates, revocation.

extension AdviceTable {
    static let certificateRows: [([TrustFailure.Code], Row)] = [
        (
            [.signatureInvalid],
            Row(
                leaf: "Install the certificate again as its CA delivered it: it was altered.",
                sent:
                    "Send the chain that belongs to the certificate, as its CA delivered it: the intermediate that is sent \(Certificate.otherKeyWords), or the certificate below it was altered.",
                intermediate: Self.madeAgain("intermediate"), root: Self.madeAgain("root"),
                published:
                    "The intermediate that a CA publishes \(Certificate.otherKeyWords): ask the CA to publish the one that issued the certificate.",
                whole: "Install the certificates again as their CA delivered them.")
        ),
        (
            [.signatureAlgorithmMismatch],
            .fault(
                leaf:
                    "Install the certificate again as its CA delivered it. If it is the same, have the CA issue another.",
                sent: "Send the CA's certificates as it delivered them. If they are the same, move to another chain.",
                replacement: "the certificate that its CA issued")
        ),
        (
            [.signatureUsesMD5, .signatureUsesSHA1, .signatureUsesDSA, .signatureAlgorithmUnsupported],
            .fault(
                leaf: "Have the certificate issued again, signed by RSA or ECDSA with SHA-256.",
                sent: "Move to a chain whose CA certificates are signed with SHA-256 or better.",
                replacement: "one that is signed by RSA or ECDSA with SHA-256")
        ),
        (
            [.signatureParametersUnsupported],
            .fault(
                leaf:
                    "Have the certificate issued again by software that writes the signature's parameters as the standard has them; old versions of Java write NULL for ECDSA.",
                sent: "Move to a chain whose CA certificates have the signature parameters of the standard.",
                replacement: "one whose signature has the parameters of the standard")
        ),
        (
            [
                .rsaKeyTooSmall, .rsaKeyTooLarge, .keyUsesDSA, .keyUsesExplicitCurve, .keyUsesUnsupportedCurve,
                .keyMalformed, .keyAlgorithmUnsupported,
            ],
            .fault(
                leaf: "Make a new key (P-256, or RSA with 2048 to 8192 bits) and have a certificate issued for it.",
                sent: "Move to a chain whose CAs have keys on P-256 or P-384, or of RSA with 2048 to 8192 bits.",
                replacement: "one that has a key on P-256 or P-384, or of RSA with 2048 to 8192 bits")
        ),
        (
            [.criticalExtensionUnhandled],
            .fault(
                leaf: "Have the certificate issued again without the extension, or with the extension not critical.",
                sent: "Move to a chain whose CA certificates don't have the extension.",
                replacement: "one without the critical extension")
        ),
        (
            [.certificateVersionNotAllowed],
            .fault(
                leaf: "Have the certificate issued again as X.509 v3.",
                sent: "Send the CA's v3 certificate; the one that is sent is older, or not a CA's.",
                replacement: "a v3 certificate of the CA")
        ),
        (
            [.issuerNameEmpty],
            .fault(
                leaf: "Have the certificate issued again by a CA that has a name.",
                sent: "Move to a chain whose CAs have names.", replacement: "one that names its issuer")
        ),
        (
            [.notCertificateAuthority, .basicConstraintsMissing, .keyUsageLacksCertSign],
            .fault(
                leaf: nil,
                sent: "Send the CA's own certificates after the {peer}'s; one that is sent there is not a CA's.",
                replacement:
                    "a certificate that may issue others (CA:TRUE, and keyCertSign if it has a key usage)")
        ),
        (
            [.pathLengthExceeded],
            Row(
                sent: "Have the certificate issued through fewer CAs: a CA of this chain limits their number.",
                intermediate:
                    "Ask the CA to issue through fewer CAs: the intermediate in {place} limits their number.",
                root: "Ask the CA to issue through fewer CAs: the root in {place} limits their number.",
                published:
                    "Ask the CA to issue through fewer CAs: an intermediate that it publishes limits their number."
            ).with(.authority, at: .givenIntermediate, .givenRoot, .storedRoot)
        ),
        (
            [.extendedKeyUsageNotAllowed],
            Row.fault(
                leaf:
                    "Have a certificate issued for TLS {peer}s (extended key usage {usage}).{publicCAs}",
                sent:
                    "Have a certificate issued by a CA that may issue for {usage}: the extended key usage of this intermediate doesn't name it, and binds every certificate below.",
                replacement: "one whose extended key usage names {usage}, or is absent"
            ).forUsages
        ),
        (
            [.keyUsageNotForTLS],
            Row(
                leaf:
                    "Have the certificate reissued with key usage digitalSignature, which TLS 1.3 and all suites with forward secrecy need."
            ).forUsages
        ),
        (
            [.policyMappingOfAnyPolicy],
            .fault(
                leaf: "Have the certificate issued again without the policy mapping.",
                sent: "Move to a chain whose CA certificates don't map anyPolicy.",
                replacement: "one that doesn't map anyPolicy")
        ),
        (
            [.tlsFeatureMissing],
            .fault(
                leaf: "Have the certificate issued again with the TLS features that its CA requires.",
                sent: "Move to a chain whose CA certificates require the same TLS features.",
                replacement: "one that requires the TLS features of the CA above it")
        ),
        (
            [.certificateExpired],
            .fault(
                leaf: "Renew the {peer}'s certificate, and automate the renewal and the reload of the {peer}.",
                sent:
                    "Send the CA's current chain: the CA certificate that is sent has expired. The {peer}'s certificate can stay if the CA kept its key.",
                replacement: "the CA's current one, as it has expired")
        ),
        (
            [.certificateNotYetValid],
            .fault(
                leaf:
                    "Put the certificate into service later, or correct the clock of the machine that issued it.",
                sent: "Put the CA's new chain into service later, and send the current one until then.",
                replacement: "the CA's current one, as it isn't valid yet")
        ),
        (
            [.certificateRevoked],
            Row(
                leaf: "Make a new key, have a certificate issued for it, and find out why the CA revoked this one.",
                sent: "Move to a chain without the CA that was revoked.",
                intermediate: "Take the intermediate out of {place}: it was revoked. Ask its CA for the current one.",
                published: "The CA publishes an intermediate that was revoked: ask it for a certificate of another CA.")
        ),
        (
            [.revocationUnavailable],
            Row(
                leaf: "Staple an OCSP response, or provide a current CRL or OCSP response for the certificate.",
                sent: "Provide a current CRL or OCSP response of the CA above the intermediate.",
                intermediate: "Provide a current CRL or OCSP response of the CA above the intermediate.",
                published: "Provide a current CRL or OCSP response of the CA above the intermediate."
            ).with(.user, at: .sentIntermediate, .fetchedIntermediate, option: .evidence)
        ),
        (
            [.certificateDenied],
            Row(
                leaf: "Use a certificate, a key and a CA that are not on the list; if the entry is wrong, correct it.",
                sent: "Move to a chain without the denied CA; if the list's entry is wrong, correct it.",
                intermediate: "Take the intermediate out of {place}; if the list's entry is wrong, correct it.",
                root: "Take the root out of {place}; if the list's entry is wrong, correct it.",
                published: "Use a certificate of another CA; if the list's entry is wrong, correct it."
            ).with(.user, at: .fetchedIntermediate)
        ),
    ]

    private static func madeAgain(_ role: String) -> String {
        "The \(role) in {place} \(Certificate.otherKeyWords), or the certificate below it was altered. If the CA was made again, replace the \(role) with the CA's current one. If not, don't trust the certificate."
    }
}
