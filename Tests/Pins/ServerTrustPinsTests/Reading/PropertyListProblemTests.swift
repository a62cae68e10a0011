// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustPins
import Testing

@Suite("Property list problems")
struct PropertyListProblemTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let list: String
        let lines: [Int]
        let codes: [ErrorCode]

        init(_ name: String, _ list: String, _ problems: (Int, ErrorCode)...) {
            self.testDescription = name
            self.list = list
            self.lines = problems.map(\.0)
            self.codes = problems.map(\.1)
        }
    }

    static let rows = [
        Row("no value", "<plist></plist>", (1, .pinFileUnreadable)),
        Row("two values", "<plist>\n<true/><foo/></plist>", (1, .pinFileUnreadable)),
        Row("another root", "<dict>\n<key>a</key><foo/></dict>", (1, .pinFileUnreadable)),
        Row("a root with a list inside", "<foo>\n<plist><true/></plist></foo>", (1, .pinFileUnreadable)),
        Row("an unknown element", "<plist>\n<foo/></plist>", (2, .pinFileUnreadable)),
        Row(
            "a list inside a list", "<plist><array>\n<plist><true/></plist></array></plist>", (2, .pinFileUnreadable)
        ),
        Row(
            "a string with elements, whose own problems don't count", "<plist><string>\n<foo/></string></plist>",
            (1, .pinFileUnreadable)),
        Row(
            "an array with text, which replaces the problems inside it",
            "<plist><array>\n<foo/>\n<bar/>a</array></plist>", (1, .pinFileUnreadable)),
        Row("a boolean with a text", "<plist>\n<true>a</true></plist>", (2, .pinFileUnreadable)),
        Row(
            "problems of several elements, in order",
            "<plist><array>\n<date>x</date>\n<data>*</data>\n<foo/>\n<array><foo/></array></array></plist>",
            (2, .pinFileBadDate), (3, .pinFileBadBase64), (4, .pinFileUnreadable), (5, .pinFileUnreadable)),
        Row(
            "a value without a key, after which nothing is read", "<plist><dict>\n<true/>\n<foo/></dict></plist>",
            (2, .pinFileUnreadable)),
        Row(
            "a key without a value", "<plist><dict>\n<key>a</key><true/>\n<key>b</key></dict></plist>",
            (3, .pinFileUnreadable)
        ),
        Row("a key with an element", "<plist><dict>\n<key>a<foo/></key><foo/></dict></plist>", (2, .pinFileUnreadable)),
        Row(
            "a value with a problem, then a wrong key",
            "<plist><dict><key>a</key>\n<foo/>\n<bar/><foo/></dict></plist>", (2, .pinFileUnreadable),
            (3, .pinFileUnreadable)),
        Row(
            "a key instead of a value", "<plist><dict><key>a</key>\n<key>b</key></dict></plist>",
            (2, .pinFileUnreadable)),
        Row("truncated XML as the only problem", "<plist><array>\n<foo/>\n<bar>", (3, .pinFileUnreadable)),
    ]

    @Test("A property list with problems is refused, with their lines and codes", arguments: rows)
    func problems(row: Row) {
        let error = #expect(throws: PinFileError.self) {
            try PinNode(xmlPropertyList: Array(row.list.utf8), file: "Info.plist")
        }
        #expect(error?.problems.map(\.location.line) == row.lines)
        #expect(error?.problems.map(\.code) == row.codes)
    }

    @Test("Values keep their lines, and comments before a key or value stay with the member")
    func comments() throws {
        let list = """
            <plist><dict>
            <!-- first --><key>a</key>
            <true/>
            <key>b</key><!-- second --><array>
            <!-- third --><string> x </string></array>
            </dict></plist>
            """
        let node = try PinNode(xmlPropertyList: Array(list.utf8), file: "Info.plist")
        let (first, second) = (try #require(node["a"]), try #require(node["b"]))
        #expect([node.line, first.line, second.line] == [1, 2, 4])
        #expect([first.comment, second.comment] == ["first", "second"])
        guard case .array(let elements) = second.value, let text = elements.first,
            case .string(let value) = text.value
        else {
            Issue.record("no array with a text")
            return
        }
        #expect(value == " x ")
        #expect(text.comment == "third")
        #expect(text.line == 5)
    }
}
