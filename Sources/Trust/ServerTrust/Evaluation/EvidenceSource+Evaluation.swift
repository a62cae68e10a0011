// SPDX-License-Identifier: Apache-2.0

import PKIX

extension Trust {
    /// Evaluates with the evidence that ``TrustSettings/fetching`` obtains. Without a source of evidence, same as
    /// ``evaluate()``.
    package func evaluateFetching() async -> TrustVerdict {
        guard let source = settings.fetching else { return evaluate() }
        return await evaluate(fetching: source)
    }

    /// Evaluates, and obtains missing evidence from the addresses in the certificates: issuers that the server didn't
    /// send and, if ``TrustSettings/revocation`` requires it, OCSP responses and CRLs. Staples and
    /// ``TrustSettings/revocationData`` are used first.
    ///
    /// The evaluation fetches only what it needs. It ends within the source's time limit, and soon after the task is
    /// canceled. In both cases, the verdict doesn't consider evidence that wasn't fetched yet. ``TrustVerdict/fetched``
    /// lists the requests.
    public func evaluate(fetching source: some EvidenceSource) async -> TrustVerdict {
        await source.evaluate(
            self,
            by: EvaluationSteps(
                needs: { trust, verdict in trust.revocationNeeds(after: verdict) }, evaluate: { $0.evaluate() }))
    }
}

extension TrustEvaluator {
    /// Evaluates with this evaluator's requirements, and obtains missing evidence. See ``Trust/evaluate(fetching:)``.
    public func evaluate(_ trust: Trust, fetching source: some EvidenceSource) async -> TrustVerdict {
        await source.evaluate(
            trust,
            by: EvaluationSteps(
                needs: { trust, verdict in revocationNeeds(of: trust, after: verdict) },
                evaluate: { evaluate($0) }))
    }

    /// Evaluates with missing evidence, and returns the verdict on a trusted peer. See ``evaluate(_:fetching:)``.
    /// - Throws: ``TrustRefusal`` with the verdict on a peer that isn't trusted.
    @discardableResult
    public func requireTrust(_ trust: Trust, fetching source: some EvidenceSource) async throws(TrustRefusal)
        -> TrustVerdict
    {
        let verdict = await evaluate(trust, fetching: source)
        try verdict.requireTrust()
        return verdict
    }
}
