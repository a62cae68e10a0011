// SPDX-License-Identifier: Apache-2.0

import PKIX

extension Trust {
    /// Evaluates on this thread, without network.
    public func evaluate() -> TrustVerdict { Evaluation(trust: self, evaluator: nil).decide() }

    /// Returns the refusal for failures that were found without an evaluation.
    package func refused(_ failures: [TrustFailure]) -> TrustVerdict {
        Evaluation(trust: self, evaluator: nil).rejected(failures, path: presentedChain.certificates)
    }

    /// Evaluates, and returns the verdict on a trusted peer.
    /// - Throws: ``TrustRefusal`` with the verdict on a peer that isn't trusted.
    @discardableResult
    public func requireTrust() throws(TrustRefusal) -> TrustVerdict {
        let verdict = evaluate()
        try verdict.requireTrust()
        return verdict
    }
}
