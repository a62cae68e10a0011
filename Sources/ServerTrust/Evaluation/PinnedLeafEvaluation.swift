// SPDX-License-Identifier: Apache-2.0

import PKIX

// A leaf that an evaluator pins and exempts from the engine's checks.
//
// The exemption covers what the engine checks: every recoverable failure (of the leaf's name only where the evaluator says so), and
// fatal ones of the certificates above the leaf. It covers no refusal of another evaluator, no denied key and no revocation,
// whatever code and severity they have. A failure's code doesn't say where it comes from, because evaluators may refuse with any
// code, so the search is run over all paths and what is asked beyond the engine's checks is kept apart from what the engine found.

extension Evaluation {
    /// The verdict by default if that is trust; else with the leaf in the place of its own anchor, if the exemption covers all that
    /// is wrong on a path.
    func verdict(onPinned leaf: Certificate) -> TrustVerdict {
        var plain = trust
        plain.exemption = .none
        // The rule decides here, on every platform.
        plain.settings.systemEvaluator = nil
        let store: AnchorStore
        if let known = try? plain.settings.anchors.store() {
            store = known
        } else {
            store = .only([])
            plain.settings.anchors = TrustAnchors(store)
        }
        let found = Evaluation(trust: plain, evaluator: evaluator).verdict()
        guard !found.isTrusted, found.result != .deny else { return found }
        let survey = survey(leaf, anchors: store)
        if let verdict = refusal(by: survey, found) { return verdict }
        guard let agreed = survey.acceptable ?? coveredPath(survey) else { return found }
        return verdict(onAnchor: leaf, agreed: agreed)
    }

    /// Denied keys of a path that was not accepted, with their place, and of the other presented certificates.
    func deniedKeyFailures(in path: RejectedPath) -> [TrustFailure] {
        guard let evaluator, evaluator.checks.contains(.deniedKeys) else { return [] }
        var failures = path.certificates.enumerated().compactMap { index, certificate -> TrustFailure? in
            let pin = SPKIPin(certificate)
            guard evaluator.isDenied(pin) else { return nil }
            return TrustFailure(
                .keyDenied, certificate: index, role: path.role(at: index), found: .text(pin.description))
        }
        let others = trust.presentedChain.certificates.filter { !path.certificates.contains($0) }.map { SPKIPin($0) }
        for pin in others where evaluator.isDenied(pin) {
            let failure = TrustFailure(.keyDenied, found: .text(pin.description))
            if !failures.contains(failure) { failures.append(failure) }
        }
        return failures
    }
}

// MARK: - All paths

/// The paths of a pinned leaf, by what was found about them.
private struct PinnedLeafSurvey {
    /// The first path on which everything that is wrong is covered by the exemption, and to which nothing else objects.
    var acceptable: RejectedPath?
    /// The first path on which the exemption covers everything that is wrong, and which is refused for what it doesn't extend to.
    var refused: RejectedPath?
    /// The first of these that holds a denied key.
    var denied: RejectedPath?
    /// The first of these on which the leaf is revoked.
    var revoked: RejectedPath?
    /// The paths that the search keeps, at most ``maximumPaths``, without the search's own mark.
    var paths: [RejectedPath] = []

    /// The search keeps so many at most; with as many, some may have been left out.
    static let maximumPaths = 64

    /// Keeps the search going over a path that would do.
    static let goOn = TrustFailure(.evaluatorRefused, found: .text("looking for other paths"))

    mutating func refuse(_ path: RejectedPath) {
        refused = refused ?? path
        if path.failures.contains(where: { $0.code == .keyDenied }) { denied = denied ?? path }
        // Whatever path it was found on, it is about this leaf.
        if path.failures.contains(where: { $0.code == .certificateRevoked && $0.certificate == 0 }) {
            revoked = revoked ?? path
        }
    }
}

extension Evaluation {
    private func survey(_ leaf: Certificate, anchors: AnchorStore) -> PinnedLeafSurvey {
        let exemption = trust.exemption
        let exceptions = exceptions
        var survey = PinnedLeafSurvey()
        let validator = PathValidator(
            anchors: anchors, policy: trust.settings.policy, memory: trust.settings.signatureMemory)
        let validation = withoutActuallyEscaping(demands) { demands in
            validator.validate(
                leaf, presented: trust.presentedChain.others, intermediates: trust.settings.intermediates,
                host: trust.referenceName, at: time, insecurelyExcepting: { failure, _ in exemption.covers(failure) }
            ) { path in
                let found = demands(path).failures
                let refusals = found.filter { failure in
                    exceptions?.covers(failure, of: path.certificates.certificate(of: failure)) != true
                }
                let rejected = RejectedPath(
                    certificates: path.certificates, reachesAnchor: true,
                    failures: (path.excused + found).sorted(by: TrustFailure.comesFirst))
                guard refusals.isEmpty else {
                    survey.refuse(rejected)
                    return refusals
                }
                if survey.acceptable == nil { survey.acceptable = rejected }
                return [PinnedLeafSurvey.goOn]
            }
        }
        survey.paths = (validation.rejection?.paths ?? []).map { path in
            RejectedPath(
                certificates: path.certificates, reachesAnchor: path.reachesAnchor,
                failures: path.failures.filter { $0 != PinnedLeafSurvey.goOn })
        }
        return survey
    }

    /// The best path that was tried, if the search reached its end, no evaluator was asked about a path, and the exemption covers all
    /// that the engine found wrong.
    private func coveredPath(_ survey: PinnedLeafSurvey) -> RejectedPath? {
        guard survey.refused == nil, let best = survey.paths.first, !best.failures.isEmpty else { return nil }
        let isCovered = best.failures.allSatisfy { failure in
            switch failure.code.severity {
            case .recoverable: trust.exemption.covers(failure)
            // The leaf itself is what is pinned: what its CAs are worth doesn't matter, what it is worth itself does.
            case .fatal: failure.certificate.map { $0 > 0 } ?? false
            case .undecided: false
            }
        }
        return isCovered ? best : nil
    }
}

// MARK: - Refusals

extension Evaluation {
    /// The refusal for what the exemption doesn't extend to; nil if there is nothing of that kind.
    private func refusal(by survey: PinnedLeafSurvey, _ found: TrustVerdict) -> TrustVerdict? {
        // Of two paths the one without a denied key counts only if it is valid: the engine, not the exemption, vouches for it.
        let tried = (survey.denied.map { [$0] } ?? []) + survey.paths + found.rejectedPaths
        if let path = firstWithDeniedKey(tried) {
            let others = path.failures.filter { $0.code != .keyDenied }
            return refusal(path, deniedKeyFailures(in: path) + others, survey)
        }
        // A path that was tried and not kept can't be looked at.
        if evaluator?.checks.contains(.deniedKeys) == true, survey.paths.count >= PinnedLeafSurvey.maximumPaths {
            return found
        }
        if let revoked = survey.revoked { return refusal(revoked, revoked.failures, survey) }
        // A search that was stopped has not seen everything.
        let stopped = survey.paths.first?.failures.filter { $0.code.severity == .undecided } ?? []
        guard let acceptable = survey.acceptable else {
            return survey.refused.map { refusal($0, $0.failures + stopped.filter(isMissing(in: $0)), survey) }
        }
        return stopped.isEmpty ? nil : refusal(acceptable, acceptable.failures + stopped, survey)
    }

    private func isMissing(in path: RejectedPath) -> (TrustFailure) -> Bool { { !path.failures.contains($0) } }

    /// Each certificate is hashed once, on however many paths it is.
    private func firstWithDeniedKey(_ paths: [RejectedPath]) -> RejectedPath? {
        guard let evaluator, evaluator.checks.contains(.deniedKeys) else { return nil }
        if trust.presentedChain.certificates.contains(where: { evaluator.isDenied(SPKIPin($0)) }) { return paths.first }
        var known: [Certificate: Bool] = [:]
        return paths.first { path in
            path.certificates.contains { certificate in
                if let known = known[certificate] { return known }
                let isDenied = evaluator.isDenied(SPKIPin(certificate))
                known[certificate] = isDenied
                return isDenied
            }
        }
    }

    private func refusal(
        _ path: RejectedPath, _ failures: [TrustFailure], _ survey: PinnedLeafSurvey
    ) -> TrustVerdict {
        var verdict = rejected(failures.sorted(by: TrustFailure.comesFirst), path: path.certificates)
        verdict.reachesAnchor = path.reachesAnchor
        verdict.rejectedPaths =
            [
                RejectedPath(
                    certificates: path.certificates, reachesAnchor: path.reachesAnchor, failures: verdict.failures)
            ]
            + survey.paths.filter { $0.certificates != path.certificates && !$0.failures.isEmpty }
        return noting(verdict)
    }
}
