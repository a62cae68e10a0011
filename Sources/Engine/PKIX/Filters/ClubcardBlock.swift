// SPDX-License-Identifier: Apache-2.0

/// A filter's entry for one issuer.
struct ClubcardBlock {
    /// The size of an issuer's hash in bytes.
    static let hashSize = 32
    /// The size of an entry without exceptions in format 4, in bytes. It is larger in format 3.
    static let minimumSize = 52

    /// The number of positions in the approximate columns, in bits, the first position, and the number of columns.
    private(set) var approximate: (size: UInt64, offset: UInt64, rank: UInt64) = (0, 0, 0)
    /// The number of positions in the exact column, in bits, and the first position.
    private(set) var exact: (size: UInt64, offset: UInt64) = (0, 0)
    private var isInverted = false
    /// The position of the count of exceptions.
    private var exceptions = 0

    /// Skips an entry.
    /// - Returns: the entry's start, where the issuer's hash begins, and the entry.
    static func skip(_ reader: inout ClubcardReader) throws(ClubcardError) -> (start: Int, block: ClubcardBlock) {
        if reader.version == 3 {
            let place = reader.position
            let size = try reader.number(8, "index")
            guard size == UInt64(hashSize) else {
                throw reader.error(.unexpected(expected: hashSize, found: size), "index", at: place)
            }
        }
        let start = try reader.skip(hashSize, "index")
        var block = ClubcardBlock()
        try block.read(&reader)
        for _ in 0..<(try reader.count(2, of: reader.version == 4 ? 1 : 8, "exceptions")) {
            _ = try reader.skip(try reader.count(1, of: 1, "exceptions"), "exceptions")
        }
        return (start, block)
    }

    private init() {}

    /// Reads the entry whose hash begins at `start`.
    init(_ bytes: Span<UInt8>, at start: Int, version: Int) throws(ClubcardError) {
        var reader = ClubcardReader(bytes, at: start + Self.hashSize, version: version)
        try read(&reader)
    }

    private mutating func read(_ reader: inout ClubcardReader) throws(ClubcardError) {
        if reader.version == 4 {
            approximate.size = try reader.number(4, "index")
            approximate.rank = try reader.number(1, "index")
            approximate.offset = try reader.number(4, "index")
            exact = (try reader.number(4, "index"), try reader.number(4, "index"))
        } else {
            approximate.size = try reader.number(8, "index")
            exact.size = try reader.number(8, "index")
            approximate.rank = try reader.number(8, "index")
            approximate.offset = try reader.number(8, "index")
            exact.offset = try reader.number(8, "index")
        }
        let flag = try reader.number(1, "inverted")
        guard flag <= 1 else { throw reader.error(.flagMalformed, "inverted", at: reader.position - 1) }
        isInverted = flag == 1
        exceptions = reader.position
    }

    /// Returns whether the filter contains a serial number of this issuer as revoked.
    /// - Parameters:
    ///   - digest: SHA-256 of the issuer's hash and the serial number.
    ///   - serial: the contents of the INTEGER.
    func contains(
        _ digest: [UInt8], serial: [UInt8], _ layout: ClubcardLayout, in bytes: Span<UInt8>
    ) throws(ClubcardError) -> Bool {
        guard approximate.size > 0 else { return isInverted }
        let row = ClubcardRow(digest)
        let isRow = isZero(row.place(approximate.size, approximate.offset), row, layout, in: bytes)
        let isListed =
            isRow && !row.isSet(layout.exact, from: row.place(exact.size, exact.offset), layout.version, in: bytes)
        let isException = isListed ? try isException(serial, in: bytes, version: layout.version) : false
        return (isListed && !isException) != isInverted
    }

    /// Whether the row has the value 0 in each approximate column of the issuer. The layout has checked that these
    /// columns exist.
    private func isZero(_ place: UInt64, _ row: ClubcardRow, _ layout: ClubcardLayout, in bytes: Span<UInt8>) -> Bool {
        layout.approximate.prefix(Int(clamping: approximate.rank)).allSatisfy {
            !row.isSet($0, from: place, layout.version, in: bytes)
        }
    }

    private func isException(_ serial: [UInt8], in bytes: Span<UInt8>, version: Int) throws(ClubcardError) -> Bool {
        let sought = serial[...]
        var reader = ClubcardReader(bytes, at: exceptions, version: version)
        for _ in 0..<(try reader.count(2, of: version == 4 ? 1 : 8, "exceptions")) {
            let count = try reader.count(1, of: 1, "exceptions")
            let start = try reader.skip(count, "exceptions")
            if bytesEqual(bytes, ByteRange(start, start + count), sought.span, ByteRange(0, serial.count)) {
                return true
            }
        }
        return false
    }

    /// Compares two hashes byte by byte: less than zero if the left one comes first.
    static func compare(_ left: Span<UInt8>, _ leftStart: Int, _ right: Span<UInt8>, _ rightStart: Int) -> Int {
        for index in 0..<hashSize {
            let (a, b) = (left[leftStart + index], right[rightStart + index])
            if a != b { return Int(a) - Int(b) }
        }
        return 0
    }
}

/// The row of a certificate in a filter's matrix: 256 bits, and the position for comparing them with a column.
struct ClubcardRow {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Creates a row from a digest of 32 bytes.
    init(_ digest: [UInt8]) {
        func word(_ index: Int) -> UInt64 {
            (0..<8).reduce(UInt64(0)) { $0 | UInt64(digest[index * 8 + $1]) << (8 * UInt64($1)) }
        }
        words = (word(0) | 1, word(1), word(2), word(3))
    }

    /// Returns the first bit to compare, within `size` positions that start at `offset`.
    func place(_ size: UInt64, _ offset: UInt64) -> UInt64 { (words.3 % max(1, size)) &+ offset }

    /// Returns the parity of the bits that are set both in the row and in a column from `place` on. Bits beyond the
    /// column's end are 0.
    func isSet(_ column: ClubcardLayout.Column, from place: UInt64, _ version: Int, in bytes: Span<UInt8>) -> Bool {
        let (first, shift) = (place / 64, place % 64)
        func word(_ index: UInt64) -> UInt64 {
            let (position, overflow) = first.addingReportingOverflow(index)
            guard !overflow, position < UInt64(column.count) else { return 0 }
            let start = column.start + Int(position) * 8
            let word = loadWord(bytes, start)
            return version == 4 ? UInt64(bigEndian: word) : UInt64(littleEndian: word)
        }
        func window(_ index: UInt64) -> UInt64 {
            shift == 0 ? word(index) : word(index) >> shift | word(index + 1) << (64 - shift)
        }
        let common =
            window(0) & words.0 ^ window(1) & words.1 ^ window(2) & words.2 ^ window(3) & words.3
        return common.nonzeroBitCount % 2 == 1
    }
}
