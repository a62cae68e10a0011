// SPDX-License-Identifier: Apache-2.0

import PKIX

// The interaction of a client's delegate with the rules. A rule that requires more than default evaluation stays in
// force: the delegate can only refuse a server that the rule accepts. Under default evaluation, the delegate may accept
// a server in spite of recoverable failures. The manager then evaluates the chain again with an exception for exactly
// these failures, as if a user had agreed to them. In this second evaluation, the checks that the failures had
// prevented take place (signatures, revocation, denied certificates), and the verdict lists each failure.
//
// The manager reads the rules once, after the delegate has responded. It ignores changes that the delegate made to the
// challenge's trust object.

extension ServerTrustManager {
    /// Returns the verdict after a client's delegate has responded, by the current rules and without using the network.
    /// Emits it once.
    package func evaluateWithoutFetching(_ trust: Trust, delegate decision: DelegateDecision) -> TrustVerdict {
        let rules = currentRules
        let plain = evaluateSilently(trust, by: rules)
        let verdict = conclude(plain, decision) { accepted($0, on: trust, by: rules) }
        emit(verdict, on: trust, by: rules, byDelegate: decision != .defaultHandling && verdict != plain)
        return verdict
    }

    /// Returns the verdict of ``evaluateWithoutFetching(_:delegate:)`` with evidence from the network: missing issuers
    /// and, for an accepted server, revocation data of the accepted path.
    package func evaluateFetching(
        _ trust: Trust, delegate decision: DelegateDecision, from source: some EvidenceSource
    ) async -> TrustVerdict {
        let rules = currentRules
        let last = Locked(trust)
        let plain = await source.evaluate(
            trust,
            by: steps { trust in
                last.withLock { $0 = trust }
                return self.evaluateSilently(trust, by: rules)
            })
        var verdict = conclude(plain, decision) { $0 }
        if decision == .accept, !plain.isTrusted {
            verdict = await source.evaluate(
                last.withLock { $0 },
                by: steps { trust in
                    self.accepted(self.evaluateSilently(trust, by: rules), on: trust, by: rules)
                })
            verdict.fetched = plain.fetched + verdict.fetched
            verdict.warnings += plain.warnings.filter { !verdict.warnings.contains($0) }
        }
        emit(verdict, on: last.withLock { $0 }, by: rules, byDelegate: decision != .defaultHandling && verdict != plain)
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

    /// The maximum number of evaluations with exceptions. Excusing a failure can uncover others.
    private static let mostRounds = 4

    /// Returns the verdict after the delegate accepts a server whose verdict is `plain`. If the server is still
    /// refused, the verdict contains a warning.
    private func accepted(_ plain: TrustVerdict, on trust: Trust, by rules: RuleSet) -> TrustVerdict {
        guard !plain.isTrusted else { return plain }
        guard rules.leavesAcceptanceToDelegate(trust) else {
            return plain.warning(
                "the client's delegate accepted the server, but the rule for the host doesn't allow it to")
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
            var next = evaluateSilently(agreeing, by: rules)
            if next.isTrusted {
                next.isAcceptedByDelegate = !next.excused.isEmpty
                return next.warning("the client's delegate accepted the server in spite of the excused failures")
            }
            // The excused failures still apply.
            verdict = next.combined(with: verdict)
        }
        return verdict.warning(
            "the client's delegate accepted the server, but a delegate can't excuse these failures")
    }

    /// The failures of stored exceptions that apply to this host and leaf.
    private func storedExcuses(for trust: Trust) -> [TrustExceptions.FailureException] {
        var trust = trust
        if trust.applicableExceptions == nil, let exceptions { exceptions.apply(to: &trust) }
        return trust.applicableExceptions?.failures ?? []
    }
}

extension RuleSet {
    /// Returns failures if a path that was tried or the presented chain contains a denied certificate. No path was
    /// valid, so no other check has compared them.
    fileprivate func denials(_ verdict: TrustVerdict, _ trust: Trust) -> [TrustFailure] {
        let memory = DenialMemory(
            .union(trust.settings.denied, denied), (try? trust.settings.anchors.distrusted()) ?? [], on: trust)
        return Denials(memory)
            .failures(of: [verdict.asRejectedPath] + verdict.rejectedPaths, and: trust.presentedChain)
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

/// The verdict on a server before a client's delegate is called. For clients whose delegates receive a trust object
/// that they can change (`SecTrust`).
package struct DelegateReview: Sendable {
    /// The rule's verdict.
    package let verdict: TrustVerdict
    /// Whether the host is refused whatever its certificates, so that the delegate isn't called.
    package let isDenied: Bool
    fileprivate let accepted: TrustVerdict
    fileprivate let trust: Trust
    fileprivate let ruleSetNumber: Int
}

extension ServerTrustManager {
    /// Evaluates before the delegate is called. Emits no event.
    package func review(_ trust: Trust) -> DelegateReview {
        let rules = currentRules
        let verdict = evaluateSilently(trust, by: rules)
        return DelegateReview(
            verdict: verdict, isDenied: rules.denial(of: trust) != nil,
            accepted: accepted(verdict, on: trust, by: rules), trust: trust, ruleSetNumber: rules.number)
    }

    /// Returns the verdict after the delegate has responded, and emits it. If the rules were replaced meanwhile, the
    /// server is refused: the delegate may have changed the trust object, so the manager can't evaluate it again.
    package func verdict(after review: DelegateReview, delegate decision: DelegateDecision) -> TrustVerdict {
        var verdict = conclude(review.verdict, decision) { _ in review.accepted }
        let rules = currentRules
        let isReplaced = rules.number != review.ruleSetNumber
        if isReplaced {
            verdict = verdict.refusedByDelegate(expected: "rules that do not change while the delegate decides")
        }
        emit(
            verdict, on: review.trust, by: rules,
            byDelegate: isReplaced || (decision != .defaultHandling && verdict != review.verdict))
        return verdict
    }
}
