// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The cells of tables in text: comma-separated and tab-separated values.
enum TableCell {
    /// Returns the text of a cell, which has one line, controls no terminal and is no formula in a spreadsheet.
    ///
    /// Unsafe characters are written as `\u{…}` (``Swift/String/escapingUnprintable``). An apostrophe precedes a text that a
    /// spreadsheet would run. Each result belongs to one text only: texts that look like a result get one more escape or
    /// apostrophe.
    static func text(_ field: String) -> String {
        let shown = escapingEscapes(field).escapingUnprintable
        return startsFormula(shown) ? "'" + shown : shown
    }

    /// Returns the text with the backslash of each `\u{` written as `\u{5c}`. Compares bytes, because Swift's characters
    /// include the combining marks that follow.
    private static func escapingEscapes(_ field: String) -> String {
        let backslash = UInt8(ascii: "\\")
        guard field.utf8.contains(backslash) else { return field }
        let bytes = Array(field.utf8)
        var escaped: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if byte == backslash, bytes[index...].starts(with: "\\u{".utf8) {
                escaped += "\\u{5c}".utf8
            } else {
                escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    /// Whether a text starts with a character that begins a formula, also after apostrophes.
    private static func startsFormula(_ text: String) -> Bool {
        switch text.unicodeScalars.first(where: { $0 != "'" }) {
        // Some spreadsheets read the wide forms like the narrow ones.
        case "=", "+", "-", "@", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}": true
        default: false
        }
    }

    /// Appends the cells of a line of comma-separated values (RFC 4180), and a line feed.
    static func appendCSV(_ fields: [String?], to bytes: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        append(fields, separator: ",", to: &bytes) { cell, bytes in
            guard cell.contains(where: { $0 == quote || $0 == UInt8(ascii: ",") }) else { return bytes += cell }
            bytes.append(quote)
            for byte in cell { bytes += byte == quote ? [quote, quote] : [byte] }
            bytes.append(quote)
        }
    }

    /// Appends the cells of a line of tab-separated values, and a line feed.
    static func appendTSV(_ fields: [String?], to bytes: inout [UInt8]) {
        append(fields, separator: "\t", to: &bytes) { $1 += $0 }
    }

    private static func append(
        _ fields: [String?], separator: Unicode.Scalar, to bytes: inout [UInt8],
        _ appendCell: (String.UTF8View, inout [UInt8]) -> Void
    ) {
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: separator)) }
            if let field { appendCell(text(field).utf8, &bytes) }
        }
        bytes.append(UInt8(ascii: "\n"))
    }
}
