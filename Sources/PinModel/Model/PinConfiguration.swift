// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The pins of an app, whatever file they were read from, with the meaning that the file's owner gives them.
///
/// ```swift
/// let configuration = try PinConfiguration(reading: bytes, as: .ats, file: "Info.plist")
/// let manager = try configuration.serverTrustManager()
/// ```
///
/// Formats differ in what a domain reaches, in what counts where two of them match, and in what happens to hosts that none
/// of them matches. All of that is part of the value: reading an ATS entry and reading an Android one gives different values.
public struct PinConfiguration: Sendable, Hashable {
    /// What counts where the hosts of several rules match.
    public enum Selection: String, Sendable, Hashable, Codable, CaseIterable {
        /// One rule alone: the one whose name is longest; at the same name the one that reaches less far. TrustKit, Android.
        case mostSpecific
        /// All of them: their pins are put together, scope by scope. ATS, OkHttp.
        case union
    }

    /// What happens to hosts of which no rule speaks.
    public enum UnlistedHosts: String, Sendable, Hashable, Codable, CaseIterable {
        /// They are evaluated by default: a valid path for the name.
        case evaluatedByDefault
        /// They are refused. ISPCertificatePinning, and a `ServerTrustManager` unless told otherwise.
        case refused
    }

    /// More than any file of pins, and little enough to keep in memory: 10,000 domains with ten pins each are 8 MiB.
    public static let maximumFileSize = 32 << 20

    /// In the order of the file.
    public let rules: [PinRule]
    public let selection: Selection
    public let unlistedHosts: UnlistedHosts
    /// What trust ends in for hosts without anchors of their own; empty for the system's.
    public let anchors: [PinAnchorSource]
    /// What trust ends in as well while an app is being debugged (Android's `debug-overrides`).
    public let debugAnchors: [PinAnchorSource]
    /// For people.
    public let comment: String?
    /// What else the file said.
    public let settings: [PinSetting]

    /// - Throws: ``PinConfigurationError`` with everything that is wrong.
    public init(
        rules: [PinRule], selection: Selection = .mostSpecific, unlistedHosts: UnlistedHosts = .evaluatedByDefault,
        anchors: [PinAnchorSource] = [], debugAnchors: [PinAnchorSource] = [], comment: String? = nil,
        settings: [PinSetting] = []
    ) throws(PinConfigurationError) {
        var problems: [PinConfigurationError.Problem] = []
        if rules.isEmpty { problems.append(.noRule) }
        if rules.count > 1 {
            problems += rules.filter(\.isForAnyHost).map { .anyHostAmongOthers($0.place) }
        }
        switch selection {
        case .union: problems += rules.filter { !$0.fitsUnion }.map { .notInUnion($0.hosts.first, $0.place) }
        case .mostSpecific:
            var seen: Set<Domain> = []
            for rule in rules {
                for hosts in rule.hosts where !seen.insert(Domain(hosts)).inserted {
                    problems.append(.duplicateHosts(hosts, rule.place))
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

    /// Two of these would be equally specific.
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
    /// In a union of rules only what can be put together has a meaning.
    fileprivate var fitsUnion: Bool { mode == .enforced && expiry == nil && anchors.isEmpty }
}

/// Why there is no configuration: everything that is wrong.
public struct PinConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Problem: Sendable, Hashable, CustomStringConvertible {
        /// Nothing is said about any host.
        case noRule
        /// Two rules are for the same hosts, perhaps written differently, and neither is the more specific one.
        case duplicateHosts(PinnedHosts, PinPlace?)
        /// A rule for whatever host is asked for beside others.
        case anyHostAmongOthers(PinPlace?)
        /// Rules that are put together are enforced, and have neither expiry nor anchors of their own.
        case notInUnion(PinnedHosts?, PinPlace?)

        public var description: String {
            switch self {
            case .noRule: "no rule for any host, expected at least one"
            case .duplicateHosts(let hosts, _): "two rules for \(hosts), expected one"
            case .anyHostAmongOthers: "a rule for whatever host is asked for beside others, expected it alone"
            case .notInUnion(let hosts, _):
                "the rule for \(hosts.map(\.description) ?? "any host") is put together with others, and is not enforced or has an expiry or anchors of its own"
            }
        }
    }

    /// Never empty.
    public let problems: [Problem]

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
