// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@testable import PinLint
@testable import ServerTrustPins

/// Counts the work of reading sources in bytes. No test measures time.
@Suite("Work for reading sources")
struct SourceWorkTests {
    /// A source of any size.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let language: SourceLanguage
        /// Returns the source with this many items.
        let text: @Sendable (Int) -> String

        init(_ sentence: String, _ language: SourceLanguage, _ text: @escaping @Sendable (Int) -> String) {
            testDescription = sentence
            self.language = language
            self.text = text
        }
    }

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    static let rows: [Row] = [
        Row("a Kotlin literal with escapes", .kotlin) { "val a = \"\(repeated("\\n", $0))\"" },
        Row("a Java literal with escapes", .java) { "String a = \"\(repeated("\\t", $0))\";" },
        Row("a Swift literal with escapes", .swift) { "let a = \"\(repeated("\\u{e9}", $0))\"" },
        Row("a JavaScript literal with surrogates", .javaScript) {
            "const a = \"\(repeated("\\ud83d\\ude00", $0))\";"
        },
        Row("JavaScript constants", .javaScript) { count in
            (0..<count).map { "const a\($0)=\"x\";" }.joined(separator: "\n")
        },
        Row("Kotlin constants, each built from the one before", .kotlin) { count in
            "val a0 = \"x\"\n" + (1...count).map { "val a\($0) = a\($0 - 1) + \"x\"" }.joined(separator: "\n")
        },
        Row("calls with different pins", .kotlin) { count in
            "val p = CertificatePinner.Builder()" + repeated(".add(\"a.test\", \"sha256/x\")", count)
        },
        Row("options with different hosts", .javaScript) { count in
            "initializeSslPinning({" + (0..<count).map { "\"h\($0)\": [\"a\", \"b\"]," }.joined() + "})"
        },
        Row("a value without a literal", .javaScript) { "initializeSslPinning({a: [\(repeated("b,", $0))]})" },
        Row("a frequently used constant", .javaScript) {
            "const a = \"x\"; initializeSslPinning({b: [\(repeated("a,", $0))]})"
        },
        Row("a long, frequently used constant", .javaScript) {
            "const a = \"\(repeated("x", $0))\"; initializeSslPinning({b: [\(repeated("a,", $0))]})"
        },
        Row("a frequently used list", .javaScript) {
            "const a = [\(repeated("1,", $0))]; initializeSslPinning({b: [\(repeated("a,", $0))]})"
        },
        Row("a pin list for many hosts", .kotlin) { count in
            "val a = listOf(\(repeated("\"sha256/x\",", count)))\nval p = CertificatePinner.Builder()"
                + repeated(".add(\"a.test\", a)", count)
        },
        Row("a long constant with more code after it", .kotlin) { count in
            "val a = \"\(repeated("x", count))\"\n"
                + (0..<count).map { "val b\($0) = a + \"x\"" }.joined(separator: "\n")
        },
    ]

    /// Reads every value in a source and returns the work.
    private static func work(_ row: Row, _ count: Int) -> (work: Int, isExhausted: Bool) {
        let code = SourceCode(Array(row.text(count).utf8), row.language)
        var tree = SourceTree(code)
        for index in code.tokens.indices where code.isSymbol(index, "(") {
            for item in code.items(in: index) {
                if row.language == .javaScript {
                    _ = tree.node(item, [])
                } else {
                    for element in code.list(item) ?? [item] { _ = code.string(element) }
                }
            }
        }
        return (code.work.meter.work, code.work.meter.isExhausted)
    }

    @Test("Sixteen times the items take at most sixteen times the work, or exceed the budget", arguments: rows)
    func doubling(_ row: Row) {
        let small = Self.work(row, 1_000)
        for factor in [2, 4, 16] {
            let large = Self.work(row, 1_000 * factor)
            #expect(large.work <= (8 << 20) + 16 * row.text(1_000 * factor).utf8.count)
            // Quadratic growth is far above the budget at the largest size.
            #expect(large.isExhausted || factor < 16 || large.work < small.work * factor * 5 / 4, "\(small), \(large)")
        }
    }

    @Test("A source with constants that expand to too much text is refused")
    func refused() throws {
        let row = try #require(Self.rows.first { $0.testDescription == "a long, frequently used constant" })
        let file = row.language == .kotlin ? "A.kt" : "a.js"
        let error = try #require(throws: PinFileError.self) {
            _ = try PinConfiguration(importing: Array(row.text(8_000).utf8), file: file)
        }
        #expect(error.problems.contains { $0.code == .pinFileTooLarge && $0.grade == .refused })
    }

    @Test("Escapes in all languages produce the same text as before")
    func escapes() {
        let rows: [(String, SourceLanguage, String?)] = [
            (#""a\n\t\"b""#, .kotlin, "a\n\t\"b"), (#""\u00e9\u00E9""#, .kotlin, "éé"),
            (#""\u{1F600}x""#, .swift, "😀x"), (#""\ud83d\ude00""#, .javaScript, "😀"),
            (##"#"a\#n\n"#"##, .swift, "a\n\\n"), (#""\ud83d""#, .javaScript, nil), (#""\q""#, .kotlin, nil),
            (#""\x41""#, .objectiveC, "A"), (#""ä\n""#, .java, "ä\n"),
        ]
        for (literal, language, text) in rows {
            #expect(SourceStrings.text(of: Array(literal.utf8)[...], language) == text, "\(literal)")
        }
        // An escape doesn't make the invalid bytes before it valid.
        let cutOff: [UInt8] = [0x22, 0xc3, 0x5c, 0x6e, 0x22]
        #expect(SourceStrings.text(of: cutOff[...], .kotlin) == nil)
    }

    @Test("The search finds the members of a key's object everywhere, and reads a dictionary only once")
    func manyKeys() throws {
        for count in [1, 2, 3, 1_000] {
            let text =
                "module.exports = {" + Self.repeated("x: 1, NSPinnedDomains: {}, ", count) + "}"
            let read = try PinConfiguration(importing: Array(text.utf8), as: .ats, file: "app.config.js")
            #expect(read.rules.isEmpty)
        }
    }
}
