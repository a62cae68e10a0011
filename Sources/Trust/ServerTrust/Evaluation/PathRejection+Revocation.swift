// SPDX-License-Identifier: Apache-2.0

import PKIX

extension PathRejection {
    /// The rejection with a revoked path as its best candidate. A revoked leaf takes precedence over everything else,
    /// because it's on every path.
    ///
    /// A revoked CA takes precedence only if the best candidate has a wrong signature. In that case the search met a CA
    /// with the same name and another key, which proves nothing about the leaf.
    var revocationFirst: PathRejection {
        let isOtherKey = best.failures.contains { $0.code == .signatureInvalid }
        let index = paths.firstIndex { path in
            path.failures.contains { failure in
                failure.code == .certificateRevoked && (failure.certificate == 0 || isOtherKey)
            }
        }
        guard let index else { return self }
        var paths = paths
        let revoked = paths.remove(at: index)
        // If the search stopped early, the best candidate has the failure.
        let stops: [TrustFailure.Code] = [
            .signatureBudgetExceeded, .stepBudgetExceeded, .comparisonBudgetExceeded, .workBudgetExceeded,
        ]
        let stopped = best.failures.filter { stops.contains($0.code) && !revoked.failures.contains($0) }
        paths.insert(revoked.with(revoked.failures + stopped), at: 0)
        return PathRejection(paths: paths)
    }
}
