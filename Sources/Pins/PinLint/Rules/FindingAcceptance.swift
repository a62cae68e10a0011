// SPDX-License-Identifier: Apache-2.0

/// The decision to leave a finding as it is. An accepted finding is counted but doesn't fail a run.
package struct FindingAcceptance: Sendable, Hashable {
    /// The place of the decision.
    package enum Source: String, Sendable, Hashable, CaseIterable {
        /// A comment in the file itself.
        case comment
        /// An option of the command.
        case option
        /// A baseline file with earlier findings.
        case baseline
    }

    /// The place of the decision.
    package let source: Source
    /// The reason for the decision, or nil if none was given.
    package let reason: String?

    package init(_ source: Source, reason: String? = nil) {
        self.source = source
        self.reason = reason
    }
}

extension PinLintRule {
    /// Whether findings of the rule can be accepted.
    ///
    /// Findings about an unusable file can't be accepted. The rest of the file wasn't checked, so acceptance would hide
    /// all its other findings. Findings about acceptances can't be accepted either.
    package var isAcceptable: Bool { !id.hasPrefix("file/") && !id.hasPrefix("accept/") }

    /// Whether findings of the rule depend on servers, certificates or other files that a run may lack. Such a run
    /// doesn't show whether an acceptance of the rule is still needed.
    package var dependsOnOtherInputs: Bool {
        id.hasPrefix("live/") || id.hasPrefix("forecast/") || Self.ofOtherInputs.contains(id)
    }

    private static let ofOtherInputs: Set<String> = Set(
        [
            PinLintRule.notInPath, .dependsOnPath, .unmatched, .renewal, .backupSameIssuer, .leafOnly, .denied,
            .authorityAsLeaf, .notOfKey, .rootNotInStore, .rootExpires, .rootLeaves, .disagreement, .subset,
            .refusedByApple,
        ].map(\.id))
}
