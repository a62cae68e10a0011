// SPDX-License-Identifier: Apache-2.0

/// Checks that the certificate's version is allowed in its role (RFC 5280 § 6.1.4 (k); CA/Browser baseline § 7.1.1),
/// and that its issuer name isn't empty.
///
/// A v1 certificate can't state whether it is a CA. The check always rejects it as an intermediate. As an anchor, it is
/// the user's explicit decision. The plain profile accepts that decision, but the web PKI profile doesn't. In the plain
/// profile, a leaf may have any version.
enum VersionCheck {
    static func run(
        _ certificate: Certificate, _ role: TrustFailure.Role, isAnchor: Bool, _ context: EvaluationContext,
        _ list: inout FailureList
    ) {
        let storage = certificate.storage
        if storage.fields.version < 3,
            role == .intermediate || context.policy.profile == .webPKI || context.policy.isStrict
        {
            list.add(.certificateVersionNotAllowed, expected: .number(3), found: .number(Int(storage.fields.version)))
        }
        // § 4.1.2.4: `SEQUENCE {}` has two bytes.
        if storage.fields.issuer.count <= 2, !isAnchor { list.add(.issuerNameEmpty) }
    }
}
