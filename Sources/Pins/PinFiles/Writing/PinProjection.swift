// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// A configuration projected to the terms of formats that have domains with a flag for subdomains: for every name, the rule for
/// itself, for names one label below, and for names further below.
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
        /// The rule that would apply below the name if it were not listed: that of the next listed name above it.
        let inherited: PinRule?

        /// The domain for a format with subdomains of any depth in which the longest name counts; nil for none.
        ///
        /// It is an approximation that covers more rather than fewer hosts; the differences are reported as losses.
        var entry: Entry? {
            guard let itself else {
                // The name has no rule: the domain has that of the names below it, unless they inherit theirs.
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

        /// The domain for ATS, with subdomains one label below, in which the pins of parent domains are accepted as well.
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
    /// Returns whether both have the same effect on a host, settings included; no rule is equivalent to a rule without pins.
    fileprivate func hasSameEffect(as other: PinRule?) -> Bool {
        guard let self else { return other.map(\.hasNoEffect) ?? true }
        guard let other else { return self.hasNoEffect }
        return self.isEquivalent(to: other) && self.settings == other.settings
    }
}

extension PinRule {
    fileprivate var hasNoEffect: Bool { mode == .unpinned && anchors.isEmpty && settings.isEmpty }
}

extension PinRule {
    /// Returns whether both have the same requirements on a server, regardless of their hosts.
    func isEquivalent(to other: PinRule?) -> Bool {
        guard let other else { return false }
        return mode == other.mode && expiry == other.expiry && anchors == other.anchors
            && reportURIs == other.reportURIs
            && Set(pins.map(Requirement.init)) == Set(other.pins.map(Requirement.init))
    }

    /// Returns the pins of one scope, or of all, each key once; a certificate stands for its key.
    func keys(_ scope: PinScope? = nil) -> [Pin] {
        var seen: Set<SPKIPin> = []
        return pins.filter { scope == nil || $0.scope == scope }.filter { seen.insert($0.key).inserted }
    }

    /// The pins for a format in which they count anywhere. If leaf and authority pins are required, the stricter leaf pins.
    var keysAnywhere: [Pin] { scopes == [.leaf, .authority] ? keys(.leaf) : keys() }
}
