// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustEvaluator {
    /// Evaluates with this evaluator's requirements. Where it replaces settings of the evaluation in several ways, the first refusal
    /// decides, with the failures of the others added.
    public func verdict(on trust: Trust) -> TrustVerdict {
        guard !isDisabledEvaluator, let variants = trustVariants(of: trust), let first = variants.first else {
            return Evaluation(trust: trust, evaluator: self).verdict()
        }
        var verdict = Evaluation(trust: first, evaluator: self).verdict()
        for variant in variants.dropFirst() {
            let other = Evaluation(trust: variant, evaluator: self).verdict()
            verdict = verdict.combined(with: other)
        }
        return verdict
    }

    /// Evaluates with this evaluator's requirements, and returns the verdict on a trusted peer.
    /// - Throws: ``TrustRefusal`` with the verdict on a peer that is not trusted.
    @discardableResult
    public func evaluate(_ trust: Trust) throws(TrustRefusal) -> TrustVerdict {
        let verdict = verdict(on: trust)
        guard verdict.isTrusted else { throw TrustRefusal(verdict) }
        return verdict
    }
}
