// SPDX-License-Identifier: Apache-2.0

import PinLint
import ServerTrust

/// The properties of a rule that GitHub's code scanning uses to sort and filter.
///
/// Source: GitHub's documentation, "SARIF support for code scanning", `reportingDescriptor` object. A rule with
/// `security-severity` is about security: over 9.0 is critical, 7.0 to 8.9 high, 4.0 to 6.9 medium, 0.1 to 3.9 low.
/// Other rules have `problem.severity`. `precision` is `very-high`, `high`, `medium` or `low`.
struct SARIFRuleProperties {
    let rule: PinLintRule

    /// The texts of the rule, or nil for the rule of an error code.
    private var entry: Book.Entry? { PinLintBook.rules[rule.id] }

    /// The score from 0.1 to 10.0 of a rule whose findings accept a server that the pins should reject. The findings of
    /// all other rules lock users out, or warn that this may happen. Files that can't be used pin nothing.
    var securitySeverity: String? { rule.id.hasPrefix("file/") ? "7.0" : entry?.all("security").first }

    var precision: String {
        if let precision = entry?.all("precision").first { return precision }
        if rule.id.hasPrefix("forecast/") { return "medium" }
        return rule.id.hasPrefix("odd/") || rule.id.hasPrefix("live/") ? "high" : "very-high"
    }

    /// The tags: CWE-295 is improper certificate validation, CWE-319 the transmission of sensitive information in cleartext.
    var tags: [String] {
        if securitySeverity == nil { return ["certificate-pinning", "reliability"] }
        let weakness = rule.id.hasPrefix("cleartext/") ? "cwe-319" : "cwe-295"
        return ["certificate-pinning", "external/cwe/\(weakness)", "security"]
    }

    func write(to json: inout JSONWriter) {
        json.member("precision", precision)
        if let securitySeverity {
            json.member("security-severity", securitySeverity)
        } else {
            json.member("problem.severity", rule.severity == .note ? "recommendation" : rule.severity.rawValue)
        }
        json.member("tags", tags)
    }

    /// The documentation of the rule in Markdown.
    var help: String {
        """
        **\(rule.title)** (`\(rule.id)`)

        \(rule.why)

        **Fix:** \(rule.fix)

        \(rule.isAcceptable ? "To accept a finding, write `servertrust:ignore \(rule.id)` and the reason in a comment before its place, or use a baseline." : "A finding of this rule can't be accepted.")
        """
    }
}
