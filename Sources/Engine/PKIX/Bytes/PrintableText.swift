// SPDX-License-Identifier: Apache-2.0

/// The form in which messages show texts from certificates: on one line, without characters that hide or reorder the
/// text around them.
enum PrintableText {
    /// Returns `text` with control and invisible characters escaped as `\\` and hexadecimal digits.
    static func escaping(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var printable = ""
        for scalar in text.unicodeScalars {
            if isControl(scalar) { printable += hexEscaped(scalar) } else { printable.unicodeScalars.append(scalar) }
        }
        return printable
    }

    static func hexEscaped(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf8.map { "\\" + Hex.encode([$0]) }.joined()
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value) || (scalar.value >= 0xa0 && isInvisible(scalar))
    }

    /// Whether a character reorders or hides the text around it.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}
