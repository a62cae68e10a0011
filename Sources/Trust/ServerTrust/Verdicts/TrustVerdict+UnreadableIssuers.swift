// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustVerdict {
    /// The maximum number of unreadable certificates that are compared. An honest server doesn't send more.
    private static let maximumUnreadable = 16

    /// Returns the verdict with the additional failure ``TrustFailure/Code/issuerUnreadable`` if a certificate that
    /// can't be read is the missing issuer of `unknownIssuer`. A refusal remains a refusal, with the same result.
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
        verdict.failures = (failures + [failure]).inReportOrder()
        if let best = rejectedPaths.first, best.failures == failures {
            verdict.rejectedPaths[0] = best.with(verdict.failures)
        }
        return verdict
    }
}

extension RejectedPath {
    /// Returns the path with other failures.
    func with(_ failures: [TrustFailure]) -> RejectedPath {
        RejectedPath(certificates: certificates, reachesAnchor: reachesAnchor, failures: failures)
    }
}
