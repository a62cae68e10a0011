// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite("Text from certificates, for messages")
struct PrintableTextTests {
    @Test(
        "Control and invisible characters are escaped byte by byte",
        arguments: [
            ("\0", "\\00"), ("\u{1f}", "\\1f"), ("\u{7f}", "\\7f"), ("\u{80}", "\\c2\\80"),
            ("\u{9f}", "\\c2\\9f"), ("\u{ad}", "\\c2\\ad"), ("\u{200b}", "\\e2\\80\\8b"),
            ("\u{2028}", "\\e2\\80\\a8"), ("\u{2029}", "\\e2\\80\\a9"), ("\u{202e}", "\\e2\\80\\ae"),
            // A private character, and one that Unicode never assigns.
            ("\u{e000}", "\\ee\\80\\80"), ("\u{ffff}", "\\ef\\bf\\bf"),
            ("a\nb", "a\\0ab"), ("\r\n", "\\0d\\0a"),
        ])
    func escaped(text: String, escaped: String) {
        #expect(PrintableText.escaping(text) == escaped)
    }

    @Test("Other characters stay as they are", arguments: ["", " ", "~", "\u{a0}", "Zürich", "漢字", "🔒", "e\u{301}"])
    func unchanged(text: String) {
        #expect(PrintableText.escaping(text) == text)
    }
}
