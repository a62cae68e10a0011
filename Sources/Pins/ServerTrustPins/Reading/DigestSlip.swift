// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A digest in a different form, written instead of a pin.
enum DigestSlip {
    /// Returns a sentence about the digest, without its subject, or nil for any other string.
    ///
    /// A digest of 32 bytes is 44 characters long in base64, 64 in hex, and 88 as the base64 of its hex digits. The
    /// data that the digest was computed from isn't checked.
    /// - Parameter text: the string without the `sha256/` prefix.
    static func sentence(about text: String) -> String? {
        guard text.utf8.count <= 128 else { return nil }
        if let pin = pin(hex: text) {
            // Programs write a certificate's fingerprint with colons, and a key's digest without.
            return text.contains(":")
                ? "is a hex fingerprint, usually of a whole certificate, expected the base64 digest of its key; if it is the key's digest, write \(pin)"
                : "is a digest in hex, expected its bytes in base64: \(pin)"
        }
        guard let bytes = try? Base64.decode(text) else { return nil }
        if bytes.count == 64, let pin = pin(hex: String(decoding: bytes, as: UTF8.self)) {
            return "is the base64 of a digest's hex digits, expected the base64 of its bytes: \(pin)"
        }
        let function: String? =
            switch bytes.count {
            case 16: "MD5"
            case 20: "SHA-1"
            case 48: "SHA-384"
            case 64: "SHA-512"
            default: nil
            }
        return function.map { "is as long as a \($0) digest, expected a SHA-256 digest" }
    }

    /// Returns the bytes of a SHA-1 digest in base64 or hex, or nil for any other string. The name of a hash function
    /// may precede the digest.
    static func sha1(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 128 else { return nil }
        let prefix = ["sha1/", "sha256/"].first { text.hasPrefix($0) } ?? ""
        let digits = String(text.dropFirst(prefix.count))
        let bytes = Hex.decode(digits.replacing(":", with: "")) ?? (try? Base64.decode(digits))
        return bytes?.count == 20 ? bytes : nil
    }

    /// Returns the pin for a digest of 64 hex digits, with or without colons between the bytes.
    private static func pin(hex text: String) -> SPKIPin? {
        guard let bytes = Hex.decode(text.replacing(":", with: "")), bytes.count == 32 else { return nil }
        return try? SPKIPin("sha256/" + Base64.encode(bytes))
    }
}
