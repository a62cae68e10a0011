// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// The effect of a file of pins on one host: the rules that apply, their pins and all that the file says besides.
///
/// ```swift
/// let effective = EffectivePins(of: host, in: configuration, format: .android, at: .now())
/// effective.outcome                 // .pinned
/// effective.applied.map(\.match)    // [.below(1)]
/// ```
/// The rules are those of the format's owner. No server is asked, and no certificate is compared.
package struct EffectivePins: Sendable {
    /// The treatment of the host's servers. Raw values are stable.
    package enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// A server without a pin is refused.
        case pinned
        /// A server without a pin is reported, and default evaluation decides.
        case reported
        /// Default evaluation decides.
        case notPinned
        /// Every server is refused.
        case refused
        /// The file has values or parts that are not known, which may be for the host.
        case unknown
    }

    /// The reason for an outcome. Raw values are stable.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The pins of a rule are in force.
        case inForce
        /// A rule reports, and enforces nothing.
        case reportOnly
        /// A rule is for the host, and has no pin: an exemption, or a rule with other settings.
        case noPin
        /// The pins have expired.
        case expired
        /// No rule is for the host.
        case noRule
        /// The rule has no anchor, so that no path is valid.
        case noAnchor
    }

    /// The relation of a host to the name of a rule.
    package enum Match: Sendable, Hashable {
        /// The rule is for any host.
        case anyHost
        /// The host is the name.
        case exact
        /// The host is below the name by this number of labels, at least 1.
        case below(Int)
    }

    /// A rule that applies.
    package struct Applied: Sendable {
        package let rule: PinRule
        /// The hosts by which the rule applies; nil for a rule for any host.
        package let hosts: PinnedHosts?
        package let match: Match
    }

    /// The origin of a value. Raw values are stable.
    package enum Origin: String, Sendable, Hashable, CaseIterable {
        /// The rule, or a rule around it.
        case rule
        /// The settings for the whole file.
        case file
        /// The default of the format's owner, as the file says nothing.
        case ownersDefault = "default"
    }

    /// The host.
    package let host: Hostname
    /// The date of the answer.
    package let time: Time
    /// The treatment of the host's servers.
    package let outcome: Outcome
    /// The reason for the outcome; that of the parts that were read if the outcome is unknown.
    package let reason: Reason
    /// The rules that apply; several where the format unites them.
    package let applied: [Applied]
    /// The rule that they amount to; nil if none applies.
    package let rule: PinRule?
    /// The anchors of the host; empty for those of the system.
    package let anchors: [PinAnchorSource]
    /// The origin of the anchors.
    package let anchorsOrigin: Origin
    /// The additional anchors while the app is being debugged.
    package let debugAnchors: [PinAnchorSource]
    /// The settings that have nothing to do with pins, those of the rule before those of the file.
    package let settings: [(setting: PinSetting, origin: Origin)]
    /// The rules that don't apply and nearly do, at most ten.
    package let near: [NearRule]
    /// The number of further rules that nearly apply.
    package let furtherNear: Int

    /// The expiry of the pins; nil if they have none or if there are no pins.
    package var expiry: PinExpiry? { rule?.expiry }

    /// Returns the reason why no server of the app meets a pin; nil for a pin of which nothing is known.
    package static func remark(on pin: Pin) -> String? {
        guard case .key(let key) = pin.value else { return nil }
        return switch KnownPins.kind(of: key) {
        case .nothing(let input): "never met: the SHA-256 of \(input)"
        case .placeholder: "never met: a placeholder"
        case .sample(let document): "a sample of \(document)"
        case .retired(let authority): "the key of \(authority)"
        case .rotating(let authority): "the key of \(authority), which the CA replaces without notice"
        case nil: nil
        }
    }

    /// Finds the rules for a host.
    /// - Parameters:
    ///   - host: the host, as a client asks for it.
    ///   - configuration: the configuration of the file.
    ///   - format: the format of the file, for its owner's defaults; nil if unknown.
    ///   - time: the date with which the expiry of pins is compared.
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
        // The place of a part that isn't literal says nothing about its hosts, and it may take back a rule that was read.
        self.outcome = configuration.oddities.contains { $0.code == .pinFileNotLiteral } ? .unknown : outcome
        self.reason = reason
    }

    /// Returns the defaults that matter to pins: cleartext is not permitted to apps for Android 9 and later (NetworkSecurityConfig.java,
    /// getDefaultBuilder).
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
