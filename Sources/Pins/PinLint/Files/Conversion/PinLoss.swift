// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

/// Information in a configuration that a file written from it lacks.
public struct PinLoss: Sendable, Hashable, CustomStringConvertible {
    /// The stable, machine-readable kind of a loss. Future versions may add codes.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name.
        public let name: String
        private init(_ name: String) { self.name = name }
        /// The name.
        public var description: String { name }

        /// Hosts are no longer pinned.
        package static let hostsNotPinned = Code("hostsNotPinned")
        /// Additional hosts are pinned.
        static let hostsPinnedToo = Code("hostsPinnedToo")
        /// More pins are accepted for some hosts.
        static let morePins = Code("morePins")
        /// Fewer pins are accepted for some hosts.
        static let fewerPins = Code("fewerPins")
        /// Pins apply to other certificates of the path.
        package static let scope = Code("scope")
        /// Pinned certificates became pins of their keys.
        static let certificates = Code("certificates")
        /// Report-only pins are enforced, or enforced pins only reported.
        static let mode = Code("mode")
        /// Pins no longer expire, or expire at a different time.
        static let expiry = Code("expiry")
        /// The behavior after the expiry date changed.
        static let onExpiry = Code("expiryAfterwards")
        /// Anchors changed.
        static let anchors = Code("anchors")
        /// The treatment of hosts without a rule changed.
        static let unlistedHosts = Code("unlistedHosts")
        /// URLs for reports are missing.
        static let reportURIs = Code("reportURIs")
        /// The roles of pins are missing.
        static let roles = Code("roles")
        /// The dates of pins are missing.
        static let dates = Code("dates")
        /// Comments are missing.
        static let comments = Code("comments")
        /// Settings of another format are missing.
        static let settings = Code("settings")
    }

    /// The effect of a loss on connections.
    public enum Effect: String, Sendable, Hashable, Codable, CaseIterable {
        /// More servers are accepted.
        case weaker
        /// Fewer servers are accepted: users can be locked out.
        case stricter
        /// Some additional servers are accepted, and some others are refused.
        case different
        /// No effect.
        case none
    }

    /// The kind of the loss.
    public var code: Code
    /// The hosts, with `*.example.com` for names one label below, or nil for the whole file.
    public var hosts: String?
    /// The effect on connections.
    public var effect: Effect
    /// A human-readable description of both sides. Its wording may change.
    public var detail: String

    init(_ code: Code, _ hosts: String?, _ effect: Effect, _ detail: String) {
        self.code = code
        self.hosts = hosts
        self.effect = effect
        self.detail = detail
    }

    /// The loss on one line, such as `*.*.example.com: no longer pinned (weaker) [hostsNotPinned]`.
    public var description: String {
        (hosts.map { "\($0): " } ?? "") + detail + (effect == .none ? "" : " (\(effect.rawValue))") + " [\(code)]"
    }
}
