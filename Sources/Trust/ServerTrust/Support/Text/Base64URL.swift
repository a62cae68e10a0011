// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Base64url without padding (RFC 7515 § 2), only in canonical form.
package enum Base64URL {
    /// Encodes bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        let text = Base64.encode(bytes).utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text. Returns nil if it has padding, white space, characters of the other alphabet, or nonzero
    /// trailing bits.
    package static func decode(_ text: String) -> [UInt8]? {
        var base64: [UInt8] = []
        base64.reserveCapacity(text.utf8.count + 3)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): base64.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): base64.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: base64.append(byte)
            }
        }
        base64 += repeatElement(UInt8(ascii: "="), count: (4 - base64.count % 4) % 4)
        return try? Base64.decode(String(decoding: base64, as: UTF8.self))
    }
}
