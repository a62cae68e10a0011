// SPDX-License-Identifier: Apache-2.0

import PKIX

extension ServerTrustManager {
    /// Evaluates by the rule for the host, obtains missing evidence, and emits one event for the outcome; see
    /// ``Trust/evaluate(fetching:)``. For a host that is denied or not listed nothing is fetched.
    public func verdict(on trust: Trust, fetching source: some EvidenceSource) async -> TrustVerdict {
        let verdict = await source.verdict(on: trust, by: steps { self.silentVerdict(on: $0) })
        emit(verdict, on: trust)
        return verdict
    }

    /// Evaluates with missing evidence, and returns the verdict of a trusted server; see ``verdict(on:fetching:)``.
    /// - Throws: ``TrustRefusal`` with the verdict of any other.
    @discardableResult
    public func evaluate(
        _ trust: Trust, fetching source: some EvidenceSource
    ) async throws(TrustRefusal) -> TrustVerdict {
        let verdict = await verdict(on: trust, fetching: source)
        guard verdict.isTrusted else { throw TrustRefusal(verdict) }
        return verdict
    }

    /// The steps of an evaluation of this manager's.
    func steps(_ evaluate: @escaping @Sendable (Trust) -> TrustVerdict) -> EvaluationSteps {
        EvaluationSteps(needs: { self.revocationNeeds(of: $0, after: $1) }, evaluate: evaluate)
    }
}
