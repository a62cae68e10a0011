// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Diagnosis

@Suite("Untrusted text in HTML")
struct HTMLTextTests {
    @Test(
        "The report capitalizes the first word of text, unless the word is a name or a pattern",
        arguments: [
            ("a leaf of a CA", "A leaf of a CA"), ("ap*.lab.test for api.lab.test", "ap*.lab.test for api.lab.test"),
            ("*.com", "*.com"), ("self-signed, and known", "Self-signed, and known"), ("", ""),
        ])
    func capitalized(_ text: String, _ expected: String) { #expect(ReportText.capitalized(text) == expected) }

    @Test(
        "A drawing truncates text with wide characters earlier than text with narrow characters, and adds an ellipsis")
    func wideSigns() {
        #expect(DrawnText.cut(String(repeating: "<", count: 24), to: 27).hasSuffix("…"))
        #expect(DrawnText.cut(String(repeating: "x", count: 24), to: 27) == String(repeating: "x", count: 24))
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        let expected: String

        init(_ name: String, _ text: String, _ expected: String) {
            testDescription = name
            self.text = text
            self.expected = expected
        }
    }

    static let rows = [
        Row("plain words don't change", "CN=api.example.com,O=Example Ltd", "CN=api.example.com,O=Example Ltd"),
        Row("markup becomes text", "<b onclick=x>", "&lt;b onclick=x&gt;"),
        Row("the end of a script becomes text", "</script><script>", "&lt;/script&gt;&lt;script&gt;"),
        Row("the end of a CDATA section is escaped", "]]>", "]]&gt;"),
        Row("both quotes are escaped", "\"'", "&quot;&#39;"),
        Row("an entity is shown as it was written", "&lt;&#x202e;", "&amp;lt;&amp;#x202e;"),
        Row("a null byte is visible", "a\u{0}b", "a\\u{0}b"),
        Row("escape and delete are visible", "\u{1b}[31m\u{7f}", "\\u{1b}[31m\\u{7f}"),
        Row("line feeds are visible", "a\nb\r\nc\td", "a\\u{a}b\\u{d}\\u{a}c\\u{9}d"),
        Row("C1 controls are visible", "\u{85}\u{9b}", "\\u{85}\\u{9b}"),
        Row(
            "embeddings and overrides are visible", "\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}",
            "\\u{202a}\\u{202b}\\u{202c}\\u{202d}\\u{202e}"),
        Row("isolates are visible", "\u{2066}\u{2067}\u{2068}\u{2069}", "\\u{2066}\\u{2067}\\u{2068}\\u{2069}"),
        Row("direction marks are visible", "\u{200e}\u{200f}\u{61c}", "\\u{200e}\\u{200f}\\u{61c}"),
        Row(
            "zero-width characters are visible", "\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}\u{ad}",
            "\\u{200b}\\u{200c}\\u{200d}\\u{2060}\\u{feff}\\u{ad}"),
        Row("line and paragraph separators are visible", "\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
        Row("other spaces are visible", "a\u{a0}b\u{3000}c\u{2003}d", "a\\u{a0}b\\u{3000}c\\u{2003}d"),
        Row("fillers are visible", "\u{3164}\u{115f}\u{ffa0}\u{2800}", "\\u{3164}\\u{115f}\\u{ffa0}\\u{2800}"),
        Row("tags and variation selectors are visible", "\u{e0041}\u{fe0f}", "\\u{e0041}\\u{fe0f}"),
        Row("characters that XML forbids are visible", "\u{fffe}\u{ffff}\u{1fffe}", "\\u{fffe}\\u{ffff}\\u{1fffe}"),
        Row("private-use characters are visible", "\u{e000}\u{f8ff}", "\\u{e000}\\u{f8ff}"),
        Row("letters of every script don't change", "bücher.例え.テスト שלום مرحبا", "bücher.例え.テスト שלום مرحبا"),
        Row("emoji stay", "🔒", "🔒"),
        Row("four marks on a letter don't change", "e\u{301}\u{302}\u{303}\u{304}", "e\u{301}\u{302}\u{303}\u{304}"),
        Row(
            "the fifth mark on a letter is visible", "e\u{301}\u{302}\u{303}\u{304}\u{305}",
            "e\u{301}\u{302}\u{303}\u{304}\\u{305}"),
    ]

    @Test(arguments: rows) func escapes(_ row: Row) { #expect(HTMLText.escaped(row.text) == row.expected) }

    @Test("The writer truncates long text and adds an ellipsis")
    func cut() {
        #expect(HTMLText.escaped(String(repeating: "a", count: 400)).unicodeScalars.count == 400)
        #expect(HTMLText.escaped(String(repeating: "a", count: 10_000)) == String(repeating: "a", count: 400) + "…")
        #expect(HTMLText.escaped(String(repeating: "\u{202e}", count: 10_000)).utf8.count <= 400 * 10 + 3)
    }
}
