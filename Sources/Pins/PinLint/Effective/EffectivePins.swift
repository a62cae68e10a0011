// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// The effect of a pin file on one host: the rules that apply, their pins, and all other settings of the file.
///
/// ```swift
/// let effective = EffectivePins(of: host, in: configuration, format: .android, at: .now())
/// effective.outcome                 // .pinned
/// effective.applied.map(\.match)    // [.below(1)]
/// ```
/// The rules have the semantics of the format's owner. No server is contacted, and no certificate is compared.
package struct EffectivePins: Sendable {
    /// The treatment of the host's servers. Raw values are stable.
    package enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// A server that matches no pin is refused.
        case pinned
        /// A server that matches no pin is reported, and the default evaluation decides.
        case reported
        /// The default evaluation decides.
        case notPinned
        /// Every server is refused.
        case refused
        /// The file has unknown values or parts, which may apply to the host.
        case unknown
    }

    /// The reason for an outcome. Raw values are stable.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The pins of a rule are in force.
        case inForce
        /// A rule only reports failures and enforces nothing.
        case reportOnly
        /// A rule applies to the host but has no pin: an exemption, or a rule with other settings.
        case noPin
        /// The pins have expired.
        case expired
        /// No rule is for the host.
        case noRule
        /// The rule has no anchor, so no path is valid.
        case noAnchor
    }

    /// The relation of a host to the name of a rule.
    package enum Match: Sendable, Hashable {
        /// The rule is for any host.
        case anyHost
        /// The host is the name.
        case exact
        /// The host is this number of labels below the name, at least 1.
        case below(Int)
    }

    /// A rule that applies.
    package struct Applied: Sendable {
        package let rule: PinRule
        /// The hosts that make the rule apply, or nil for a rule for any host.
        package let hosts: PinnedHosts?
        package let match: Match
    }

    /// The origin of a value. Raw values are stable.
    package enum Origin: String, Sendable, Hashable, CaseIterable {
        /// The rule, or an element around it.
        case rule
        /// The settings for the whole file.
        case file
        /// The default of the format's owner, because the file specifies nothing.
        case ownersDefault = "default"
    }

    /// The host.
    package let host: Hostname
    /// The date of the result.
    package let time: Time
    /// The treatment of the host's servers.
    package let outcome: Outcome
    /// The reason for the outcome. If the outcome is unknown, it is the reason from the parts that were read.
    package let reason: Reason
    /// The rules that apply. There can be several if the format unites them.
    package let applied: [Applied]
    /// The combined rule, or nil if none applies.
    package let rule: PinRule?
    /// The anchors of the host. Empty for the system's.
    package let anchors: [PinAnchorSource]
    /// The origin of the anchors.
    package let anchorsOrigin: Origin
    /// The additional anchors while the app is being debugged.
    package let debugAnchors: [PinAnchorSource]
    /// The settings that don't concern pins. The rule's settings come before the file's.
    package let settings: [(setting: PinSetting, origin: Origin)]
    /// The rules that nearly apply but don't, at most ten.
    package let near: [NearRule]
    /// The number of other rules that nearly apply.
    package let furtherNear: Int

    /// The expiry of the pins, or nil if they don't expire or there are no pins.
    package var expiry: PinExpiry? { rule?.expiry }

    /// Returns the reason why no server of the app matches a pin, or nil if nothing is known about the pin.
    package static func remark(on pin: Pin) -> String? {
        guard case .key(let key) = pin.value, let kind = KnownPins.kind(of: key) else { return nil }
        return switch kind {
        case .nothing, .placeholder: "never matches: \(kind.words)"
        case .sample, .retired: kind.words
        case .rotating: "\(kind.words), which the CA replaces without notice"
        }
    }

    /// Finds the rules for a host.
    /// - Parameters:
    ///   - host: the host, as a client requests it.
    ///   - configuration: the configuration of the file.
    ///   - format: the format of the file, for its owner's defaults, or nil if unknown.
    ///   - time: the date that the expiry of pins is compared with.
    package init(of host: Hostname, in configuration: PinConfiguration, format: PinFormat?, at time: Time) {
        let rule = PinTable(configuration).rule(for: host)
        let search = RuleSearch(host, configuration)
        self.host = host
        self.time = time
        self.rule = rule
        self.applied = search.applied
        self.near = Array(search.near.prefix(10))
        self.furtherNear = max(0, search.near.count - 10)
        self.debugAnchors = configuration.debugAnchors
        let own = rule?.anchors ?? []
        self.anchors = own.isEmpty ? configuration.anchors : own
        self.anchorsOrigin = !own.isEmpty ? .rule : configuration.anchors.isEmpty ? .ownersDefault : .file
        let ofRule = rule?.settings ?? []
        let keys = Set(ofRule.map(\.key))
        self.settings =
            ofRule.map { ($0, .rule) }
            + configuration.settings.filter { !keys.contains($0.key) }.map { ($0, .file) }
            + Self.defaults(of: format, without: keys.union(configuration.settings.map(\.key)))
        let (outcome, reason) = Self.outcome(rule, anchors, configuration, time)
        // The location of a part that isn't a literal doesn't reveal the part's hosts. The part may also override a
        // rule that was read.
        self.outcome = configuration.oddities.contains { $0.code == .pinFileNotLiteral } ? .unknown : outcome
        self.reason = reason
    }

    /// Returns the defaults that matter for pins. Apps for Android 9 and later don't permit cleartext
    /// (NetworkSecurityConfig.java, getDefaultBuilder).
    private static func defaults(
        of format: PinFormat?, without keys: Set<String>
    ) -> [(setting: PinSetting, origin: Origin)] {
        guard format == .android, !keys.contains("cleartextTrafficPermitted") else { return [] }
        return [(PinSetting(.android, "cleartextTrafficPermitted", "false"), .ownersDefault)]
    }

    private static func outcome(
        _ rule: PinRule?, _ anchors: [PinAnchorSource], _ configuration: PinConfiguration, _ time: Time
    ) -> (Outcome, Reason) {
        if !anchors.isEmpty, anchors.allSatisfy({ $0.kind == .none }) { return (.refused, .noAnchor) }
        guard let rule else { return (configuration.unlistedHosts == .refused ? .refused : .notPinned, .noRule) }
        guard rule.mode != .unpinned else { return (.notPinned, .noPin) }
        if let expiry = rule.expiry, expiry.hasPassed(at: time) {
            return (expiry.onExpiry == .failOpen ? .notPinned : .refused, .expired)
        }
        return rule.mode == .reportOnly ? (.reported, .reportOnly) : (.pinned, .inForce)
    }
}
