// SPDX-License-Identifier: Apache-2.0

import TrustSupport

/// The text of a server, a certificate or a file in a form that can't change the page around it.
///
/// Markup is escaped. Characters that can't be seen or that steer their surroundings are written `\u{…}` as in the command's text:
/// control and format characters (directions, zero-width, byte order mark), separators of lines, fillers, every space but U+0020,
/// and combining marks beyond ``maximumMarks`` on one character, which would cover the lines above. The length is bounded.
package enum HTMLText {
    /// The scalars that are kept of a text, unless the caller gives another number.
    package static let maximumLength = 400

    /// The combining marks in a row that are kept as they are: Vietnamese and Thai have two, vocalized Hebrew three.
    package static let maximumMarks = 4

    /// Appends a text in the form of XML's character data and of attribute values in double quotes.
    /// - Parameter maximum: the scalars that are kept; the rest becomes an ellipsis.
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

    /// Whether a reader sees the character, and sees it where it stands.
    fileprivate var isVisible: Bool {
        // The Braille pattern without a dot is a symbol and looks like a space.
        guard !properties.isDefaultIgnorableCodePoint, value != 0x2800 else { return false }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .privateUse,
            .unassigned:
            false
        default: true
        }
    }
}
