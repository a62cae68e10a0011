// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The pins of an app, read from a file of any format, with the semantics of that format.
///
/// ```swift
/// let configuration = try PinConfiguration(reading: bytes, as: .ats, file: "Info.plist")
/// let manager = try configuration.serverTrustManager()
/// ```
///
/// Formats differ in the hosts that a domain covers, in the rules that apply where several domains match, and in the treatment of hosts
/// that none matches. All of that is part of the value: reading an ATS entry and reading an Android one gives different values.
public struct PinConfiguration: Sendable, Hashable {
    /// The rules that apply where the hosts of several rules match.
    package enum Selection: String, Sendable, Hashable, Codable, CaseIterable {
        /// One rule alone: the one with the longest name, and at the same name the one that covers fewer hosts. TrustKit, Android.
        case mostSpecific
        /// All of them: the union of their pins, scope by scope. ATS, OkHttp.
        case union
    }

    /// The treatment of hosts without a rule.
    public enum UnlistedHosts: String, Sendable, Hashable, Codable, CaseIterable {
        /// The hosts are evaluated by default: a valid path for the name.
        case evaluatedByDefault
        /// The hosts are refused, as by ISPCertificatePinning and, by default, by a `ServerTrustManager`.
        case refused
    }

    /// The maximum size of a file in bytes, 32 MiB; 10,000 domains with ten pins each are 8 MiB.
    package static let maximumFileSize = 32 << 20

    /// The rules in the order of the file.
    public let rules: [PinRule]
    /// The rules that apply where several match.
    package let selection: Selection
    /// The treatment of hosts without a rule.
    public let unlistedHosts: UnlistedHosts
    /// The anchors for hosts whose rule has none of its own; empty for the system's.
    package let anchors: [PinAnchorSource]
    /// The additional anchors while an app is being debugged (Android's `debug-overrides`).
    package let debugAnchors: [PinAnchorSource]
    /// A comment for people.
    package let comment: String?
    /// The settings of the file that have nothing to do with pins.
    package let settings: [PinSetting]
    /// The odd problems of the file, in its order: the owner of the format accepts them, and their meaning is clear.
    public private(set) var oddities: [PinFileProblem] = []
    /// The statements of the file about connections without TLS, in its order.
    package private(set) var cleartext: [CleartextStatement] = []
    /// The location of `anchors` in the file; nil if it is unknown.
    package private(set) var anchorsLocation: PinFileLocation?
    /// The location of `debugAnchors` in the file; nil if it is unknown.
    package private(set) var debugAnchorsLocation: PinFileLocation?

    /// Creates a configuration.
    /// - Parameter allowsNoRule: whether a configuration without a rule is one, as in formats that hold more than pins.
    /// - Throws: ``PinConfigurationError`` with every contradiction between the rules.
    package init(
        rules: [PinRule], selection: Selection = .mostSpecific, unlistedHosts: UnlistedHosts = .evaluatedByDefault,
        anchors: [PinAnchorSource] = [], debugAnchors: [PinAnchorSource] = [], comment: String? = nil,
        settings: [PinSetting] = [], allowsNoRule: Bool = false
    ) throws(PinConfigurationError) {
        var problems: [PinConfigurationError.Problem] = []
        if rules.isEmpty, !allowsNoRule { problems.append(.noRule) }
        if rules.count > 1 {
            problems += rules.filter(\.isForAnyHost).map { .anyHostAmongOthers($0.location) }
        }
        switch selection {
        case .union: problems += rules.filter { !$0.fitsUnion }.map { .notInUnion($0.hosts.first, $0.location) }
        case .mostSpecific:
            var seen: Set<Domain> = []
            for rule in rules {
                for hosts in rule.hosts where !seen.insert(Domain(hosts)).inserted {
                    problems.append(.duplicateHosts(hosts, rule.location))
                }
            }
        }
        guard problems.isEmpty else { throw PinConfigurationError(problems: problems) }
        self.rules = rules
        self.selection = selection
        self.unlistedHosts = unlistedHosts
        self.anchors = anchors
        self.debugAnchors = debugAnchors
        self.comment = comment
        self.settings = settings
    }

    /// Returns the configuration with statements about connections without TLS.
    package func stating(_ cleartext: [CleartextStatement]) -> PinConfiguration {
        var configuration = self
        configuration.cleartext = cleartext
        return configuration
    }

    /// Returns the configuration with the locations of its anchors.
    package func locating(anchors: PinFileLocation?, debugAnchors: PinFileLocation?) -> PinConfiguration {
        var configuration = self
        configuration.anchorsLocation = anchors
        configuration.debugAnchorsLocation = debugAnchors
        return configuration
    }

    /// Returns the configuration with further odd problems, by line.
    /// - Parameter problems: problems of a file; those of the grade `refused` are left out.
    package func adding(oddities problems: [PinFileProblem]) -> PinConfiguration {
        var configuration = self
        configuration.oddities = (oddities + problems.filter { $0.grade != .refused })
            .sorted { ($0.location.line ?? 0) < ($1.location.line ?? 0) }
        return configuration
    }

    /// The locations of texts that are no pins. The configuration has a pin that no key meets for each.
    package var standIns: Set<PinFileLocation> {
        Set(oddities.lazy.filter { $0.code == .pinFileUnmatchablePin }.map(\.location))
    }

    /// A key for hosts; rules with equal keys would be equally specific.
    private struct Domain: Hashable {
        let name: Hostname
        let below: PinnedHosts.Below

        init(_ hosts: PinnedHosts) {
            self.name = hosts.name
            self.below = hosts.below
        }
    }
}

extension PinRule {
    /// Whether the rule can be part of a union, which has neither a mode, nor an expiry, nor anchors of its own.
    fileprivate var fitsUnion: Bool { mode == .enforced && expiry == nil && anchors.isEmpty }
}

extension PinConfiguration: CustomStringConvertible {
    /// One line for each rule.
    public var description: String { rules.map(\.description).joined(separator: "\n") }
}

/// The contradictions for which a configuration can't be created.
package struct PinConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A contradiction.
    package enum Problem: Sendable, Hashable, CustomStringConvertible {
        /// There is no rule.
        case noRule
        /// Two rules are for the same hosts, perhaps in different spellings, and neither is more specific.
        case duplicateHosts(PinnedHosts, PinFileLocation?)
        /// A rule for any host stands beside others.
        case anyHostAmongOthers(PinFileLocation?)
        /// A rule in a union is not enforced, or has an expiry or anchors of its own.
        case notInUnion(PinnedHosts?, PinFileLocation?)

        /// The contradiction, for people; its wording may change.
        package var description: String {
            switch self {
            case .noRule: "no rule for any host, expected at least one"
            case .duplicateHosts(let hosts, _): "two rules for \(hosts), expected one"
            case .anyHostAmongOthers: "a rule for whatever host is asked for beside others, expected it alone"
            case .notInUnion(let hosts, _):
                "the rule for \(hosts.map(\.description) ?? "any host") is put together with others, and is not enforced or has an expiry or anchors of its own"
            }
        }
    }

    /// The contradictions; never empty.
    package let problems: [Problem]

    /// One line for each contradiction.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
