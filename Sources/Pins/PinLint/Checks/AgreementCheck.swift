// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

/// Compares the rules that an app's files have for the same hosts, as far as their formats can express the same rules.
enum AgreementCheck {
    /// Returns the findings for the pairs of files: one disagreement for each host. A rule for any host is compatible
    /// with all other rules.
    static func findings(among scopes: [PinLintContext]) -> [PinFinding] {
        let scopes = scopes.filter { !$0.configuration.rules.contains(where: \.isForAnyHost) }
        var findings: [PinFinding] = []
        for (index, first) in scopes.enumerated() {
            for second in scopes[(index + 1)...] { findings += AgreementComparison(first, second).findings() }
        }
        let byHost = Dictionary(grouping: findings.filter { $0.rule == .disagreement }, by: \.subject)
        var seen: Set<String?> = []
        return findings.filter { $0.rule != .disagreement || seen.insert($0.subject).inserted }.map { first in
            guard first.rule == .disagreement, let all = byHost[first.subject] else { return first }
            let more = all.count - maximumPairs
            let rest = more > 0 ? ["\(counted(more, "other pair")) of files disagree too"] : []
            return PinFinding(
                first.rule, nil, at: first.location, subject: first.subject,
                (all.prefix(maximumPairs).map(\.message) + rest).joined(separator: "; "), fix: nil)
        }
    }

    /// The maximum number of pairs of files that a finding describes.
    private static let maximumPairs = 2
}

/// The comparison of two files.
private struct AgreementComparison {
    /// A difference between the files.
    private struct Difference {
        let text: String
        /// Whether one file expresses less than the other because of its format. Otherwise both formats can express the
        /// same rules, but the files differ.
        let isLimited: Bool
    }

    private let first: PinLintContext
    private let second: PinLintContext
    private let abilities: (FormatAbility, FormatAbility)
    /// The keys that each file's rules list for hosts, in formats that add the keys of the names above.
    private let ownKeys: ([PinnedHosts: Set<SPKIPin>], [PinnedHosts: Set<SPKIPin>])

    init(_ first: PinLintContext, _ second: PinLintContext) {
        self.first = first
        self.second = second
        abilities = (FormatAbility(first.format), FormatAbility(second.format))
        ownKeys = (first.ownKeys(), second.ownKeys())
    }

    /// The maximum number of differences that a note names.
    private static let maximumCount = 6

    /// Returns a finding for each name about which the files disagree. Names that one of the files can't fully express
    /// share a single note.
    func findings() -> [PinFinding] {
        var findings: [PinFinding] = []
        var limits: [(name: Hostname, text: String)] = []
        var meter = WorkMeter(work: max(first.budget, second.budget))
        for name in first.table.names + second.table.names.filter({ !first.table.lists($0) }) {
            // If a file doesn't cover the name, the name belongs to another platform.
            guard first.covers(name), second.covers(name) else { continue }
            var real: [String] = []
            var seen: Set<String> = []
            for difference in differences(about: name, &meter) where seen.insert(difference.text).inserted {
                if difference.isLimited { limits.append((name, difference.text)) } else { real.append(difference.text) }
            }
            if !real.isEmpty { findings.append(disagreement(about: name, real)) }
        }
        if !limits.isEmpty { findings.append(note(limits)) }
        if meter.isExhausted { findings.append(.tooManyComparisons(in: second.file)) }
        return findings
    }

    private func disagreement(about name: Hostname, _ differences: [String]) -> PinFinding {
        let location = location(of: name)
        return PinFinding(
            .disagreement, nil, at: location, subject: "\(name)",
            "\(first.name(beside: second)) and \(second.name(beside: first)) disagree: "
                + differences.joined(separator: "; "), fix: nil)
    }

    private func note(_ limits: [(name: Hostname, text: String)]) -> PinFinding {
        var names: [String] = []
        for limit in limits where names.last != limit.name.description { names.append(limit.name.description) }
        let shown = limits.prefix(Self.maximumCount).map(\.text).joined(separator: "; ")
        let rest = limits.count > Self.maximumCount ? "; and \(limits.count - Self.maximumCount) more" : ""
        return PinFinding(
            .subset, nil, at: location(of: limits[0].name), subject: names.joined(separator: ", "),
            "\(first.name(beside: second)) and \(second.name(beside: first)) differ because one format can't express what the other does: "
                + shown + rest, fix: nil)
    }

    private func location(of name: Hostname) -> PinFileLocation {
        let rules = name.rows.map { row in
            second.table.rule(for: row) ?? first.table.rule(for: row)
        }
        return rules.lazy.compactMap { $0?.location }.first ?? PinFileLocation(file: second.file)
    }
}

// MARK: - Differences

extension AgreementComparison {
    private func differences(about name: Hostname, _ meter: inout WorkMeter) -> [Difference] {
        var found: [Difference] = []
        for row in name.rows where !meter.isExhausted {
            found += differences(about: row, of: name, &meter)
        }
        return found
    }

    private func differences(
        about row: HostPattern, of name: Hostname, _ meter: inout WorkMeter
    ) -> [Difference] {
        let (left, right) = (first.table.rule(for: row), second.table.rule(for: row))
        // A rule here is the union of any number of other rules.
        guard meter.charge(work: 64 * (1 + (left?.pins.count ?? 0) + (right?.pins.count ?? 0))) else { return [] }
        let (some, others) = (left?.mode ?? .unpinned, right?.mode ?? .unpinned)
        if some != others { return [modes(some, others, row)] }
        guard let left, let right, some != .unpinned else { return [] }
        return [pins(left, right, row), expiry(left, right, name), reports(left, right, name)].compactMap(\.self)
    }

    private func modes(_ left: PinRule.Mode, _ right: PinRule.Mode, _ row: HostPattern) -> Difference {
        let text = "\(row.wordsForRow) is \(left.words) in the first and \(right.words) in the second"
        let isLimited =
            right == .enforced || left == .unpinned
            ? !abilities.0.canSay(right, for: row) : !abilities.1.canSay(left, for: row)
        return Difference(text: text, isLimited: isLimited)
    }

    private func pins(_ left: PinRule, _ right: PinRule, _ row: HostPattern) -> Difference? {
        let (some, others) = (left.keySet, right.keySet)
        guard some != others else { return nil }
        let lists = [
            some.isSubset(of: others) ? nil : "only the first pins \(list(some.subtracting(others)))",
            others.isSubset(of: some) ? nil : "only the second pins \(list(others.subtracting(some)))",
        ]
        let text = "\(row.wordsForRow) has different pins: " + lists.compactMap { $0 }.joined(separator: ", ")
        let isLimited =
            isPart(others, of: left, abilities.1) || isPart(some, of: right, abilities.0)
            || isUnion(left, over: others, of: row, ownKeys.0) || isUnion(right, over: some, of: row, ownKeys.1)
        return Difference(text: text, isLimited: isLimited)
    }

    /// Returns whether the keys are exactly one scope of a rule that requires two scopes, and the format can require
    /// only one.
    private func isPart(_ keys: Set<SPKIPin>, of rule: PinRule, _ ability: FormatAbility) -> Bool {
        guard !ability.scopes, rule.scopes.count > 1 else { return false }
        return rule.scopes.contains { scope in Set(rule.pins.filter { $0.scope == scope }.map(\.key)) == keys }
    }

    /// Returns whether a file's own rules for the name have exactly these keys, and rules for names above it add other
    /// keys because of the file's format.
    private func isUnion(
        _ rule: PinRule, over keys: Set<SPKIPin>, of row: HostPattern, _ ownKeys: [PinnedHosts: Set<SPKIPin>]
    ) -> Bool {
        let own = rule.hosts.filter { $0.name.kind == row.subject }
        guard !own.isEmpty, own.count < rule.hosts.count else { return false }
        return own.reduce(into: Set()) { $0.formUnion(ownKeys[$1] ?? []) } == keys
    }

    private func expiry(_ left: PinRule, _ right: PinRule, _ name: Hostname) -> Difference? {
        guard left.expiry?.time != right.expiry?.time else { return nil }
        func words(_ rule: PinRule) -> String { rule.expiry.map { "on \($0.time)" } ?? "never" }
        let text = "the pins of \(name) expire \(words(left)) in the first and \(words(right)) in the second"
        let isLimited =
            left.expiry == nil && !abilities.0.expiry || right.expiry == nil && !abilities.1.expiry
        return Difference(text: text, isLimited: isLimited)
    }

    /// Reports never lock users out, so different reports are only a note.
    private func reports(_ left: PinRule, _ right: PinRule, _ name: Hostname) -> Difference? {
        guard Set(left.reportURIs) != Set(right.reportURIs) else { return nil }
        let text = "failures of \(name) are reported to different addresses, or only by one of the files"
        return Difference(text: text, isLimited: true)
    }

    private func list(_ pins: Set<SPKIPin>) -> String { pins.map(\.description).sorted().joined(separator: " and ") }
}

extension PinLintContext {
    /// Returns the file's name, with the format if the other context is for the same file.
    fileprivate func name(beside other: PinLintContext) -> String {
        file == other.file ? "\(file) (\(format?.name ?? "?"))" : file
    }

    /// Returns whether a rule covers the name or names below it.
    fileprivate func covers(_ name: Hostname) -> Bool {
        name.rows.contains { table.hasRule(for: $0) }
    }

    /// Returns the keys of the rules by hosts, in a format where all matching rules count. Empty in other formats.
    fileprivate func ownKeys() -> [PinnedHosts: Set<SPKIPin>] {
        guard configuration.selection == .union else { return [:] }
        return configuration.rules.reduce(into: [:]) { keys, rule in
            for hosts in rule.hosts { keys[hosts, default: []].formUnion(rule.keySet) }
        }
    }
}

extension PinRule {
    fileprivate var keySet: Set<SPKIPin> { Set(pins.map(\.key)) }
}

extension PinRule.Mode {
    fileprivate var words: String {
        switch self {
        case .enforced: "pinned"
        case .reportOnly: "reported only"
        case .unpinned: "not pinned"
        }
    }
}
