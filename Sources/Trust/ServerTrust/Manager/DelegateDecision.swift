// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The answer of a client's delegate, such as `URLSession`'s, to a server trust challenge.
package enum DelegateDecision: Sendable, Hashable {
    /// The host's rule decides alone.
    case defaultHandling
    /// The delegate accepts the server, which counts as far as the rule permits.
    case accept
    /// The delegate refuses the server; the text describes the server that it would have accepted.
    case refuse(expected: String)

    var isRefusal: Bool { if case .refuse = self { true } else { false } }
}

extension RuleSet {
    /// Whether the rule requires default evaluation alone, so that a delegate may accept a server in spite of recoverable
    /// failures. False for a host that is denied, and where pins, another evaluator or revocation checks are required.
    ///
    /// A rule in report-only mode requires default evaluation: its evaluator reports and decides nothing.
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
    /// Whether this is the default evaluator, or a composite of default evaluators. One that expects a certain name requires that name.
    fileprivate var isDefaultAlone: Bool {
        if let composite = self as? CompositeTrustEvaluator {
            return composite.evaluators.allSatisfy(\.isDefaultAlone)
        }
        guard case .name? = (self as? DefaultTrustEvaluator)?.identity else { return self is DefaultTrustEvaluator }
        return false
    }
}

extension TrustVerdict {
    /// Whether the best candidate has recoverable failures alone, and no path that was tried has a revoked or denied certificate.
    /// The rejected paths count because the server chooses the certificates. A wrong signature on another path proves only that this
    /// is no path, for example to another anchor with an equal name.
    var isRecoverable: Bool {
        guard result == .recoverableFailure, !failures.isEmpty else { return false }
        guard failures.allSatisfy({ $0.code.severity == .recoverable }) else { return false }
        let disqualifying: Set<TrustFailure.Code> = [.certificateRevoked, .certificateDenied, .stapleMissing]
        return !rejectedPaths.contains { path in path.failures.contains { disqualifying.contains($0.code) } }
    }
}
