// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The hosts that one domain of a file stands for: the name itself, names below it, or both.
///
/// | format | written | name itself | below it |
/// |---|---|---|---|
/// | ATS | `NSIncludesSubdomains` | yes | exactly one label |
/// | TrustKit, Android | `includeSubdomains` | yes | any depth |
/// | OkHttp | `*.` | no | exactly one label |
/// | OkHttp | `**.` | yes | any depth |
public struct PinnedHosts: Sendable, Hashable {
    /// The depth below its name that a domain covers.
    public enum Below: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// No host below the name.
        case nothing
        /// Exactly one label.
        case oneLabel
        /// One label or more.
        case anyDepth

        /// Orders depths by the number of hosts that they cover.
        public static func < (left: Below, right: Below) -> Bool { left.rawValue < right.rawValue }
    }

    /// The name of the domain.
    public let name: Hostname
    /// Whether the host ``name`` itself is covered.
    public let includesName: Bool
    /// The depth below the name that is covered.
    public let below: Below

    private init(name: Hostname, includesName: Bool, below: Below) {
        self.name = name
        self.includesName = includesName
        self.below = below
    }

    /// Returns the set of one host.
    package static func only(_ name: Hostname) -> PinnedHosts {
        PinnedHosts(name: name, includesName: true, below: .nothing)
    }

    /// Returns the set of a host and the hosts below it.
    /// - Returns: nil for hosts below an IP address.
    package static func host(_ name: Hostname, andBelow below: Below) -> PinnedHosts? {
        if case .ip = name.kind, below != .nothing { return nil }
        return PinnedHosts(name: name, includesName: true, below: below)
    }

    /// Returns the set of the hosts below a name, without the name itself.
    /// - Returns: nil for an empty set, and for hosts below an IP address.
    package static func below(_ name: Hostname, _ below: Below) -> PinnedHosts? {
        guard case .dns = name.kind, below != .nothing else { return nil }
        return PinnedHosts(name: name, includesName: false, below: below)
    }

    /// Returns whether the set contains `host`; names are compared label by label.
    public func matches(_ host: Hostname) -> Bool {
        guard let labels = host.labels(below: name.kind) else { return false }
        return matches(labelsBelow: labels)
    }

    /// Returns whether the set contains hosts with a number of labels before ``name``.
    func matches(labelsBelow labels: Int) -> Bool {
        switch labels {
        case 0: includesName
        case 1: below != .nothing
        default: below == .anyDepth
        }
    }
}

extension PinnedHosts: CustomStringConvertible {
    /// The host patterns of this package (`HostPattern`), `api.example.com`, `*.example.com`, `**.example.com`, and two that it has no
    /// sign for: `example.com and *.example.com`, `**.example.com without example.com`.
    public var description: String {
        switch (below, includesName) {
        case (.nothing, _): name.description
        case (.oneLabel, false): "*.\(name)"
        case (.oneLabel, true): "\(name) and *.\(name)"
        case (.anyDepth, true): "**.\(name)"
        case (.anyDepth, false): "**.\(name) without \(name)"
        }
    }
}

extension PinnedHosts {
    /// The single pattern for exactly these hosts, in the notation of `HostPattern` and OkHttp; nil if it takes several.
    package var pattern: String? {
        switch (includesName, below) {
        case (true, .nothing): name.description
        case (false, .oneLabel): "*.\(name)"
        case (true, .anyDepth): "**.\(name)"
        default: nil
        }
    }
}
