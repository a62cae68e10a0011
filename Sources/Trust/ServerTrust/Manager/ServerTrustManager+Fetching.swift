// SPDX-License-Identifier: Apache-2.0

import PKIX

extension ServerTrustManager {
    /// Evaluates by the host's rule, obtains missing evidence, and emits the verdict once; see ``Trust/evaluate(fetching:)``. For a
    /// host that is denied or has no rule, nothing is fetched.
    public func evaluate(_ trust: Trust, fetching source: some EvidenceSource) async -> TrustVerdict {
        let verdict = await source.evaluate(trust, by: steps { self.remembered($0) })
        emit(verdict, on: trust)
        return verdict
    }

    /// Evaluates with missing evidence, and returns the verdict on a trusted server; see ``evaluate(_:fetching:)``.
    /// - Throws: ``TrustRefusal`` with the verdict on a server that is not trusted.
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
