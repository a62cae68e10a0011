// SPDX-License-Identifier: Apache-2.0

import PKIX

extension Trust {
    /// Every path on which all checks of the engine pass, in the order in which the search finds them: over a cross-signed CA there are
    /// several, and which one a client takes isn't for the server to say. Empty if the peer isn't trusted.
    ///
    /// Whoever takes pins out of a chain has to look at all of them. Exceptions and evaluators aren't asked.
    /// - Parameter limit: so many are looked for; the search's own budget bounds it as well.
    public func validPaths(limit: Int = 64) -> [ValidatedPath] {
        guard let leaf = presentedChain.leaf, limit > 0, let store = try? settings.anchors.store() else { return [] }
        var paths: [ValidatedPath] = []
        let validator = PathValidator(anchors: store, policy: settings.policy, memory: settings.signatureMemory)
        _ = validator.validate(
            leaf, presented: presentedChain.others, intermediates: settings.intermediates, host: referenceName,
            at: settings.verifyDate.time
        ) { path in
            if !paths.contains(path) { paths.append(path) }
            // Refused, so that the search goes on.
            return paths.count < limit ? [TrustFailure(.evaluatorRefused, found: .text("looking for other paths"))] : []
        }
        return paths
    }
}
