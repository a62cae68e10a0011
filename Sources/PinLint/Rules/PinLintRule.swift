// SPDX-License-Identifier: Apache-2.0

import PinModel

/// One thing that a linter looks for. ``all`` is its documentation.
public struct PinLintRule: Sendable, Hashable, CustomStringConvertible {
    /// Stable, for programs: `pins/no-backup`.
    public let id: String
    /// What a finding has unless what was found is worse or better than usual.
    public let severity: PinFinding.Severity
    /// What is found, in a few words.
    public let title: String
    /// What comes of it.
    public let why: String
    /// What to do about it, in general.
    public let fix: String

    init(_ id: String, _ severity: PinFinding.Severity, _ title: String, why: String, fix: String) {
        self.id = id
        self.severity = severity
        self.title = title
        self.why = why
        self.fix = fix
    }

    public static func == (left: PinLintRule, right: PinLintRule) -> Bool { left.id == right.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    public var description: String { id }

    /// The rule of that id.
    public static func named(_ id: String) -> PinLintRule? { byID[id] }

    private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// Every rule, by subject.
    public static let all: [PinLintRule] = pins + expiry + hosts + reports + anchors + files + live
}
