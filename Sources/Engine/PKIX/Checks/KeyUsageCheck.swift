// SPDX-License-Identifier: Apache-2.0

/// Checks that an issuer's key usage, if present, allows signing certificates (RFC 5280 § 6.1.4 (n)). The revocation
/// code requires `cRLSign` for the signer of a CRL.
enum IssuerKeyUsageCheck {
    static func run(_ certificate: Certificate, _ list: inout FailureList) {
        let storage = certificate.storage
        guard storage.fields.extensions.has(.keyUsage), !storage.fields.extensions.keyUsage.contains(.keyCertSign)
        else { return }
        list.add(.keyUsageLacksCertSign, found: .list(storage.fields.extensions.keyUsage.names))
    }
}

/// Checks that a server's or client's key usage, if present, allows a TLS operation.
///
/// The cipher suite determines which operation a handshake needs (RFC 5246 § 7.4.2; RFC 8446 § 4.4.2.2), and this check
/// doesn't know the suite. It rejects a key that fits no suite, such as a key only for signing certificates and CRLs.
/// The strict rules require `digitalSignature`, which TLS 1.3 and (EC)DHE suites need. Only suites without forward
/// secrecy don't need it.
enum LeafKeyUsageCheck {
    private static let usable: KeyUsage = [.digitalSignature, .keyEncipherment, .keyAgreement]

    static func run(_ certificate: Certificate, _ context: EvaluationContext, _ list: inout FailureList) {
        guard context.policy.profile == .webPKI, context.policy.purpose != .any else { return }
        let usable = context.policy.isStrict ? .digitalSignature : usable
        let storage = certificate.storage
        guard storage.fields.extensions.has(.keyUsage), storage.fields.extensions.keyUsage.isDisjoint(with: usable)
        else { return }
        list.add(
            .keyUsageNotForTLS, expected: .list(usable.names), found: .list(storage.fields.extensions.keyUsage.names))
    }
}
