// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that checks certificates for revocation.
///
/// ```swift
/// RevocationTrustEvaluator()                                          // best effort, OCSP and CRLs, the whole path
/// RevocationTrustEvaluator(.required)                                 // refuses certificates without an answer
/// RevocationTrustEvaluator(RevocationPolicy(.required, sources: .ocsp))   // the same, by OCSP responses
/// ```
/// The evaluator uses the trust object's evidence: CRLs, OCSP responses and filters in ``PresentedChain/staple`` and
/// ``TrustSettings/revocationData``. ``Trust/evaluate(fetching:)`` and clients with ``TrustSettings/fetching`` fetch
/// more. **In best-effort mode, nothing is checked unless there is evidence or a way to fetch it**: a revoked server is
/// trusted. In that case, the verdict has ``TrustVerdict/revocationGaps`` and a warning, and the event
/// ``TrustEvent/revocationNotChecked(_:)`` is emitted. The client's ``ServerTrustConfiguration/warnings`` warn you
/// beforehand.
///
/// If the trust object's own ``TrustSettings/revocation`` requires a check, that check also takes place. This evaluator
/// can only make the evaluation stricter. Two parts of the trust object's policy apply to this evaluator's check, too:
/// * The engine fetches only if both policies allow it.
/// * Where this evaluator's policy has the default ages, tolerance or exemption, the trust object's values apply.
public struct RevocationTrustEvaluator: BuiltInTrustEvaluator {
    /// The policy of the check.
    package let policy: RevocationPolicy
    /// The name that replaces the trust object's, or nil to keep the trust object's.
    private let identity: ReferenceIdentity?

    /// Creates an evaluator.
    /// - Parameters:
    ///   - policy: the policy. The default is best effort with OCSP and CRLs for the whole path. With `.off`, this
    ///     evaluator adds no check.
    ///   - validateHost: whether to check the name. False accepts every server with a valid certificate for any name,
    ///     and the verdict lists the identity as not checked.
    public init(_ policy: RevocationPolicy = .bestEffort, validateHost: Bool = true) {
        self.policy = policy
        self.identity = validateHost ? nil : .insecurelyAnyName
    }

    /// Creates an evaluator for a server whose certificate has another name than the connection's host.
    /// - Parameters:
    ///   - policy: the policy. The default is best effort with OCSP and CRLs for the whole path. With `.off`, this
    ///     evaluator adds no check.
    ///   - name: the name that the leaf must be valid for, instead of the connection's host and
    ///     ``TrustSettings/identity``.
    public init(_ policy: RevocationPolicy = .bestEffort, expecting name: Hostname) {
        self.policy = policy
        self.identity = .name(name)
    }

    /// Accepts every path. The check itself is part of the evaluation.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {}

    /// True: the result depends only on the path and on the CRLs, OCSP responses and filters.
    public var isRepeatable: Bool { true }

    func variants(of trust: Trust) -> [Trust]? {
        let given = trust.identified(by: identity)
        var checked = given
        checked.settings.revocation = policy.within(trust.settings.revocation)
        return trust.settings.revocation.mode == .off ? [checked] : [checked, given]
    }
}

extension RevocationPolicy {
    /// Returns this evaluator's policy, restricted and completed by the trust object's.
    func within(_ settings: RevocationPolicy) -> RevocationPolicy {
        let defaults = RevocationPolicy(mode)
        var policy = self
        policy.fetching = fetching && settings.fetching
        func complete<Value: Equatable>(_ limit: WritableKeyPath<RevocationPolicy, Value>) {
            if self[keyPath: limit] == defaults[keyPath: limit] { policy[keyPath: limit] = settings[keyPath: limit] }
        }
        complete(\.maximumAge.leaf)
        complete(\.maximumAge.authority)
        complete(\.maximumAge.anchors)
        complete(\.maximumAgeWithoutNextUpdate)
        complete(\.maximumFilterAge)
        complete(\.futureTolerance)
        complete(\.shortLivedExemption)
        return policy
    }
}
