// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PinLint

/// A table of findings on a lint report's page.
struct LintTable {
    private let findings: ArraySlice<PinFinding>
    private let label: String
    /// Whether the table names the file of each finding.
    private let hasFiles: Bool

    init(_ findings: ArraySlice<PinFinding>, label: String, hasFiles: Bool = false) {
        self.findings = findings
        self.label = label
        self.hasFiles = hasFiles
    }

    /// Writes the table.
    func write(_ html: inout HTMLWriter) {
        html.table(
            label: label, columns: ["Rule", "Severity", "Place", "Finding", "Fix"], classes: .classes("findings")
        ) { html in
            for finding in findings { row(finding, &html) }
        }
    }

    private func row(_ finding: PinFinding, _ html: inout HTMLWriter) {
        html.element(.tr) { html in
            html.element(.th, [.rowScope]) { $0.element(.code) { $0.foreign(finding.rule.id, maximum: 64) } }
            html.element(.td) { $0.badge(finding.severity.tone, finding.severity.rawValue) }
            html.element(.td, [.classes("words")]) { place(finding, &$0) }
            html.element(.td, [.classes("words")]) { html in
                html.element(.div) { $0.sentence(finding.message, maximum: 1200) }
                html.element(.div, [.classes("quiet")]) { $0.prose(finding.rule.why) }
                if let acceptance = finding.acceptance {
                    html.element(.div, [.classes("quiet")]) { html in
                        html.text("Accepted by the \(acceptance.source.rawValue)")
                        guard let reason = acceptance.reason else { return html.text(".") }
                        html.text(": ")
                        html.foreign(reason, maximum: 600)
                    }
                }
            }
            html.element(.td, [.classes("words")]) { $0.prose(finding.fix) }
        }
    }

    private func place(_ finding: PinFinding, _ html: inout HTMLWriter) {
        let location = finding.location
        if hasFiles { html.element(.div) { $0.foreign(location.file) } }
        if let line = location.line { html.element(.div, text: "line \(line)") }
        if !location.keyPath.isEmpty { html.element(.div, [.classes("quiet")]) { keyPath(location.keyPath, &$0) } }
        if location.line == nil, location.keyPath.isEmpty, !hasFiles { html.text("whole file") }
    }

    /// Writes a key path so that it wraps between the keys.
    private func keyPath(_ path: String, _ html: inout HTMLWriter) {
        let keys = path.split(separator: ".", maxSplits: 24, omittingEmptySubsequences: false)
        for (index, key) in keys.enumerated() {
            html.element(.span, [.classes("part")]) { $0.foreign(key + (index + 1 < keys.count ? "." : "")) }
        }
    }
}

extension PinFinding.Severity {
    fileprivate var tone: HTMLTone {
        switch self {
        case .error: .bad
        case .warning: .caution
        case .note: .note
        }
    }
}
