// SPDX-License-Identifier: Apache-2.0

/// Base64 (RFC 4648 § 4) without Foundation.
package enum Base64 {
    /// The error for a text that isn't base64, with the position of the first wrong byte.
    package struct DecodingError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The index of the first wrong byte, counted from the start of the text.
        package let offset: Int
        package var description: String { "not base64 at byte \(offset)" }
    }

    /// Encodes bytes with padding and without line breaks.
    package static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: encodeBytes(bytes), as: UTF8.self)
    }

    static func encodeBytes(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let left = bytes.count - index
            let group =
                UInt32(bytes[index]) << 16 | UInt32(left > 1 ? bytes[index + 1] : 0) << 8
                | UInt32(left > 2 ? bytes[index + 2] : 0)
            text.append(character(group >> 18))
            text.append(character(group >> 12 & 63))
            text.append(left > 1 ? character(group >> 6 & 63) : UInt8(ascii: "="))
            text.append(left > 2 ? character(group & 63) : UInt8(ascii: "="))
            index += 3
        }
        return text
    }

    /// Decodes a whole text. Rejects white space and requires padding and unused bits of zero, so each value has
    /// exactly one encoding.
    /// - Throws: ``DecodingError`` with the position of the first wrong byte.
    package static func decode(_ text: String) throws(DecodingError) -> [UInt8] {
        try decode(Array(text.utf8))
    }

    /// Decodes a whole text in ASCII, under the same conditions.
    package static func decode(_ text: [UInt8]) throws(DecodingError) -> [UInt8] {
        let view = text[...]
        let span = view.span
        var bytes: [UInt8] = []
        bytes.reserveCapacity(span.count / 4 * 3)
        try decode(span, 0..<span.count, skippingWhiteSpace: false, into: &bytes)
        return bytes
    }

    /// Appends the bytes that `range` of `text` encodes.
    static func decode(
        _ text: Span<UInt8>, _ range: Range<Int>, skippingWhiteSpace: Bool, into bytes: inout [UInt8]
    ) throws(DecodingError) {
        var index = range.lowerBound
        let end = range.upperBound
        var group: UInt32 = 0
        var digits = 0
        while index < end {
            // Complete groups of four are the common case and need only one test.
            if digits == 0 {
                while end - index >= 4 {
                    let a = table[Int(text[index])]
                    let b = table[Int(text[index &+ 1])]
                    let c = table[Int(text[index &+ 2])]
                    let d = table[Int(text[index &+ 3])]
                    guard (a | b | c | d) < 64 else { break }
                    let value = UInt32(a) << 18 | UInt32(b) << 12 | UInt32(c) << 6 | UInt32(d)
                    bytes.append(UInt8(truncatingIfNeeded: value >> 16))
                    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
                    bytes.append(UInt8(truncatingIfNeeded: value))
                    index += 4
                }
                if index >= end { return }
            }
            let byte = text[index]
            let value = table[Int(byte)]
            if value < 64 {
                group = group << 6 | UInt32(value)
                digits += 1
                index += 1
                if digits == 4 {
                    bytes.append(UInt8(truncatingIfNeeded: group >> 16))
                    bytes.append(UInt8(truncatingIfNeeded: group >> 8))
                    bytes.append(UInt8(truncatingIfNeeded: group))
                    group = 0
                    digits = 0
                }
            } else if skippingWhiteSpace, isWhiteSpace(byte) {
                index += 1
            } else if byte == UInt8(ascii: "="), digits >= 2 {
                return try finish(text, index, end, group, digits, skippingWhiteSpace, &bytes)
            } else {
                throw DecodingError(offset: index)
            }
        }
        guard digits == 0 else { throw DecodingError(offset: end) }
    }

    /// Reads the padding: one `=` for each missing digit of the group, then only white space.
    private static func finish(
        _ text: Span<UInt8>, _ start: Int, _ end: Int, _ group: UInt32, _ digits: Int, _ skippingWhiteSpace: Bool,
        _ bytes: inout [UInt8]
    ) throws(DecodingError) {
        var index = start
        var padding = 4 - digits
        while index < end {
            let byte = text[index]
            if byte == UInt8(ascii: "="), padding > 0 {
                padding -= 1
            } else if !(skippingWhiteSpace && isWhiteSpace(byte)) {
                throw DecodingError(offset: index)
            }
            index += 1
        }
        guard padding == 0 else { throw DecodingError(offset: end) }
        if digits == 2 {
            guard group & 0xf == 0 else { throw DecodingError(offset: start - 1) }
            bytes.append(UInt8(truncatingIfNeeded: group >> 4))
        } else {
            guard group & 0x3 == 0 else { throw DecodingError(offset: start - 1) }
            bytes.append(UInt8(truncatingIfNeeded: group >> 10))
            bytes.append(UInt8(truncatingIfNeeded: group >> 2))
        }
    }

    package static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
    }

    private static func character(_ value: UInt32) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: value)
        return switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }

    /// Whether a byte is one of the 64 characters that represent bits.
    package static func isDigit(_ byte: UInt8) -> Bool { table[Int(byte)] < 64 }

    /// The six-bit value of each character, or 0xff for a byte outside the alphabet.
    private static let table: [UInt8] = {
        var table = [UInt8](repeating: 0xff, count: 256)
        for value in UInt8(0)..<64 { table[Int(character(UInt32(value)))] = value }
        return table
    }()
}
