// SPDX-License-Identifier: Apache-2.0

import PKIX

// A leaf that an evaluator pins and exempts from the engine's checks.
//
// The exemption covers checks of the engine: every recoverable failure (name failures of the leaf only if the evaluator
// says so), and fatal failures of the certificates above the leaf. Whatever their code and severity, it doesn't cover
// refusals by another evaluator, denied certificates or revocations. A code doesn't identify the check that failed,
// because evaluators may refuse with any code. So the search covers all paths and separates failures of additional
// checks from the engine's failures.

extension Evaluation {
    /// Returns the default verdict if it is trusted. Otherwise, if the exemption covers all failures of a path, returns
    /// the verdict with the leaf as its own anchor.
    func decide(onPinned leaf: Certificate) -> TrustVerdict {
        var plain = trust
        plain.exemption = .none
        // The rule decides on every platform, instead of the system's evaluator.
        plain.settings.systemEvaluator = nil
        let store: AnchorStore
        if let known = try? plain.settings.anchors.store() {
            store = known
        } else {
            store = .only([])
            plain.settings.anchors = plain.settings.anchors.replaced(by: TrustAnchors(store))
        }
        let found = Evaluation(trust: plain, evaluator: evaluator).decide()
        // An unreadable list might distrust the leaf.
        guard !found.isTrusted, found.result != .deny, !hasUnreadableList else { return found }
        let search = searchAllPaths(leaf, anchors: store)
        if let verdict = refusal(by: search, found) { return verdict }
        guard let agreed = search.acceptable ?? coveredPath(search) else { return found }
        return decide(onAnchor: leaf, agreed: agreed)
    }
}

// MARK: - All paths

/// The paths of a pinned leaf, by the result of their checks.
private struct PinnedLeafPaths {
    /// The first path whose failures the exemption covers and that passes all additional checks.
    var acceptable: RejectedPath?
    /// The first path whose engine failures the exemption covers, but that additional checks refuse.
    var refused: RejectedPath?
    /// The first refused path with a denied certificate.
    var denied: RejectedPath?
    /// The first refused path whose leaf is revoked.
    var revoked: RejectedPath?
    /// The paths that the search keeps, without ``continueSearch``. At most ``maximumPaths``.
    var paths: [RejectedPath] = []

    /// The maximum number of paths that the search keeps. If ``paths`` has this many, more paths may be missing.
    static let maximumPaths = 64

    /// The failure that an acceptable path returns to make the search continue.
    static let continueSearch = TrustFailure(.evaluatorRefused, found: .text("searching for other paths"))

    mutating func refuse(_ path: RejectedPath) {
        refused = refused ?? path
        if path.failures.contains(where: { $0.code == .certificateDenied }) { denied = denied ?? path }
        // A revoked leaf is revoked on every path.
        if path.failures.contains(where: { $0.code == .certificateRevoked && $0.certificate == 0 }) {
            revoked = revoked ?? path
        }
    }
}

extension Evaluation {
    private func searchAllPaths(_ leaf: Certificate, anchors: AnchorStore) -> PinnedLeafPaths {
        let exemption = trust.exemption
        let exceptions = exceptions
        var search = PinnedLeafPaths()
        let validation = self.search(leaf, anchors: anchors, excepting: { failure, _ in exemption.covers(failure) }) {
            path in
            let found = additionalChecks(path).failures
            let refusals = found.filter { failure in
                exceptions?.covers(failure, of: path.certificates.certificate(of: failure)) != true
            }
            let rejected = RejectedPath(
                certificates: path.certificates, reachesAnchor: true,
                failures: (path.excused + found).inReportOrder())
            guard refusals.isEmpty else {
                search.refuse(rejected)
                return refusals
            }
            if search.acceptable == nil { search.acceptable = rejected }
            return [PinnedLeafPaths.continueSearch]
        }
        search.paths = (validation.rejection?.paths ?? []).map { path in
            path.with(path.failures.filter { $0 != PinnedLeafPaths.continueSearch })
        }
        return search
    }

    /// Returns the best path that was tried, if the search was complete, no path reached the additional checks, and the
    /// exemption covers all failures of the engine.
    private func coveredPath(_ search: PinnedLeafPaths) -> RejectedPath? {
        guard search.refused == nil, let best = search.paths.first, !best.failures.isEmpty else { return nil }
        let isCovered = best.failures.allSatisfy { failure in
            switch failure.code.severity {
            case .recoverable: trust.exemption.covers(failure)
            // The leaf itself is pinned, so fatal failures of its CAs don't matter, but its own do.
            case .fatal: failure.certificate.map { $0 > 0 } ?? false
            case .undecided: false
            }
        }
        return isCovered ? best : nil
    }
}

// MARK: - Refusals

extension Evaluation {
    /// Returns the refusal for failures that the exemption doesn't cover, or nil if there aren't any.
    private func refusal(by search: PinnedLeafPaths, _ found: TrustVerdict) -> TrustVerdict? {
        // A path without a denied certificate replaces a path with one only if it is valid, because the exemption
        // doesn't vouch for the leaf.
        let tried = (search.denied.map { [$0] } ?? []) + search.paths + found.rejectedPaths
        if let path = firstDenied(tried) {
            let others = path.failures.filter { $0.code != .certificateDenied }
            return refusal(path, denialFailures(in: path) + others, search)
        }
        // Paths that were tried but not kept can't be checked for denied certificates.
        if !denials.isEmpty, search.paths.count >= PinnedLeafPaths.maximumPaths {
            return found
        }
        if let revoked = search.revoked { return refusal(revoked, revoked.failures, search) }
        // A search that stopped early is incomplete.
        let stopped = search.paths.first?.failures.filter { $0.code.severity == .undecided } ?? []
        guard let acceptable = search.acceptable else {
            return search.refused.map { refusal($0, $0.failures + stopped.filter(isMissing(in: $0)), search) }
        }
        return stopped.isEmpty ? nil : refusal(acceptable, acceptable.failures + stopped, search)
    }

    private func isMissing(in path: RejectedPath) -> (TrustFailure) -> Bool { { !path.failures.contains($0) } }

    /// Returns the first path with a denied certificate. If a presented certificate is denied regardless of its path,
    /// returns the first of all paths.
    private func firstDenied(_ paths: [RejectedPath]) -> RejectedPath? {
        let denials = denials
        guard !denials.isEmpty else { return nil }
        if !denials.failures(of: trust.presentedChain).isEmpty { return paths.first }
        return paths.first { !denials.failures(of: $0.certificates, reachesAnchor: $0.reachesAnchor).isEmpty }
    }

    private func refusal(
        _ path: RejectedPath, _ failures: [TrustFailure], _ search: PinnedLeafPaths
    ) -> TrustVerdict {
        var verdict = rejected(failures.inReportOrder(), path: path.certificates)
        verdict.reachesAnchor = path.reachesAnchor
        verdict.rejectedPaths =
            [verdict.asRejectedPath]
            + search.paths.filter { $0.certificates != path.certificates && !$0.failures.isEmpty }
        return addingTransparency(to: addingRevocation(to: verdict), on: path)
    }
}
