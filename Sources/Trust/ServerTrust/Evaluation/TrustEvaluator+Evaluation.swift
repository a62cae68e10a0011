// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustEvaluator {
    /// Evaluates with this evaluator's requirements, on this thread and without network. If the evaluator requires
    /// several evaluations with different settings, the first refusal decides, and the verdict also contains the
    /// failures of the others.
    public func evaluate(_ trust: Trust) -> TrustVerdict {
        guard let variants = trustVariants(of: trust), let first = variants.first else {
            return Evaluation(trust: trust, evaluator: self).decide()
        }
        var verdict = Evaluation(trust: first, evaluator: self).decide()
        for variant in variants.dropFirst() {
            let other = Evaluation(trust: variant, evaluator: self).decide()
            verdict = verdict.combined(with: other)
        }
        return verdict
    }

    /// Evaluates with this evaluator's requirements, and returns the verdict on a trusted peer.
    /// - Throws: ``TrustRefusal`` with the verdict on a peer that isn't trusted.
    @discardableResult
    public func requireTrust(_ trust: Trust) throws(TrustRefusal) -> TrustVerdict {
        let verdict = evaluate(trust)
        try verdict.requireTrust()
        return verdict
    }
}
