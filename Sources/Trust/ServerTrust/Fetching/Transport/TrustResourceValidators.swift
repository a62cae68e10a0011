// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The validators that a server sent with bytes (RFC 9110 § 8.8). If a later request contains them and the bytes are
/// still current, the server responds with 304.
package struct TrustResourceValidators: Sendable, Hashable {
    /// The value of `etag` including quotes, or nil if there is no such value.
    package let entityTag: String?
    /// The value of `last-modified` as the server wrote it, or nil if there is no such value.
    package let modified: String?

    /// The maximum size of an entity tag to keep, in bytes.
    private static let maximumTagSize = 256

    /// Creates validators. Returns nil if neither value is valid. A value counts as missing if it isn't an entity tag
    /// of visible ASCII, or contains characters that a date doesn't have.
    /// - Parameters:
    ///   - entityTag: the value of `etag`.
    ///   - modified: the value of `last-modified`.
    package init?(entityTag: String?, modified: String?) {
        self.entityTag = entityTag.flatMap { Self.isEntityTag($0) ? $0 : nil }
        self.modified = modified.flatMap { Self.isDate($0) ? $0 : nil }
        guard self.entityTag != nil || self.modified != nil else { return nil }
    }

    /// Follows RFC 9110 § 8.8.3, but rejects the bytes over 0x7F that it still allows.
    private static func isEntityTag(_ text: String) -> Bool {
        var bytes = text.utf8[...]
        guard bytes.count <= maximumTagSize else { return false }
        if bytes.starts(with: "W/".utf8) { bytes = bytes.dropFirst(2) }
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return false
        }
        return bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") }
    }

    /// Accepts letters, digits, spaces, commas, colons and hyphens, the characters in the three formats of a date (RFC
    /// 9110 § 5.6.7). Only servers parse the date.
    private static func isDate(_ text: String) -> Bool {
        (16...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetterOrDigit || " ,:-".utf8.contains($0) }
    }
}
