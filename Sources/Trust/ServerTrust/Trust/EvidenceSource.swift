// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A source of missing evidence: issuers that a server didn't send, CRLs and OCSP responses.
///
/// Use `TrustFetchCoordinator` from the ServerTrustFetching library. It fetches over HTTP, stores what it fetched, and
/// backs off from addresses that fail. You can't usefully implement this protocol yourself, because only this package
/// can run ``EvaluationSteps``.
public protocol EvidenceSource: Sendable {
    /// Evaluates, obtains the missing evidence, and evaluates again with it.
    /// - Parameters:
    ///   - trust: the trust object.
    ///   - steps: the evaluation, and the evidence that it lacks.
    /// - Returns: the last verdict of `steps`, with ``TrustVerdict/fetched``.
    func evaluate(_ trust: Trust, by steps: EvaluationSteps) async -> TrustVerdict
}

/// The steps of an evaluation that an ``EvidenceSource`` repeats.
public struct EvaluationSteps: Sendable {
    /// Evaluates without network.
    package let evaluate: @Sendable (Trust) -> TrustVerdict
    /// Returns the revocation data that a verdict lacks.
    let needs: @Sendable (Trust, TrustVerdict) -> [RevocationNeed]

    package init(
        needs: @escaping @Sendable (Trust, TrustVerdict) -> [RevocationNeed],
        evaluate: @escaping @Sendable (Trust) -> TrustVerdict
    ) {
        self.needs = needs
        self.evaluate = evaluate
    }
}
