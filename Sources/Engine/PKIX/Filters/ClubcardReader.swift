// SPDX-License-Identifier: Apache-2.0

/// A cursor over the bytes of a filter.
struct ClubcardReader: ~Escapable {
    let bytes: Span<UInt8>
    /// The format version. Format 3 stores numbers with the least significant byte first and counts as 64 bits. Format
    /// 4 stores the most significant byte first and uses as many bits for a count as its field needs.
    private(set) var version = 0
    private(set) var position = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// Creates a cursor at a position in a filter with a known format.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, at position: Int, version: Int) {
        self.bytes = bytes
        self.position = position
        self.version = version
    }

    var isAtEnd: Bool { position == bytes.count }

    /// Reads the version from the first two bytes.
    mutating func readVersion() throws(ClubcardError) {
        let first = Int(try number(1, "version"))
        guard first == 3 || first == 4 else { throw error(.unknownVersion(first), "version", at: 0) }
        let second = try number(1, "version")
        guard second == 0 else { throw error(.unexpected(expected: 0, found: second), "version", at: 1) }
        version = first
    }

    /// Skips a field of `count` bytes and returns its offset.
    mutating func skip(_ count: Int, _ field: StaticString) throws(ClubcardError) -> Int {
        let start = position
        guard count >= 0, count <= bytes.count - start else { throw error(.truncated, field, at: start) }
        position = start + count
        return start
    }

    /// Reads a number of `size` bytes, at most eight.
    mutating func number(_ size: Int, _ field: StaticString) throws(ClubcardError) -> UInt64 {
        let start = try skip(size, field)
        var value: UInt64 = 0
        for index in 0..<size {
            let byte = UInt64(bytes[start + index])
            value = version == 4 ? value << 8 | byte : value | byte << (8 * UInt64(index))
        }
        return value
    }

    /// Reads a count of members with at least `memberSize` bytes each. The count can't exceed the remaining bytes.
    /// - Parameter size: the size of the count in bytes in format 4.
    mutating func count(_ size: Int, of memberSize: Int, _ field: StaticString) throws(ClubcardError) -> Int {
        let start = position
        let value = try number(version == 4 ? size : 8, field)
        guard value <= UInt64((bytes.count - position) / memberSize) else { throw error(.truncated, field, at: start) }
        return Int(value)
    }

    func error(_ reason: ClubcardError.Reason, _ field: StaticString, at offset: Int) -> ClubcardError {
        ClubcardError(reason: reason, field: "\(field)", offset: offset)
    }
}
