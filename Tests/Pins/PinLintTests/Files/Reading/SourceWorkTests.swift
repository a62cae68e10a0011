// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@testable import PinLint
@testable import ServerTrustPins

/// The work of reading sources. No test measures time.
@Suite("Work for reading sources")
struct SourceWorkTests {
    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    static let large: [(file: String, text: String)] = [
        ("a.js", "initializeSslPinning({a: [\(repeated("b,", PinNode.maximumCount))]})"),
        // Each of the dictionaries contains the list.
        (
            "A.swift",
            repeated("[kTSKPinnedDomains: ", 40) + "[\(repeated("1,", PinNode.maximumCount / 20))]" + repeated("]", 40)
        ),
    ]

    @Test("A source with too many values is refused", arguments: large)
    func refused(_ file: String, _ text: String) throws {
        let error = try #require(throws: PinFileError.self) {
            _ = try PinConfiguration(importing: Array(text.utf8), file: file)
        }
        #expect(error.problems.contains { $0.code == .pinFileTooLarge && $0.grade == .refused })
    }

    @Test("The common escapes have their meaning, and a literal with another escape has no known text")
    func escapes() {
        let rows: [(String, SourceLanguage, String?)] = [
            (#""a\n\t\"b""#, .kotlin, "a\n\t\"b"), (#""ä\n""#, .java, "ä\n"), (#"'a\/b'"#, .javaScript, "a/b"),
            (#"@"a""#, .objectiveC, "a"), (#""\u00e9""#, .kotlin, nil),
            (#""\u{1F600}x""#, .swift, nil), (##"#"a"#"##, .swift, nil), (#""\q""#, .kotlin, nil),
        ]
        for (literal, language, text) in rows {
            let code = SourceCode(Array(literal.utf8), language)
            #expect(code.string(code.tokens.indices) == text, "\(literal)")
        }
        let quotes = String(repeating: "\"", count: 3)
        #expect(SourceCode(Array((quotes + #"a\n"# + quotes).utf8), .kotlin).string(0..<1) == #"a\n"#)
        // An escape doesn't make the invalid bytes before it valid.
        #expect(SourceCode([0x22, 0xc3, 0x5c, 0x6e, 0x22], .kotlin).string(0..<1) == nil)
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
