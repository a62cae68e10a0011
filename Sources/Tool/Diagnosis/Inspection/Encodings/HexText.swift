// SPDX-License-Identifier: Apache-2.0

import PKIX

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
