// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustLists

/// Lists of root programs over anchors: the conditions that they put on each, and the certificates that they distrust. Both only tighten,
/// and no anchor is added.
struct AnchorOverlay: Sendable {
    private(set) var layers: [Layer] = []

    /// A list with its treatment of anchors that it doesn't have.
    struct Layer: Sendable {
        let list: RootList
        let unlisted: TrustAnchors.Unlisted
    }

    /// Creates the overlay of lists that treat absence alike.
    init(_ lists: [RootList] = [], unlisted: TrustAnchors.Unlisted = .refuse) {
        layers = lists.map { Layer(list: $0, unlisted: unlisted) }
    }

    /// Returns an overlay with the lists of both.
    func adding(_ other: AnchorOverlay) -> AnchorOverlay {
        var overlay = self
        overlay.layers += other.layers
        return overlay
    }

    /// Returns the certificates that the lists distrust, with the keys of those among anchors.
    func distrusted(among anchors: [TrustAnchor]) -> [DistrustedCertificates] {
        layers.compactMap { $0.list.distrustedCertificates(among: anchors.lazy.map(\.certificate)) }
    }

    /// Returns an anchor with the conditions of the lists besides its own. One that a complete list names is public.
    /// - Parameter isGiven: whether the anchor is the administrator's own or the caller's, so that a list that doesn't have it says nothing
    ///   about it; conditions that say so are removed.
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
