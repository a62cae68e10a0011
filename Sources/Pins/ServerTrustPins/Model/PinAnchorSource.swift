// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A source of anchors for the hosts of a rule (Android's `certificates`, TrustKit's `kTSKAdditionalTrustAnchors`).
package struct PinAnchorSource: Sendable, Hashable {
    /// The kind of a source.
    package enum Kind: Sendable, Hashable {
        /// The system's anchors.
        case system
        /// The anchors that the user of the device has added. Linux has no such store.
        case user
        /// A resource of the app that contains certificates: Android's `@raw/NAME`, without `@`.
        case resource(String)
        /// A certificate in the configuration itself.
        case certificate(Certificate)
        /// No anchor (Android's empty `trust-anchors`). As the only source, it refuses every server. Together with
        /// other sources, it has no effect.
        case none
    }

    /// The kind of the source.
    package var kind: Kind
    /// Whether a path that ends in one of the anchors needs no pin (Android's `overridePins`).
    package var overridesPins: Bool

    /// Creates a source.
    init(_ kind: Kind, overridesPins: Bool = false) {
        self.kind = kind
        self.overridesPins = overridesPins
    }

    /// The system's anchors, subject to pins.
    package static let system = PinAnchorSource(.system)
}

extension PinAnchorSource: CustomStringConvertible {
    /// A human-readable description of the source.
    package var description: String {
        let name =
            switch kind {
            case .system: "system"
            case .user: "user"
            case .resource(let name): "@\(name)"
            case .certificate(let certificate): "certificate \(certificate)"
            case .none: "no anchor"
            }
        return overridesPins ? name + " (overrides pins)" : name
    }
}
