// SPDX-License-Identifier: Apache-2.0

/// Rejects a certificate with a critical extension that the engine doesn't process (RFC 5280 § 4.2).
enum CriticalExtensionCheck {
    /// The known extensions that the engine doesn't process as "critical" demands: addresses, other names of the
    /// issuer, timestamps, and requirements on the TLS server. According to their RFCs, CAs mark them as not critical.
    ///
    /// The engine accepts a critical cRLDistributionPoints, like most verifiers, because it concerns revocation.
    /// mozilla::pkix rejects it, and so do the strict rules of the web PKI.
    private static let notHonoured: [KnownExtension] = [
        .issuerAlternativeName, .authorityInformationAccess, .subjectInformationAccess, .freshestCRL,
        .signedCertificateTimestamps, .tlsFeature,
    ]

    static func run(_ certificate: Certificate, _ meter: inout WorkMeter, _ list: inout FailureList) {
        let storage = certificate.storage
        checkPolicyQualifiers(certificate, &meter, &list)
        if storage.fields.extensions.unknownCritical.isPresent {
            let oid = OID(checkedContents: certificate.copy(storage.fields.extensions.unknownCritical))
            list.add(.criticalExtensionUnhandled, found: .text(oid.description))
        }
        for known in notHonoured where storage.fields.extensions.isCritical(known) {
            list.add(.criticalExtensionUnhandled, found: .text(known.name.description))
        }
    }

    /// Checks that the engine can interpret critical policies with their qualifiers. Otherwise it must reject the path
    /// (RFC 5280 § 4.2.1.4). It can interpret only the qualifiers of that section.
    private static func checkPolicyQualifiers(
        _ certificate: Certificate, _ meter: inout WorkMeter, _ list: inout FailureList
    ) {
        let extensions = certificate.storage.fields.extensions
        guard extensions.isCritical(.certificatePolicies),
            meter.charge(work: 16 * extensions.value(.certificatePolicies).count)
        else { return }
        let unknown = certificate.unknownPolicyQualifiers
        guard !unknown.isEmpty else { return }
        list.add(
            .criticalExtensionUnhandled,
            found: .list(unknown.members.map { "certificatePolicies with qualifier " + $0 }))
    }
}

extension Certificate {
    /// The OIDs of the first policy qualifiers that § 4.2.1.4 doesn't define, or that don't have the defined form.
    var unknownPolicyQualifiers: CountedList {
        let span = span
        var unknown = CountedList()
        var outer = DERReader(span, storage.fields.extensions.value(.certificatePolicies))
        guard var policies = try? outer.nextSequence("certificatePolicies") else { return unknown }
        while !policies.isAtEnd {
            guard let policy = try? policies.nextPolicy() else { return unknown }
            guard policy.qualifiers.isPresent else { continue }
            var list = DERReader(span, policy.qualifiers)
            guard var qualifiers = try? list.nextSequence("policyQualifiers") else { return unknown }
            while !qualifiers.isAtEnd {
                guard let qualifier = try? qualifiers.nextPolicyQualifier() else { return unknown }
                if !DERReader(span, qualifier.value.contents).isKnownQualifier(qualifier.type, qualifier.value) {
                    unknown.add(OID(checkedContents: copy(qualifier.type)).description)
                }
            }
        }
        return unknown
    }
}
