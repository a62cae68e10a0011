// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension String {
    /// Returns the text, padded with spaces to `width` characters. Appends one space to longer texts.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }

    /// The words of a name such as `stillTrusted`: `still trusted`.
    var wordsOfName: String { map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined() }
}

/// Splits a text at spaces into lines of at most `width` characters. A longer word gets its own line.
func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
        if let last = lines.last, last.count + 1 + word.count <= width {
            lines[lines.count - 1] = last + " " + word
        } else {
            lines.append(String(word))
        }
    }
    return lines
}

/// Returns a text without characters that control a terminal or reorder the text around them. The contents of
/// certificates aren't trusted.
func printable(_ text: String) -> String { text.escapingUnprintable }
