// SPDX-License-Identifier: Apache-2.0

import Diagnosis

/// A row of a table of answers: a name, a bar and numbers.
struct AuditRow {
    let count: AuditCount
    /// The number of answers of the longest bar, or nil for a row without a bar.
    let most: Int?
    /// The number of all answers.
    let whole: Int

    /// The columns after the name.
    static let columns = ["Answers", "Share", "Verdicts", "Trusted", "Rejected", "Unreadable"]
    /// The indexes of the numeric columns. The name's column has index 0.
    static let numbers: Set<Int> = [1, 2, 4, 5, 6]

    /// Writes the row.
    /// - Parameters:
    ///   - name: the content of the first cell.
    ///   - cells: further cells.
    func write(
        _ html: inout HTMLWriter, name: (inout HTMLWriter) -> Void, _ cells: (inout HTMLWriter) -> Void = { _ in }
    ) {
        html.element(.tr) { html in
            html.element(.th, [.rowScope, .classes("name")], name)
            number(&html, AuditWords.number(count.answers))
            number(&html, AuditWords.share(count.answers, of: whole))
            html.bar(count, of: most)
            number(&html, AuditWords.number(count.trusted))
            number(&html, AuditWords.number(count.rejected))
            number(&html, AuditWords.number(count.unreadable))
            cells(&html)
        }
    }

    private func number(_ html: inout HTMLWriter, _ text: String) {
        html.element(.td, [.classes("number")], text: text)
    }
}

extension HTMLWriter {
    /// Writes the cell of a bar. The row that sums up the rest has no bar, because it would be longer than any other.
    mutating func bar(_ count: AuditCount, of most: Int?) {
        element(.td, [.classes("bar")]) { html in
            if let most { ShareBar(count.parts, of: most).write(to: &html) }
        }
    }

    /// Writes a name from a table. Names are text from certificates, and long ones are cut.
    mutating func name(_ name: String) {
        guard !name.isEmpty else { return element(.span, [.classes("quiet")], text: "empty") }
        foreign(name, maximum: 160)
    }

    /// Writes the number of answers that are in no row, or nothing if there aren't any.
    mutating func missing(_ count: AuditCount) {
        guard count.answers > 0 else { return }
        element(.p, [.classes("quiet")], text: "\(AuditWords.count(count.answers, "answer")) without this value.")
    }
}
