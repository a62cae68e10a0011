// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Deviations from base64 (RFC 4648 § 4) with one possible meaning, that some implementations accept.
package struct Base64Oddities: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The `=` at the end are missing.
    package static let noPadding = Base64Oddities(rawValue: 1)
    /// Bits of the last character that belong to no byte are set.
    package static let unusedBits = Base64Oddities(rawValue: 2)
    /// `-` and `_` stand for `+` and `/` (RFC 4648 § 5).
    package static let urlAlphabet = Base64Oddities(rawValue: 4)

    /// White space stands between the characters.
    package static let blanks = Base64Oddities(rawValue: 8)
    /// Other characters that are not base64's stand between its characters.
    package static let foreign = Base64Oddities(rawValue: 16)

    /// Those that `android.util.Base64` accepts: it skips every character that it doesn't know.
    package static let android: Base64Oddities = [.noPadding, .unusedBits, .blanks, .foreign]
    /// Those that Foundation's `Data(base64Encoded:)` accepts.
    package static let foundation: Base64Oddities = [.unusedBits]
    /// Those that Okio's `decodeBase64` accepts, by which OkHttp reads pins.
    package static let okio: Base64Oddities = [.noPadding, .unusedBits, .urlAlphabet, .blanks]

    /// A sentence about each, without its subject.
    package var sentences: [String] {
        [
            contains(.noPadding) ? "lacks the = at its end" : nil,
            contains(.unusedBits) ? "ends with bits that belong to no byte" : nil,
            contains(.urlAlphabet) ? "has - or _ for + or /" : nil,
            contains(.blanks) ? "has white space in it" : nil,
            contains(.foreign) ? "has characters in it that are not base64's" : nil,
        ].compactMap { $0 }
    }

    /// Returns the text without its deviations, and these. A text with another error is returned as it is.
    package static func repaired(_ text: String) -> (text: String, oddities: Base64Oddities) {
        // A digest has 44 characters; with white space a few more. What is longer is another text, and may be megabytes.
        guard text.utf8.count <= 4096 else { return (text, []) }
        var oddities: Base64Oddities = []
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte == 0x20 || (0x09...0x0d).contains(byte) {
                oddities.insert(.blanks)
            } else if alphabet.contains(byte)
                || [UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(byte)
            {
                bytes.append(byte)
            } else {
                oddities.insert(.foreign)
            }
        }
        if bytes.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) {
            guard !bytes.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) else {
                return (text, [])
            }
            oddities.insert(.urlAlphabet)
            bytes = bytes.map {
                $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0
            }
        }
        let digits = bytes.prefix { $0 != UInt8(ascii: "=") }.count
        let padding = [0, 3, 2, 1][digits % 4]
        guard digits % 4 != 1 else { return (text, []) }
        if digits == bytes.count, padding > 0 {
            oddities.insert(.noPadding)
            bytes += [UInt8](repeating: UInt8(ascii: "="), count: padding)
        }
        guard bytes.count == digits + padding, bytes[digits...].allSatisfy({ $0 == UInt8(ascii: "=") }) else {
            return (text, [])
        }
        if padding > 0, let last = alphabet.firstIndex(of: bytes[digits - 1]) {
            // Of the last character 4 bits belong to a byte, or 2.
            let used = padding == 1 ? last & 0x3c : last & 0x30
            if used != last {
                oddities.insert(.unusedBits)
                bytes[digits - 1] = alphabet[used]
            }
        }
        let repaired = String(decoding: bytes, as: UTF8.self)
        return (try? Base64.decode(repaired)) == nil ? (text, []) : (repaired, oddities)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
