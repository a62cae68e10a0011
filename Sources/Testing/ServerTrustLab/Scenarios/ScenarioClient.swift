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
    package var revocation = RevocationPolicy.Mode.off

    /// The CRLs and OCSP responses at hand.
    package var revocationData = RevocationData()

    /// The denied certificates; nil for none.
    package var denied: DeniedList?

    /// The transparency check; nil for none.
    package var transparency: TransparencySettings?

    /// The list of logs of ``transparency``, or of the rule, in JSON; nil for none.
    package var logList: [UInt8]?

    /// The list of a root program over the anchors, which are an operating system's then; nil for anchors of the client's own.
    package var rootList: RootList?

    /// The bytes of ``rootList``; nil for none.
    package var rootListJSON: [UInt8]?

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

    /// The transparency checks of the settings and of the rule.
    package var transparencyChecks: [TransparencySettings] {
        [transparency, (rule?.evaluator as? TransparencyTrustEvaluator)?.settings].compactMap(\.self)
    }

    /// Returns the trust anchors of a client with these certificates as its store.
    package func trustAnchors(_ certificates: [Certificate]) -> TrustAnchors {
        guard system == nil else { return .system }
        guard let rootList else { return .only(certificates) }
        let anchors = certificates.map { certificate in
            TrustAnchor(
                certificate,
                conditions: [rootList.conditions(for: certificate, unlistedIsDistrusted: true)].compactMap(\.self),
                isPublic: true)
        }
        let distrusted = rootList.distrustedCertificates(among: certificates)
        return TrustAnchors(AnchorStore(anchors, distrusted: [distrusted].compactMap(\.self)))
    }

    /// Whether the client differs from one without any settings in strictness and revocation alone.
    package var hasRulesOfItsOwn: Bool {
        var policy = policy
        policy.isStrict = false
        let isUsual = rule?.evaluator is DefaultTrustEvaluator || rule?.evaluator is UnstapledTrustEvaluator
        return !isUsual || policy != ValidationPolicy() || system != nil
            || transparency != nil || rootList != nil || denied != nil
    }
}
