// SPDX-License-Identifier: Apache-2.0

/// An issuer's key usage, if it has one, allows signing certificates (RFC 5280 § 6.1.4 (n)). Revocation requires
/// `cRLSign` of the signer of a CRL.
enum IssuerKeyUsageCheck {
    static func run(_ certificate: Certificate, _ list: inout FailureList) {
        let storage = certificate.storage
        guard storage.fields.extensions.has(.keyUsage), !storage.fields.extensions.keyUsage.contains(.keyCertSign)
        else { return }
        list.add(.keyUsageLacksCertSign, found: .list(storage.fields.extensions.keyUsage.names))
    }
}

/// A server's or client's key usage, if it has one, allows one of the operations of TLS.
///
/// The operation that a handshake needs depends on the cipher suite (RFC 5246 § 7.4.2; RFC 8446 § 4.4.2.2), which isn't
/// known here. A key for signing certificates and CRLs alone, for example, fits none. The strict rules
/// require `digitalSignature`: TLS 1.3 and the suites of (EC)DHE need it, and only suites without forward secrecy don't.
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
