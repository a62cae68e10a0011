// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The hosts that one domain in a file covers: the name itself, names below it, or both.
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
        /// Covers no host below the name.
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
    /// Whether the domain covers the host ``name`` itself.
    public let includesName: Bool
    /// The depth below the name that the domain covers.
    public let below: Below

    private init(name: Hostname, includesName: Bool, below: Below) {
        self.name = name
        self.includesName = includesName
        self.below = below
    }

    /// Returns the set that contains only one host.
    package static func only(_ name: Hostname) -> PinnedHosts {
        PinnedHosts(name: name, includesName: true, below: .nothing)
    }

    /// Returns the set of a host and the hosts below it.
    /// - Returns: the set, or nil for hosts below an IP address.
    package static func host(_ name: Hostname, andBelow below: Below) -> PinnedHosts? {
        if case .ip = name.kind, below != .nothing { return nil }
        return PinnedHosts(name: name, includesName: true, below: below)
    }

    /// Returns the set of the hosts below a name, without the name itself.
    /// - Returns: the set, or nil if it is empty or would contain hosts below an IP address.
    package static func below(_ name: Hostname, _ below: Below) -> PinnedHosts? {
        guard case .dns = name.kind, below != .nothing else { return nil }
        return PinnedHosts(name: name, includesName: false, below: below)
    }

    /// Returns whether the set contains `host`. Compares names label by label.
    public func matches(_ host: Hostname) -> Bool {
        guard let labels = host.labels(below: name.kind) else { return false }
        return matches(labelsBelow: labels)
    }

    /// Returns whether the set contains the hosts with this number of labels before ``name``.
    func matches(labelsBelow labels: Int) -> Bool {
        switch labels {
        case 0: includesName
        case 1: below != .nothing
        default: below == .anyDepth
        }
    }
}

extension PinnedHosts: CustomStringConvertible {
    /// This package's host patterns (`HostPattern`): `api.example.com`, `*.example.com`, `**.example.com`. Two kinds of
    /// sets have no such pattern: `example.com and *.example.com`, `**.example.com without example.com`.
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
    /// The single pattern for exactly these hosts, in the notation of `HostPattern` and OkHttp, or nil if the hosts
    /// need several patterns.
    var pattern: String? {
        switch (includesName, below) {
        case (true, .nothing): name.description
        case (false, .oneLabel): "*.\(name)"
        case (true, .anyDepth): "**.\(name)"
        default: nil
        }
    }
}
