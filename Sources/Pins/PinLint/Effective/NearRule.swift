// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// A rule that nearly applies to a host but doesn't.
package struct NearRule: Sendable {
    /// The reason why the rule doesn't apply. Raw values are stable.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The rule's name is above the host, and the rule is only for this name.
        case subdomainsNotIncluded
        /// The rule covers names one label below its name, but the host is further below.
        case oneLabelOnly
        /// The rule is for the names below the host, but not for the host.
        case nameNotIncluded
        /// The rule covers the host, but a rule for a longer name or for fewer hosts takes precedence.
        case lessSpecific
        /// The rule's name is below the host.
        case belowHost
        /// The rule's name differs from the host by one or two letters.
        case similarName
        /// The rule's name and the host have the same parent, below a public suffix.
        case sibling
    }

    /// The rule.
    package let rule: PinRule
    /// The hosts of the rule that are near the host.
    package let hosts: PinnedHosts
    /// The reason why the rule doesn't apply.
    package let reason: Reason

    /// A human-readable description of the reason.
    package func explanation(for host: Hostname) -> String {
        switch reason {
        case .subdomainsNotIncluded: "only for \(hosts.name): its subdomains are not included"
        case .oneLabelOnly: "for names one label below \(hosts.name), but \(host) is further below"
        case .nameNotIncluded: "for names below \(hosts.name), but not for \(hosts.name) itself"
        case .lessSpecific: "also for \(hosts), but the rule for the longer name takes precedence"
        case .belowHost: "for \(hosts.name), which is below \(host)"
        case .similarName: "for \(hosts.name): another spelling?"
        case .sibling: "for \(hosts.name), another name of the same domain"
        }
    }
}

/// A search for the rules that apply to a host, and for the rules that nearly apply.
struct RuleSearch {
    private(set) var applied: [EffectivePins.Applied] = []
    /// The rules that nearly apply, the nearest first.
    private(set) var near: [NearRule] = []

    private let host: Hostname
    private let letters: [Character]
    /// The number of names that can still be compared letter by letter. A file may have a hundred thousand names.
    private var comparisonsLeft = 500
    /// The number of labels between the host and each name above it.
    private let distances: [Hostname: Int]

    init(_ host: Hostname, _ configuration: PinConfiguration) {
        self.host = host
        self.letters = Array(host.description)
        self.distances = Dictionary(
            host.namesUpward.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        if let rule = configuration.rules.first, rule.isForAnyHost {
            applied = [EffectivePins.Applied(rule: rule, hosts: nil, match: .anyHost)]
            return
        }
        var matching: [(rule: PinRule, hosts: PinnedHosts, distance: Int)] = []
        for rule in configuration.rules {
            for hosts in rule.hosts {
                if hosts.matches(host) {
                    matching.append((rule, hosts, distances[hosts.name] ?? 0))
                } else if let reason = reason(against: hosts) {
                    near.append(NearRule(rule: rule, hosts: hosts, reason: reason))
                }
            }
        }
        if configuration.selection == .mostSpecific {
            matching.sort { ($0.distance, $0.hosts.below) < ($1.distance, $1.hosts.below) }
            near += matching.dropFirst().map { NearRule(rule: $0.rule, hosts: $0.hosts, reason: .lessSpecific) }
            matching = Array(matching.prefix(1))
        }
        applied = matching.map { match in
            EffectivePins.Applied(
                rule: match.rule, hosts: match.hosts, match: match.distance == 0 ? .exact : .below(match.distance))
        }
        let order = NearRule.Reason.allCases
        near.sort { (order.firstIndex(of: $0.reason) ?? 0) < (order.firstIndex(of: $1.reason) ?? 0) }
        // If a rule applies, only the rules that it overrides are of interest. Otherwise, other names in the domain
        // are.
        if !applied.isEmpty {
            near.removeAll { $0.reason != .lessSpecific }
        } else if near.contains(where: { $0.reason != .sibling }) {
            near.removeAll { $0.reason == .sibling }
        }
    }

    /// Returns the reason why these hosts are near a host that they don't match, or nil if they aren't near it.
    private mutating func reason(against hosts: PinnedHosts) -> NearRule.Reason? {
        if let distance = distances[hosts.name] {
            if distance == 0 { return .nameNotIncluded }
            return hosts.below == .nothing ? .subdomainsNotIncluded : .oneLabelOnly
        }
        guard case .dns(let name) = hosts.name.kind, case .dns(let asked) = host.kind else { return nil }
        if name.hasSuffix("." + asked) { return .belowHost }
        if isSimilar(name) { return .similarName }
        guard let parent = host.namesUpward.dropFirst().first, !parent.isPublicSuffix else { return nil }
        return hosts.name.namesUpward.dropFirst().first == parent ? .sibling : nil
    }

    /// Returns whether a name of nearly the same length differs from the host by at most two letters.
    private mutating func isSimilar(_ name: String) -> Bool {
        guard (6...64).contains(letters.count), abs(name.utf8.count - letters.count) <= 2, comparisonsLeft > 0 else {
            return false
        }
        comparisonsLeft -= 1
        return editDistance(Array(name), letters) <= 2
    }
}
