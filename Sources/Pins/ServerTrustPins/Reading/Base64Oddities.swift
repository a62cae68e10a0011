// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Deviations from base64 (RFC 4648 § 4) that have only one possible meaning and that some implementations accept.
package struct Base64Oddities: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The padding characters `=` are missing at the end.
    package static let noPadding = Base64Oddities(rawValue: 1)
    /// Bits of the last character that don't belong to a byte are set.
    package static let unusedBits = Base64Oddities(rawValue: 2)
    /// `-` and `_` replace `+` and `/` (RFC 4648 § 5).
    package static let urlAlphabet = Base64Oddities(rawValue: 4)

    /// White space occurs between the characters.
    package static let blanks = Base64Oddities(rawValue: 8)
    /// Other characters that don't belong to base64 occur between its characters.
    package static let foreign = Base64Oddities(rawValue: 16)

    /// The deviations that `android.util.Base64` accepts. It skips every character that it doesn't know.
    package static let android: Base64Oddities = [.noPadding, .unusedBits, .blanks, .foreign]
    /// The deviations that Foundation's `Data(base64Encoded:)` accepts.
    package static let foundation: Base64Oddities = [.unusedBits]
    /// The deviations that Okio's `decodeBase64` accepts. OkHttp uses it to read pins.
    package static let okio: Base64Oddities = [.noPadding, .unusedBits, .urlAlphabet, .blanks]

    /// A sentence about each deviation, without its subject.
    package var sentences: [String] {
        [
            contains(.noPadding) ? "lacks the = at its end" : nil,
            contains(.unusedBits) ? "ends with bits that belong to no byte" : nil,
            contains(.urlAlphabet) ? "has - or _ instead of + or /" : nil,
            contains(.blanks) ? "contains white space" : nil,
            contains(.foreign) ? "contains characters that aren't base64" : nil,
        ].compactMap { $0 }
    }

    /// Returns the string without its deviations, together with the deviations. Returns a string with any other error
    /// unchanged.
    package static func repaired(_ text: String) -> (text: String, oddities: Base64Oddities) {
        // A digest is 44 characters long, or a few more with white space. A longer string is something else, and can be
        // megabytes long.
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
            // Only 4 or 2 bits of the last character belong to a byte.
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
