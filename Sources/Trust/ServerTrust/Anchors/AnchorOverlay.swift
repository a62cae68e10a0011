// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Lists of root programs that apply to anchors, with their conditions for each anchor and the certificates they
/// distrust.
///
/// A list can only restrict trust. It never adds an anchor.
struct AnchorOverlay: Sendable {
    private(set) var layers: [Layer] = []

    /// A list, and the treatment of anchors that aren't in it.
    struct Layer: Sendable {
        let list: RootList
        let unlisted: TrustAnchors.Unlisted
    }

    /// Creates an overlay from lists that treat missing anchors in the same way.
    init(_ lists: [RootList] = [], unlisted: TrustAnchors.Unlisted = .refuse) {
        layers = lists.map { Layer(list: $0, unlisted: unlisted) }
    }

    /// Returns an overlay with the lists of both.
    func adding(_ other: AnchorOverlay) -> AnchorOverlay {
        var overlay = self
        overlay.layers += other.layers
        return overlay
    }

    /// Returns the certificates that the lists distrust, with the keys of those certificates that are among `anchors`.
    func distrusted(among anchors: [TrustAnchor]) -> [DistrustedCertificates] {
        layers.compactMap { $0.list.distrustedCertificates(among: anchors.lazy.map(\.certificate)) }
    }

    /// Returns an anchor with the lists' conditions added to its own. If a complete list names the anchor, it becomes
    /// public.
    /// - Parameter isGiven: whether the administrator or the caller added the anchor. A list that doesn't contain such
    ///   an anchor sets no condition for it, and existing conditions that refuse it for this reason are removed.
    func anchor(_ anchor: TrustAnchor, isGiven: Bool) -> TrustAnchor {
        var conditions = isGiven ? anchor.conditions.filter(\.isListed) : anchor.conditions
        var isPublic = anchor.isPublic
        for layer in layers {
            let refuses = !isGiven && layer.unlisted == .refuse
            guard let found = layer.list.conditions(for: anchor.certificate, unlistedIsDistrusted: refuses) else {
                continue
            }
            if found.isListed, layer.list.isComplete { isPublic = true }
            if !conditions.contains(found) { conditions.append(found) }
        }
        guard conditions != anchor.conditions || isPublic != anchor.isPublic else { return anchor }
        return TrustAnchor(anchor, conditions: conditions, isPublic: isPublic)
    }
}
