// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The text encodings that are decoded before a text is parsed.
enum TextEncoding {
    /// Returns UTF-16 text as UTF-8, or nil for other bytes.
    ///
    /// UTF-16 is recognized by its byte order mark or by its first characters. At least eight of them must be ASCII,
    /// each with a zero byte on the same side.
    static func utf16(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= 2 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0xff, 0xfe): return decodeUTF16(bytes[2...], isLittleEndian: true)
        case (0xfe, 0xff): return decodeUTF16(bytes[2...], isLittleEndian: false)
        default: break
        }
        let start = bytes.prefix(64)
        guard start.count >= 16 else { return nil }
        for isLittleEndian in [true, false] {
            let pairs = stride(from: 0, to: start.count - 1, by: 2).map { (start[$0], start[$0 + 1]) }
            let fits = pairs.allSatisfy { pair in
                let (low, high) = isLittleEndian ? pair : (pair.1, pair.0)
                return high == 0 && (low >= 0x20 && low < 0x7f || Base64.isWhiteSpace(low))
            }
            if fits { return decodeUTF16(bytes[...], isLittleEndian: isLittleEndian) }
        }
        return nil
    }

    private static func decodeUTF16(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isLittleEndian ? second << 8 | first : first << 8 | second)
            index += 2
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// Decodes percent-encoded bytes (RFC 3986 § 2.1). A percent sign without two digits is kept.
    static func percentDecoded(_ bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = Hex.value(ofDigit: bytes[index + 1]), let low = Hex.value(ofDigit: bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }

    /// Whether bytes are text: the first 4,096 contain no zero byte and few control characters.
    static func isText(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(4_096)
        let controls = start.count { $0 < 0x20 && !Base64.isWhiteSpace($0) && $0 != 0x0c && $0 != 0x1b }
        guard !start.contains(0), controls * 50 <= start.count else { return false }
        // Latin-1 is text, too. Bytes that are mostly non-ASCII aren't, unless they are UTF-8.
        return start.count { $0 >= 0x80 } * 2 <= start.count || String(validating: start, as: UTF8.self) != nil
    }
}

/// A decoder for hexadecimal digits as found in files. It accepts either case, white space, colons or commas between
/// pairs, a leading `0x`, and `\x` before each pair.
enum HexText {
    /// Returns the bytes, or nil unless the whole text consists of pairs of digits.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            // `0x` and `\x` before a pair.
            if high == nil, byte == UInt8(ascii: "0") || byte == UInt8(ascii: "\\"), index + 1 < text.endIndex,
                text[index + 1] | 0x20 == UInt8(ascii: "x")
            {
                index += 2
                continue
            }
            if let digit = Hex.value(ofDigit: byte) {
                if let first = high {
                    bytes.append(first << 4 | digit)
                    high = nil
                } else {
                    high = digit
                }
            } else {
                let isSeparator =
                    Base64.isWhiteSpace(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ",")
                guard high == nil, isSeparator else { return nil }
            }
            index += 1
        }
        return high == nil && !bytes.isEmpty ? bytes : nil
    }
}
