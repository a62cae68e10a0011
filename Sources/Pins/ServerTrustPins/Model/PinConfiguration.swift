// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The pins of an app, read from a file of any format, with the semantics of that format.
///
/// ```swift
/// let configuration = try PinConfiguration(reading: bytes, as: .ats, file: "Info.plist")
/// let manager = try configuration.serverTrustManager()
/// ```
///
/// Formats differ in three respects: the hosts that a domain covers, the rules that apply if several domains match, and
/// the treatment of hosts that no domain matches. The value includes all of these, so reading an ATS entry and reading
/// an Android entry produces different values.
public struct PinConfiguration: Sendable, Hashable {
    /// The rules that apply to a host that several rules match.
    package enum Selection: String, Sendable, Hashable, Codable, CaseIterable {
        /// Only one rule: the rule with the longest name, and among equal names the rule that covers fewer hosts.
        /// TrustKit, Android.
        case mostSpecific
        /// All of these rules: the union of their pins, scope by scope. ATS, OkHttp.
        case union
    }

    /// The treatment of hosts without a rule.
    public enum UnlistedHosts: String, Sendable, Hashable, Codable, CaseIterable {
        /// The default evaluation decides: the host needs a valid path for its name.
        case evaluatedByDefault
        /// The hosts are refused, as ISPCertificatePinning does and, by default, a `ServerTrustManager`.
        case refused
    }

    /// The maximum size of a file in bytes, 32 MiB. A file with 10,000 domains of ten pins each is 8 MiB long.
    package static let maximumFileSize = 32 << 20

    /// The rules in file order.
    public let rules: [PinRule]
    /// The rules that apply to a host that several rules match.
    package let selection: Selection
    /// The treatment of hosts without a rule.
    public let unlistedHosts: UnlistedHosts
    /// The anchors for hosts whose rule has no anchors. Empty for the system's.
    package let anchors: [PinAnchorSource]
    /// The additional anchors for an app that is being debugged (Android's `debug-overrides`).
    package let debugAnchors: [PinAnchorSource]
    /// A human-readable comment.
    package let comment: String?
    /// The settings in the file that don't concern pins.
    package let settings: [PinSetting]
    /// The odd problems in the file, in file order. The format's owner accepts them, and their meaning is clear.
    public private(set) var oddities: [PinFileProblem] = []
    /// The file's statements about connections without TLS, in file order.
    package internal(set) var cleartext: [CleartextStatement] = []
    /// The location of `anchors` in the file, or nil if it is unknown.
    package internal(set) var anchorsLocation: PinFileLocation?
    /// The location of `debugAnchors` in the file, or nil if it is unknown.
    package internal(set) var debugAnchorsLocation: PinFileLocation?

    /// Creates a configuration.
    /// - Parameter allowsNoRule: whether the configuration may have no rules, as in formats for more than pins.
    /// - Throws: ``PinRuleError`` with every contradiction between the rules.
    package init(
        rules: [PinRule], selection: Selection = .mostSpecific, unlistedHosts: UnlistedHosts = .evaluatedByDefault,
        anchors: [PinAnchorSource] = [], debugAnchors: [PinAnchorSource] = [], comment: String? = nil,
        settings: [PinSetting] = [], allowsNoRule: Bool = false
    ) throws(PinRuleError) {
        var problems: [PinRuleError.Problem] = []
        func add(_ code: ErrorCode, _ message: String, _ rule: PinRule?) {
            problems.append(PinRuleError.Problem(code, message, rule?.location))
        }
        if rules.isEmpty, !allowsNoRule { add(.pinFileEmptyList, "no rule for any host, expected at least one", nil) }
        if rules.count > 1 {
            for rule in rules where rule.isForAnyHost {
                let message = "a rule for any host together with other rules, expected only this rule"
                add(.pinFileContradiction, message, rule)
            }
        }
        switch selection {
        case .union:
            for rule in rules where !rule.fitsUnion {
                let hosts = rule.hosts.first.map(\.description) ?? "any host"
                add(
                    .pinFileContradiction,
                    "the rule for \(hosts) is combined with others, but isn't enforced, or has an expiry or anchors",
                    rule)
            }
        case .mostSpecific:
            var seen: Set<Domain> = []
            for rule in rules {
                for hosts in rule.hosts where !seen.insert(Domain(hosts)).inserted {
                    // The two may have different spellings. Neither rule is more specific.
                    add(.pinFileDuplicateHost, "two rules for \(hosts), expected one", rule)
                }
            }
        }
        guard problems.isEmpty else { throw PinRuleError(problems: problems) }
        self.rules = rules
        self.selection = selection
        self.unlistedHosts = unlistedHosts
        self.anchors = anchors
        self.debugAnchors = debugAnchors
        self.comment = comment
        self.settings = settings
    }

    /// Returns a copy with other rules, or nil if they contradict each other.
    package func with(rules: [PinRule]) -> PinConfiguration? {
        let configuration = try? PinConfiguration(
            rules: rules, selection: selection, unlistedHosts: unlistedHosts, anchors: anchors,
            debugAnchors: debugAnchors, comment: comment, settings: settings, allowsNoRule: true)
        return configuration?.adding(oddities: oddities)
    }

    /// Returns the configuration with additional odd problems, ordered by line.
    /// - Parameter problems: problems in a file. Problems of the grade `refused` are left out.
    package func adding(oddities problems: [PinFileProblem]) -> PinConfiguration {
        var configuration = self
        configuration.oddities = (oddities + problems.filter { $0.grade != .refused })
            .sorted { ($0.location.line ?? 0) < ($1.location.line ?? 0) }
        return configuration
    }

    /// The locations of strings that aren't pins. For each of these strings, the configuration contains a pin that no
    /// key matches.
    package var standIns: Set<PinFileLocation> {
        Set(oddities.lazy.filter { $0.code == .pinFileUnmatchablePin }.map(\.location))
    }

    /// A key for hosts. Rules with equal keys would be equally specific.
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
    /// Whether the rule can be part of a union. A union has no mode, no expiry and no anchors.
    fileprivate var fitsUnion: Bool { mode == .enforced && expiry == nil && anchors.isEmpty }
}

extension PinConfiguration: CustomStringConvertible {
    /// One line for each rule.
    public var description: String { rules.map(\.description).joined(separator: "\n") }
}
