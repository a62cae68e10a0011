// SPDX-License-Identifier: Apache-2.0

/// The decision to leave a finding as it is. An accepted finding is counted and fails nothing.
package struct FindingAcceptance: Sendable, Hashable {
    /// The place of the decision.
    package enum Source: String, Sendable, Hashable, CaseIterable {
        /// A comment in the file itself.
        case comment
        /// An option of the command.
        case option
        /// A file of earlier findings.
        case baseline
    }

    /// The place of the decision.
    package let source: Source
    /// The reason that was given for it; nil for none.
    package let reason: String?

    package init(_ source: Source, reason: String? = nil) {
        self.source = source
        self.reason = reason
    }
}

extension PinLintRule {
    /// Whether findings of the rule can be accepted.
    ///
    /// Those of a file that can't be used can't: nothing else of it has been checked, so an accepted one would hide all others. Those
    /// about acceptances themselves can't either.
    package var isAcceptable: Bool { !id.hasPrefix("file/") && !id.hasPrefix("accept/") }

    /// Whether findings of the rule depend on servers, certificates or other files that a run may lack. A run without them says nothing about
    /// an acceptance of the rule.
    package var dependsOnOtherInputs: Bool {
        id.hasPrefix("live/") || id.hasPrefix("forecast/") || Self.ofOtherInputs.contains(id)
    }

    private static let ofOtherInputs: Set<String> = Set(
        [
            PinLintRule.notInPath, .dependsOnPath, .unmatched, .renewal, .backupSameIssuer, .leafOnly, .denied,
            .authorityAsLeaf, .notOfKey, .rootNotInStore, .rootExpires, .rootLeaves, .disagreement, .subset,
            .refusedByApple,
        ].map(\.id))

    /// The rules for acceptances.
    package static let acceptances: [PinLintRule] = [acceptsNothing, acceptsUnknown]

    package static let acceptsNothing = PinLintRule(
        "accept/nothing", .note, "a comment accepts a finding that there isn't",
        why: "It is left over, or its place or its host is wrong. It would hide a finding that comes back later.",
        fix: "take the comment out, or put it right before the finding's place")

    package static let acceptsUnknown = PinLintRule(
        "accept/unknown", .warning, "a comment accepts nothing that can be accepted",
        why: "Its author believes that a finding is accepted, and it isn't.",
        fix: "write the rule's identifier: servertrust pins lint --list")
}
