// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// A configuration reduced to what formats have that know domains with a flag for subdomains: for every name, what holds for itself, one
/// label below and further below.
struct PinProjection {
    /// One domain of such a format.
    struct Entry {
        let rule: PinRule
        let includesSubdomains: Bool
    }

    struct Row {
        let name: Hostname
        let itself: PinRule?
        let oneLabel: PinRule?
        let further: PinRule?
        /// What would hold below the name if nothing were said about it: what the next listed name above it says.
        let inherited: PinRule?

        /// For a format whose subdomains are of any depth, and in which the longest name counts. It can't always say all; reaching too
        /// far is then told as a loss, as is all else.
        var entry: Entry? {
            guard let itself else {
                // Nothing is said of the name: what is below it, unless that is the parent's anyway.
                if oneLabel.holdsTheSame(as: inherited), further.holdsTheSame(as: inherited) { return nil }
                return (oneLabel ?? further).map { Entry(rule: $0, includesSubdomains: true) }
            }
            if oneLabel.holdsTheSame(as: inherited), further.holdsTheSame(as: inherited) {
                return Entry(rule: itself, includesSubdomains: false)
            }
            let below = [oneLabel, further].compactMap { $0 }.first { $0.mode != .unpinned }
            if let below, itself.mode == .unpinned { return Entry(rule: below, includesSubdomains: true) }
            return Entry(rule: itself, includesSubdomains: below != nil || itself.mode == .unpinned)
        }

        /// For ATS, whose subdomains are one label below, and where parents' pins are accepted as well.
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
            func rule(_ distance: PinHostClass.Distance) -> PinRule? { table.rule(for: PinHostClass(name, distance)) }
            guard case .dns = name.kind else {
                return Row(name: name, itself: rule(.none), oneLabel: nil, further: nil, inherited: nil)
            }
            let above = name.namesUpward.dropFirst().first(where: table.lists)
            return Row(
                name: name, itself: rule(.none), oneLabel: rule(.oneLabel), further: rule(.further),
                inherited: above.flatMap { table.rule(for: PinHostClass($0, .further)) })
        }
    }
}

extension PinRule? {
    /// Whether both come to the same for a host, settings included; no rule is a rule that pins nothing.
    fileprivate func holdsTheSame(as other: PinRule?) -> Bool {
        guard let self else { return other.map(\.saysNothing) ?? true }
        guard let other else { return self.saysNothing }
        return self.asksTheSame(as: other) && self.settings == other.settings
    }
}

extension PinRule {
    fileprivate var saysNothing: Bool { mode == .unpinned && anchors.isEmpty && settings.isEmpty }
}

extension PinRule {
    /// Whether both ask the same of a server, by whatever hosts they were found.
    func asksTheSame(as other: PinRule?) -> Bool {
        guard let other else { return false }
        return mode == other.mode && expiry == other.expiry && anchors == other.anchors
            && reportURIs == other.reportURIs && Set(pins.map(Demanded.init)) == Set(other.pins.map(Demanded.init))
    }

    /// The keys of one scope, or of all of them, each once; a certificate stands for its key.
    func keys(_ scope: PinScope? = nil) -> [Pin] {
        var seen: Set<SPKIPin> = []
        return pins.filter { scope == nil || $0.scope == scope }.filter { seen.insert($0.key).inserted }
    }

    /// The pins for a format in which they count anywhere: of a rule that asks for leaf and authority, the leaf's, which ask for more.
    var keysAnywhere: [Pin] { scopes == [.leaf, .authority] ? keys(.leaf) : keys() }
}
