// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustVerdict {
    /// Returns the verdict refused for a failure of the handshake, beside those that it has. It only tightens: no exception covers it.
    package func refused(for failure: TrustFailure) -> TrustVerdict {
        var verdict = self
        verdict.failures = (failures + [failure]).sorted(by: TrustFailure.comesFirst)
        verdict.result = TrustResultType(failures: verdict.failures)
        verdict.isAcceptedByDelegate = false
        (verdict.validFrom, verdict.validUntil, verdict.matchedPin) = (nil, nil, nil)
        verdict.rejectedPaths.insert(
            RejectedPath(certificates: path, reachesAnchor: reachesAnchor, failures: verdict.failures), at: 0)
        if !rejectedPaths.isEmpty { verdict.rejectedPaths.remove(at: 1) }
        return verdict
    }
}
