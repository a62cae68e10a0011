// SPDX-License-Identifier: Apache-2.0

/// The certificate's version allows its role (RFC 5280 § 6.1.4 (k); CA/Browser baseline § 7.1.1), and an issuer is
/// named.
///
/// A v1 certificate can't state whether it is a CA. As an intermediate it is always refused; as an anchor it is an
/// explicit decision of the user, which the plain profile follows and the web PKI's doesn't. A leaf under the plain
/// profile may be of any version.
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
        // § 4.1.2.4: `SEQUENCE {}` takes two bytes.
        if storage.fields.issuer.count <= 2, !isAnchor { list.add(.issuerNameEmpty) }
    }
}
