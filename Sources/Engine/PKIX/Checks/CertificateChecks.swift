// SPDX-License-Identifier: Apache-2.0

/// The rules that depend only on one certificate and its role, regardless of its path.
///
/// A search keeps the results, so it checks a certificate once even if it is in a hundred candidate paths.
enum CertificateChecks {
    /// Returns the failures of one certificate.
    /// - Parameters:
    ///   - isSelfIssued: whether the search found that subject and issuer are the same name. Only the strict rules use
    ///     it.
    ///   - meter: charged for each list of the certificate that a check reads. If it is exhausted, checks are omitted,
    ///     and the search must end without a path.
    static func failures(
        of certificate: Certificate, role: TrustFailure.Role, isAnchor: Bool, isSelfIssued: Bool,
        _ context: EvaluationContext, _ meter: inout WorkMeter
    ) -> [TrustFailure] {
        var list = FailureList()
        list.role = role
        DistrustCheck.run(certificate, context, &meter, &list)
        ValidityCheck.run(certificate, context, &list)
        AlgorithmCheck.run(certificate, role, isAnchor: isAnchor, context, &meter, &list)
        CriticalExtensionCheck.run(certificate, &meter, &list)
        VersionCheck.run(certificate, role, isAnchor: isAnchor, context, &list)
        ExtendedKeyUsageCheck.run(certificate, role, context, &meter, &list)
        if role == .leaf {
            LeafKeyUsageCheck.run(certificate, context, &list)
            IdentityCheck.run(certificate, context, &meter, &list)
        } else {
            BasicConstraintsCheck.run(certificate, role, context, &list)
            IssuerKeyUsageCheck.run(certificate, &list)
        }
        // § 6.1.1: an anchor's policies and mappings don't count.
        if !isAnchor { PolicyMappingCheck.run(certificate, &meter, &list) }
        AccessDescriptionCheck.run(certificate, context, &list)
        if context.policy.isStrict {
            StrictCertificateCheck.run(
                certificate, role, isAnchor: isAnchor, isSelfIssued: isSelfIssued, context, &meter, &list)
        }
        return list.failures
    }
}
