// SPDX-License-Identifier: Apache-2.0

/// Checks that every certificate requires the TLS features that its issuer's certificate requires (RFC 7633 § 4.2.2).
///
/// The check includes the anchor's features. Firefox (mozilla::pkix) and GnuTLS enforce this rule by default. Other
/// clients don't read the extension of a CA. The code for the handshake checks whether the server has the features that
/// its leaf requires.
enum TLSFeatureCheck {
    static func run(_ path: CandidatePath, _ meter: inout WorkMeter, _ list: inout FailureList) {
        for index in 0..<path.anchorIndex {
            let issuer = path.certificates[index + 1]
            let required = issuer.storage.fields.extensions.value(.tlsFeature)
            guard required.isPresent else { continue }
            let certificate = path.certificates[index]
            let own = certificate.storage.fields.extensions.value(.tlsFeature)
            // A feature has at least three bytes, and a set takes as long as hundreds of comparisons.
            guard meter.charge(work: 64 * (required.count + own.count)) else { return }
            let features = Set(certificate.tlsFeatures ?? [])
            var missing = CountedList()
            for feature in issuer.tlsFeatures ?? [] where !features.contains(feature) { missing.add(name(of: feature)) }
            guard !missing.isEmpty else { continue }
            var found = CountedList()
            for feature in certificate.tlsFeatures ?? [] { found.add(name(of: feature)) }
            list.certificate = index
            list.role = path.role(index)
            list.add(
                .tlsFeatureMissing, expected: missing.value, found: found.isEmpty ? .text("none") : found.value)
        }
    }

    /// Returns the name of a TLS extension from IANA's registry, or its number.
    private static func name(of feature: UInt16) -> String {
        switch feature {
        case 5: "status_request"
        case 17: "status_request_v2"
        default: String(feature)
        }
    }
}
