// SPDX-License-Identifier: Apache-2.0

/// The sum of the rows that a page leaves out of a table.
struct AuditOthers {
    private(set) var count: AuditCount
    /// The number of these rows, with a note if the table itself was full.
    let words: String

    /// Creates the sum, or returns nil if the page shows every row.
    /// - Parameter ranked: the rows of the table in the order of the page.
    init?(_ table: AuditTable, _ ranked: [AuditTable.Row]) {
        let rows = ranked.dropFirst(AuditSection.maximumRows)
        guard !rows.isEmpty || table.other.answers > 0 else { return nil }
        count = rows.reduce(into: table.other) { $0 += $1.count }
        words =
            "and \(AuditWords.count(rows.count, "other"))"
            + (table.other.answers > 0
                ? ", and all that came after the first \(AuditWords.number(AuditTable.maximumRows)) names" : "")
    }
}
