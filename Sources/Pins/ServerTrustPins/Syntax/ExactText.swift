// SPDX-License-Identifier: Apache-2.0

/// A string that is compared by its bytes.
///
/// `String` compares by canonical equivalence. KELVIN SIGN (U+212A) equals K, GREEK QUESTION MARK (U+037E) equals a
/// semicolon, and é equals e with an accent. Other JSON readers compare code points (RFC 8259 § 8.3), so they would see
/// a different document.
struct ExactText: Hashable {
    package let text: String

    init(_ text: String) { self.text = text }

    package static func == (left: Self, right: Self) -> Bool { left.text.isExactly(right.text) }
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Returns whether both have the same UTF-8 bytes.
    package func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Sequence<String> {
    /// Returns whether an element has the same bytes.
    func containsExactly(_ text: String) -> Bool { contains { $0.isExactly(text) } }
}
