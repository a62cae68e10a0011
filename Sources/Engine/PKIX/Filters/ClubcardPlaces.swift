// SPDX-License-Identifier: Apache-2.0

/// The places that a filter's entries have in its columns, which follow the entries in a file.
///
/// An entry whose places lie beyond a column contradicts it: bits that aren't there would count as 0, and an entry that is inverted would have
/// all certificates as good.
struct ClubcardPlaces {
    /// The end of an entry's places in bits, and the byte at which the entry begins.
    private typealias End = (bit: UInt64, entry: Int)

    /// The last end of the entries that need so many columns, by this number less 1.
    private var approximate = [End](repeating: (0, 0), count: ClubcardLayout.maximumColumns)
    private var exact: End = (0, 0)
    /// The largest number of columns of an entry, and the entry.
    private var highest: (rank: UInt64, entry: Int) = (0, 0)

    /// Adds an entry.
    /// - Parameter start: the byte at which it begins.
    mutating func add(_ block: ClubcardBlock, at start: Int) {
        // Without places in the approximate columns no column is read.
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

    /// Checks that the columns have all places.
    /// - Throws: ``ClubcardError`` with the entry.
    func check(_ columns: [ClubcardLayout.Column], _ exactColumn: ClubcardLayout.Column) throws(ClubcardError) {
        guard highest.rank <= UInt64(columns.count) else {
            throw ClubcardError(
                reason: .unexpected(expected: columns.count, found: highest.rank), field: "rank", offset: highest.entry)
        }
        var last: End = (0, 0)
        for (index, column) in columns.enumerated().reversed() {
            // The entries that need more columns need this one as well.
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
