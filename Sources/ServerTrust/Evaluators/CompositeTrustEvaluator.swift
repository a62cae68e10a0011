// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Several evaluators that all have to accept, on one and the same path; every one that refuses is told.
///
/// How a path is validated is decided by those members that have a say in it: ``DefaultTrustEvaluator``,
/// ``PinnedCertificatesTrustEvaluator``, ``PublicKeysTrustEvaluator``, ``CertificateAuthorityTrustEvaluator`` with anchors.
/// If they differ, the chain has to be accepted in each way. The others look at the path. Without a member that has a say the
/// default holds.
public struct CompositeTrustEvaluator: BuiltInTrustEvaluator {
    /// The members; never empty.
    public let evaluators: [any TrustEvaluator]

    /// - Throws: ``CompositeTrustEvaluatorError`` for an empty list, which would ask for nothing.
    public init(evaluators: [any TrustEvaluator]) throws(CompositeTrustEvaluatorError) {
        guard !evaluators.isEmpty else { throw .empty }
        self.evaluators = evaluators
    }

    /// Both.
    init(_ first: any TrustEvaluator, _ second: any TrustEvaluator) { self.evaluators = [first, second] }

    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        var all = EvaluatorOutcome()
        for evaluator in evaluators {
            let outcome = evaluator.outcome(of: path, for: trust)
            all.failures += outcome.failures.filter { !all.failures.contains($0) }
            all.matchedPin = all.matchedPin ?? outcome.matchedPin
        }
        return all
    }

    public var isRepeatable: Bool { evaluators.allSatisfy(\.isRepeatable) }
    var performedChecks: [TrustCheck] {
        evaluators.flatMap(\.checks).reduce(into: []) { checks, check in
            if !checks.contains(check) { checks.append(check) }
        }
    }
    func denies(_ key: SPKIPin) -> Bool { evaluators.contains { $0.isDenied(key) } }
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

/// Why there is no composite.
public enum CompositeTrustEvaluatorError: Error, Sendable, Hashable, CustomStringConvertible {
    case empty

    public var description: String { "no evaluator, expected at least one: a composite of none would ask for nothing" }
}
