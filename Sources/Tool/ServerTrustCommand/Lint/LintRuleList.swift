// SPDX-License-Identifier: Apache-2.0

import PinLint

/// `servertrust pins lint --list`: the documentation of the rules.
enum LintRuleList {
    static func text() -> String {
        var lines: [String] = []
        for rule in PinLintRule.all {
            lines.append("\(rule.id) (\(rule.severity.rawValue)): \(rule.title)")
            lines += indented("why: " + rule.why) + indented("fix: " + rule.fix)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func indented(_ text: String) -> [String] {
        wrapped(text, to: 88).enumerated().map { ($0 == 0 ? "  " : "       ") + $1 }
    }
}
