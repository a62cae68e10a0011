// SPDX-License-Identifier: Apache-2.0

/// Checks that an issuer states that it is a CA (RFC 5280 § 6.1.4 (k)).
///
/// The check includes anchors. For § 6.1.1 (d), an anchor is only a name and a key. But a v3 certificate wasn't meant
/// to be an anchor if it states that it isn't a CA or has no basic constraints.
enum BasicConstraintsCheck {
    static func run(
        _ certificate: Certificate, _ role: TrustFailure.Role, _ context: EvaluationContext, _ list: inout FailureList
    ) {
        let storage = certificate.storage
        // Older versions have no extensions. ``VersionCheck`` restricts them.
        guard storage.fields.version == 3 else { return }
        guard storage.fields.extensions.has(.basicConstraints) else { return list.add(.basicConstraintsMissing) }
        if !storage.fields.extensions.basicConstraints.isCertificateAuthority { list.add(.notCertificateAuthority) }
    }
}
