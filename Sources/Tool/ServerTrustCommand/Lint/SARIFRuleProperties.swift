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

    /// The severity of rules whose findings accept a server that the pins should reject. The findings of all other
    /// rules lock users out, or warn that this may happen.
    private static let securitySeverities: [String: String] = [
        "pins/denied-key": "9.1", "anchors/override-pins": "8.1", "live/redirect-insecure": "7.4",
        "expiry/passed": "7.0", "hosts/not-enforced": "5.3", "live/redirect-uncovered": "5.3",
        "expiry/fails-open": "4.8", "hosts/exempted": "4.3", "anchors/user": "4.3", "reports/not-https": "4.3",
        "hosts/www-uncovered": "3.1", "anchors/debug": "2.4", "anchors/bundled": "2.4",
        "odd/unmatchable-host": "7.0", "odd/misplaced-key": "7.0", "cleartext/pinned-host": "6.5",
        "cleartext/by-default": "5.3", "cleartext/host": "3.7",
    ]

    /// The rules whose findings depend on intentions that no file expresses.
    private static let heuristics: Set<String> = [
        "hosts/whole-domain", "hosts/www-uncovered", "files/debug-resource", "hosts/parent-child",
        "hosts/unlisted-refused", "pins/unmatched",
        "pins/leaf-only", "pins/rotating-authority", "pins/backup-same-issuer", "anchors/not-in-store",
        "files/disagree",
    ]

    /// The score from 0.1 to 10.0, or nil for a rule that isn't about security. Files that can't be used pin nothing.
    var securitySeverity: String? { rule.id.hasPrefix("file/") ? "7.0" : Self.securitySeverities[rule.id] }

    var precision: String {
        if Self.heuristics.contains(rule.id) || rule.id.hasPrefix("forecast/") { return "medium" }
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
