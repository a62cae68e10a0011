// SPDX-License-Identifier: Apache-2.0

import PKIX

extension Trust {
    /// Evaluates on this thread, without network.
    public func evaluate() -> TrustVerdict { Evaluation(trust: self, evaluator: nil).verdict() }

    /// Evaluates, and returns the verdict on a trusted peer.
    /// - Throws: the headline of the verdict on a peer that is not trusted; ``evaluate()`` returns the whole verdict.
    @discardableResult
    public func requireTrusted() throws(TrustFailure) -> TrustVerdict {
        let verdict = evaluate()
        try verdict.requireTrusted()
        return verdict
    }
}
