// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Escapes text from a server, a certificate or a file so that it can't change the page around it.
///
/// Markup is escaped. Characters that are invisible or affect the text around them are written as `\u{…}`, as in the
/// command's output. These are control and format characters (directions, zero-width, byte order mark), line
/// separators, fillers, and every space except U+0020. Combining marks beyond ``maximumMarks`` on one character are
/// escaped too, because they would cover the lines above. The length is limited.
package enum HTMLText {
    /// The default maximum number of scalars in a text. The rest is cut.
    static let maximumLength = 400

    /// The maximum number of consecutive combining marks that stay unescaped. Vietnamese and Thai use two,
    /// vocalized Hebrew three.
    static let maximumMarks = 4

    /// Appends a text, escaped for XML character data and for attribute values in double quotes.
    /// - Parameter maximum: the maximum number of scalars. An ellipsis replaces the rest.
    static func append(_ text: String, to bytes: inout [UInt8], maximum: Int = maximumLength) {
        var kept = 0
        var marks = 0
        for scalar in text.unicodeScalars {
            guard kept < maximum else {
                bytes.append(contentsOf: "…".utf8)
                return
            }
            kept += 1
            if scalar.isASCII {
                marks = 0
                append(ascii: UInt8(truncatingIfNeeded: scalar.value), to: &bytes)
                continue
            }
            marks = scalar.isCombining ? marks + 1 : 0
            if marks > maximumMarks || !scalar.isVisible {
                bytes.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".utf8)
            } else {
                bytes.append(contentsOf: String(scalar).utf8)
            }
        }
    }

    /// Returns a text as ``append(_:to:maximum:)`` writes it.
    package static func escaped(_ text: String, maximum: Int = maximumLength) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes, maximum: maximum)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(ascii byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
        case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
        case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
        case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
        case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
        case 0x20..<0x7f: bytes.append(byte)
        default: bytes.append(contentsOf: "\\u{\(String(byte, radix: 16))}".utf8)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isCombining: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Whether a reader can see the character at its own position.
    fileprivate var isVisible: Bool {
        // The Braille pattern without dots is a symbol, but looks like a space.
        isPrintable && !properties.isDefaultIgnorableCodePoint && properties.generalCategory != .spaceSeparator
            && value != 0x2800
    }
}
