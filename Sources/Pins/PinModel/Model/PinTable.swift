// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// The rule for a host, by the configuration's own selection.
//
// Two hosts are treated alike if the longest listed name that is their own or above them is the same, and so is their distance to it:
// zero labels, one, or more. Any other listed name above them is then more than one label away in both cases. So three rows for
// each listed name state the behaviour of a configuration for all hosts.

/// A class of hosts that a configuration treats alike: a listed name, names one label below it, or names further below it, as far as
/// no longer name is listed for them.
package struct PinHostClass: Sendable, Hashable, CustomStringConvertible {
    /// The number of labels between a host and a listed name.
    package enum Distance: Int, Sendable, Hashable, CaseIterable {
        /// No label: the name itself.
        case none
        /// Exactly one label.
        case oneLabel
        /// Two labels or more.
        case further
    }

    /// The listed name.
    package let name: Hostname
    /// The distance of the hosts to the name.
    package let distance: Distance

    /// Creates the class of hosts at a distance to a name.
    package init(_ name: Hostname, _ distance: Distance) {
        self.name = name
        self.distance = distance
    }

    /// The pattern that selects these hosts in a table with rows for all names.
    package var description: String {
        switch distance {
        case .none: name.description
        case .oneLabel: "*.\(name)"
        case .further: "*.*.\(name)"
        }
    }
}

/// A configuration indexed by host. Making a table takes time proportional to the size of the configuration.
public struct PinTable: Sendable {
    /// The configuration.
    package let configuration: PinConfiguration
    /// The listed names in the order of the file.
    public let names: [Hostname]

    /// The domains of each name that match hosts without a label below it, with one, and with more, each with the index of its rule; of equal
    /// names the one that covers fewer hosts first. Any number of rules may be for one name, so that a look-up reads no others.
    private let domains: [Hostname: [[(hosts: PinnedHosts, rule: Int)]]]

    /// Creates a table of a configuration.
    package init(_ configuration: PinConfiguration) {
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
        self.domains = domains.mapValues { domains in
            PinHostClass.Distance.allCases.map { distance in
                domains.filter { $0.hosts.matches(labelsBelow: distance.rawValue) }
                    .sorted { ($0.hosts.below, $0.rule) < ($1.hosts.below, $1.rule) }
            }
        }
    }

    /// Returns whether a name is listed.
    package func lists(_ name: Hostname) -> Bool { domains[name] != nil }

    /// The classes that together cover all hosts with a rule: three for each name, one for each address.
    package var classes: [PinHostClass] {
        names.flatMap { name -> [PinHostClass] in
            guard case .dns = name.kind else { return [PinHostClass(name, .none)] }
            return PinHostClass.Distance.allCases.map { PinHostClass(name, $0) }
        }
    }

    /// Returns the class of `host`; nil if no listed name is its own or above it.
    package func hostClass(of host: Hostname) -> PinHostClass? {
        for (distance, name) in host.namesUpward.enumerated() where lists(name) {
            return PinHostClass(name, PinHostClass.Distance(rawValue: min(distance, 2)) ?? .further)
        }
        return nil
    }

    /// Returns the rule for `host`: the one that applies, or the union of those that do; nil if none is for it.
    public func rule(for host: Hostname) -> PinRule? {
        if let rule = configuration.rules.first, rule.isForAnyHost { return rule }
        return hostClass(of: host).flatMap { rule(for: $0) }
    }

    /// Returns the rule for the hosts of a class; nil if none is for them.
    package func rule(for hosts: PinHostClass) -> PinRule? {
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

    /// Returns whether a rule is for the hosts of a class, without making their union.
    package func hasRule(for hosts: PinHostClass) -> Bool {
        if configuration.rules.first?.isForAnyHost == true { return true }
        return hosts.name.namesUpward.enumerated().contains { up, name in
            guard let domains = domains[name] else { return false }
            return !domains[min(up + hosts.distance.rawValue, domains.count - 1)].isEmpty
        }
    }

    /// Returns whether a rule is for `host`.
    package func hasRule(for host: Hostname) -> Bool {
        if configuration.rules.first?.isForAnyHost == true { return true }
        return hostClass(of: host).map { hasRule(for: $0) } ?? false
    }

    /// Returns the domains that match, the longest name first, and at the same name the one that covers fewer hosts.
    private func matches(_ hosts: PinHostClass) -> [(hosts: PinnedHosts, rule: Int)] {
        var found: [(hosts: PinnedHosts, rule: Int)] = []
        for (up, name) in hosts.name.namesUpward.enumerated() {
            guard let domains = domains[name] else { continue }
            found += domains[min(up + hosts.distance.rawValue, domains.count - 1)]
        }
        return found
    }
}

extension Hostname {
    /// The name itself and every name above it, down to the last label; for an address the address alone.
    package var namesUpward: [Hostname] {
        guard case .dns(let name) = kind else { return [self] }
        var names = [self]
        var rest = name[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            // The text behind a dot of a host name is a host name, except for a last label such as `0x1`.
            if let above = try? Hostname(String(rest)) { names.append(above) }
        }
        return names
    }
}

extension PinRule {
    /// Returns the union of rules, scope by scope; nil for none. The caller guarantees ``PinConfiguration/Selection/union``'s conditions.
    static func union(of rules: [PinRule]) -> PinRule? {
        guard let first = rules.first else { return nil }
        guard rules.count > 1 else { return first }
        var seen: Set<Requirement> = []
        let pins = rules.flatMap(\.pins).filter { seen.insert(Requirement($0)).inserted }
        var seenHosts: Set<PinnedHosts> = []
        let hosts = rules.flatMap(\.hosts).filter { seenHosts.insert($0).inserted }
        var seenURIs: Set<String> = []
        let uris = rules.flatMap(\.reportURIs).filter { seenURIs.insert($0).inserted }
        return PinRule(union: first, hosts: hosts, pins: pins, reportURIs: uris, settings: rules.flatMap(\.settings))
    }
}
