// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustLists

// The delegate of a client beside the rules. A rule that requires more than default evaluation stays in force: the delegate can
// refuse a server that the rule accepts, and nothing else. Under default evaluation the delegate may accept a server in spite of
// recoverable failures. These are then excused as by a user's exception for exactly these failures: the chain is evaluated again
// with the exception, so that checks which the failures had prevented (signatures, revocation, denied certificates) take place, and the
// verdict lists each failure.
//
// The rules are read once, after the delegate has answered. Changes that the delegate made to the challenge's trust object are
// ignored.

extension ServerTrustManager {
    /// Returns the verdict after a client's delegate has answered, by the current rules and without network. Emits it once.
    package func evaluate(_ trust: Trust, delegate decision: DelegateDecision) -> TrustVerdict {
        let rules = currentRules
        let verdict = conclude(remembered(trust, by: rules), decision) { plain in
            accepted(plain, on: trust, by: rules)
        }
        emit(verdict, on: trust)
        return verdict
    }

    /// Returns the verdict of ``evaluate(_:delegate:)`` with evidence from the network: missing issuers and, for an accepted server,
    /// revocation data of the accepted path.
    package func evaluate(
        _ trust: Trust, delegate decision: DelegateDecision, fetching source: some EvidenceSource
    ) async -> TrustVerdict {
        let rules = currentRules
        let last = Locked(trust)
        let plain = await source.evaluate(
            trust,
            by: steps { trust in
                last.withLock { $0 = trust }
                return self.remembered(trust, by: rules)
            })
        var verdict = conclude(plain, decision) { $0 }
        if decision == .accept, !plain.isTrusted {
            verdict = await source.evaluate(
                last.withLock { $0 },
                by: steps { trust in
                    self.accepted(self.remembered(trust, by: rules), on: trust, by: rules)
                })
            verdict.fetched = plain.fetched + verdict.fetched
            verdict.warnings += plain.warnings.filter { !verdict.warnings.contains($0) }
        }
        emit(verdict, on: trust)
        return verdict
    }

    private func conclude(
        _ plain: TrustVerdict, _ decision: DelegateDecision, accepted: (TrustVerdict) -> TrustVerdict
    ) -> TrustVerdict {
        switch decision {
        case .defaultHandling: plain
        case .accept: accepted(plain)
        case .refuse(let expected): plain.refusedByDelegate(expected: expected)
        }
    }

    /// The most evaluations with exceptions: excused failures can uncover others.
    private static let mostRounds = 4

    /// Returns the verdict after the delegate accepts a server with the verdict `plain`. If the server is still refused, the verdict
    /// has a warning.
    private func accepted(_ plain: TrustVerdict, on trust: Trust, by rules: RuleSet) -> TrustVerdict {
        guard !plain.isTrusted else { return plain }
        guard rules.leavesAcceptanceToDelegate(trust) else {
            return plain.warning(
                "the client's delegate accepted the server, and the rule for the host does not leave that to it")
        }
        var verdict = plain
        var agreed = storedExcuses(for: trust)
        for _ in 0..<Self.mostRounds {
            let denied = rules.denials(verdict, trust)
            guard denied.isEmpty else {
                verdict = verdict.adding(denied)
                break
            }
            guard verdict.isRecoverable, let found = try? verdict.exceptions() else { break }
            let further = found.failures.filter { !agreed.contains($0) }
            guard !further.isEmpty else { break }
            agreed += further
            var agreeing = trust
            agreeing.setExceptions(
                TrustExceptions(
                    host: found.host, leafSHA256: found.leafSHA256, failures: agreed, created: found.created,
                    expires: nil))
            var next = remembered(agreeing, by: rules)
            if next.isTrusted {
                next.isAcceptedByDelegate = !next.excused.isEmpty
                return next.warning("the client's delegate accepted the server in spite of the excused failures")
            }
            // The excused failures still hold.
            verdict = next.combined(with: verdict)
        }
        return verdict.warning(
            "the client's delegate accepted the server, and the failures are not a delegate's to excuse")
    }

    /// The failures of stored exceptions that apply to this host and leaf.
    private func storedExcuses(for trust: Trust) -> [TrustExceptions.FailureException] {
        var trust = trust
        if trust.applicableExceptions == nil, let exceptions { exceptions.apply(to: &trust) }
        return trust.applicableExceptions?.failures ?? []
    }
}

extension RuleSet {
    /// Returns failures if a denied certificate is in a path that was tried or in the presented chain. No path was valid, so no
    /// other check has compared them.
    fileprivate func denials(_ verdict: TrustVerdict, _ trust: Trust) -> [TrustFailure] {
        let best = RejectedPath(
            certificates: verdict.path, reachesAnchor: verdict.reachesAnchor, failures: verdict.failures)
        let memory = DenialMemory(
            .union(trust.settings.denied, denied), (try? trust.settings.anchors.distrusted()) ?? [], on: trust)
        return Denials(memory)
            .failures(of: [best] + verdict.rejectedPaths, and: trust.presentedChain)
    }
}

extension TrustVerdict {
    fileprivate func warning(_ text: String) -> TrustVerdict {
        var verdict = self
        if !warnings.contains(text) { verdict.warnings.append(text) }
        return verdict
    }
}

// MARK: - Delegates that can change the trust object

/// The verdicts on a server before a client's delegate is called, for clients whose delegates receive a trust object that they can
/// change (`SecTrust`).
package struct DelegateReview: Sendable {
    /// The rule's verdict.
    package let verdict: TrustVerdict
    /// Whether the host is refused regardless of its certificates, so that the delegate is not called.
    package let isDenied: Bool
    fileprivate let accepted: TrustVerdict
    fileprivate let trust: Trust
    fileprivate let ruleSetNumber: Int
}

extension ServerTrustManager {
    /// Evaluates before the delegate is called. No event is emitted.
    package func review(_ trust: Trust) -> DelegateReview {
        let rules = currentRules
        let verdict = remembered(trust, by: rules)
        return DelegateReview(
            verdict: verdict, isDenied: rules.denial(of: trust) != nil,
            accepted: accepted(verdict, on: trust, by: rules), trust: trust, ruleSetNumber: rules.number)
    }

    /// Returns the verdict after the delegate has answered, and emits it. If the rules were replaced meanwhile, the server is refused,
    /// because the trust object may have been changed and can't be evaluated again.
    package func evaluate(after review: DelegateReview, delegate decision: DelegateDecision) -> TrustVerdict {
        var verdict = conclude(review.verdict, decision) { _ in review.accepted }
        if currentRules.number != review.ruleSetNumber {
            verdict = verdict.refusedByDelegate(expected: "rules that stay unchanged until the delegate has answered")
        }
        emit(verdict, on: review.trust)
        return verdict
    }
}
