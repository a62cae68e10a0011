// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The answer of a client's delegate to the challenge of a server, such as `URLSession`'s.
package enum DelegateDecision: Sendable, Hashable {
    /// The rule for the host decides alone.
    case defaultHandling
    /// The delegate accepts the server, as far as the rule leaves that to a delegate.
    case accept
    /// The delegate refuses the server; the text is what it would have accepted.
    case refuse(expected: String)

    var isRefusal: Bool { if case .refuse = self { true } else { false } }
}

extension RuleSet {
    /// Whether default evaluation is all that is asked of a server, so that a delegate may accept it in spite of recoverable
    /// failures. Not for a host that is denied, nor where pins, another evaluator or revocation have to hold.
    ///
    /// A rule in report-only mode asks for default evaluation: what it reports decides nothing.
    func leavesAcceptanceToDelegate(_ trust: Trust) -> Bool {
        guard let host = trust.host, trust.settings.revocation != .required else { return false }
        guard let (_, rule) = table.lookup(host) else { return !allHostsMustBeEvaluated }
        return switch rule.kind {
        case .denied: false
        case .enforced(let evaluator): evaluator.asksForDefaultAlone
        case .reportOnly: true
        }
    }
}

extension TrustEvaluator {
    /// Whether it is the default evaluator, or composed of nothing else.
    fileprivate var asksForDefaultAlone: Bool {
        if let composite = self as? CompositeTrustEvaluator {
            return composite.evaluators.allSatisfy(\.asksForDefaultAlone)
        }
        return self is DefaultTrustEvaluator
    }
}

extension TrustVerdict {
    /// Whether nothing but recoverable failures stand against the best candidate, and no path that was tried has a certificate that
    /// was withdrawn or denied: the paths are of the server's making. A signature that is wrong on another path says that it is none,
    /// such as one to another anchor of the same name.
    var isRecoverable: Bool {
        guard result == .recoverableFailure, !failures.isEmpty else { return false }
        guard failures.allSatisfy({ $0.code.severity == .recoverable }) else { return false }
        let standing: Set<TrustFailure.Code> = [.certificateRevoked, .keyDenied, .stapleMissing]
        return !rejectedPaths.contains { path in path.failures.contains { standing.contains($0.code) } }
    }

    /// The verdict with further failures, which refuse.
    func adding(_ further: [TrustFailure]) -> TrustVerdict {
        var verdict = self
        verdict.failures += further.filter { !failures.contains($0) }
        verdict.failures.sort(by: TrustFailure.comesFirst)
        verdict.result = TrustResultType(failures: verdict.failures)
        if isTrusted {
            verdict.rejectedPaths = [
                RejectedPath(certificates: path, reachesAnchor: reachesAnchor, failures: verdict.failures)
            ]
            verdict.excused = []
            verdict.isAcceptedByDelegate = false
            (verdict.validFrom, verdict.validUntil) = (nil, nil)
        }
        return verdict
    }

    /// The verdict if the delegate refuses. A server that the rule refuses is refused for the rule's reasons.
    func refusedByDelegate(expected: String) -> TrustVerdict {
        guard isTrusted else { return self }
        return adding([
            TrustFailure(.evaluatorRefused, expected: .text(expected), found: .text("the client's delegate refused it"))
        ])
    }
}
