// SPDX-License-Identifier: Apache-2.0

import PKIX

extension ServerTrustManager {
    /// Returns the missing revocation data for this manager's verdict on a trust object. See
    /// ``Trust/revocationNeeds(after:)``.
    package func revocationNeeds(of trust: Trust, after verdict: TrustVerdict) -> [RevocationNeed] {
        guard let host = trust.host else { return [] }
        let evaluator = rule(for: host)?.evaluator ?? DefaultTrustEvaluator()
        var trust = trust
        currentRules.addFilters(to: &trust)
        return evaluator.revocationNeeds(of: trust, after: verdict)
    }
}
