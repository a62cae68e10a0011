// SPDX-License-Identifier: Apache-2.0

/// A critical extension that isn't processed makes the certificate unusable (RFC 5280 § 4.2).
enum CriticalExtensionCheck {
    /// Known extensions whose processing here doesn't honor "critical": addresses, other names of the issuer,
    /// timestamps, requirements on the TLS server. Their RFCs have CAs mark them not critical.
    ///
    /// A critical cRLDistributionPoints is accepted, as by most verifiers: it concerns revocation. mozilla::pkix refuses it,
    /// and so do the strict rules of the web PKI.
    private static let notHonoured: [KnownExtension] = [
        .issuerAlternativeName, .authorityInformationAccess, .subjectInformationAccess, .freshestCRL,
        .signedCertificateTimestamps, .tlsFeature,
    ]

    private static let notHonouredBits = notHonoured.reduce(UInt32(0)) { $0 | $1.bit }

    static func run(_ certificate: Certificate, _ meter: inout WorkMeter, _ list: inout FailureList) {
        let storage = certificate.storage
        checkPolicyQualifiers(certificate, &meter, &list)
        if storage.fields.extensions.unknownCritical.isPresent {
            let oid = OID(checkedContents: certificate.copy(storage.fields.extensions.unknownCritical))
            list.add(.criticalExtensionUnhandled, found: .text(oid.description))
        }
        guard storage.fields.extensions.critical & notHonouredBits != 0 else { return }
        for known in notHonoured where storage.fields.extensions.isCritical(known) {
            list.add(.criticalExtensionUnhandled, found: .text(known.name.description))
        }
    }

    /// Checks that critical policies can be interpreted with their qualifiers, or else the path is rejected (RFC 5280 §
    /// 4.2.1.4). Known are the qualifiers of that section; anything else can't be interpreted.
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
    /// The policy qualifiers that are none of § 4.2.1.4, or not in its form: the first few, each by its OID.
    var unknownPolicyQualifiers: CountedList {
        let span = span
        var unknown = CountedList()
        var outer = DERReader(span, storage.fields.extensions.value(.certificatePolicies))
        guard let sequence = try? outer.next(DERTag.sequence, "certificatePolicies") else { return unknown }
        var policies = outer.inside(sequence)
        while !policies.isAtEnd {
            guard let policy = try? policies.nextPolicy() else { return unknown }
            guard policy.qualifiers.isPresent else { continue }
            var list = DERReader(span, policy.qualifiers)
            guard let members = try? list.next(DERTag.sequence, "policyQualifiers") else { return unknown }
            var qualifiers = list.inside(members)
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
