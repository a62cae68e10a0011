// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

// Rules for a domain and for names below it.

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
                "\(hosts) is not pinned, although the rule for \(above) reaches it")
        case .reportOnly where parent.mode == .enforced:
            add(
                .parentAndChild, at: location, subject: "\(hosts)",
                "\(hosts) is reported and not enforced, although the rule for \(above) reaches it and is enforced")
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
                "\(hosts) accepts \(missing) pins of the rule for \(above) beside its own, as both rules count",
                fix: "if that isn't meant, make the rule for \(above) not reach it")
        case .mostSpecific:
            // Without a common pin, another server is intended; with some, one of the two rules is probably out of date.
            add(
                .parentAndChild, own.isDisjoint(with: others) ? .note : nil, at: child.location ?? parent.location,
                subject: "\(hosts)",
                "\(hosts) lacks \(missing) pins of the rule for \(above), and that rule doesn't count for it")
        }
    }
}
