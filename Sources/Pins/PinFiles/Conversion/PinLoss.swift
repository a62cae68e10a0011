// SPDX-License-Identifier: Apache-2.0

import PinModel

/// Information in a configuration that a file written from it lacks.
public struct PinLoss: Sendable, Hashable, CustomStringConvertible {
    /// The kind of a loss, stable for programs. The set of codes may grow.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name.
        public let name: String
        private init(_ name: String) { self.name = name }
        /// The name.
        public var description: String { name }

        /// Hosts are no longer pinned.
        package static let hostsNotPinned = Code("hostsNotPinned")
        /// Additional hosts are pinned.
        package static let hostsPinnedToo = Code("hostsPinnedToo")
        /// More pins are accepted for some hosts.
        package static let morePins = Code("morePins")
        /// Fewer pins are accepted for some hosts.
        package static let fewerPins = Code("fewerPins")
        /// Pins count for other certificates of the path.
        package static let scope = Code("scope")
        /// Whole certificates have become pins of their keys.
        package static let certificates = Code("certificates")
        /// Report-only pins are enforced, or enforced pins only reported.
        package static let mode = Code("mode")
        /// Pins no longer expire, or expire at another time.
        package static let expiry = Code("expiry")
        /// The behavior after the expiry has changed.
        package static let onExpiry = Code("expiryAfterwards")
        /// Anchors have changed.
        package static let anchors = Code("anchors")
        /// The treatment of hosts without a rule has changed.
        package static let unlistedHosts = Code("unlistedHosts")
        /// URLs for reports are missing.
        package static let reportURIs = Code("reportURIs")
        /// Roles of pins are missing.
        package static let roles = Code("roles")
        /// Dates of pins are missing.
        package static let dates = Code("dates")
        /// Comments are missing.
        package static let comments = Code("comments")
        /// Settings of another format are missing.
        package static let settings = Code("settings")
    }

    /// The effect of a loss on connections.
    public enum Effect: String, Sendable, Hashable, Codable, CaseIterable {
        /// More servers are accepted.
        case weaker
        /// Fewer servers are accepted: users can be locked out.
        case stricter
        /// Both, for different servers.
        case different
        /// No effect.
        case none
    }

    /// The kind of the loss.
    public var code: Code
    /// The hosts, `*.example.com` for names one label below; nil for the whole file.
    public var hosts: String?
    /// The effect on connections.
    public var effect: Effect
    /// Both sides, for people; the wording may change.
    public var detail: String

    init(_ code: Code, _ hosts: String?, _ effect: Effect, _ detail: String) {
        self.code = code
        self.hosts = hosts
        self.effect = effect
        self.detail = detail
    }

    /// `*.*.example.com: not pinned any more (weaker) [hostsNotPinned]`
    public var description: String {
        (hosts.map { "\($0): " } ?? "") + detail + (effect == .none ? "" : " (\(effect.rawValue))") + " [\(code)]"
    }
}
