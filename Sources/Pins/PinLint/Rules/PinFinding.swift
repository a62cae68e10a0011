// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// A finding of the linter: rule, severity, location, message and remedy.
public struct PinFinding: Sendable, Hashable {
    /// The severity of a finding.
    public enum Severity: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
        /// Users are locked out, or pins don't protect them, now or on a known date.
        case error
        /// Users are likely to be locked out or unprotected.
        case warning
        /// Information. A result with only notes is clean.
        case note

        /// Orders severities from the most severe to the least.
        public static func < (left: Severity, right: Severity) -> Bool { left.weight < right.weight }

        private var weight: Int {
            switch self {
            case .error: 0
            case .warning: 1
            case .note: 2
            }
        }
    }

    /// The rule.
    public let rule: PinLintRule
    /// The severity.
    public let severity: Severity
    /// The location. The file is always known. The line is nil in a format without lines.
    public let location: PinFileLocation
    /// A human-readable list of the affected hosts, or nil for the whole file.
    public let subject: String?
    /// A human-readable description of the problem and its consequences. Its wording may change.
    public let message: String
    /// A human-readable remedy. Its wording may change.
    public let fix: String
    /// The decision to leave the finding as it is, or nil for none.
    package var acceptance: FindingAcceptance?

    init(
        _ rule: PinLintRule, _ severity: Severity?, at location: PinFileLocation, subject: String? = nil,
        _ message: String,
        fix: String?
    ) {
        self.rule = rule
        self.severity = severity ?? rule.severity
        self.location = location
        self.subject = subject
        self.message = message
        self.fix = fix ?? rule.fix
    }

    /// Whether the finding is a warning or an error that isn't accepted.
    public var isFailure: Bool { severity != .note && !isAccepted }

    /// Whether a comment in its file accepts the finding.
    public var isAccepted: Bool { acceptance != nil }

    /// Whether the finding is about a missing result instead of a problem: a file that can't be read, or an unreachable
    /// server.
    package var isUndecided: Bool {
        let undecided = [ErrorCode.pinFileUnreadable, .pinFileTooLarge, .pinFileFormatUnclear].map(
            PinLintRule.unreadable)
        return rule == .unreachable || undecided.contains(rule)
    }
}

extension PinFinding: CustomStringConvertible {
    /// `Info.plist:12: key path: error: message [pins/no-backup]`
    public var description: String { "\(location): \(severity.rawValue): \(message) [\(rule.id)]" }
}
