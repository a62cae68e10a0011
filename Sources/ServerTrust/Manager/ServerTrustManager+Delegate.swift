// SPDX-License-Identifier: Apache-2.0

import PKIX

// A client's delegate beside the rules. A rule that asks for more than default evaluation stands: the delegate can refuse what it
// accepts, and nothing else. Under default evaluation the delegate may accept a server in spite of recoverable failures. Those are
// then excused as if a user had agreed to exactly them: the chain is evaluated again with exceptions for them, so that what they
// had kept from being checked (signatures, revocation, denied keys) is checked now, and the verdict names each.
//
// The rules are read once, after the delegate has answered. Nothing that the delegate did to the challenge's trust object comes
// in here.

extension ServerTrustManager {
    /// The verdict after a client's delegate has answered, by the rules as they are now, without network; emitted as events, once.
    package func verdict(on trust: Trust, delegate decision: DelegateDecision) -> TrustVerdict {
        let rules = currentRules
        let verdict = conclude(silentVerdict(on: trust, by: rules), decision) { plain in
            accepted(plain, on: trust, by: rules)
        }
        emit(verdict, on: trust)
        return verdict
    }

    /// ``verdict(on:delegate:)`` with what can be got over the network: missing issuers first, and for an accepted server
    /// revocation data of the path that is accepted.
    package func verdict(
        on trust: Trust, delegate decision: DelegateDecision, fetching source: some EvidenceSource
    ) async -> TrustVerdict {
        let rules = currentRules
        let last = Locked(trust)
        let plain = await source.verdict(
            on: trust,
            by: steps { trust in
                last.withLock { $0 = trust }
                return self.silentVerdict(on: trust, by: rules)
            })
        var verdict = conclude(plain, decision) { $0 }
        if decision == .accept, !plain.isTrusted {
            verdict = await source.verdict(
                on: last.withLock { $0 },
                by: steps { trust in
                    self.accepted(self.silentVerdict(on: trust, by: rules), on: trust, by: rules)
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

    /// Rounds of agreement: failures that were excused can uncover others.
    private static let mostRounds = 4

    /// The verdict if the delegate accepts a server that was found as in `plain`. One that is refused all the same has a warning.
    private func accepted(_ plain: TrustVerdict, on trust: Trust, by rules: RuleSet) -> TrustVerdict {
        guard !plain.isTrusted else { return plain }
        guard rules.leavesAcceptanceToDelegate(trust) else {
            return plain.warning(
                "the client's delegate accepted the server, and the rule for the host does not leave that to it")
        }
        var verdict = plain
        var agreed = storedExcuses(for: trust)
        for _ in 0..<Self.mostRounds {
            let denied = rules.deniedKeys(verdict, trust)
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
            var next = silentVerdict(on: agreeing, by: rules)
            if next.isTrusted {
                next.isAcceptedByDelegate = !next.excused.isEmpty
                return next.warning("the client's delegate accepted the server in spite of the excused failures")
            }
            // What was agreed to is still wrong.
            verdict = next.combined(with: verdict)
        }
        return verdict.warning(
            "the client's delegate accepted the server, and the failures are not a delegate's to excuse")
    }

    /// What was agreed to before for this host and leaf, and holds still.
    private func storedExcuses(for trust: Trust) -> [TrustExceptions.FailureException] {
        var trust = trust
        if trust.applicableExceptions == nil, let exceptions { exceptions.apply(to: &trust) }
        return trust.applicableExceptions?.failures ?? []
    }
}

extension RuleSet {
    /// A failure if a denied key is in the presented chain or in any path that was tried. No path was valid, so that nothing else has
    /// looked.
    fileprivate func deniedKeys(_ verdict: TrustVerdict, _ trust: Trust) -> [TrustFailure] {
        guard let keys = denied?.keys else { return [] }
        let tried = Set((verdict.rejectedPaths.map(\.certificates) + [verdict.path]).flatMap { $0 })
        let pin = trust.presentedChain.firstKey(of: keys) ?? tried.lazy.map { SPKIPin($0) }.first { keys.contains($0) }
        return pin.map { [TrustFailure(.keyDenied, found: .text($0.description))] } ?? []
    }
}

extension TrustVerdict {
    fileprivate func warning(_ text: String) -> TrustVerdict {
        var verdict = self
        if !warnings.contains(text) { verdict.warnings.append(text) }
        return verdict
    }
}

// MARK: - Where a delegate can change the trust object

/// The verdicts on a server that were reached before a client's delegate was asked, for clients whose delegates get a trust object
/// that they can change (`SecTrust`).
package struct DelegateReview: Sendable {
    /// The rule's verdict.
    package let verdict: TrustVerdict
    /// Whether the host is refused whatever it presents, and there is nothing to ask a delegate.
    package let isDenied: Bool
    fileprivate let accepted: TrustVerdict
    fileprivate let trust: Trust
    fileprivate let ruleSetNumber: Int
}

extension ServerTrustManager {
    /// Evaluates before the delegate is asked. No event is emitted.
    package func review(_ trust: Trust) -> DelegateReview {
        let rules = currentRules
        let verdict = silentVerdict(on: trust, by: rules)
        return DelegateReview(
            verdict: verdict, isDenied: rules.denial(of: trust) != nil,
            accepted: accepted(verdict, on: trust, by: rules), trust: trust, ruleSetNumber: rules.number)
    }

    /// The verdict after the delegate has answered, emitted as events. A server is refused if the rules were replaced meanwhile: the
    /// trust object may have been changed, and can't be evaluated again.
    package func verdict(after review: DelegateReview, delegate decision: DelegateDecision) -> TrustVerdict {
        var verdict = conclude(review.verdict, decision) { _ in review.accepted }
        if currentRules.number != review.ruleSetNumber {
            verdict = verdict.refusedByDelegate(expected: "rules that stay the same while the delegate is asked")
        }
        emit(verdict, on: review.trust)
        return verdict
    }
}
