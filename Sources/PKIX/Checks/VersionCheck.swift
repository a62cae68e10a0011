// SPDX-License-Identifier: Apache-2.0

/// RFC 5280 § 6.1.4 (k) and the CA/Browser baseline § 7.1.1: who may still be v1 or v2, and that an issuer is named.
///
/// A v1 certificate can't say whether it is a CA. As an intermediate it is refused always; as an anchor it is somebody's
/// explicit decision, which the plain profile follows and the web PKI's doesn't. A leaf under the plain profile may be of any version.
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
