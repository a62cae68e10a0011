// SPDX-License-Identifier: Apache-2.0

import PKIX

extension ServerTrustManager {
    /// Evaluates by the host's rule, fetches missing evidence, and emits the verdict once. Fetches nothing for a host
    /// that is denied or has no rule and needs one. See ``Trust/evaluate(fetching:)``.
    public func evaluate(_ trust: Trust, fetching source: some EvidenceSource) async -> TrustVerdict {
        // The rules may be replaced while the source fetches. Observers need those that decided.
        let last = Locked((trust: trust, rules: currentRules))
        let verdict = await source.evaluate(
            trust,
            by: steps { trust in
                let rules = self.currentRules
                last.withLock { $0 = (trust, rules) }
                return self.evaluateSilently(trust, by: rules)
            })
        let decided = last.withLock { $0 }
        emit(verdict, on: decided.trust, by: decided.rules)
        return verdict
    }

    /// Evaluates with fetching, and returns the verdict if the server is trusted. See ``evaluate(_:fetching:)``.
    /// - Throws: ``TrustRefusal`` with the verdict if the server isn't trusted.
    @discardableResult
    public func requireTrust(
        _ trust: Trust, fetching source: some EvidenceSource
    ) async throws(TrustRefusal) -> TrustVerdict {
        let verdict = await evaluate(trust, fetching: source)
        try verdict.requireTrust()
        return verdict
    }

    /// Returns the steps of an evaluation by this manager.
    func steps(_ evaluate: @escaping @Sendable (Trust) -> TrustVerdict) -> EvaluationSteps {
        EvaluationSteps(needs: { self.revocationNeeds(of: $0, after: $1) }, evaluate: evaluate)
    }
}
