// SPDX-License-Identifier: Apache-2.0

/// An issuer states that it is a CA (RFC 5280 § 6.1.4 (k)).
///
/// Required of anchors too. § 6.1.1 (d) takes an anchor for a name and a key, but a v3 certificate that says it is no
/// CA, or has no basic constraints, was not made to be one.
enum BasicConstraintsCheck {
    static func run(
        _ certificate: Certificate, _ role: TrustFailure.Role, _ context: EvaluationContext, _ list: inout FailureList
    ) {
        let storage = certificate.storage
        // Older versions have no extensions; ``VersionCheck`` restricts them.
        guard storage.fields.version == 3 else { return }
        guard storage.fields.extensions.has(.basicConstraints) else { return list.add(.basicConstraintsMissing) }
        if !storage.fields.extensions.basicConstraints.isCertificateAuthority { list.add(.notCertificateAuthority) }
    }
}
