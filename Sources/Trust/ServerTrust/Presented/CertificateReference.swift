// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The words with which texts, pages and advice refer to a certificate: its number in the order sent, or its name.
///
/// An operator looks for the number in the file with the chain, so the first certificate sent is number 1, and
/// unreadable certificates count. A certificate that wasn't sent has no number there. Batches, records and
/// ``TrustFailure/certificate`` number along the path instead.
package enum CertificateReference {
    /// Returns `certificate sent as number 2`.
    /// - Parameter place: the place in the order sent, 0 for the first.
    static func words(place: Int) -> String { "certificate \(origin(place: place))" }

    /// Returns `sent as number 2`.
    package static func origin(place: Int) -> String {
        let (number, isOverflow) = place.addingReportingOverflow(1)
        return "sent as number \(isOverflow ? place : number)"
    }
}

extension PresentedChain {
    /// Creates a chain for reports about a file. Its numbers count the file's unreadable certificates, too.
    package init(_ certificates: [Certificate], unreadable: [UnreadableCertificate]) {
        self.leaf = certificates.first
        self.others = Array(certificates.dropFirst())
        self.unreadable = unreadable
    }

    /// Returns a certificate's place in the order sent, 0 for the first one. Unreadable certificates count. Returns nil
    /// for a certificate that wasn't sent.
    package func place(of certificate: Certificate) -> Int? {
        certificates.firstIndex(of: certificate).map { place(ofReadable: $0) }
    }

    /// Returns the place in the order sent of an element of ``certificates``.
    package func place(ofReadable index: Int) -> Int {
        // The indices of unreadable certificates ascend.
        unreadable.reduce(index) { $1.index <= $0 ? $0 + 1 : $0 }
    }

    /// Returns `certificate sent as number 2 (intermediate)`, or for a certificate that wasn't sent `certificate
    /// "Example Root" (anchor)`.
    package func reference(to certificate: Certificate, _ role: TrustFailure.Role? = nil) -> String {
        let role = role.map { " (\($0.rawValue))" } ?? ""
        if let place = place(of: certificate) { return CertificateReference.words(place: place) + role }
        let name =
            certificate.subject.values(of: .commonName).first ?? certificate.abridgedDescription(toBytes: 256)
        // A name can't end its own quotation marks.
        let shown = DistinguishedName.printable(name.abridged(toBytes: 256)).map { $0 == "\"" ? "'" : $0 }
        return "certificate \"\(String(shown))\"\(role)"
    }
}

extension TrustFailure {
    /// Returns the message for people who see the presented chain.
    /// - Parameters:
    ///   - path: the path of the failure, or an empty array if you don't have it. Then the message has the certificate's
    ///     role and no number.
    ///   - chain: the chain that the peer presented.
    package func message(on path: [Certificate], sentIn chain: PresentedChain) -> String {
        guard let certificate else { return message }
        // An evaluator may name a certificate that the path doesn't have.
        guard path.indices.contains(certificate) else {
            return message(about: role.map { "the \($0.rawValue)" } ?? "a certificate of the path")
        }
        return message(
            about: chain.reference(to: path[certificate], role),
            constrainedBy: constrainedBy.flatMap { path.indices.contains($0) ? $0 : nil }.map { index in
                let place = chain.place(of: path[index]).map { CertificateReference.origin(place: $0) }
                let role = index == path.count - 1 ? "the anchor" : "an intermediate that wasn't sent"
                return "\(path[index].abridgedSubject(toBytes: 256)), \(place ?? role)"
            })
    }
}
