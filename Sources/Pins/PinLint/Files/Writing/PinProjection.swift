// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// A configuration projected to formats whose domains have a flag for subdomains: for every name, the rules for the
/// name itself, for names one label below, and for names further below.
struct PinProjection {
    /// A domain in such a format.
    struct Entry {
        let rule: PinRule
        let includesSubdomains: Bool
    }

    struct Row {
        let name: Hostname
        let itself: PinRule?
        let oneLabel: PinRule?
        let further: PinRule?
        /// The rule that would apply below the name if it weren't listed: the rule of the next listed name above it.
        let inherited: PinRule?

        /// The domain for a format where subdomains can have any depth and the longest name counts. Nil if no entry is
        /// needed.
        ///
        /// It is an approximation that covers more hosts instead of fewer. The differences are reported as losses.
        var entry: Entry? {
            guard let itself else {
                // The name has no rule, so the domain has the rule of the names below it, unless they inherit their
                // rule.
                if oneLabel.hasSameEffect(as: inherited), further.hasSameEffect(as: inherited) { return nil }
                return (oneLabel ?? further).map { Entry(rule: $0, includesSubdomains: true) }
            }
            if oneLabel.hasSameEffect(as: inherited), further.hasSameEffect(as: inherited) {
                return Entry(rule: itself, includesSubdomains: false)
            }
            let below = [oneLabel, further].compactMap { $0 }.first { $0.mode != .unpinned }
            if let below, itself.mode == .unpinned { return Entry(rule: below, includesSubdomains: true) }
            return Entry(rule: itself, includesSubdomains: below != nil || itself.mode == .unpinned)
        }

        /// The domain for ATS, with subdomains one label below. ATS also accepts the pins of parent domains.
        var entryOfOneLabel: Entry? {
            let below = oneLabel.flatMap { $0.mode == .enforced ? $0 : nil }
            let name = itself.flatMap { $0.mode == .enforced ? $0 : nil }
            return (name ?? below).map { Entry(rule: $0, includesSubdomains: below != nil) }
        }
    }

    let rows: [Row]

    init(_ configuration: PinConfiguration) {
        let table = PinTable(configuration)
        rows = table.names.map { name in
            func rule(_ kind: HostPattern.Kind, _ name: Hostname) -> PinRule? {
                HostPattern(kind, name).flatMap { table.rule(for: $0) }
            }
            let above = name.namesUpward.dropFirst().first(where: table.lists)
            return Row(
                name: name, itself: rule(.exact, name), oneLabel: rule(.oneLabel, name), further: rule(.anyDepth, name),
                inherited: above.flatMap { rule(.anyDepth, $0) })
        }
    }
}

extension PinRule? {
    /// Returns whether both have the same effect on a host, including settings. Nil has the same effect as an unpinned
    /// rule without anchors and settings.
    fileprivate func hasSameEffect(as other: PinRule?) -> Bool {
        guard let self else { return other.map(\.hasNoEffect) ?? true }
        guard let other else { return self.hasNoEffect }
        return self.isEquivalent(to: other) && self.settings == other.settings
    }
}

extension PinRule {
    fileprivate var hasNoEffect: Bool { mode == .unpinned && anchors.isEmpty && settings.isEmpty }
}

extension PinExpiry {
    /// The time as a whole day, rounded up so that the pins apply longer instead of shorter.
    var lastDay: String { time.isMidnight ? time.day : time.advanced(by: 86_400).day }
}

extension PinRule {
    /// Returns whether both have the same requirements for a server, regardless of their hosts.
    func isEquivalent(to other: PinRule?) -> Bool {
        guard let other else { return false }
        return mode == other.mode && expiry == other.expiry && anchors == other.anchors
            && reportURIs == other.reportURIs
            && Set(pins.map(Requirement.init)) == Set(other.pins.map(Requirement.init))
    }

    /// Returns the pins of one scope or of all scopes, each key once. A pinned certificate counts as its key.
    func keys(_ scope: PinScope? = nil) -> [Pin] {
        pins.filter { scope == nil || $0.scope == scope }.unique(by: \.key)
    }

    /// The pins for a format where pins count anywhere. If the rule requires leaf and authority pins, these are only
    /// the stricter leaf pins.
    var keysAnywhere: [Pin] { scopes == [.leaf, .authority] ? keys(.leaf) : keys() }
}
