// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ReportSections {
    /// Writes the leaf's signed certificate timestamps (SCTs) as a table.
    func writeTransparency(to html: inout HTMLWriter) {
        guard let finding = report.transparency else { return }
        html.section("Certificate Transparency", id: id.part("transparency"), level: level) { html in
            html.element(.p) { html in
                html.badge(finding.tone, finding.badge)
                html.text(" The certificate ")
                html.foreign(finding.sentence, maximum: 600)
                html.text(".")
            }
            guard !finding.timestamps.isEmpty else {
                return html.element(.p, text: "No signed certificate timestamps (SCTs) came with the certificate.")
            }
            html.table(
                label: "Signed certificate timestamps",
                columns: ["Log", "Operator", "State, origin", "Date", "Signature", "Counts"]
            ) { html in
                for timestamp in finding.timestamps.prefix(Self.maximumRows) { write(timestamp, to: &html) }
            }
            html.element(.p, [.classes("quiet")]) { html in
                html.text("An SCT is a log's promise to publish the certificate. ")
                if let list = finding.listWords {
                    html.foreign("Names and states are from the \(list).", maximum: 300)
                }
            }
        }
    }

    private func write(_ timestamp: TransparencyFinding.Timestamp, to html: inout HTMLWriter) {
        html.element(.tr) { html in
            html.element(.th, [.rowScope, .classes("name")]) { $0.foreign(timestamp.logName, maximum: 128) }
            html.element(.td, [.classes("name")]) { $0.value(timestamp.operatorName) }
            html.element(.td, [.classes("name")]) { html in
                html.value(timestamp.state)
                html.element(.div, [.classes("quiet")]) { $0.foreign(timestamp.origin, maximum: 64) }
            }
            html.element(.td, [.classes("date")]) { $0.time(timestamp.time) }
            html.element(.td) { $0.badge(timestamp.signature.tone, timestamp.signature.words) }
            html.element(.td, [.classes("words")]) { html in
                if let reason = timestamp.reason {
                    html.text("no: \(reason.words)")
                } else {
                    html.text("yes")
                }
            }
        }
    }

    /// Writes the root lists that apply to the anchor, and the limits that the path met.
    func writeAnchor(to html: inout HTMLWriter) {
        guard let lines = report.anchor?.lines, !lines.isEmpty else { return }
        html.section("Conditions on the root", id: id.part("anchor"), level: level) { html in
            html.element(.ul) { html in
                for line in lines { html.element(.li) { $0.foreign(ReportText.capitalized(line), maximum: 600) } }
            }
        }
    }
}

extension TransparencyFinding {
    fileprivate var tone: HTMLTone { status == .complies ? .good : status.isChecked ? .bad : .note }

    fileprivate var badge: String {
        status == .complies ? "complies" : status.isChecked ? "does not comply" : "not checked"
    }

    fileprivate var sentence: String {
        guard !status.isChecked else { return words }
        return "was not compared with the policy\(words.dropFirst("not checked".count))"
    }
}

extension TransparencyFinding.Timestamp.Signature {
    fileprivate var tone: HTMLTone {
        switch self {
        case .valid: .good
        case .invalid: .bad
        case .unknownLog: .note
        }
    }

    fileprivate var words: String {
        switch self {
        case .valid: "valid"
        case .invalid: "invalid"
        case .unknownLog: "unknown log"
        }
    }
}
