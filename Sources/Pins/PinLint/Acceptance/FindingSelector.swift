// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A selector for findings by rule and host: `pins/no-backup`, `pins/no-backup:api.example.com`, `pins/*`.
package struct FindingSelector: Sendable, Hashable, CustomStringConvertible {
    /// The rule's identifier, or a family with `/*`.
    package let id: String
    /// The host as reports name it, in lower case, or nil for findings about any host.
    package let host: String?

    /// Parses a selector.
    /// - Parameter allowsFamily: whether the selector may choose a whole family (`pins/*`).
    /// - Throws: ``FindingSelectorError`` for a rule that doesn't exist or can't be accepted.
    package init(_ text: String, allowsFamily: Bool) throws(FindingSelectorError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        id = parts[0]
        host = parts.count > 1 ? parts[1].lowercased() : nil
        guard host != "" else { throw FindingSelectorError(text, "no host after the colon") }
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
                    text, "can't be accepted: the rest of the file isn't checked; repair the file or leave it out")
            }
            // If a server can't be reached, lint has no result, so the selector has to name the server.
            guard rule != .unreachable || host != nil else {
                throw FindingSelectorError(text, "expected the host that can't be reached: live/unreachable:HOST")
            }
        }
    }

    /// `pins/no-backup:api.example.com`
    package var description: String { id + (host.map { ":\($0)" } ?? "") }

    /// Returns whether the selector selects findings of the rule.
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

/// The reason why a string isn't a valid selector.
package struct FindingSelectorError: Error, Hashable, CustomStringConvertible {
    /// `pins/no-bakup: no such rule; did you mean pins/no-backup?`
    package let description: String

    init(_ text: String, _ reason: String) { description = "\(clipped(text, to: 80)): \(reason)" }
}

extension PinFinding {
    /// The hosts of the finding, in lower case, as ``subject`` names them. Empty for the whole file.
    package var hosts: [String] {
        guard let subject else { return [] }
        return subject.split(separator: ",").flatMap { part in
            let whole = part.trimmingPrefix(while: { $0 == " " }).lowercased()
            return whole.components(by: " and ").compactMap { $0.components(by: " without ").first }
        }
    }

    /// Returns whether the selectors together accept the finding. Either one selector is for any host, or each host of
    /// the finding has a selector.
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
