// SPDX-License-Identifier: Apache-2.0

import PinModel

/// Something that a file says and another one, written from it, doesn't.
public struct PinLoss: Sendable, Hashable, CustomStringConvertible {
    /// What kind of thing it is, stable for programs. More may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        public let name: String
        private init(_ name: String) { self.name = name }
        public var description: String { name }

        /// Hosts that were pinned aren't any more.
        public static let hostsNotPinned = Code("hostsNotPinned")
        /// Hosts that weren't pinned are now.
        public static let hostsPinnedToo = Code("hostsPinnedToo")
        /// More pins are accepted for some hosts.
        public static let morePins = Code("morePins")
        /// Fewer pins are accepted for some hosts.
        public static let fewerPins = Code("fewerPins")
        /// Pins count in other places of the path.
        public static let scope = Code("scope")
        /// Whole certificates have become pins of their keys.
        public static let certificates = Code("certificates")
        /// What was only to be reported is enforced, or the other way round.
        public static let mode = Code("mode")
        /// Pins that run out don't any more, or at another time.
        public static let expiry = Code("expiry")
        /// What comes after the expiry has changed.
        public static let expiryAfterwards = Code("expiryAfterwards")
        /// Anchors for certain hosts.
        public static let anchors = Code("anchors")
        /// What happens to hosts without a rule.
        public static let unlistedHosts = Code("unlistedHosts")
        /// Where failures are reported.
        public static let reportURIs = Code("reportURIs")
        /// Which pins are backups.
        public static let roles = Code("roles")
        /// When pins were put into the list.
        public static let dates = Code("dates")
        public static let comments = Code("comments")
        /// A setting of one format that no other has.
        public static let settings = Code("settings")
    }

    /// What it does to connections.
    public enum Effect: String, Sendable, Hashable, Codable, CaseIterable {
        /// Servers are accepted that weren't.
        case weaker
        /// Servers are refused that weren't: users can be locked out.
        case stricter
        /// Both, for different servers.
        case different
        /// None.
        case none
    }

    public var code: Code
    /// The hosts it is about, `*.example.com` for names one label below; nil if it is about the whole file.
    public var hosts: String?
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
