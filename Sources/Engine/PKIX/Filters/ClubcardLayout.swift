// SPDX-License-Identifier: Apache-2.0

/// The positions of a filter's fields. Only queries read the bytes of the columns, so a file that is mapped into memory
/// is read only where a query needs it.
///
/// The layout supports formats 3 (bincode) and 4 of Mozilla's clubcard-crlite. Every position is checked against the
/// number of bytes.
struct ClubcardLayout: Sendable {
    /// A column of bits, stored as 64-bit words.
    struct Column: Sendable {
        /// The offset of the words in bytes.
        let start: Int
        /// The number of words.
        let count: Int
    }

    /// The largest numbers that are accepted. Real filters have 26 logs, about 3,000 issuers and 20 columns.
    private static let maximumLogs = 4_096
    private static let maximumBlocks = 1 << 20
    static let maximumColumns = 255

    /// The format version, 3 or 4.
    let version: Int
    /// The offsets of the coverage's entries. Each entry has 48 bytes: log, first timestamp and last timestamp in
    /// milliseconds.
    let logs: [Int]
    /// The newest timestamp of the coverage, in milliseconds since 1970, or 0 if there is no log.
    let newestTimestamp: UInt64
    /// The offsets of the issuers' hashes, sorted by hash.
    let blocks: [UInt32]
    let approximate: [Column]
    let exact: Column

    /// Reads the positions of all fields.
    /// - Throws: ``ClubcardError`` with field and byte.
    init(_ bytes: Span<UInt8>) throws(ClubcardError) {
        guard bytes.count <= Int(UInt32.max) else {
            throw ClubcardError(reason: .limitExceeded(limit: Int(UInt32.max)), field: "size", offset: 0)
        }
        var reader = ClubcardReader(bytes)
        try reader.readVersion()
        version = reader.version
        (logs, newestTimestamp) = try Self.coverage(&reader)
        let (blocks, places) = try Self.blocks(&reader)
        self.blocks = blocks
        let start = reader.position
        let columns = try reader.count(1, of: 1, "approx")
        guard columns <= Self.maximumColumns else {
            throw reader.error(.limitExceeded(limit: Self.maximumColumns), "approx", at: start)
        }
        var approximate: [Column] = []
        for _ in 0..<columns { approximate.append(try Self.column(&reader, "approx")) }
        self.approximate = approximate
        exact = try Self.column(&reader, "exact")
        guard reader.isAtEnd else { throw reader.error(.trailingBytes, "exact", at: reader.position) }
        try places.check(approximate, exact)
    }

    private static func coverage(
        _ reader: inout ClubcardReader
    ) throws(ClubcardError) -> (logs: [Int], newest: UInt64) {
        let start = reader.position
        let count = try reader.count(2, of: 48, "coverage")
        guard count <= maximumLogs else {
            throw reader.error(.limitExceeded(limit: maximumLogs), "coverage", at: start)
        }
        var (logs, newest): ([Int], UInt64) = ([], 0)
        for _ in 0..<count {
            logs.append(try reader.skip(32, "coverage"))
            _ = try reader.number(8, "coverage")
            newest = max(newest, try reader.number(8, "coverage"))
        }
        // Two entries for one log would contradict each other.
        var sorted = logs.map { UInt32($0) }
        try sort(&sorted, reader, "coverage")
        return (logs, newest)
    }

    private static func column(_ reader: inout ClubcardReader, _ field: StaticString) throws(ClubcardError) -> Column {
        let count = try reader.count(4, of: 8, field)
        return Column(start: try reader.skip(count * 8, field), count: count)
    }

    /// Skips the issuers' entries.
    /// - Returns: the offsets of their hashes, sorted by hash, and the positions that the entries need.
    private static func blocks(
        _ reader: inout ClubcardReader
    ) throws(ClubcardError) -> (blocks: [UInt32], places: ClubcardPlaces) {
        let start = reader.position
        let count = try reader.count(4, of: ClubcardBlock.minimumSize, "index")
        guard count <= maximumBlocks else {
            throw reader.error(.limitExceeded(limit: maximumBlocks), "index", at: start)
        }
        var blocks: [UInt32] = []
        blocks.reserveCapacity(count)
        var places = ClubcardPlaces()
        for _ in 0..<count {
            let (start, block) = try ClubcardBlock.skip(&reader)
            blocks.append(UInt32(start))
            places.add(block, at: start)
        }
        try sort(&blocks, reader, "index")
        return (blocks, places)
    }

    /// Sorts the offsets of hashes by hash, and throws if a hash appears twice.
    private static func sort(
        _ starts: inout [UInt32], _ reader: borrowing ClubcardReader, _ field: StaticString
    ) throws(ClubcardError) {
        let bytes = reader.bytes
        starts.sort { ClubcardBlock.compare(bytes, Int($0), bytes, Int($1)) < 0 }
        for (left, right) in zip(starts, starts.dropFirst())
        where ClubcardBlock.compare(bytes, Int(left), bytes, Int(right)) == 0 {
            throw reader.error(.duplicate, field, at: Int(right))
        }
    }

    /// Returns an issuer's entry by the SHA-256 of the issuer's key, or nil if the filter has no entry.
    func block(_ key: [UInt8], in bytes: Span<UInt8>) -> ClubcardBlock? {
        let (sought, hash) = (key[...], ClubcardBlock.hashSize)
        guard key.count == hash else { return nil }
        var (low, high) = (0, blocks.count)
        while low < high {
            let middle = (low + high) / 2
            let start = Int(blocks[middle])
            let order = ClubcardBlock.compare(bytes, start, sought.span, 0)
            if order == 0 { return try? ClubcardBlock(bytes, at: start, version: version) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// Whether the filter covers a log's timestamp.
    func covers(_ logID: [UInt8], _ milliseconds: UInt64, in bytes: Span<UInt8>) -> Bool {
        let sought = logID[...]
        guard logID.count == ClubcardBlock.hashSize else { return false }
        return logs.contains { start in
            guard ClubcardBlock.compare(bytes, start, sought.span, 0) == 0,
                let range = range(at: start, in: bytes)
            else { return false }
            return range.first <= milliseconds && milliseconds <= range.last
        }
    }

    /// Returns the coverage entry at an offset.
    func coverage(at start: Int, in bytes: Span<UInt8>) -> (log: [UInt8], first: UInt64, last: UInt64)? {
        range(at: start, in: bytes).map {
            (bytes.copy(ByteRange(start, start + ClubcardBlock.hashSize)), $0.first, $0.last)
        }
    }

    private func range(at start: Int, in bytes: Span<UInt8>) -> (first: UInt64, last: UInt64)? {
        var reader = ClubcardReader(bytes, at: start + ClubcardBlock.hashSize, version: version)
        guard let first = try? reader.number(8, "coverage"), let last = try? reader.number(8, "coverage") else {
            return nil
        }
        return (first, last)
    }
}
