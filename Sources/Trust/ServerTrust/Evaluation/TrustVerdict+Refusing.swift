// SPDX-License-Identifier: Apache-2.0

import PKIX

// Changes of a verdict that refuse. None of them makes a refused verdict trusted.

extension TrustVerdict {
    /// Returns the verdict as a refusal for a failure of the handshake, in addition to the failures that it has. No
    /// exception covers the failure.
    package func refused(for failure: TrustFailure) -> TrustVerdict {
        var verdict = self
        verdict.failures = (failures + [failure]).inReportOrder()
        verdict.result = TrustResultType(failures: verdict.failures)
        verdict.isAcceptedByDelegate = false
        (verdict.unchangedFrom, verdict.unchangedUntil, verdict.matchedPin) = (nil, nil, nil)
        verdict.rejectedPaths.insert(verdict.asRejectedPath, at: 0)
        if !rejectedPaths.isEmpty { verdict.rejectedPaths.remove(at: 1) }
        return verdict
    }

    /// The verdict's path with its failures.
    var asRejectedPath: RejectedPath {
        RejectedPath(certificates: path, reachesAnchor: reachesAnchor, failures: failures)
    }

    /// Returns the verdict with additional failures, which make it a refusal.
    func adding(_ further: [TrustFailure]) -> TrustVerdict {
        var verdict = self
        verdict.failures += further.filter { !failures.contains($0) }
        verdict.failures = verdict.failures.inReportOrder()
        verdict.result = TrustResultType(failures: verdict.failures)
        if isTrusted {
            verdict.rejectedPaths = [verdict.asRejectedPath]
            verdict.excused = []
            verdict.isAcceptedByDelegate = false
            verdict.revocationGaps = []
            (verdict.unchangedFrom, verdict.unchangedUntil) = (nil, nil)
        }
        return verdict
    }

    /// Returns the verdict after the delegate's refusal. If the verdict is already a refusal, it doesn't change.
    func refusedByDelegate(expected: String) -> TrustVerdict {
        guard isTrusted else { return self }
        return adding([
            TrustFailure(.evaluatorRefused, expected: .text(expected), found: .text("the client's delegate refused it"))
        ])
    }
}
