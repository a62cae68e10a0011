// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// What is asked of the servers of some hosts.
///
/// Of each scope that its pins name, one pin has to be met: a rule with leaf pins and authority pins asks for both (ATS), one whose
/// pins count anywhere for any of them.
public struct PinRule: Sendable, Hashable {
    /// What comes of the pins.
    public enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
        /// A server without a pin is refused.
        case enforced
        /// It is told, and the default evaluation decides.
        case reportOnly
        /// There are no pins, and none of a parent's either: the default evaluation decides.
        case unpinned
    }

    /// Which hosts; empty for whatever host is asked for, which curl's option means.
    public let hosts: [PinnedHosts]
    public let mode: Mode
    /// Empty exactly if the rule is ``Mode/unpinned``; no value twice in a scope.
    public let pins: [Pin]
    /// nil for pins that count until they are changed.
    public let expiry: PinExpiry?
    /// What trust ends in for these hosts; empty for what holds for all hosts.
    public let anchors: [PinAnchorSource]
    /// Where failures are reported, as absolute URLs; empty for nowhere.
    public let reportURIs: [String]
    /// For people.
    public let comment: String?
    /// What else the file said about these hosts.
    public let settings: [PinSetting]
    /// Where it was read; nil if it wasn't.
    public let place: PinPlace?

    /// - Throws: ``PinRuleError`` with everything that is wrong.
    public init(
        hosts: [PinnedHosts], mode: Mode = .enforced, pins: [Pin], expiry: PinExpiry? = nil,
        anchors: [PinAnchorSource] = [], reportURIs: [String] = [], comment: String? = nil,
        settings: [PinSetting] = [], place: PinPlace? = nil
    ) throws(PinRuleError) {
        var problems: [PinRuleError.Problem] = []
        if mode == .unpinned {
            if !pins.isEmpty { problems.append(.pinsInUnpinned) }
        } else if pins.isEmpty {
            problems.append(.noPin)
        }
        var seen: Set<Demanded> = []
        for pin in pins where !seen.insert(Demanded(pin)).inserted { problems.append(.duplicatePin(pin)) }
        var seenHosts: Set<PinnedHosts> = []
        for host in hosts where !seenHosts.insert(host).inserted { problems.append(.duplicateHosts(host)) }
        guard problems.isEmpty else { throw PinRuleError(problems: problems) }
        self.hosts = hosts
        self.mode = mode
        self.pins = pins
        self.expiry = expiry
        self.anchors = anchors
        self.reportURIs = reportURIs
        self.comment = comment
        self.settings = settings
        self.place = place
    }

    /// The rule of hosts that are not pinned although a domain above them is.
    public init(
        unpinned hosts: [PinnedHosts], anchors: [PinAnchorSource] = [], comment: String? = nil,
        settings: [PinSetting] = [], place: PinPlace? = nil
    ) throws(PinRuleError) {
        try self.init(
            hosts: hosts, mode: .unpinned, pins: [], anchors: anchors, comment: comment, settings: settings,
            place: place)
    }

    /// Several rules as one. Nothing is checked: none of them is empty, and what comes twice has been left out.
    init(union first: PinRule, hosts: [PinnedHosts], pins: [Pin], reportURIs: [String], settings: [PinSetting]) {
        self.hosts = hosts
        self.mode = .enforced
        self.pins = pins
        self.expiry = nil
        self.anchors = []
        self.reportURIs = reportURIs
        self.comment = nil
        self.settings = settings
        self.place = first.place
    }

    /// A pin as far as evaluation goes.
    package struct Demanded: Hashable, Sendable {
        package let value: Pin.Value
        package let scope: PinScope

        package init(_ value: Pin.Value, _ scope: PinScope) {
            self.value = value
            self.scope = scope
        }

        package init(_ pin: Pin) { self.init(pin.value, pin.scope) }
    }

    /// Whether the rule is for whatever host is asked for.
    public var isForAnyHost: Bool { hosts.isEmpty }

    /// The scopes of which a pin has to be met, leaf first.
    public var scopes: [PinScope] { PinScope.allCases.filter { scope in pins.contains { $0.scope == scope } } }

    /// The same rule for other hosts.
    public func with(hosts: [PinnedHosts]) throws(PinRuleError) -> PinRule {
        try PinRule(
            hosts: hosts, mode: mode, pins: pins, expiry: expiry, anchors: anchors, reportURIs: reportURIs,
            comment: comment, settings: settings, place: place)
    }
}

/// Why there is no rule: everything that is wrong.
public struct PinRuleError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Problem: Sendable, Hashable, CustomStringConvertible {
        /// An empty list would refuse everybody or nobody.
        case noPin
        /// A rule that says its hosts are not pinned, and pins.
        case pinsInUnpinned
        /// The pin comes twice in its scope.
        case duplicatePin(Pin)
        /// The hosts come twice.
        case duplicateHosts(PinnedHosts)

        public var description: String {
            switch self {
            case .noPin: "no pin, expected at least one"
            case .pinsInUnpinned: "pins for hosts that are said not to be pinned, expected none"
            case .duplicatePin(let pin): "\(pin.value) comes twice, expected once"
            case .duplicateHosts(let hosts): "\(hosts) comes twice, expected once"
            }
        }
    }

    /// Never empty.
    public let problems: [Problem]

    package init(problems: [Problem]) { self.problems = problems }

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
