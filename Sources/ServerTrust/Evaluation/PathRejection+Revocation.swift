// SPDX-License-Identifier: Apache-2.0

import PKIX

extension PathRejection {
    /// The rejection with a path in front on which the revocation of a certificate is all that is wrong, if the best candidate has
    /// a wrong signature: then the search has met a CA of the same name with another key, which says nothing about the leaf. A
    /// revoked leaf comes before everything else, as it is on every path.
    package var revocationFirst: PathRejection {
        let isOtherKey = best.failures.contains { $0.code == .signatureInvalid }
        let index = paths.firstIndex { path in
            path.failures.contains { failure in
                failure.code == .certificateRevoked && (failure.certificate == 0 || isOtherKey)
            }
        }
        guard let index, index > 0 else { return self }
        var paths = paths
        let revoked = paths.remove(at: index)
        // A search that was stopped says so on its best candidate.
        let stops: [TrustFailure.Code] = [
            .signatureBudgetExceeded, .stepBudgetExceeded, .comparisonBudgetExceeded, .workBudgetExceeded,
        ]
        let stopped = best.failures.filter { stops.contains($0.code) && !revoked.failures.contains($0) }
        paths.insert(
            RejectedPath(
                certificates: revoked.certificates, reachesAnchor: revoked.reachesAnchor,
                failures: revoked.failures + stopped), at: 0)
        return PathRejection(paths: paths)
    }
}
