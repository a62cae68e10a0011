// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The pin requirements for the servers of some hosts.
///
/// A path has to match one pin of each scope that occurs among the rule's pins. A rule with leaf pins and authority
/// pins requires one match of each kind (ATS). A rule whose pins count anywhere requires a match with any one pin.
public struct PinRule: Sendable, Hashable {
    /// The effect of the pins.
    public enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
        /// A server that matches no pin is refused.
        case enforced
        /// A server that matches no pin is reported, and the default evaluation decides.
        case reportOnly
        /// The hosts have no pins, not even those of a parent domain. The default evaluation decides.
        case unpinned
    }

    /// The hosts. Empty for any host, as in curl's option.
    public let hosts: [PinnedHosts]
    /// The effect of the pins.
    public let mode: Mode
    /// The pins. Empty if and only if the rule exempts its hosts from pinning. No value occurs twice in a scope.
    public let pins: [Pin]
    /// The expiry of the pins, or nil for pins that don't expire.
    public let expiry: PinExpiry?
    /// The anchors for these hosts. Empty for the anchors of the configuration.
    package let anchors: [PinAnchorSource]
    /// The absolute URLs that receive failure reports. Empty for none.
    public let reportURIs: [String]
    /// A human-readable comment.
    package let comment: String?
    /// The file's settings for these hosts that don't concern pins.
    package let settings: [PinSetting]
    /// The location that the rule was read from, or nil for a rule created in code.
    public let location: PinFileLocation?

    /// Creates a rule.
    /// - Throws: ``PinRuleError`` with every contradiction between the arguments.
    package init(
        hosts: [PinnedHosts], mode: Mode = .enforced, pins: [Pin], expiry: PinExpiry? = nil,
        anchors: [PinAnchorSource] = [], reportURIs: [String] = [], comment: String? = nil,
        settings: [PinSetting] = [], location: PinFileLocation? = nil
    ) throws(PinRuleError) {
        var problems: [PinRuleError.Problem] = []
        func add(_ code: ErrorCode, _ message: String) {
            problems.append(PinRuleError.Problem(code, message, location))
        }
        if mode == .unpinned {
            if !pins.isEmpty { add(.pinFileContradiction, "pins for hosts declared as unpinned, expected none") }
        } else if pins.isEmpty {
            add(.pinFileEmptyList, "no pin, expected at least one")
        }
        var seen: Set<Requirement> = []
        for pin in pins where !seen.insert(Requirement(pin)).inserted {
            add(.pinFileDuplicatePin, "\(pin.value) occurs twice, expected once")
        }
        var seenHosts: Set<PinnedHosts> = []
        for host in hosts where !seenHosts.insert(host).inserted {
            add(.pinFileDuplicateHost, "\(host) occurs twice, expected once")
        }
        guard problems.isEmpty else { throw PinRuleError(problems: problems) }
        self.hosts = hosts
        self.mode = mode
        self.pins = pins
        self.expiry = expiry
        self.anchors = anchors
        self.reportURIs = reportURIs
        self.comment = comment
        self.settings = settings
        self.location = location
    }

    /// Creates the union of several rules without checks. The caller guarantees that there are pins and no duplicates.
    init(union first: PinRule, hosts: [PinnedHosts], pins: [Pin], reportURIs: [String], settings: [PinSetting]) {
        self.hosts = hosts
        self.mode = .enforced
        self.pins = pins
        self.expiry = nil
        self.anchors = []
        self.reportURIs = reportURIs
        self.comment = nil
        self.settings = settings
        self.location = first.location
    }

    /// The value and scope of a pin, which determine the evaluation.
    package struct Requirement: Hashable, Sendable {
        package let value: Pin.Value
        package let scope: PinScope

        package init(_ value: Pin.Value, _ scope: PinScope) {
            self.value = value
            self.scope = scope
        }

        package init(_ pin: Pin) { self.init(pin.value, pin.scope) }
    }

    /// Whether the rule is for any host.
    package var isForAnyHost: Bool { hosts.isEmpty }

    /// The rule's scopes, leaf first. A path has to match one pin in each.
    package var scopes: [PinScope] { PinScope.allCases.filter { scope in pins.contains { $0.scope == scope } } }

    /// Returns a copy of the rule for other hosts, or with other pins.
    /// - Throws: ``PinRuleError`` if a host or pin occurs twice, or if there is no pin.
    package func with(hosts: [PinnedHosts]? = nil, pins: [Pin]? = nil) throws(PinRuleError) -> PinRule {
        try PinRule(
            hosts: hosts ?? self.hosts, mode: mode, pins: pins ?? self.pins, expiry: expiry, anchors: anchors,
            reportURIs: reportURIs, comment: comment, settings: settings, location: location)
    }
}

extension PinRule: CustomStringConvertible {
    /// `**.example.com: 2 pins, enforced, until 2027-03-31T00:00:00Z, then unpinned`
    public var description: String {
        let names = hosts.isEmpty ? "any host" : hosts.map(\.description).joined(separator: ", ")
        let number = counted(pins.count, "pin")
        let end = expiry.map { ", until \($0)" } ?? ""
        return mode == .unpinned ? "\(names): unpinned" : "\(names): \(number), \(mode.words)\(end)"
    }
}

extension PinRule.Mode {
    fileprivate var words: String {
        switch self {
        case .enforced: "enforced"
        case .reportOnly: "reported"
        case .unpinned: "unpinned"
        }
    }
}

/// The contradictions that prevent the creation of a rule or a configuration.
package struct PinRuleError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A contradiction.
    package struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The kind of problem that it is in a file.
        let code: ErrorCode
        /// A human-readable description of the contradiction. Its wording may change.
        package let description: String
        /// The location of the rule, or nil if it is unknown.
        let location: PinFileLocation?

        init(_ code: ErrorCode, _ description: String, _ location: PinFileLocation?) {
            self.code = code
            self.description = description
            self.location = location
        }
    }

    /// The contradictions, at least one.
    let problems: [Problem]

    /// One line for each contradiction.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
