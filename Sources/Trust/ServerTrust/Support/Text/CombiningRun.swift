// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A run of combining characters in a text.
///
/// Swift compares and hashes texts by canonical equivalence, and sorts each run of combining characters for that. The
/// time is quadratic in the length of the run: half a second for 64 KB. File readers refuse long runs before they
/// compare any text.
package struct CombiningRun {
    /// The maximum number of combining characters in a row, from the Stream-Safe Text Format (UAX #15 § 13). That is
    /// more than any language needs.
    static let maximum = 30
    /// The rule, for error messages.
    package static let expectation = "at most \(maximum) combining characters in a row"

    private var length = 0

    /// Adds the next character of a text.
    /// - Returns: whether this makes the run too long.
    private mutating func isTooLong(with scalar: Unicode.Scalar) -> Bool {
        // Characters below U+0300 don't combine. The three listed characters have class 0, but decompose into two that
        // combine.
        guard scalar.value >= 0x300,
            scalar.properties.canonicalCombiningClass != .notReordered || [0xf73, 0xf75, 0xf81].contains(scalar.value)
        else {
            length = 0
            return false
        }
        length += 1
        return length > Self.maximum
    }

    /// Returns whether a text has a run that is too long. The work is linear in the text's length.
    package static func isTooLong(in text: String) -> Bool {
        guard text.utf8.contains(where: { $0 >= 0xcc }) else { return false }
        var run = CombiningRun()
        return text.unicodeScalars.contains { run.isTooLong(with: $0) }
    }

    /// Returns whether JSON has a run that is too long. JSON escapes count as their characters, and invalid UTF-8 ends
    /// a run. The work is linear in the length.
    package static func isTooLong(inJSON bytes: some Sequence<UInt8>) -> Bool {
        // Nearly all lines are plain ASCII. The compiler vectorizes a loop that visits all bytes.
        let mayCombine = bytes.withContiguousStorageIfAvailable { bytes in
            var found: UInt8 = 0
            for byte in bytes { found |= byte | (byte == UInt8(ascii: "\\") ? 0x80 : 0) }
            return found >= 0x80
        }
        guard mayCombine ?? true else { return false }
        var run = CombiningRun()
        var scanner = JSONScalars(bytes: Array(bytes))
        while let scalar = scanner.next() {
            if run.isTooLong(with: scalar) { return true }
        }
        return false
    }
}

/// The characters of JSON, with escapes decoded. May replace a character that doesn't combine with another one that
/// doesn't.
private struct JSONScalars {
    let bytes: [UInt8]
    private var index = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    private static let other: Unicode.Scalar = " "

    private func byte(_ offset: Int) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }

    mutating func next() -> Unicode.Scalar? {
        guard index < bytes.count else { return nil }
        let first = bytes[index]
        if first == UInt8(ascii: "\\") { return escape() }
        index += 1
        // Only these bytes begin a character from U+0300 on.
        guard first >= 0xcc, first < 0xf8 else { return Self.other }
        let following = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3
        var value = UInt32(first) & (0x3f >> UInt32(following))
        for _ in 0..<following {
            guard byte(0) & 0xc0 == 0x80 else { return Self.other }
            value = value << 6 | UInt32(byte(0) & 0x3f)
            index += 1
        }
        return Unicode.Scalar(value) ?? Self.other
    }

    private mutating func escape() -> Unicode.Scalar {
        guard let unit = unit(at: 0) else {
            index += 2
            return Self.other
        }
        index += 6
        guard unit & 0xfc00 == 0xd800, let low = self.unit(at: 0), low & 0xfc00 == 0xdc00 else {
            return Unicode.Scalar(unit) ?? Self.other
        }
        index += 6
        return Unicode.Scalar(0x10000 + (unit & 0x3ff) << 10 + (low & 0x3ff)) ?? Self.other
    }

    /// Reads a `\uXXXX` at an offset. Returns its value, or nil for other text.
    private func unit(at offset: Int) -> UInt32? {
        guard byte(offset) == UInt8(ascii: "\\"), byte(offset + 1) == UInt8(ascii: "u") else { return nil }
        var unit: UInt32 = 0
        for place in 2..<6 {
            guard let digit = Hex.value(ofDigit: byte(offset + place)) else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
