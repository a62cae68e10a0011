// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text on one line, with unsafe characters written as `\u{…}`. Unsafe characters control a terminal or reorder
    /// the text around them: control and format characters, line and paragraph separators, unassigned and private
    /// characters.
    package var escapingUnprintable: String {
        guard unicodeScalars.contains(where: { !$0.isPrintable }) else { return self }
        return unicodeScalars.map(\.printable).joined()
    }
}

/// Returns the start of a text from a file on one line (``Swift/String/escapingUnprintable``), with an ellipsis if it
/// was cut.
/// - Parameters:
///   - text: any text.
///   - maximum: the number of scalars to keep.
package func clipped(_ text: String, to maximum: Int = 400) -> String {
    // Every location in a large file is clipped, and nearly all are plain ASCII.
    if text.utf8.count <= maximum, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text }
    // Doesn't read the rest, because a long text may be clipped for each of thousands of locations.
    let kept = text.unicodeScalars.prefix(maximum)
    let shown = kept.map(\.printable).joined()
    return kept.endIndex < text.unicodeScalars.endIndex ? shown + "…" : shown
}

extension Unicode.Scalar {
    fileprivate var printable: String { isPrintable ? String(self) : "\\u{\(String(value, radix: 16))}" }

    /// Whether the character neither controls a terminal nor reorders the text around it. All outputs escape the others.
    package var isPrintable: Bool {
        if value >= 0x20, value < 0x7f { return true }
        // All characters of these blocks are printable. Looking up a property costs more than everything else.
        if (0xc0..<0x300).contains(value) || (0x4e00..<0x9fa6).contains(value) { return true }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
