// SPDX-License-Identifier: Apache-2.0

/// The positions that a filter's entries use in its columns. In a file, the columns follow the entries.
///
/// An entry with positions beyond a column contradicts the column. The missing bits would count as 0, and an inverted
/// entry would then treat all certificates as good.
struct ClubcardPlaces {
    /// The end of an entry's positions in bits, and the entry's offset in bytes.
    private typealias End = (bit: UInt64, entry: Int)

    /// For each number of columns, less 1, the last end of the entries that need that many columns.
    private var approximate = [End](repeating: (0, 0), count: ClubcardLayout.maximumColumns)
    private var exact: End = (0, 0)
    /// The largest number of columns that an entry needs, and that entry.
    private var highest: (rank: UInt64, entry: Int) = (0, 0)

    /// Adds an entry.
    /// - Parameter start: the entry's offset in bytes.
    mutating func add(_ block: ClubcardBlock, at start: Int) {
        // An entry without positions in the approximate columns reads no column.
        guard block.approximate.size > 0 else { return }
        let rank = block.approximate.rank
        if rank > highest.rank { highest = (rank, start) }
        if rank > 0, rank <= UInt64(approximate.count) {
            let end = Self.end(block.approximate.size, block.approximate.offset)
            if end > approximate[Int(rank) - 1].bit { approximate[Int(rank) - 1] = (end, start) }
        }
        guard block.exact.size > 0 else { return }
        let end = Self.end(block.exact.size, block.exact.offset)
        if end > exact.bit { exact = (end, start) }
    }

    private static func end(_ size: UInt64, _ offset: UInt64) -> UInt64 {
        let (end, overflow) = size.addingReportingOverflow(offset)
        return overflow ? .max : end
    }

    /// Checks that the columns contain all positions.
    /// - Throws: ``ClubcardError`` with the entry.
    func check(_ columns: [ClubcardLayout.Column], _ exactColumn: ClubcardLayout.Column) throws(ClubcardError) {
        guard highest.rank <= UInt64(columns.count) else {
            throw ClubcardError(
                reason: .unexpected(expected: columns.count, found: highest.rank), field: "rank", offset: highest.entry)
        }
        var last: End = (0, 0)
        for (index, column) in columns.enumerated().reversed() {
            // Entries that need more columns also need this one.
            if approximate[index].bit > last.bit { last = approximate[index] }
            try Self.check(last, column, "approx")
        }
        try Self.check(exact, exactColumn, "exact")
    }

    private static func check(
        _ end: End, _ column: ClubcardLayout.Column, _ field: String
    ) throws(ClubcardError) {
        guard end.bit <= UInt64(column.count) * 64 else {
            throw ClubcardError(
                reason: .placesMissing(needed: end.bit, found: column.count * 64), field: field, offset: end.entry)
        }
    }
}
