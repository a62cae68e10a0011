// SPDX-License-Identifier: Apache-2.0

import Diagnosis

/// A section of an audit's page with the most frequent rows of a table.
struct AuditSection {
    let title: String
    /// The heading of the name column.
    let column: String
    let id: HTMLIdentifier
    let table: AuditTable
    /// The answers of the whole run.
    let whole: AuditCount
    /// The sentence to show instead of an empty table, or nil to leave the section out.
    var absence: String?

    /// The maximum number of rows on the page.
    static let maximumRows = 25

    /// Whether the section writes nothing.
    var isEmpty: Bool { table.isEmpty && absence == nil }

    /// Writes the section.
    func write(_ html: inout HTMLWriter) {
        guard !isEmpty else { return }
        html.section(title, id: id) { html in
            if let absence, table.isEmpty { return html.element(.p, [.classes("quiet")], text: absence) }
            let ranked = table.ranked
            let others = AuditOthers(table, ranked)
            let most = ranked.first?.count.answers ?? 0
            html.table(
                label: title, columns: [column] + AuditRow.columns, numbers: AuditRow.numbers,
                classes: .classes("counts")
            ) { html in
                for row in ranked.prefix(Self.maximumRows) {
                    AuditRow(count: row.count, most: most, whole: whole.answers).write(&html) { $0.name(row.name) }
                }
                if let others {
                    AuditRow(count: others.count, most: nil, whole: whole.answers).write(&html) {
                        $0.element(.span, [.classes("quiet")], text: others.words)
                    }
                }
            }
            html.missing(table.none)
        }
    }
}
