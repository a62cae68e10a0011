// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// What holds for a host, by the configuration's own selection.
//
// Of all hosts, those behave alike that have the same longest listed name above them (or are it) and the same distance to it: zero
// labels, one, or more. For whichever names are listed above that one, the distance is then more than one label anyway. So the
// behaviour of a configuration for every host there is can be written down as three rows for each name that occurs.

/// Hosts that a configuration can't tell apart: a name that it lists, names one label below it, or names further below it, as far as
/// no longer name is listed for them.
public struct PinHostClass: Sendable, Hashable, CustomStringConvertible {
    public enum Distance: Int, Sendable, Hashable, CaseIterable {
        /// The name itself.
        case none
        case oneLabel
        case further
    }

    public let name: Hostname
    public let distance: Distance

    public init(_ name: Hostname, _ distance: Distance) {
        self.name = name
        self.distance = distance
    }

    /// The pattern that finds these hosts in a table of the rows of all names.
    public var description: String {
        switch distance {
        case .none: name.description
        case .oneLabel: "*.\(name)"
        case .further: "*.*.\(name)"
        }
    }
}

/// A configuration laid out for looking up hosts; making it takes a time in proportion to its size.
public struct PinTable: Sendable {
    public let configuration: PinConfiguration
    /// Every name that occurs, in the order of the file.
    public let names: [Hostname]

    /// The domains of each name, with the rules that they belong to.
    private let domains: [Hostname: [(hosts: PinnedHosts, rule: Int)]]

    public init(_ configuration: PinConfiguration) {
        self.configuration = configuration
        var names: [Hostname] = []
        var domains: [Hostname: [(hosts: PinnedHosts, rule: Int)]] = [:]
        for (index, rule) in configuration.rules.enumerated() {
            for hosts in rule.hosts {
                if domains[hosts.name] == nil { names.append(hosts.name) }
                domains[hosts.name, default: []].append((hosts, index))
            }
        }
        self.names = names
        self.domains = domains
    }

    /// Whether a name occurs.
    public func lists(_ name: Hostname) -> Bool { domains[name] != nil }

    /// The rows that together say what holds for every host: three for each name, one for each address.
    public var classes: [PinHostClass] {
        names.flatMap { name -> [PinHostClass] in
            guard case .dns = name.kind else { return [PinHostClass(name, .none)] }
            return PinHostClass.Distance.allCases.map { PinHostClass(name, $0) }
        }
    }

    /// The class that `host` belongs to; nil if no listed name is its own or above it.
    public func hostClass(of host: Hostname) -> PinHostClass? {
        for (distance, name) in host.namesUpward.enumerated() where lists(name) {
            return PinHostClass(name, PinHostClass.Distance(rawValue: min(distance, 2)) ?? .further)
        }
        return nil
    }

    /// What holds for `host`: the rule that counts, or the rules that count put together; nil if none is for it.
    public func rule(for host: Hostname) -> PinRule? {
        if let rule = configuration.rules.first, rule.isForAnyHost { return rule }
        return hostClass(of: host).flatMap { rule(for: $0) }
    }

    /// What holds for the hosts of a class.
    public func rule(for hosts: PinHostClass) -> PinRule? {
        if let rule = configuration.rules.first, rule.isForAnyHost { return rule }
        let matching = matches(hosts)
        switch configuration.selection {
        case .mostSpecific: return matching.first.map { configuration.rules[$0.rule] }
        case .union:
            var seen: Set<Int> = []
            let rules = matching.map(\.rule).sorted().filter { seen.insert($0).inserted }
            return PinRule.union(of: rules.map { configuration.rules[$0] })
        }
    }

    /// The domains that match, the longest name first, and at the same name the one that reaches less far.
    private func matches(_ hosts: PinHostClass) -> [(hosts: PinnedHosts, rule: Int)] {
        var found: [(hosts: PinnedHosts, rule: Int)] = []
        for (up, name) in hosts.name.namesUpward.enumerated() {
            guard let domains = domains[name] else { continue }
            let distance = up + hosts.distance.rawValue
            found +=
                domains.filter { $0.hosts.matches(labelsBelow: distance) }
                .sorted { ($0.hosts.below, $0.rule) < ($1.hosts.below, $1.rule) }
        }
        return found
    }
}

extension PinnedHosts {
    fileprivate func matches(labelsBelow distance: Int) -> Bool {
        switch distance {
        case 0: includesName
        case 1: below != .nothing
        default: below == .anyDepth
        }
    }
}

extension Hostname {
    /// The name itself and every name above it, down to the last label; an address alone.
    package var namesUpward: [Hostname] {
        guard case .dns(let name) = kind else { return [self] }
        var names = [self]
        var rest = name[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            // What stands behind a dot of a host name is one, save a last label such as `0x1`.
            if let above = try? Hostname(String(rest)) { names.append(above) }
        }
        return names
    }
}

extension PinRule {
    /// Rules put together, scope by scope; nil for none. Their own conditions have been seen to (``PinConfiguration/init``).
    static func union(of rules: [PinRule]) -> PinRule? {
        guard let first = rules.first else { return nil }
        guard rules.count > 1 else { return first }
        var seen: Set<Demanded> = []
        let pins = rules.flatMap(\.pins).filter { seen.insert(Demanded($0)).inserted }
        var seenHosts: Set<PinnedHosts> = []
        let hosts = rules.flatMap(\.hosts).filter { seenHosts.insert($0).inserted }
        var seenURIs: Set<String> = []
        let uris = rules.flatMap(\.reportURIs).filter { seenURIs.insert($0).inserted }
        return PinRule(union: first, hosts: hosts, pins: pins, reportURIs: uris, settings: rules.flatMap(\.settings))
    }
}
