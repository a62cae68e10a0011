// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// One thing that a linter found: which rule, how bad, where, what, and what to do about it.
public struct PinFinding: Sendable, Hashable {
    /// How bad it is.
    public enum Severity: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
        /// Users are locked out, or pins don't protect them: now, or on a day that is known.
        case error
        /// It will come to that unless somebody is careful.
        case warning
        /// Worth knowing. Notes alone are a clean result.
        case note

        /// The worse one first.
        public static func < (left: Severity, right: Severity) -> Bool { left.weight < right.weight }

        private var weight: Int {
            switch self {
            case .error: 0
            case .warning: 1
            case .note: 2
            }
        }
    }

    public let rule: PinLintRule
    public let severity: Severity
    /// Where it stands. The file is always known; the line isn't in a format without lines.
    public let place: PinPlace
    /// The hosts that it is about, for people; nil if it is about the file.
    public let subject: String?
    /// What was found, and what comes of it; for people, its wording may change.
    public let message: String
    /// What to do about it; for people, its wording may change.
    public let fix: String

    package init(
        _ rule: PinLintRule, _ severity: Severity?, at place: PinPlace, subject: String? = nil, _ message: String,
        fix: String?
    ) {
        self.rule = rule
        self.severity = severity ?? rule.severity
        self.place = place
        self.subject = subject
        self.message = message
        self.fix = fix ?? rule.fix
    }

    /// Whether it makes a file unclean.
    public var isFault: Bool { severity != .note }
}

extension PinFinding: CustomStringConvertible {
    /// `Info.plist:12: key path: error: message [pins/no-backup]`
    public var description: String { "\(place): \(severity.rawValue): \(message) [\(rule.id)]" }
}
