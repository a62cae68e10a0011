// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that combines several evaluators. All of them must accept the same path. The verdict contains the
/// failures of each one that refuses it.
///
/// Some evaluators determine how a path is validated: ``DefaultTrustEvaluator``, ``PinnedCertificatesTrustEvaluator``,
/// ``PublicKeysTrustEvaluator``, ``RevocationTrustEvaluator``, and ``CertificateAuthorityTrustEvaluator`` with anchors.
/// If they differ, each way of validation must accept the chain. The other evaluators check the validated path. If no
/// evaluator determines how, default validation applies.
public struct CompositeTrustEvaluator: BuiltInTrustEvaluator {
    /// The evaluators. There is at least one.
    let evaluators: [any TrustEvaluator]

    /// Creates an evaluator that combines several evaluators.
    /// - Throws: ``TrustEvaluatorError`` for an empty list, which would require nothing.
    public init(evaluators: [any TrustEvaluator]) throws(TrustEvaluatorError) {
        guard !evaluators.isEmpty else { throw TrustEvaluatorError(.evaluatorMembersMissing) }
        self.evaluators = evaluators
    }

    /// Creates an evaluator that combines two evaluators.
    init(_ first: any TrustEvaluator, _ second: any TrustEvaluator) { self.evaluators = [first, second] }

    /// Refuses a path that one of the evaluators refuses.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        var all = EvaluatorOutcome()
        for evaluator in evaluators {
            all.add(evaluator.outcome(of: path, for: trust))
        }
        return all
    }

    /// Whether all evaluators are repeatable.
    public var isRepeatable: Bool { evaluators.allSatisfy(\.isRepeatable) }
    var performedChecks: [TrustCheck] {
        evaluators.flatMap(\.checks).reduce(into: []) { checks, check in
            if !checks.contains(check) { checks.append(check) }
        }
    }
    var denied: DeniedList? { evaluators.reduce(nil) { .union($0, $1.deniedList) } }
    var configurationWarnings: [String] { evaluators.flatMap(\.warnings) }
    var containsDisabled: Bool { evaluators.contains(where: \.containsDisabledEvaluator) }
    var isDisabled: Bool { evaluators.allSatisfy(\.isDisabledEvaluator) }

    func variants(of trust: Trust) -> [Trust]? {
        var variants: [Trust] = []
        for evaluator in evaluators {
            for variant in evaluator.trustVariants(of: trust) ?? []
            where !variants.contains(where: { $0.isValidated(as: variant) }) {
                variants.append(variant)
            }
        }
        return variants.isEmpty ? nil : variants
    }
}

extension TrustEvaluator {
    /// The evaluators that a composite combines, or the evaluator itself.
    var parts: [any TrustEvaluator] { (self as? CompositeTrustEvaluator)?.evaluators.flatMap(\.parts) ?? [self] }
}
