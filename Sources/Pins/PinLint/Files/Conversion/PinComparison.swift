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
        let comparison = PinComparison(PinTable(self), PinTable(other))
        return comparison.behaviour() + comparison.documents() + comparison.remarks()
    }
}

private struct PinComparison {
    let from: PinTable
    let to: PinTable

    init(_ from: PinTable, _ to: PinTable) {
        self.from = from
        self.to = to
    }

    /// Compares the rules for every row of either configuration.
    func behaviour() -> [PinLoss] {
        if from.configuration.rules.contains(where: \.isForAnyHost) {
            return differences("any host", from.configuration.rules.first, to.configuration.rules.first)
        }
        var seen: Set<HostPattern> = []
        return (from.rows + to.rows).filter { seen.insert($0).inserted }.flatMap { row in
            differences(row.wordsForRow, from.rule(for: row), to.rule(for: row))
        }
    }

    private func differences(_ hosts: String, _ from: PinRule?, _ to: PinRule?) -> [PinLoss] {
        let wasPinned = from.map { $0.mode != .unpinned } ?? false
        let isPinned = to.map { $0.mode != .unpinned } ?? false
        guard wasPinned, isPinned, let from, let to else {
            if wasPinned {
                let isEnforced = from?.mode == .enforced
                return [
                    PinLoss(
                        .hostsNotPinned, hosts, isEnforced ? .weaker : .none,
                        isEnforced ? "pinned before, no longer pinned" : "reported before, no longer reported")
                ]
            }
            if isPinned {
                return [
                    PinLoss(
                        .hostsPinnedToo, hosts, to?.mode == .enforced ? .stricter : .none,
                        "not pinned before, pinned now")
                ]
            }
            return anchors(hosts, from, to)
        }
        var losses = pins(hosts, from, to)
        if from.mode != to.mode {
            losses.append(
                PinLoss(
                    .mode, hosts, to.mode == .enforced ? .stricter : .weaker,
                    "\(from.mode.rawValue) before, \(to.mode.rawValue) now"))
        }
        losses += expiry(hosts, from.expiry, to.expiry) + anchors(hosts, from, to)
        let uris = from.reportURIs.filter { !to.reportURIs.contains($0) }
        if !uris.isEmpty {
            losses.append(
                PinLoss(
                    .reportURIs, hosts, .none, "no longer requests reports to \(uris.joined(separator: ", "))"))
        }
        return losses
    }

    private func pins(_ hosts: String, _ from: PinRule, _ to: PinRule) -> [PinLoss] {
        func text(_ scopes: [PinScope]) -> String { scopes.map(\.rawValue).joined(separator: " and ") }
        var losses = certificates(hosts, from, to)
        let lostCertificates = !losses.isEmpty
        let changesScope = from.scopes != to.scopes
        if changesScope {
            losses.append(
                PinLoss(
                    .scope, hosts, .different,
                    "pins in the scope \(text(from.scopes)) before, \(text(to.scopes)) now"))
        }
        // Reports lost certificates and changed scopes once instead of for every pin.
        func comparable(_ pins: [Pin]) -> Set<PinRule.Requirement> {
            Set(
                pins.map {
                    PinRule.Requirement(lostCertificates ? .key($0.key) : $0.value, changesScope ? .anywhere : $0.scope)
                })
        }
        func list(_ pins: Set<PinRule.Requirement>) -> String {
            pins.map { changesScope ? "\($0.value)" : "\($0.value) (\($0.scope.rawValue))" }.sorted()
                .joined(separator: ", ")
        }
        let before = comparable(from.pins)
        let now = comparable(to.pins)
        let more = now.subtracting(before)
        if !more.isEmpty { losses.append(PinLoss(.morePins, hosts, .weaker, "accepted now: \(list(more))")) }
        let fewer = before.subtracting(now)
        if !fewer.isEmpty {
            losses.append(PinLoss(.fewerPins, hosts, .stricter, "no longer in the list: \(list(fewer))"))
        }
        return losses
    }

    private func certificates(_ hosts: String, _ from: PinRule, _ to: PinRule) -> [PinLoss] {
        func certificates(_ rule: PinRule) -> Set<Certificate> {
            Set(rule.pins.compactMap { if case .certificate(let certificate) = $0.value { certificate } else { nil } })
        }
        let lost = certificates(from).subtracting(certificates(to))
        guard !lost.isEmpty else { return [] }
        return [
            PinLoss(
                .certificates, hosts, .weaker,
                "\(counted(lost.count, "whole certificate")) before, their keys now")
        ]
    }

    private func expiry(_ hosts: String, _ from: PinExpiry?, _ to: PinExpiry?) -> [PinLoss] {
        func text(_ expiry: PinExpiry?) -> String { expiry.map(\.time.description) ?? "never" }
        var losses: [PinLoss] = []
        if from?.time != to?.time {
            losses.append(
                PinLoss(.expiry, hosts, .different, "expires \(text(from)) before, \(text(to)) now"))
        }
        if let from, let to, from.onExpiry != to.onExpiry {
            losses.append(
                PinLoss(
                    .onExpiry, hosts, to.onExpiry == .failOpen ? .weaker : .stricter,
                    "\(from.onExpiry.rawValue) after the expiry before, \(to.onExpiry.rawValue) now"))
        }
        return losses
    }

    private func anchors(_ hosts: String, _ from: PinRule?, _ to: PinRule?) -> [PinLoss] {
        func effective(_ rule: PinRule?, _ configuration: PinConfiguration) -> [PinAnchorSource] {
            let anchors = rule?.anchors ?? []
            let whole = anchors.isEmpty ? configuration.anchors : anchors
            return whole.isEmpty ? [.system] : whole
        }
        let before = effective(from, self.from.configuration)
        let now = effective(to, self.to.configuration)
        guard Set(before) != Set(now) else { return [] }
        func text(_ anchors: [PinAnchorSource]) -> String { anchors.map(\.description).joined(separator: ", ") }
        return [PinLoss(.anchors, hosts, .different, "anchors \(text(before)) before, \(text(now)) now")]
    }

    /// Compares the values for the whole file.
    func documents() -> [PinLoss] {
        let from = from.configuration
        let to = to.configuration
        var losses: [PinLoss] = []
        if from.unlistedHosts != to.unlistedHosts, !from.rules.contains(where: \.isForAnyHost) {
            losses.append(
                PinLoss(
                    .unlistedHosts, nil, to.unlistedHosts == .refused ? .stricter : .weaker,
                    "hosts without a rule were \(from.unlistedHosts.words) before, are \(to.unlistedHosts.words) now"))
        }
        if Set(from.anchors.isEmpty ? [.system] : from.anchors) != Set(to.anchors.isEmpty ? [.system] : to.anchors) {
            losses.append(PinLoss(.anchors, nil, .different, "anchors for hosts without separate anchors"))
        }
        if Set(from.debugAnchors) != Set(to.debugAnchors) {
            losses.append(PinLoss(.anchors, nil, .none, "anchors for debugging"))
        }
        return losses
    }

    /// Compares the values that don't affect connections.
    func remarks() -> [PinLoss] {
        let from = from.configuration
        let to = to.configuration
        var losses: [PinLoss] = []
        func compare(_ code: PinLoss.Code, _ what: String, _ remarks: (PinConfiguration) -> [String]) {
            let kept = Set(remarks(to))
            var seen: Set<String> = []
            let lost = remarks(from).filter { !kept.contains($0) && seen.insert($0).inserted }
            guard !lost.isEmpty else { return }
            let shown = lost.prefix(8).joined(separator: ", ") + (lost.count > 8 ? " and \(lost.count - 8) more" : "")
            losses.append(PinLoss(code, nil, .none, "\(what): \(shown)"))
        }
        func pins(_ configuration: PinConfiguration, _ remark: (Pin) -> String?) -> [String] {
            configuration.rules.flatMap(\.pins).compactMap { pin in remark(pin).map { "\(pin.key) \($0)" } }
        }
        compare(.roles, "roles of pins") { pins($0) { $0.role?.rawValue } }
        compare(.dates, "dates of pins") { pins($0) { $0.added?.description } }
        compare(.comments, "comments of pins") { pins($0, \.comment) }
        compare(.comments, "comments") { [$0.comment].compactMap { $0 } + $0.rules.compactMap(\.comment) }
        compare(.settings, "settings") { ($0.settings + $0.rules.flatMap(\.settings)).map { "\($0.format) \($0)" } }
        return losses
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
