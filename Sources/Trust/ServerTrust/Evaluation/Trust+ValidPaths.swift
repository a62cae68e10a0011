// SPDX-License-Identifier: Apache-2.0

import PKIX

extension Trust {
    /// Returns every path that passes all checks of the engine, in the order of the search. A cross-signed CA leads to
    /// several paths, and the server doesn't determine which one a client uses. Empty if the peer isn't trusted.
    ///
    /// If you derive pins from a chain, consider all of these paths. The result doesn't include paths with a denied
    /// certificate (``TrustSettings/denied``) or with one that a root list distrusts. Exceptions and evaluators don't
    /// apply.
    /// - Parameter limit: the number of paths after which the search ends. The search's own budget limits it too.
    public func validPaths(limit: Int = 64) -> [ValidatedPath] {
        guard let leaf = presentedChain.leaf, limit > 0, let store = try? settings.anchors.store() else { return [] }
        let time = settings.verifyDate.time
        let distrusted = (try? settings.anchors.distrusted()) ?? []
        let denials = Denials(DenialMemory(settings.denied, distrusted, on: self))
        var paths: [ValidatedPath] = []
        let validator = PathValidator(
            anchors: store, policy: settings.policy, memory: settings.signatureMemory,
            distrusting: distrusted)
        _ = validator.validate(
            leaf, presented: presentedChain.others, intermediates: settings.intermediates, host: referenceName,
            at: time, insecurelyExcepting: nil, timestamps: transparencyEvaluation(at: time)?.datesByIssuer
        ) { path in
            let denied = denials.failures(of: path.certificates, reachesAnchor: true)
            guard denied.isEmpty else { return denied }
            if !paths.contains(path) { paths.append(path) }
            // A failure makes the search continue.
            return paths.count < limit
                ? [TrustFailure(.evaluatorRefused, found: .text("searching for other paths"))] : []
        }
        return paths
    }
}
