// SPDX-License-Identifier: Apache-2.0

import PKIX

extension Trust {
    /// Returns a refusal by the host's rule. The presented certificates weren't checked.
    func denial(_ code: TrustFailure.Code, by pattern: HostPattern?, _ name: String) -> TrustVerdict {
        denial(code, by: pattern, found: .text(name))
    }

    /// Returns the verdict with one failure.
    func denial(_ code: TrustFailure.Code, by pattern: HostPattern?, found: TrustFailure.Value) -> TrustVerdict {
        let failure = TrustFailure(code, expected: pattern.map { .text($0.description) }, found: found)
        return TrustVerdict(
            result: .deny, host: host, referenceName: nil, profile: settings.policy.profile,
            purpose: settings.policy.purpose,
            isStrict: settings.policy.isStrict, evaluationDate: settings.verifyDate.time,
            path: presentedChain.leaf.map { [$0] } ?? [],
            reachesAnchor: false, failures: [failure], rejectedPaths: [], checked: [],
            notChecked: [.path, .identity, .purpose, .revocation, .certificateTransparency])
    }
}
