/// The rules that can be judged by one certificate and its role, whatever path it stands in.
///
/// Their outcome is kept for the length of a search, so that a certificate on a hundred candidate paths is judged once.
enum CertificateChecks {
    static func failures(
        of certificate: Certificate, role: TrustFailure.Role, isAnchor: Bool, _ context: EvaluationContext
    ) -> [TrustFailure] {
        var list = FailureList()
        list.role = role
        ValidityCheck.run(certificate, context, &list)
        AlgorithmCheck.run(certificate, role, isAnchor: isAnchor, context, &list)
        CriticalExtensionCheck.run(certificate, &list)
        VersionCheck.run(certificate, role, isAnchor: isAnchor, context, &list)
        ExtendedKeyUsageCheck.run(certificate, role, context, &list)
        if role == .leaf {
            LeafKeyUsageCheck.run(certificate, context, &list)
            IdentityCheck.run(certificate, context, &list)
        } else {
            BasicConstraintsCheck.run(certificate, role, context, &list)
            IssuerKeyUsageCheck.run(certificate, &list)
        }
        PolicyMappingCheck.run(certificate, &list)
        if context.policy.isStrict {
            StrictCertificateCheck.run(certificate, role, isAnchor: isAnchor, context, &list)
        }
        return list.failures
    }
}
