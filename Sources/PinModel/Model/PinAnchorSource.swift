// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Where the anchors of a rule's hosts come from (Android's `certificates`, TrustKit's `kTSKAdditionalTrustAnchors`).
public struct PinAnchorSource: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// The system's.
        case system
        /// Those that the user of the device has added. A Linux machine has no such store: none.
        case user
        /// A resource of the app that holds certificates, Android's `@raw/NAME`, without `@`.
        case resource(String)
        /// A certificate in the configuration itself.
        case certificate(Certificate)
    }

    public var kind: Kind
    /// Whether a path that ends in one of these needs no pin (Android's `overridePins`).
    public var overridesPins: Bool

    public init(_ kind: Kind, overridesPins: Bool = false) {
        self.kind = kind
        self.overridesPins = overridesPins
    }

    /// The system's anchors, under pins as any.
    public static let system = PinAnchorSource(.system)
}

extension PinAnchorSource: CustomStringConvertible {
    /// For people.
    public var description: String {
        let name =
            switch kind {
            case .system: "system"
            case .user: "user"
            case .resource(let name): "@\(name)"
            case .certificate(let certificate): "certificate \(certificate)"
            }
        return overridesPins ? name + " (overrides pins)" : name
    }
}
