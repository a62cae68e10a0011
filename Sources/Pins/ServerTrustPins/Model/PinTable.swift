// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// The rule for a host, according to the configuration's selection.
//
// For each host, find the longest listed name that equals the host or is above it, and the distance to this name: zero
// labels, one, or more. Hosts with the same name and distance are treated alike. In both cases, any other listed name
// above them is more than one label away. Three rows for each listed name therefore describe the behavior of a
// configuration for all hosts.
//
// The rows of a name are the three patterns of that name. The row of a host is the most specific pattern that matches
// it among the rows of all names. `**.` therefore covers names two or more labels below, unless a longer name is listed
// for them.

/// A configuration indexed by host. Creating a table takes time proportional to the size of the configuration.
public struct PinTable: Sendable {
    /// The configuration.
    public let configuration: PinConfiguration
    /// The listed names in file order.
    public let names: [Hostname]

    /// The domains of each name that match hosts with no label below it, with one label, and with more. Each domain has
    /// the index of its rule. Among equal names, the domain that covers fewer hosts comes first. A name can have any
    /// number of rules, so a lookup reads only the domains at its own depth.
    private let domains: [Hostname.Kind: [[(hosts: PinnedHosts, rule: Int)]]]

    /// Creates the table for a configuration.
    package init(_ configuration: PinConfiguration) {
        self.configuration = configuration
        var names: [Hostname] = []
        var domains: [Hostname.Kind: [(hosts: PinnedHosts, rule: Int)]] = [:]
        for (index, rule) in configuration.rules.enumerated() {
            for hosts in rule.hosts {
                if domains[hosts.name.kind] == nil { names.append(hosts.name) }
                domains[hosts.name.kind, default: []].append((hosts, index))
            }
        }
        self.names = names
        self.domains = domains.mapValues { domains in
            HostPattern.Kind.allCases.map { row in
                domains.filter { $0.hosts.matches(labelsBelow: row.rawValue) }
                    .sorted { ($0.hosts.below, $0.rule) < ($1.hosts.below, $1.rule) }
            }
        }
    }

    /// Returns whether a name is listed.
    package func lists(_ name: Hostname) -> Bool { domains[name.kind] != nil }

    /// The rows that together cover all hosts with a rule: three for each name, one for each address.
    package var rows: [HostPattern] { names.flatMap(\.rows) }

    /// Returns the row of `host`, or nil if neither its own name nor a name above it is listed.
    func row(of host: Hostname) -> HostPattern? {
        for (distance, name) in host.namesUpward.enumerated() where lists(name) {
            return HostPattern(HostPattern.Kind(rawValue: distance) ?? .anyDepth, name)
        }
        return nil
    }

    /// Returns the rule for `host`: the rule that applies, or the union of all that apply, or nil if no rule is for
    /// this host.
    public func rule(for host: Hostname) -> PinRule? {
        if let rule = configuration.rules.first, rule.isForAnyHost { return rule }
        return row(of: host).flatMap { rule(for: $0) }
    }

    /// Returns the rule for the hosts in a row, or nil if no rule applies to them.
    package func rule(for row: HostPattern) -> PinRule? {
        if let rule = configuration.rules.first, rule.isForAnyHost { return rule }
        let matching = matches(row)
        switch configuration.selection {
        case .mostSpecific: return matching.first.map { configuration.rules[$0.rule] }
        case .union:
            let rules = matching.map(\.rule).sorted().unique(by: \.self)
            return PinRule.union(of: rules.map { configuration.rules[$0] })
        }
    }

    /// Returns whether a rule applies to the hosts in a row, without creating the union.
    package func hasRule(for row: HostPattern) -> Bool {
        if configuration.rules.first?.isForAnyHost == true { return true }
        return row.subject.namesUpward.enumerated().contains { up, name in
            guard let domains = domains[name] else { return false }
            return !domains[min(up + row.kind.rawValue, domains.count - 1)].isEmpty
        }
    }

    /// Returns whether a rule applies to `host`.
    package func hasRule(for host: Hostname) -> Bool {
        if configuration.rules.first?.isForAnyHost == true { return true }
        return row(of: host).map { hasRule(for: $0) } ?? false
    }

    /// Returns the domains that match, the longest name first. Among equal names, the domain that covers fewer hosts
    /// comes first.
    private func matches(_ row: HostPattern) -> [(hosts: PinnedHosts, rule: Int)] {
        var found: [(hosts: PinnedHosts, rule: Int)] = []
        for (up, name) in row.subject.namesUpward.enumerated() {
            guard let domains = domains[name] else { continue }
            found += domains[min(up + row.kind.rawValue, domains.count - 1)]
        }
        return found
    }
}

extension HostPattern {
    /// The hosts in a row in words: `*.*.example.com` for the names two or more labels below.
    package var wordsForRow: String { kind == .anyDepth ? "*.*.\(name)" : description }
}

extension Hostname {
    /// The rows for this name in a table that lists it.
    package var rows: [HostPattern] { HostPattern(self).allOfName }

    /// The name itself and every name above it, up to the last label. For an address, only the address.
    package var namesUpward: [Hostname] {
        guard case .dns = kind else { return [self] }
        // The part after a dot in a host name is also a host name, unless it is a last label such as `0x1`.
        return [self]
            + kind.namesUpward.dropFirst().compactMap { above in
                guard case .dns(let text) = above else { return nil }
                return try? Hostname(text)
            }
    }
}

extension Hostname.Kind {
    /// The name itself and every part after one of its dots. For an address, only the address.
    fileprivate var namesUpward: [Hostname.Kind] {
        guard case .dns(let name) = self else { return [self] }
        var names = [self]
        var rest = name.utf8[...]
        while let dot = rest.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[rest.index(after: dot)...]
            names.append(.dns(String(Substring(rest))))
        }
        return names
    }
}

extension PinRule {
    /// Returns the union of rules, scope by scope, or nil for none. The caller guarantees the conditions of
    /// `PinConfiguration.Selection.union`.
    static func union(of rules: [PinRule]) -> PinRule? {
        guard let first = rules.first else { return nil }
        guard rules.count > 1 else { return first }
        return PinRule(
            union: first, hosts: rules.flatMap(\.hosts).unique(by: \.self),
            pins: rules.flatMap(\.pins).unique(by: Requirement.init),
            reportURIs: rules.flatMap(\.reportURIs).unique(by: \.self), settings: rules.flatMap(\.settings))
    }
}
