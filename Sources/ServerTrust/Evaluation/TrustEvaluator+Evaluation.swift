// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustEvaluator {
    /// Evaluates with this evaluator's requirements.
    public func verdict(on trust: Trust) -> TrustVerdict { evaluatedVerdict(on: trust) }

    /// Evaluates with this evaluator's requirements, and returns the verdict on a trusted peer.
    /// - Throws: ``TrustRefusal`` with the verdict on a peer that is not trusted.
    @discardableResult
    public func evaluate(_ trust: Trust) throws(TrustRefusal) -> TrustVerdict {
        let verdict = verdict(on: trust)
        guard verdict.isTrusted else { throw TrustRefusal(verdict) }
        return verdict
    }

    /// Returns the verdict under every variant of the trust object; the first refusal decides, with the failures of the others added.
    func evaluatedVerdict(on trust: Trust) -> TrustVerdict {
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
}
