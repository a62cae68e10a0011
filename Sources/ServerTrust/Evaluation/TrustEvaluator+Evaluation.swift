// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustEvaluator {
    /// Evaluates with this evaluator's demands.
    public func verdict(on trust: Trust) -> TrustVerdict { evaluatedVerdict(on: trust) }

    /// Evaluates with this evaluator's demands.
    /// - Returns: the verdict, which says that the peer is to be trusted.
    /// - Throws: ``TrustRefusal`` with the verdict otherwise.
    @discardableResult
    public func evaluate(_ trust: Trust) throws(TrustRefusal) -> TrustVerdict {
        let verdict = verdict(on: trust)
        guard verdict.isTrusted else { throw TrustRefusal(verdict) }
        return verdict
    }

    /// The verdict under every variant; the first that refuses decides, with what the others have against it as well.
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
