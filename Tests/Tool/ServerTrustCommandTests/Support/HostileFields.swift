// SPDX-License-Identifier: Apache-2.0

/// Random fields for outputs: texts that could control a terminal, run in a spreadsheet or break a format, or harmless
/// texts in the same number.
struct HostileFields {
    /// Whether the texts are harmless.
    let isHarmless: Bool
    private var state: UInt64
    private var count = 0

    init(seed: UInt64, isHarmless: Bool = false) {
        state = seed
        self.isHarmless = isHarmless
    }

    private static let starts = [
        "", "=", "+", "-", "@", "\t=", "\r=", "\n=", "'=", "''@", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}", " =",
        "\u{feff}=", "=\u{338}", "\u{1b}]0;", "\u{301}", "\nOK    ", "\nSERVERTRUST OK - ", "\"=", ",=", "|",
    ]

    private static let parts = [
        "1+1", "cmd|' /C calc'!A0", "HYPERLINK(\"http://a.example\")", "\"", "\"\"", "\"\u{301}", "'\u{301}", ",", ";",
        "\t", "\n", "\r", "\r\n", "\u{0}", "\u{8}", "\u{1b}[2J", "\u{7f}", "\u{85}", "\u{9b}31m", "\u{200b}",
        "\u{200e}",
        "\u{200f}", "\u{61c}", "\u{202a}", "\u{202e}", "\u{2066}", "\u{2069}", "\u{2028}", "\u{2029}", "\u{feff}",
        "\u{fffe}", "\u{ffff}", "\u{e000}", "\u{e0001}", "\u{10ffff}", "<", "<\u{301}", ">", "&", "&\u{301}", "&lt;",
        "]]>",
        "-->", "--\u{301}", "<!--", "</failure>", "<system-out>", "</script><script>alert(1)</script>",
        "<b onclick=\"x\">",
        "|", "|\u{301}", "=0;1", "{", "}", "[", "]", "\\", "\\u{1b}", "\\u001b", "\\\"", "\\n", "`", "```", "* ",
        "# HELP", "} 1", "e\u{301}", "Zürich", "שלום", "a", " ",
    ]

    private mutating func random(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }

    /// Returns the next field. Each field of a sequence is another text.
    mutating func next() -> String {
        count += 1
        guard !isHarmless else { return "harmless \(count)" }
        let start = Self.starts[random(below: Self.starts.count)]
        return start + (0...random(below: 6)).map { _ in Self.parts[random(below: Self.parts.count)] }.joined()
            + "\(count)"
    }

    /// Returns the next field without characters beyond ASCII, for values that can't have others.
    mutating func nextASCII() -> String {
        String(String.UnicodeScalarView(next().unicodeScalars.filter(\.isASCII)))
    }
}

extension String {
    /// The characters that control a terminal, reorder the text around them or have no meaning, except line feeds.
    var steeringScalars: [Unicode.Scalar] {
        unicodeScalars.filter { scalar in
            guard scalar != "\n" else { return false }
            return switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
            default: false
            }
        }
    }
}
