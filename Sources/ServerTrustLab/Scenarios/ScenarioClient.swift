// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The settings of a scenario's client beside its anchors; by default those of a client without rules of its own.
package struct ScenarioClient: Sendable {
    /// The rule for the host; nil for a client that has no rule for it and refuses such hosts.
    package var rule: HostRule? = .enforced(DefaultTrustEvaluator())

    /// Profile, strictness, limits and budget; the rules of the public web by default.
    package var policy = ValidationPolicy()

    /// The revocation check; off by default.
    package var revocation = RevocationCheck.off

    /// The CRLs and OCSP responses at hand.
    package var revocationData = RevocationData()

    /// The part of an operating system that evaluates, as on Apple's; nil for the package's engine.
    package var system: (any SystemEvaluator)?

    /// Returns a client whose evaluator decides about the host.
    static func enforcing(_ evaluator: any TrustEvaluator) -> ScenarioClient {
        ScenarioClient(rule: .enforced(evaluator))
    }

    /// Returns a client that requires a revocation check.
    static func requiringRevocation(_ data: RevocationData = RevocationData()) -> ScenarioClient {
        ScenarioClient(revocation: .required, revocationData: data)
    }

    /// A client that applies the strict rules too.
    static let strict = ScenarioClient(policy: ValidationPolicy(isStrict: true))

    /// Whether the client differs from one without any settings in strictness and revocation alone.
    package var hasRulesOfItsOwn: Bool {
        var policy = policy
        policy.isStrict = false
        return !(rule?.evaluator is DefaultTrustEvaluator) || policy != ValidationPolicy() || system != nil
    }
}
