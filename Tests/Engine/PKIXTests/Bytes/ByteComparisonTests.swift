// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite("Comparison of bytes")
struct ByteComparisonTests {
    @Test("Bytes contain a pattern at a position only if all its bytes are there")
    func patterns() {
        let bytes: [UInt8] = [1, 2, 3]
        let rows: [(start: Int, pattern: [UInt8], matches: Bool)] = [
            (0, [], true), (3, [], true), (0, [1], true), (0, [1, 2, 3], true), (1, [2, 3], true), (2, [3], true),
            (0, [1, 2, 3, 4], false), (1, [2, 3, 4], false), (3, [4], false), (4, [], false), (-1, [1], false),
            (0, [1, 3], false), (1, [1], false),
        ]
        for row in rows {
            #expect(matches(bytes.span, row.start, row.pattern) == row.matches, "\(row)")
        }
    }

    @Test("A range is a pattern only if it has the same length")
    func ranges() {
        let bytes: [UInt8] = [1, 2, 3]
        let rows: [(range: ByteRange, pattern: [UInt8], isEqual: Bool)] = [
            (ByteRange(0, 3), [1, 2, 3], true), (ByteRange(1, 3), [2, 3], true), (ByteRange(3, 3), [], true),
            (ByteRange(0, 2), [1], false), (ByteRange(0, 2), [1, 2, 3], false), (ByteRange(1, 3), [1, 2], false),
        ]
        for row in rows {
            #expect(equals(bytes.span, row.range, row.pattern) == row.isEqual, "\(row)")
        }
    }
}
