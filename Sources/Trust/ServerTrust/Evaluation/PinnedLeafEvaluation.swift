// SPDX-License-Identifier: Apache-2.0

import PKIX

// A leaf that an evaluator pins and exempts from the engine's checks.
//
// The exemption covers checks of the engine: every recoverable failure (name failures of the leaf only if the evaluator says so), and
// fatal ones of the certificates above the leaf. It covers no refusal by another evaluator, no denied certificate and no revocation,
// for every code and severity. A code doesn't identify its origin, because evaluators may refuse with any code, so the
// search runs over all paths, and the failures of additional checks are kept apart from those of the engine.

extension Evaluation {
    /// Returns the verdict by default if it is trusted; otherwise the verdict with the leaf as its own anchor, if the exemption covers all
    /// failures of a path.
    func decide(onPinned leaf: Certificate) -> TrustVerdict {
        var plain = trust
        plain.exemption = .none
        // The rule decides on every platform, not the system's evaluator.
        plain.settings.systemEvaluator = nil
        let store: AnchorStore
        if let known = try? plain.settings.anchors.store() {
            store = known
        } else {
            store = .only([])
            plain.settings.anchors = plain.settings.anchors.replaced(by: TrustAnchors(store))
        }
        let found = Evaluation(trust: plain, evaluator: evaluator).decide()
        // A list that can't be read may distrust the leaf.
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
    /// The first path whose failures the exemption covers, and that passes all additional checks.
    var acceptable: RejectedPath?
    /// The first path whose engine failures the exemption covers, and that additional checks refuse.
    var refused: RejectedPath?
    /// The first of the refused paths with a denied certificate.
    var denied: RejectedPath?
    /// The first of the refused paths whose leaf is revoked.
    var revoked: RejectedPath?
    /// The paths that the search keeps, at most ``maximumPaths``, without the failure that continues the search.
    var paths: [RejectedPath] = []

    /// The number of paths that the search keeps; if it reaches it, further paths may be missing.
    static let maximumPaths = 64

    /// The failure of an acceptable path that makes the search continue.
    static let continueSearch = TrustFailure(.evaluatorRefused, found: .text("searching for other paths"))

    mutating func refuse(_ path: RejectedPath) {
        refused = refused ?? path
        if path.failures.contains(where: { $0.code == .certificateDenied }) { denied = denied ?? path }
        // Revocation of the leaf holds for every path.
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
        let validator = PathValidator(
            anchors: anchors, policy: trust.settings.policy, memory: trust.settings.signatureMemory,
            distrusting: distrusted)
        let validation = withoutActuallyEscaping(additionalChecks) { additionalChecks in
            validator.validate(
                leaf, presented: trust.presentedChain.others, intermediates: trust.settings.intermediates,
                host: trust.referenceName, at: time, insecurelyExcepting: { failure, _ in exemption.covers(failure) },
                timestamps: transparency?.datesByIssuer
            ) { path in
                let found = additionalChecks(path).failures
                let refusals = found.filter { failure in
                    exceptions?.covers(failure, of: path.certificates.certificate(of: failure)) != true
                }
                let rejected = RejectedPath(
                    certificates: path.certificates, reachesAnchor: true,
                    failures: (path.excused + found).sorted(by: TrustFailure.comesFirst))
                guard refusals.isEmpty else {
                    search.refuse(rejected)
                    return refusals
                }
                if search.acceptable == nil { search.acceptable = rejected }
                return [PinnedLeafPaths.continueSearch]
            }
        }
        search.paths = (validation.rejection?.paths ?? []).map { path in
            RejectedPath(
                certificates: path.certificates, reachesAnchor: path.reachesAnchor,
                failures: path.failures.filter { $0 != PinnedLeafPaths.continueSearch })
        }
        return search
    }

    /// Returns the best path that was tried, if the search was complete, no path reached the additional checks, and the exemption covers
    /// all failures of the engine.
    private func coveredPath(_ search: PinnedLeafPaths) -> RejectedPath? {
        guard search.refused == nil, let best = search.paths.first, !best.failures.isEmpty else { return nil }
        let isCovered = best.failures.allSatisfy { failure in
            switch failure.code.severity {
            case .recoverable: trust.exemption.covers(failure)
            // The leaf itself is pinned: fatal failures of its CAs don't matter, its own do.
            case .fatal: failure.certificate.map { $0 > 0 } ?? false
            case .undecided: false
            }
        }
        return isCovered ? best : nil
    }
}

// MARK: - Refusals

extension Evaluation {
    /// Returns the refusal for failures beyond the exemption; nil if there are none.
    private func refusal(by search: PinnedLeafPaths, _ found: TrustVerdict) -> TrustVerdict? {
        // A path without a denial replaces one with it only if it is valid: the exemption doesn't vouch for the leaf.
        let tried = (search.denied.map { [$0] } ?? []) + search.paths + found.rejectedPaths
        if let path = firstDenied(tried) {
            let others = path.failures.filter { $0.code != .certificateDenied }
            return refusal(path, denialFailures(in: path) + others, search)
        }
        // Paths that were tried and not kept can't be checked for denied certificates.
        if !denials.isEmpty, search.paths.count >= PinnedLeafPaths.maximumPaths {
            return found
        }
        if let revoked = search.revoked { return refusal(revoked, revoked.failures, search) }
        // A stopped search is incomplete.
        let stopped = search.paths.first?.failures.filter { $0.code.severity == .undecided } ?? []
        guard let acceptable = search.acceptable else {
            return search.refused.map { refusal($0, $0.failures + stopped.filter(isMissing(in: $0)), search) }
        }
        return stopped.isEmpty ? nil : refusal(acceptable, acceptable.failures + stopped, search)
    }

    private func isMissing(in path: RejectedPath) -> (TrustFailure) -> Bool { { !path.failures.contains($0) } }

    /// Returns the first path with a denied certificate; the first of all if a presented certificate is denied on none.
    private func firstDenied(_ paths: [RejectedPath]) -> RejectedPath? {
        let denials = denials
        guard !denials.isEmpty else { return nil }
        if !denials.failures(of: trust.presentedChain).isEmpty { return paths.first }
        return paths.first { !denials.failures(of: $0.certificates, reachesAnchor: $0.reachesAnchor).isEmpty }
    }

    private func refusal(
        _ path: RejectedPath, _ failures: [TrustFailure], _ search: PinnedLeafPaths
    ) -> TrustVerdict {
        var verdict = rejected(failures.sorted(by: TrustFailure.comesFirst), path: path.certificates)
        verdict.reachesAnchor = path.reachesAnchor
        verdict.rejectedPaths =
            [
                RejectedPath(
                    certificates: path.certificates, reachesAnchor: path.reachesAnchor, failures: verdict.failures)
            ]
            + search.paths.filter { $0.certificates != path.certificates && !$0.failures.isEmpty }
        return addingTransparency(to: addingRevocation(to: verdict), on: path)
    }
}
