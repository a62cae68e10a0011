// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@Suite("Runs of combining characters")
struct CombiningRunTests {
    /// A string of a base letter and marks.
    private static func run(_ count: Int, of marks: String = "\u{301}") -> String {
        "a" + String(repeating: marks, count: count)
    }

    @Test(
        "30 combining characters in a row are accepted, but 31 are too many",
        arguments: [
            "\u{301}", "\u{316}", "\u{5b0}", "\u{3099}", "\u{1d165}", "\u{1e8d0}",
            // Unicode doesn't reorder these characters, but decomposes each into two characters that it reorders.
            "\u{f73}", "\u{f75}", "\u{f81}",
        ])
    func limit(_ mark: String) {
        for (count, isTooLong) in [(0, false), (1, false), (30, false), (31, true), (2_000, true)] {
            let text = Self.run(count, of: mark) + "z"
            #expect(CombiningRun.isTooLong(in: text) == isTooLong)
            #expect(CombiningRun.isTooLong(inJSON: Array(text.utf8)) == isTooLong)
            let escaped = "\"" + text.utf16.map { "\\u" + Self.hex($0) }.joined() + "\""
            #expect(CombiningRun.isTooLong(inJSON: Array(escaped.utf8)) == isTooLong)
        }
    }

    private static func hex(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    @Test("Any other character ends a run", arguments: ["a", " ", "é", "漢", "\u{d55c}", "😀", "\u{200d}", "\n"])
    func ends(_ other: String) {
        let text = String(repeating: Self.run(30) + other, count: 50)
        #expect(!CombiningRun.isTooLong(in: text))
        #expect(!CombiningRun.isTooLong(inJSON: Array(text.utf8)))
    }

    @Test("Escapes and characters in JSON form one run, and an escaped backslash ends it") func escapes() {
        let half = String(repeating: "\u{301}", count: 16)
        let escaped = String(repeating: "\\u0316", count: 16)
        #expect(CombiningRun.isTooLong(inJSON: Array((half + escaped).utf8)))
        #expect(CombiningRun.isTooLong(inJSON: Array((escaped + half).utf8)))
        #expect(!CombiningRun.isTooLong(inJSON: Array(String(repeating: "\\\\u0316", count: 100).utf8)))
        #expect(!CombiningRun.isTooLong(inJSON: Array((half + "\\n" + escaped).utf8)))
        #expect(!CombiningRun.isTooLong(in: escaped + escaped))
    }

    @Test("The reader reads bytes that aren't text and truncated escapes to the end")
    func damaged() {
        let marks = Array(String(repeating: "\u{301}", count: 31).utf8)
        for bytes: [UInt8] in [
            [], [0xcc], [0xe2, 0x80], [0xf0, 0x9f], [0xff, 0xfe], [0x5c], [0x5c, 0x75], Array("\\u03".utf8),
            Array("\\ud834".utf8), Array("\\ud834\\u".utf8), Array("\\ud834\\u0301".utf8), Array("\\udd65".utf8),
            [0xcc, 0x20, 0x81], [0xf7, 0xbf, 0xbf, 0xbf],
        ] {
            #expect(!CombiningRun.isTooLong(inJSON: bytes))
            #expect(CombiningRun.isTooLong(inJSON: bytes + [0x20] + marks))
        }
    }
}
