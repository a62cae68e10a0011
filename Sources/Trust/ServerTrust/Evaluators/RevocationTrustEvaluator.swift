// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that checks certificates for revocation.
///
/// ```swift
/// RevocationTrustEvaluator()                                          // best effort, OCSP and CRLs, the whole path
/// RevocationTrustEvaluator(.required)                                 // refuses certificates without an answer
/// RevocationTrustEvaluator(RevocationPolicy(.required, sources: .ocsp))   // the same, by OCSP responses
/// ```
/// The evidence is that of the trust object (``PresentedChain/staple``, ``TrustSettings/revocationData``); ``Trust/evaluate(fetching:)`` and
/// clients with ``TrustSettings/fetching`` obtain more. **Best effort without evidence and without a source of it checks nothing**: a
/// revoked server is trusted. Such a verdict has ``TrustVerdict/revocationGaps`` and a warning, the event
/// ``TrustEvent/revocationNotChecked(_:)`` is emitted, and the client's ``ServerTrustConfiguration/warnings`` has it beforehand.
///
/// If the trust object's own ``TrustSettings/revocation`` requires a check, it takes place as well. This evaluator can only make the
/// evaluation stricter. Two things of the trust object's policy count for this evaluator's check, too:
/// * Nothing is fetched unless both policies allow it.
/// * Ages, tolerance and exemption are the trust object's where this evaluator's policy has the defaults.
public struct RevocationTrustEvaluator: BuiltInTrustEvaluator {
    /// The policy of the check.
    package let policy: RevocationPolicy
    /// The name in place of the trust object's; nil to keep that.
    private let identity: ReferenceIdentity?

    /// Creates an evaluator.
    /// - Parameters:
    ///   - policy: the policy; best effort with OCSP and CRLs for the whole path by default. With `.off` this evaluator adds no check.
    ///   - validateHost: false accepts every server with a valid certificate for any name; the verdict then has the identity as
    ///     not checked.
    public init(_ policy: RevocationPolicy = .bestEffort, validateHost: Bool = true) {
        self.policy = policy
        self.identity = validateHost ? nil : .insecurelyAnyName
    }

    /// Creates an evaluator for a server that is known by another name than the connection's host.
    /// - Parameters:
    ///   - policy: the policy; best effort with OCSP and CRLs for the whole path by default. With `.off` this evaluator adds no check.
    ///   - name: the name that the leaf has to be valid for, in place of the connection's host and of
    ///     ``TrustSettings/identity``.
    public init(_ policy: RevocationPolicy = .bestEffort, expecting name: Hostname) {
        self.policy = policy
        self.identity = .name(name)
    }

    /// Accepts every path; the check itself is part of the evaluation.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {}

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome { EvaluatorOutcome() }
    /// True: the result depends only on the path and the evidence.
    public var isRepeatable: Bool { true }

    func variants(of trust: Trust) -> [Trust]? {
        let given = trust.identified(by: identity)
        var checked = given
        checked.settings.revocation = policy.within(trust.settings.revocation)
        return trust.settings.revocation.mode == .off ? [checked] : [checked, given]
    }
}

extension RevocationPolicy {
    /// Returns the policy of an evaluator, restricted and completed by the one of the trust object.
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
