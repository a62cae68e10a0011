// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust

/// The settings of a scenario's client, apart from its anchors. By default, they belong to a client without custom
/// rules.
package struct ScenarioClient: Sendable {
    /// The rule for the host, or nil for a client that has no rule for the host and refuses such hosts.
    var rule: HostRule? = .enforced(DefaultTrustEvaluator())

    /// The profile, strictness, limits and budget. By default, the rules of the public web apply.
    package var policy = ValidationPolicy()

    /// The revocation check. The default is off.
    package var revocation = RevocationPolicy.Mode.off

    /// The CRLs and OCSP responses that the client has.
    var revocationData = RevocationData()

    /// The denied certificates, or nil for none.
    package var denied: DeniedList?

    /// The transparency check, or nil for none.
    var transparency: TransparencySettings?

    /// The list of logs in JSON for ``transparency`` or the rule, or nil for none.
    var logList: [UInt8]?

    /// The root program's list that restricts the anchors, or nil for the client's own anchors. With a list, the client
    /// uses an operating system's anchors.
    var rootList: RootList?

    /// The bytes of ``rootList``, or nil for none.
    var rootListJSON: [UInt8]?

    /// The operating system's evaluator, as on Apple platforms, or nil for the package's engine.
    var system: (any SystemEvaluator)?

    /// Returns a client with an evaluator for the host.
    static func enforcing(_ evaluator: any TrustEvaluator) -> ScenarioClient {
        ScenarioClient(rule: .enforced(evaluator))
    }

    /// Returns a client that requires a revocation check.
    static func requiringRevocation(_ data: RevocationData = RevocationData()) -> ScenarioClient {
        ScenarioClient(revocation: .required, revocationData: data)
    }

    /// A client that also applies the strict rules.
    static let strict = ScenarioClient(policy: ValidationPolicy(isStrict: true))

    /// The transparency checks of the settings and the rule.
    var transparencyChecks: [TransparencySettings] {
        [transparency, (rule?.evaluator as? TransparencyTrustEvaluator)?.settings].compactMap(\.self)
    }

    /// Returns the trust anchors of a client that has these certificates in its store.
    func trustAnchors(_ certificates: [Certificate]) -> TrustAnchors {
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

    /// Whether the client has settings other than strictness and revocation.
    var hasRulesOfItsOwn: Bool {
        var policy = policy
        policy.isStrict = false
        let isUsual = rule?.evaluator is DefaultTrustEvaluator || rule?.evaluator is UnstapledTrustEvaluator
        return !isUsual || policy != ValidationPolicy() || system != nil
            || transparency != nil || rootList != nil || denied != nil
    }
}

#endif
