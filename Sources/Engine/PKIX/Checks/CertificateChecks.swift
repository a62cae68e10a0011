// SPDX-License-Identifier: Apache-2.0

/// The rules that depend on one certificate and its role alone, whichever path it is in.
///
/// Their result is kept for the length of a search, so that a certificate on a hundred candidate paths is checked once.
enum CertificateChecks {
    /// Returns the failures of one certificate.
    /// - Parameters:
    ///   - isSelfIssued: whether subject and issuer are the same name, as the search has found; used by the strict
    ///     rules alone.
    ///   - meter: charged for each list of the certificate that is read. Once it is exhausted checks are left out: the
    ///     search has to end without a path then.
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
        // § 6.1.1: the policies and mappings of an anchor don't count.
        if !isAnchor { PolicyMappingCheck.run(certificate, &meter, &list) }
        AccessDescriptionCheck.run(certificate, context, &list)
        if context.policy.isStrict {
            StrictCertificateCheck.run(
                certificate, role, isAnchor: isAnchor, isSelfIssued: isSelfIssued, context, &meter, &list)
        }
        return list.failures
    }
}
