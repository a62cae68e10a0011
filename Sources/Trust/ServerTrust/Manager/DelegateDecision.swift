// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The response of a client's delegate, such as `URLSession`'s, to a server trust challenge.
package enum DelegateDecision: Sendable, Hashable {
    /// Only the host's rule decides.
    case defaultHandling
    /// The delegate accepts the server. This has an effect only as far as the rule permits.
    case accept
    /// The delegate refuses the server. The text describes the server that it would have accepted.
    case refuse(expected: String)

    var isRefusal: Bool { if case .refuse = self { true } else { false } }
}

extension RuleSet {
    /// Whether the rule requires only default evaluation, so that a delegate may accept a server in spite of
    /// recoverable failures. False for a denied host, and for a rule that requires pins, another evaluator or
    /// revocation checks.
    ///
    /// A rule in report-only mode requires default evaluation, because its evaluator only reports.
    func leavesAcceptanceToDelegate(_ trust: Trust) -> Bool {
        guard let host = trust.host, trust.settings.revocation.mode != .required,
            trust.settings.transparency?.mode != .require, transparency?.mode != .require
        else { return false }
        guard let (_, rule) = table.lookup(host) else { return !allHostsMustBeEvaluated }
        return switch rule.kind {
        case .denied: false
        case .enforced(let evaluator): evaluator.isDefaultAlone
        case .reportOnly: true
        }
    }
}

extension TrustEvaluator {
    /// Whether this is the default evaluator, or a composite of default evaluators. False if it expects a certain name,
    /// because that name is a requirement.
    fileprivate var isDefaultAlone: Bool {
        parts.allSatisfy { part in
            guard case .name? = (part as? DefaultTrustEvaluator)?.identity else { return part is DefaultTrustEvaluator }
            return false
        }
    }
}

extension TrustVerdict {
    /// Whether the best candidate has only recoverable failures, and no path that was tried contains a revoked or
    /// denied certificate. Rejected paths count because the server chooses the certificates. A wrong signature on
    /// another path doesn't count: it only proves that those certificates form no path, for example to another anchor
    /// with the same name.
    var isRecoverable: Bool {
        guard result == .recoverableFailure, !failures.isEmpty else { return false }
        guard failures.allSatisfy({ $0.code.severity == .recoverable }) else { return false }
        let disqualifying: Set<TrustFailure.Code> = [.certificateRevoked, .certificateDenied, .stapleMissing]
        return !rejectedPaths.contains { path in path.failures.contains { disqualifying.contains($0.code) } }
    }
}
