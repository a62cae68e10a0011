// SPDX-License-Identifier: Apache-2.0

/// Escapes characters for all writers of JSON.
///
/// Beyond the characters of RFC 8259 § 7, it escapes every character that controls a terminal, reorders the text around
/// it or is invisible: control and format characters, line and paragraph separators, unassigned and private characters.
/// A reader decodes the same text.
enum JSONEscapes {
    /// Appends the contents of a string, without its quotes.
    static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        append(text, to: &bytes) { $0 < 0x20 || $0 == 0x22 || $0 == 0x5c || $0 == 0x7f }
    }

    /// Appends JSON from another encoder, and keeps that encoder's escapes.
    static func appendEncoded(_ json: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        // In JSON, DEL and non-ASCII characters only occur in strings.
        append(json, to: &bytes) { $0 == 0x7f }
    }

    @inline(__always)
    private static func append(
        _ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8], escaping isEscaped: (UInt8) -> Bool
    ) {
        var (start, index) = (0, 0)
        while index < text.count {
            let byte = text[index]
            guard byte >= 0x80 else {
                if isEscaped(byte) {
                    bytes.append(contentsOf: text[start..<index])
                    appendEscape(of: byte, to: &bytes)
                    start = index + 1
                }
                index += 1
                continue
            }
            let (scalar, end) = scalar(at: index, in: text)
            if let scalar, !scalar.isPrintable {
                bytes.append(contentsOf: text[start..<index])
                for unit in String(scalar).utf16 { appendEscape(ofUnit: unit, to: &bytes) }
                start = end
            }
            index = end
        }
        bytes.append(contentsOf: text[start...])
    }

    /// Returns the non-ASCII character at an index, and the index after it. For invalid UTF-8, returns nil and the
    /// index after one byte.
    private static func scalar(at index: Int, in text: UnsafeBufferPointer<UInt8>) -> (Unicode.Scalar?, Int) {
        let first = text[index]
        let count =
            switch first {
            case 0xc2...0xdf: 2
            case 0xe0...0xef: 3
            case 0xf0...0xf4: 4
            default: 1
            }
        guard count > 1, index + count <= text.count else { return (nil, index + 1) }
        var value = UInt32(first) & (0xff >> UInt32(count + 1))
        for byte in text[(index + 1)..<(index + count)] {
            guard byte & 0xc0 == 0x80 else { return (nil, index + 1) }
            value = value << 6 | UInt32(byte & 0x3f)
        }
        return (Unicode.Scalar(value), index + count)
    }

    private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case 0x22, 0x5c: bytes += [0x5c, byte]
        case 0x0a: bytes += Array("\\n".utf8)
        case 0x0d: bytes += Array("\\r".utf8)
        case 0x09: bytes += Array("\\t".utf8)
        default: appendEscape(ofUnit: UInt16(byte), to: &bytes)
        }
    }

    /// Appends `\u` and four digits.
    private static func appendEscape(ofUnit unit: UInt16, to bytes: inout [UInt8]) {
        bytes += Array("\\u".utf8)
        let digits = String(unit, radix: 16)
        for _ in digits.utf8.count..<4 { bytes.append(UInt8(ascii: "0")) }
        bytes += Array(digits.utf8)
    }
}
