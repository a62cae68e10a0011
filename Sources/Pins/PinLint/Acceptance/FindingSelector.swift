// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import TrustSupport

/// A choice of findings by rule and host: `pins/no-backup`, `pins/no-backup:api.example.com`, `pins/*`.
package struct FindingSelector: Sendable, Hashable, CustomStringConvertible {
    /// The rule's identifier, or a family with `/*`.
    package let id: String
    /// The host as reports name it, in lower case; nil for findings about any hosts.
    package let host: String?

    /// Reads a selector.
    /// - Parameter allowsFamily: whether a whole family (`pins/*`) may be chosen.
    /// - Throws: ``FindingSelectorError`` for a rule that doesn't exist or can't be accepted.
    package init(_ text: String, allowsFamily: Bool) throws(FindingSelectorError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        id = parts[0]
        host = parts.count > 1 ? parts[1].lowercased() : nil
        guard host != "" else { throw FindingSelectorError(text, "no host behind the colon") }
        if id.hasSuffix("/*") {
            guard allowsFamily else { throw FindingSelectorError(text, "a family of rules, expected a single rule") }
            guard Self.rules(id).contains(where: \.isAcceptable) else {
                throw FindingSelectorError(text, Self.unknown(id, among: Self.families))
            }
        } else {
            guard let rule = Self.rules(id).first else {
                throw FindingSelectorError(text, Self.unknown(id, among: PinLintRule.all.map(\.id)))
            }
            guard rule.isAcceptable else {
                throw FindingSelectorError(
                    text, "can't be accepted: nothing else of the file is checked; repair it or leave it out")
            }
            // An unreachable server leaves the question open, so it has to be named.
            guard rule != .unreachable || host != nil else {
                throw FindingSelectorError(text, "expected the host that can't be reached: live/unreachable:HOST")
            }
        }
    }

    /// `pins/no-backup:api.example.com`
    package var description: String { id + (host.map { ":\($0)" } ?? "") }

    /// Returns whether the selector chooses findings of the rule.
    package func selects(_ rule: PinLintRule) -> Bool {
        guard rule.isAcceptable else { return false }
        if id.hasSuffix("/*") { return rule.id.hasPrefix(id.dropLast()) && (rule != .unreachable || host != nil) }
        return rule.id == id
    }

    private static func rules(_ id: String) -> [PinLintRule] {
        id.hasSuffix("/*")
            ? PinLintRule.all.filter { $0.id.hasPrefix(id.dropLast()) } : PinLintRule.all.filter { $0.id == id }
    }

    private static let families: [String] = Set(
        PinLintRule.all.filter { $0.isAcceptable }.map { rule in String(rule.id.prefix { $0 != "/" }) + "/*" }
    ).sorted()

    private static func unknown(_ id: String, among names: [String]) -> String {
        let near = similar(to: id, among: names)
        return "no such rule"
            + (near.isEmpty ? "; servertrust pins lint --list" : "; did you mean \(near.joined(separator: ", "))?")
    }
}

/// The reason why a text selects no findings.
package struct FindingSelectorError: Error, Hashable, CustomStringConvertible {
    /// `pins/no-bakup: no such rule; did you mean pins/no-backup?`
    package let description: String

    init(_ text: String, _ reason: String) { description = "\(clipped(text, to: 80)): \(reason)" }
}

extension PinFinding {
    /// The hosts of the finding one by one, in lower case, as ``subject`` names them; empty for the whole file.
    package var hosts: [String] {
        guard let subject else { return [] }
        return subject.split(separator: ",").flatMap { part in
            let whole = part.trimmingPrefix(while: { $0 == " " }).lowercased()
            return whole.components(by: " and ").compactMap { $0.components(by: " without ").first }
        }
    }

    /// Returns whether selectors together accept the finding: one for any hosts, or one for each of its hosts.
    package func isSelected(by selectors: some Sequence<FindingSelector>) -> Bool {
        var named: Set<String> = []
        for selector in selectors where selector.selects(rule) {
            guard let host = selector.host else { return true }
            named.insert(host)
        }
        return !named.isEmpty && subject != nil && named.isSuperset(of: hosts)
    }
}

extension String {
    /// Returns the parts between the separators.
    fileprivate func components(by separator: String) -> [String] {
        split(separator: separator).map(String.init)
    }
}
