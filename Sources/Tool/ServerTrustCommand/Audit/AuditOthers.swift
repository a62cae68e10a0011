// SPDX-License-Identifier: Apache-2.0

/// The rows of a table that a page doesn't have, as one row.
struct AuditOthers {
    private(set) var count: AuditCount
    /// The number of rows, and whether there are more that the table doesn't have.
    let words: String

    /// Returns nil if the page has all.
    /// - Parameter ranked: the rows of the table in the order of the page.
    init?(_ table: AuditTable, _ ranked: [AuditTable.Row]) {
        let rows = ranked.dropFirst(AuditSection.maximumRows)
        guard !rows.isEmpty || table.other.answers > 0 else { return nil }
        count = rows.reduce(into: table.other) { $0 += $1.count }
        words =
            "and \(AuditWords.count(rows.count, "other"))"
            + (table.other.answers > 0
                ? ", and those that came after \(AuditWords.number(AuditTable.maximumRows)) names" : "")
    }
}
