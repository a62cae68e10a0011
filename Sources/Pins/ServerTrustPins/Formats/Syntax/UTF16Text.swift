// SPDX-License-Identifier: Apache-2.0

/// XML in UTF-16 with a byte order mark (XML 1.0 § 4.3.3), as Windows editors save property lists.
///
/// CoreFoundation reads such property lists, but not UTF-16 without a mark (CFPropertyList.c, encodingForXMLData).
package enum UTF16Text {
    /// Returns whether text begins with a byte order mark and the first character of XML.
    package static func isXML(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xff, 0xfe, 0x3c, 0x00]) || bytes.starts(with: [0xfe, 0xff, 0x00, 0x3c])
    }

    /// Returns the text in UTF-8, without its byte order mark.
    /// - Parameter bytes: bytes with a byte order mark. The caller limits their number. The result has at most one and
    ///   a half times as many bytes.
    /// - Returns: the text, or nil if it ends in half a unit or contains half of a surrogate pair.
    package static func utf8(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count.isMultiple(of: 2), bytes.count > 2 else { return nil }
        let (low, high) = bytes[0] == 0xff ? (0, 1) : (1, 0)
        let units = stride(from: 2, to: bytes.count, by: 2).map { index in
            UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + low])
        }
        return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
    }
}
