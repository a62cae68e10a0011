// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A certificate that can't be read, which the server presented or the caller gave.
package struct UnreadableCertificate: Sendable, Hashable {
    /// Its place for people: `presented certificate 1`, `anchors[0]`.
    package let place: String
    /// Its index in its list. In the presented chain 0 is the leaf.
    package let index: Int
    /// The parser's error.
    package let error: DERError
    /// Its subject; nil if that can't be read either.
    private let subject: DistinguishedName?
    /// The certificate that was presented before it; nil outside of a presented chain, and if that one can't be read.
    private let predecessor: Certificate?

    package init(
        _ place: String, at index: Int, der: [UInt8], _ error: DERError, after predecessor: Certificate? = nil
    ) {
        self.place = place
        self.index = index
        self.error = error
        self.subject = DistinguishedName(subjectOfUnreadable: der)
        self.predecessor = predecessor
    }

    /// Whether it is the issuer of a certificate by its name, or by its place in the chain if its name can't be read. The bytes prove nothing,
    /// so this is for reports alone.
    fileprivate func mayHaveIssued(_ certificate: Certificate) -> Bool {
        subject.map { $0 == certificate.issuer } ?? (predecessor == certificate)
    }
}

extension TrustVerdict {
    /// The largest number of unreadable certificates that are compared: as many as an honest server could send.
    private static let maximumUnreadable = 16

    /// Returns the verdict with the failure ``TrustFailure/Code/issuerUnreadable`` beside `unknownIssuer`, if a certificate that can't be read
    /// is the missing issuer. A refusal stays one, with the same result.
    package func naming(unreadableIssuers unreadable: [UnreadableCertificate]) -> TrustVerdict {
        guard !unreadable.isEmpty, !failures.contains(where: { $0.code == .issuerUnreadable }),
            let missing = failures.first(where: { $0.code == .unknownIssuer }), let index = missing.certificate,
            path.indices.contains(index),
            let issuer = unreadable.prefix(Self.maximumUnreadable).first(where: { $0.mayHaveIssued(path[index]) })
        else { return self }
        let failure = TrustFailure(
            .issuerUnreadable, certificate: index, role: missing.role, expected: missing.found,
            found: .text("\(issuer.place): \(issuer.error)"))
        var verdict = self
        verdict.failures = (failures + [failure]).sorted(by: TrustFailure.comesFirst)
        if let best = rejectedPaths.first, best.failures == failures {
            verdict.rejectedPaths[0] = RejectedPath(
                certificates: best.certificates, reachesAnchor: best.reachesAnchor, failures: verdict.failures)
        }
        return verdict
    }
}
