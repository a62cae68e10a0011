// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

// Finds losses by reading the written file back, and comparing the two configurations for every class of hosts that
// either of them treats separately. Writers don't declare their own losses, so they can't omit any.

extension PinConfiguration {
    /// Returns the information in this configuration that `other` lacks or expresses differently.
    ///
    /// Compares the behavior for all hosts, row by row (`PinTable`), and the presence of comments, dates, roles and
    /// settings. Order and nesting have no meaning and aren't compared.
    public func losses(in other: PinConfiguration) -> [PinLoss] {
        var comparison = PinComparison(from: PinTable(self), to: PinTable(other))
        comparison.compareBehavior()
        comparison.compareDocuments()
        comparison.compareRemarks()
        return comparison.losses
    }
}

private struct PinComparison {
    let from: PinTable
    let to: PinTable
    private(set) var losses: [PinLoss] = []

    private mutating func add(_ code: PinLoss.Code, _ hosts: String?, _ effect: PinLoss.Effect, _ detail: String) {
        losses.append(PinLoss(code, hosts, effect, detail))
    }

    /// Compares the rules for every row of either configuration.
    mutating func compareBehavior() {
        if from.configuration.rules.contains(where: \.isForAnyHost) {
            return compare("any host", from.configuration.rules.first, to.configuration.rules.first)
        }
        for row in (from.rows + to.rows).unique(by: \.self) {
            compare(row.wordsForRow, from.rule(for: row), to.rule(for: row))
        }
    }

    private mutating func compare(_ hosts: String, _ from: PinRule?, _ to: PinRule?) {
        let wasPinned = from.map { $0.mode != .unpinned } ?? false
        let isPinned = to.map { $0.mode != .unpinned } ?? false
        guard wasPinned, isPinned, let from, let to else {
            if wasPinned {
                let isEnforced = from?.mode == .enforced
                return add(
                    .hostsNotPinned, hosts, isEnforced ? .weaker : .none,
                    isEnforced ? "pinned before, no longer pinned" : "reported before, no longer reported")
            }
            if isPinned {
                let effect: PinLoss.Effect = to?.mode == .enforced ? .stricter : .none
                return add(.hostsPinnedToo, hosts, effect, "not pinned before, pinned now")
            }
            return compareAnchors(hosts, from, to)
        }
        comparePins(hosts, from, to)
        if from.mode != to.mode {
            add(
                .mode, hosts, to.mode == .enforced ? .stricter : .weaker,
                "\(from.mode.rawValue) before, \(to.mode.rawValue) now")
        }
        compareExpiry(hosts, from.expiry, to.expiry)
        compareAnchors(hosts, from, to)
        let uris = from.reportURIs.filter { !to.reportURIs.contains($0) }
        if !uris.isEmpty {
            add(.reportURIs, hosts, .none, "no longer requests reports to \(uris.joined(separator: ", "))")
        }
    }

    private mutating func comparePins(_ hosts: String, _ from: PinRule, _ to: PinRule) {
        func text(_ scopes: [PinScope]) -> String { scopes.map(\.rawValue).joined(separator: " and ") }
        func certificates(_ rule: PinRule) -> Set<Certificate> {
            Set(rule.pins.compactMap { if case .certificate(let certificate) = $0.value { certificate } else { nil } })
        }
        let lost = certificates(from).subtracting(certificates(to)).count
        if lost > 0 {
            add(.certificates, hosts, .weaker, "\(counted(lost, "whole certificate")) before, their keys now")
        }
        let changesScope = from.scopes != to.scopes
        if changesScope {
            add(.scope, hosts, .different, "pins in the scope \(text(from.scopes)) before, \(text(to.scopes)) now")
        }
        // Reports lost certificates and changed scopes once instead of for every pin.
        func comparable(_ pins: [Pin]) -> Set<PinRule.Requirement> {
            Set(
                pins.map {
                    PinRule.Requirement(lost > 0 ? .key($0.key) : $0.value, changesScope ? .anywhere : $0.scope)
                })
        }
        func list(_ pins: Set<PinRule.Requirement>) -> String {
            pins.map { changesScope ? "\($0.value)" : "\($0.value) (\($0.scope.rawValue))" }.sorted()
                .joined(separator: ", ")
        }
        let before = comparable(from.pins)
        let now = comparable(to.pins)
        let more = now.subtracting(before)
        if !more.isEmpty { add(.morePins, hosts, .weaker, "accepted now: \(list(more))") }
        let fewer = before.subtracting(now)
        if !fewer.isEmpty { add(.fewerPins, hosts, .stricter, "no longer in the list: \(list(fewer))") }
    }

    private mutating func compareExpiry(_ hosts: String, _ from: PinExpiry?, _ to: PinExpiry?) {
        func text(_ expiry: PinExpiry?) -> String { expiry.map(\.time.description) ?? "never" }
        if from?.time != to?.time {
            add(.expiry, hosts, .different, "expires \(text(from)) before, \(text(to)) now")
        }
        if let from, let to, from.onExpiry != to.onExpiry {
            add(
                .onExpiry, hosts, to.onExpiry == .failOpen ? .weaker : .stricter,
                "\(from.onExpiry.rawValue) after the expiry before, \(to.onExpiry.rawValue) now")
        }
    }

    private mutating func compareAnchors(_ hosts: String, _ from: PinRule?, _ to: PinRule?) {
        func effective(_ rule: PinRule?, _ configuration: PinConfiguration) -> [PinAnchorSource] {
            let anchors = rule?.anchors ?? []
            let whole = anchors.isEmpty ? configuration.anchors : anchors
            return whole.isEmpty ? [.system] : whole
        }
        let before = effective(from, self.from.configuration)
        let now = effective(to, self.to.configuration)
        guard Set(before) != Set(now) else { return }
        func text(_ anchors: [PinAnchorSource]) -> String { anchors.map(\.description).joined(separator: ", ") }
        add(.anchors, hosts, .different, "anchors \(text(before)) before, \(text(now)) now")
    }

    /// Compares the values for the whole file.
    mutating func compareDocuments() {
        let from = from.configuration
        let to = to.configuration
        if from.unlistedHosts != to.unlistedHosts, !from.rules.contains(where: \.isForAnyHost) {
            add(
                .unlistedHosts, nil, to.unlistedHosts == .refused ? .stricter : .weaker,
                "hosts without a rule were \(from.unlistedHosts.words) before, are \(to.unlistedHosts.words) now")
        }
        if Set(from.anchors.isEmpty ? [.system] : from.anchors) != Set(to.anchors.isEmpty ? [.system] : to.anchors) {
            add(.anchors, nil, .different, "anchors for hosts without separate anchors")
        }
        if Set(from.debugAnchors) != Set(to.debugAnchors) { add(.anchors, nil, .none, "anchors for debugging") }
    }

    /// Compares the values that don't affect connections.
    mutating func compareRemarks() {
        let from = from.configuration
        let to = to.configuration
        func compare(_ code: PinLoss.Code, _ what: String, _ remarks: (PinConfiguration) -> [String]) {
            let kept = Set(remarks(to))
            let lost = remarks(from).filter { !kept.contains($0) }.unique(by: \.self)
            guard !lost.isEmpty else { return }
            let shown = lost.prefix(8).joined(separator: ", ") + (lost.count > 8 ? " and \(lost.count - 8) more" : "")
            add(code, nil, .none, "\(what): \(shown)")
        }
        func pins(_ configuration: PinConfiguration, _ remark: (Pin) -> String?) -> [String] {
            configuration.rules.flatMap(\.pins).compactMap { pin in remark(pin).map { "\(pin.key) \($0)" } }
        }
        compare(.roles, "roles of pins") { pins($0) { $0.role?.rawValue } }
        compare(.dates, "dates of pins") { pins($0) { $0.added?.description } }
        compare(.comments, "comments of pins") { pins($0, \.comment) }
        compare(.comments, "comments") { [$0.comment].compactMap { $0 } + $0.rules.compactMap(\.comment) }
        compare(.settings, "settings") { ($0.settings + $0.rules.flatMap(\.settings)).map { "\($0.format) \($0)" } }
    }
}

extension PinConfiguration.UnlistedHosts {
    fileprivate var words: String {
        switch self {
        case .evaluatedByDefault: "evaluated by default"
        case .refused: "refused"
        }
    }
}
