// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerTrust

/// upki's `index.bin`.
@Suite struct UpkiIndexTests {
    private static func number(_ value: some FixedWidthInteger) -> [UInt8] {
        (0..<value.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func name(_ text: String) -> [UInt8] {
        Array(text.utf8) + [UInt8](repeating: 0, count: 32 - text.utf8.count)
    }

    private static func log(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    /// Returns an index of two files and two logs. The first file covers 10 to 20 of both logs, the second 15 to 30 of
    /// the second log.
    static func index(version: Int) -> [UInt8] {
        let isOld = version == 0
        func file(_ index: UInt16) -> [UInt8] { isOld ? [UInt8(index)] : number(index) }
        var bytes = Array("upkiidx\(version)".utf8) + file(2) + number(UInt32(2))
        bytes += name("a.filter") + name("b.filter.delta")
        let entries = bytes.count + 2 * 42
        let size = isOld ? 17 : 18
        bytes += log(1) + number(UInt64(entries)) + number(UInt16(1))
        bytes += log(2) + number(UInt64(entries + size)) + number(UInt16(2))
        for (index, first, last) in [(0, 10, 20), (0, 10, 20), (1, 15, 30)] {
            bytes += file(UInt16(index)) + number(UInt64(first)) + number(UInt64(last))
        }
        return bytes
    }

    @Test("Both versions name the files that cover a log's timestamp", arguments: [0, 1])
    func isRead(version: Int) throws {
        let index = try UpkiIndex(Self.index(version: version))
        #expect(index.names == ["a.filter", "b.filter.delta"])
        let rows: [(UInt8, UInt64, [String])] = [
            (1, 10, ["a.filter"]), (1, 9, []), (1, 21, []), (2, 15, ["a.filter", "b.filter.delta"]),
            (2, 30, ["b.filter.delta"]), (2, 31, []), (3, 15, []),
        ]
        for (log, time, files) in rows { #expect(index.files(covering: time, of: Self.log(log)) == files) }
        #expect(index.files(covering: 15, of: []) == [])
    }

    @Test(
        "Every truncation causes an error, and every flipped bit causes an error or yields another index",
        arguments: [0, 1]
    )
    func damage(version: Int) throws {
        let bytes = Self.index(version: version)
        let whole = try UpkiIndex(bytes)
        for count in bytes.indices { #expect(throws: UpkiIndexError.self) { try UpkiIndex(Array(bytes[..<count])) } }
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << bit
                guard let read = try? UpkiIndex(flipped) else { continue }
                #expect(read != whole, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test("Impossible counts and offsets cause errors and cost no memory", .timeLimit(.minutes(10)))
    func hugeCounts() {
        let magic = Array("upkiidx1".utf8)
        let rows: [([UInt8], UpkiIndexError)] = [
            (magic + Self.number(UInt16.max) + Self.number(UInt32.max), .truncated(14)),
            (magic + Self.number(UInt16(0)) + Self.number(UInt32.max), .truncated(14)),
            (
                magic + Self.number(UInt16(0)) + Self.number(UInt32(1)) + Self.log(1) + Self.number(UInt64.max)
                    + Self.number(UInt16.max), .truncated(56)
            ),
            (
                magic + Self.number(UInt16(0)) + Self.number(UInt32(1)) + Self.log(1) + Self.number(UInt64(56))
                    + Self.number(UInt16.max), .truncated(56)
            ),
            (Array("upkiidx2".utf8), .otherVersion), (Array("PK345678".utf8), .otherMagic),
        ]
        for (bytes, error) in rows {
            #expect(throws: error) { try UpkiIndex(bytes) }
        }
        // Logs that share one large section of entries.
        var bytes = magic + Self.number(UInt16(1)) + Self.number(UInt32(20)) + Self.name("a.filter")
        let entries = bytes.count + 20 * 42
        for log in 1...20 {
            bytes += Self.log(UInt8(log)) + Self.number(UInt64(entries)) + Self.number(UInt16.max)
        }
        bytes += [UInt8](repeating: 0, count: 18 * Int(UInt16.max))
        #expect(throws: UpkiIndexError.tooLarge) { try UpkiIndex(bytes) }
    }
}
