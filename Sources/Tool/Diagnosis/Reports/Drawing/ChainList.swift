// SPDX-License-Identifier: Apache-2.0

/// The drawing as text, for screen readers and for copying.
struct ChainList {
    private let report: TrustReport

    init(_ report: TrustReport) { self.report = report }

    /// Returns a sentence that describes a column.
    static func summary(of column: ChainColumn) -> String {
        let boxes = column.boxes.map { box in
            let words = [box.role, box.origin] + box.codes
            return "\(box.name) (\(words.filter { !$0.isEmpty }.joined(separator: ", ")))"
        }
        return "\(column.subtitle): " + boxes.joined(separator: ", then ") + "."
    }

    /// Writes a list for each column.
    /// - Parameter level: the level of the headings.
    func write(to html: inout HTMLWriter, level: Int) {
        for column in report.columns {
            html.element(.heading(level)) { html in
                if let tone = column.tone { html.sign(tone) }
                html.text("\(column.tone == nil ? "" : " ")\(column.title): \(column.subtitle)")
            }
            html.element(.ol) { html in
                for box in column.boxes { html.element(.li) { write(box, to: &$0) } }
            }
            guard !column.codes.isEmpty else { continue }
            html.element(.p) { html in
                html.text("For the whole path: ")
                codes(column.codes, to: &html)
            }
        }
    }

    private func write(_ box: ChainColumn.Box, to html: inout HTMLWriter) {
        html.foreign(box.name, maximum: 256)
        let words = [box.role, box.origin, box.end].filter { !$0.isEmpty }.joined(separator: ", ")
        html.text(" ")
        html.sentence("(\(words))")
        if !box.codes.isEmpty {
            html.text(": ")
            codes(box.codes, to: &html)
        }
        if let link = box.link, !link.words.isEmpty {
            html.text(link.isBroken ? "; next: \(link.words)" : "; \(link.words) the next")
        }
    }

    private func codes(_ codes: [String], to html: inout HTMLWriter) {
        for (index, code) in codes.enumerated() {
            if index > 0 { html.text(", ") }
            html.element(.code) { $0.foreign(code, maximum: 64) }
        }
    }
}
