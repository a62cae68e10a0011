// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

// Checks rules for a domain together with rules for names below it.

extension PinLintContext {
    mutating func checkFamilies() {
        var rules: [Hostname: [(hosts: PinnedHosts, rule: PinRule)]] = [:]
        for rule in configuration.rules {
            for hosts in rule.hosts { rules[hosts.name, default: []].append((hosts, rule)) }
        }
        for child in configuration.rules {
            var seen: Set<PinFileLocation?> = []
            for hosts in child.hosts where hosts.includesName {
                for name in hosts.name.namesUpward.dropFirst() {
                    for parent in rules[name] ?? [] {
                        guard charge(64) else { return }
                        guard parent.hosts.matches(hosts.name), seen.insert(parent.rule.location).inserted else {
                            continue
                        }
                        compare(child, hosts, parent.rule, parent.hosts)
                    }
                }
            }
        }
    }

    private mutating func compare(_ child: PinRule, _ hosts: PinnedHosts, _ parent: PinRule, _ above: PinnedHosts) {
        guard parent.mode != .unpinned else { return }
        let location = child.location ?? parent.location
        switch child.mode {
        case .unpinned:
            add(
                .exempted, at: location, subject: "\(hosts)",
                "\(hosts) is not pinned, although the rule for \(above) covers it")
        case .reportOnly where parent.mode == .enforced:
            add(
                .parentAndChild, at: location, subject: "\(hosts)",
                "\(hosts) is only reported, not enforced, although the enforced rule for \(above) covers it")
        case .enforced, .reportOnly:
            comparePins(child, hosts, parent, above)
        }
    }

    private mutating func comparePins(
        _ child: PinRule, _ hosts: PinnedHosts, _ parent: PinRule, _ above: PinnedHosts
    ) {
        guard charge(64 * (child.pins.count + parent.pins.count)) else { return }
        let own = Set(child.pins.map(PinRule.Requirement.init))
        let others = Set(parent.pins.map(PinRule.Requirement.init))
        let missing = others.subtracting(own).count
        guard missing > 0 else { return }
        switch configuration.selection {
        case .union:
            add(
                .parentAndChild, at: child.location ?? parent.location, subject: "\(hosts)",
                "\(hosts) accepts \(missing) pins of the rule for \(above) in addition to its own, because both rules apply",
                fix: "if you don't intend that, limit the rule for \(above) so that it doesn't cover it")
        case .mostSpecific:
            // If the rules have no pin in common, the name probably has a different server. If they share some pins,
            // one of the rules is probably out of date.
            add(
                .parentAndChild, own.isDisjoint(with: others) ? .note : nil, at: child.location ?? parent.location,
                subject: "\(hosts)",
                "\(hosts) lacks \(missing) pins of the rule for \(above), and that rule doesn't apply to it")
        }
    }
}
