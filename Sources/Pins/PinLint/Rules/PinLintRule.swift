// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A rule of the linter. ``all`` documents the rules. The texts are in `Book/Lint`.
public struct PinLintRule: Sendable, Hashable, CustomStringConvertible {
    /// The stable, machine-readable identifier: `pins/no-backup`.
    public let id: String
    /// The severity of a finding, unless the rule raises or lowers it.
    public let severity: PinFinding.Severity
    /// A short description of the problem.
    public let title: String
    /// The consequences.
    public let why: String
    /// The general remedy.
    public let fix: String

    init(_ id: String, _ severity: PinFinding.Severity, _ title: String, why: String, fix: String) {
        self.id = id
        self.severity = severity
        self.title = title
        self.why = why
        self.fix = fix
    }

    /// Creates a rule of the book.
    /// - Parameter fix: the remedy, for a rule without its own.
    init(_ entry: Book.Entry, fix: String = "") {
        guard let severity = PinFinding.Severity(rawValue: entry["severity"]) else {
            preconditionFailure("the severity of \(entry.name) is unknown")
        }
        self.init(
            entry.name, severity, entry["title"], why: entry["why"], fix: entry.all("fix").first ?? fix)
    }

    /// Creates the rule of the book with this identifier.
    init(_ id: String) {
        guard let entry = PinLintBook.rules[id] else { preconditionFailure("the book has no rule \(id)") }
        self.init(entry)
    }

    /// The identifier.
    public var description: String { id }

    /// All rules, by subject. The rules for codes follow the other rules for files.
    public static let all: [PinLintRule] = {
        let rules = PinLintBook.rules.entries.filter { !$0.name.hasPrefix("odd/") }.map { PinLintRule($0) }
        let end = rules.firstIndex { $0.id.hasPrefix("live/") } ?? rules.endIndex
        return rules[..<end] + codes + rules[end...]
    }()
}
