// SPDX-License-Identifier: Apache-2.0

/// The certificates that the list of a root program distrusts. No path may contain one of them, at any place.
///
/// Distrust differs from a lack of trust: a root that a list doesn't trust may still be an intermediate below another root.
package final class DistrustedCertificates: Sendable {
    /// The name that a list has for certificates.
    package enum Name: Sendable, Hashable {
        /// The SHA-256 of a certificate.
        case certificate([UInt8])
        /// An issuer's name and a serial number.
        case serialNumber(IssuerAndSerial)
        /// The SHA-256 of a SubjectPublicKeyInfo: every certificate of the key.
        case key([UInt8])
    }

    /// The names, each with the purposes for which the certificates are distrusted.
    package typealias Names = [Name: Set<ValidationPolicy.Purpose>]

    /// The root program and the date of its list, for verdicts: `Mozilla, 2026-06-13`.
    package let source: String

    private let names: Names

    /// Creates a set of distrusted certificates.
    package init(source: String, names: Names) {
        self.source = source
        self.names = names
    }

    /// Returns the name by which the certificate is distrusted, in words; nil if it isn't.
    /// - Parameter purpose: the purpose of the evaluation. Without one, distrust for any purpose counts.
    fileprivate func name(of certificate: NamedCertificate, for purpose: ValidationPolicy.Purpose) -> String? {
        certificate.names.first { names.distrust($0.name, for: purpose) }?.words
    }

    /// Returns the words for a list and its name for a certificate.
    static func reason(_ source: String, _ name: String) -> String { "distrusted by \(source), by \(name)" }
}

/// The names of a certificate, computed once for all lists.
private struct NamedCertificate {
    let names: [(name: DistrustedCertificates.Name, words: String)]

    init(_ certificate: Certificate) {
        names = [
            (.certificate(certificate.sha256), "its SHA-256"),
            (.serialNumber(IssuerAndSerial(certificate)), "its issuer and serial number"),
            (.key(certificate.subjectPublicKeyInfoSHA256), "its key"),
        ]
    }
}

extension DistrustedCertificates.Names {
    /// Whether the certificates of a name are distrusted for a purpose.
    package func distrust(_ name: DistrustedCertificates.Name, for purpose: ValidationPolicy.Purpose) -> Bool {
        guard let purposes = self[name] else { return false }
        return purpose == .any ? !purposes.isEmpty : purposes.contains(purpose)
    }
}

extension [DistrustedCertificates] {
    /// Returns the list that distrusts a certificate and the name that it has for it, in words; nil if none does. The work is that of hashing
    /// the certificate once, for any number of names.
    package func reason(toDistrust certificate: Certificate, for purpose: ValidationPolicy.Purpose) -> String? {
        guard !isEmpty else { return nil }
        let named = NamedCertificate(certificate)
        for list in self {
            if let name = list.name(of: named, for: purpose) { return DistrustedCertificates.reason(list.source, name) }
        }
        return nil
    }

    /// Returns these lists and those of another array that aren't among them.
    package func adding(_ others: [DistrustedCertificates]) -> [DistrustedCertificates] {
        self + others.filter { other in !contains { $0 === other } }
    }

    /// Whether both have the same lists, in the same order.
    package func areSame(as others: [DistrustedCertificates]) -> Bool {
        count == others.count && zip(self, others).allSatisfy { $0 === $1 }
    }
}
