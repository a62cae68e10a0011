// SPDX-License-Identifier: Apache-2.0

/// The certificates that a root program's list distrusts. A path must not contain any of them, in any position.
///
/// Distrust differs from a lack of trust. A root that a list doesn't trust may still be an intermediate below another
/// root.
package final class DistrustedCertificates: Sendable {
    /// The name that a list uses for certificates.
    package enum Name: Sendable, Hashable {
        /// The SHA-256 of a certificate.
        case certificate([UInt8])
        /// An issuer's name and a serial number.
        case serialNumber(IssuerAndSerial)
        /// The SHA-256 of a SubjectPublicKeyInfo, for every certificate with that key.
        case key([UInt8])
    }

    /// The names, with the purposes for which each name's certificates are distrusted.
    package typealias Names = [Name: Set<ValidationPolicy.Purpose>]

    /// The root program and the date of its list, for use in verdicts: `Mozilla, 2026-06-13`.
    let source: String

    private let names: Names

    /// Creates a set of distrusted certificates.
    package init(source: String, names: Names) {
        self.source = source
        self.names = names
    }

    /// Returns the entry that distrusts a certificate, or nil if there isn't one.
    /// - Parameter purpose: the purpose of the evaluation. For ``ValidationPolicy/Purpose/any``, distrust for any
    ///   purpose counts.
    fileprivate func entry(
        distrusting certificate: NamedCertificate, for purpose: ValidationPolicy.Purpose
    ) -> TrustFailure.DeniedEntry? {
        let reason = Self.reason(source)
        return switch certificate.names.first(where: { names.distrust($0, for: purpose) }) {
        case .certificate(let digest): .certificate(sha256: digest, reason: reason)
        case .serialNumber(let name): .issuerAndSerial(serialNumber: name.serialNumber, reason: reason)
        case .key(let digest): .key(sha256: digest, reason: reason)
        case nil: nil
        }
    }

    /// Returns the reason to report for a list.
    static func reason(_ source: String) -> String { "distrusted by \(source)" }
}

/// The names of a certificate, computed once for all lists.
private struct NamedCertificate {
    let names: [DistrustedCertificates.Name]

    init(_ certificate: Certificate) {
        names = [
            .certificate(certificate.sha256), .serialNumber(IssuerAndSerial(certificate)),
            .key(certificate.subjectPublicKeyInfoSHA256),
        ]
    }
}

extension DistrustedCertificates.Names {
    /// Whether the certificates with a name are distrusted for a purpose.
    func distrust(_ name: DistrustedCertificates.Name, for purpose: ValidationPolicy.Purpose) -> Bool {
        guard let purposes = self[name] else { return false }
        return purpose == .any ? !purposes.isEmpty : purposes.contains(purpose)
    }
}

extension [DistrustedCertificates] {
    /// Returns the entry of the first list that distrusts a certificate, or nil if none does. The certificate is hashed
    /// only once, for any number of names.
    package func entry(
        distrusting certificate: Certificate, for purpose: ValidationPolicy.Purpose
    ) -> TrustFailure.DeniedEntry? {
        guard !isEmpty else { return nil }
        let named = NamedCertificate(certificate)
        for list in self {
            if let entry = list.entry(distrusting: named, for: purpose) { return entry }
        }
        return nil
    }

    /// Returns these lists, followed by the lists in another array that these don't include.
    package func adding(_ others: [DistrustedCertificates]) -> [DistrustedCertificates] {
        self + others.filter { other in !contains { $0 === other } }
    }

    /// Whether both arrays contain the same lists in the same order.
    package func areSame(as others: [DistrustedCertificates]) -> Bool {
        count == others.count && zip(self, others).allSatisfy { $0 === $1 }
    }
}
