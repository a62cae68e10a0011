// SPDX-License-Identifier: Apache-2.0

import PKIX

extension Trust {
    /// Evaluates now, on this thread, without network.
    public func evaluate() -> TrustVerdict { Evaluation(trust: self, evaluator: nil).verdict() }

    /// The verdict, which says that the peer is to be trusted.
    /// - Throws: the headline of what is wrong otherwise; ``evaluate()`` tells all of it.
    @discardableResult
    public func requireTrusted() throws(TrustFailure) -> TrustVerdict {
        let verdict = evaluate()
        try verdict.requireTrusted()
        return verdict
    }
}
