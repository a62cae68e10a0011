// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

/// A rule of the linter. ``all`` documents the rules.
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

    /// The identifier.
    public var description: String { id }

    /// All rules, by subject.
    public static let all: [PinLintRule] =
        pins + expiry + hosts + cleartext + reports + anchors + files + live + forecasts + acceptances
}
