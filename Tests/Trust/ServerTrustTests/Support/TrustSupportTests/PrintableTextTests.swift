// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@Suite("Text of unknown origin, for terminals and logs")
struct PrintableTextTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let expected: String

        init(_ description: String, _ text: String, _ expected: String) {
            self.testDescription = description
            self.text = text
            self.expected = expected
        }
    }

    @Test(
        "Control and direction characters print as their numbers, and all others stay unchanged",
        arguments: [
            Row("nothing", "", ""),
            Row("plain text", "CN=www.example.com, O=Example \\ \"Ltd\"", "CN=www.example.com, O=Example \\ \"Ltd\""),
            Row("letters, marks and symbols of any script", "Zürich e\u{301} 漢字 עברית 🔒", "Zürich e\u{301} 漢字 עברית 🔒"),
            Row("NUL", "a\0b", "a\\u{0}b"),
            Row("an escape sequence of a terminal", "\u{1b}[31mred", "\\u{1b}[31mred"),
            Row("a line feed, a return and a tab", "a\nb\rc\td", "a\\u{a}b\\u{d}c\\u{9}d"),
            Row("CR LF, which is one character", "a\r\nb", "a\\u{d}\\u{a}b"),
            Row("DEL", "a\u{7f}", "a\\u{7f}"),
            Row("a control character of ISO 6429 above ASCII", "\u{9b}31m", "\\u{9b}31m"),
            Row("a direction override", "a\u{202e}b\u{202c}", "a\\u{202e}b\\u{202c}"),
            Row("a direction isolate", "\u{2066}a\u{2069}", "\\u{2066}a\\u{2069}"),
            Row("characters without width", "a\u{200b}b\u{feff}c\u{ad}", "a\\u{200b}b\\u{feff}c\\u{ad}"),
            Row("separators of lines and paragraphs", "a\u{2028}b\u{2029}c", "a\\u{2028}b\\u{2029}c"),
            Row("a private character", "\u{e000}", "\\u{e000}"),
            Row("a tag, invisible outside the first plane", "a\u{e0041}", "a\\u{e0041}"),
            Row("an unassigned character", "\u{0378}", "\\u{378}"),
            Row(
                "bytes that aren't UTF-8, which decoding replaces", String(decoding: [0x61, 0xff], as: UTF8.self),
                "a\u{fffd}"),
        ])
    func escaping(_ row: Row) {
        #expect(row.text.escapingUnprintable == row.expected)
        #expect(clipped(row.text) == row.expected)
    }

    @Test(
        "A long string ends in an ellipsis, and no escape is cut",
        arguments: [
            Row("short", "abc", "abc"), Row("as long as allowed", "abcd", "abcd"), Row("longer", "abcde", "abcd…"),
            Row("an escape counts as the one character that it represents", "\n\n\n\n", "\\u{a}\\u{a}\\u{a}\\u{a}"),
            Row("the cut is between escapes", "\n\n\n\n\n", "\\u{a}\\u{a}\\u{a}\\u{a}…"),
            Row("many bytes in few characters", "漢字漢字", "漢字漢字"),
        ])
    func clipping(_ row: Row) { #expect(clipped(row.text, to: 4) == row.expected) }
}
