// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A DER or BER value as offsets into its bytes. Its contents aren't checked, so it can recognize the structure of
/// damaged or truncated bytes.
///
/// No decision depends on it. The strict parser of a recognized object reads the object again.
package struct TLV {
    package enum Tag {
        package static let integer: UInt8 = 0x02
        static let bitString: UInt8 = 0x03
        package static let octetString: UInt8 = 0x04
        static let objectIdentifier: UInt8 = 0x06
        static let enumerated: UInt8 = 0x0a
        static let utf8String: UInt8 = 0x0c
        static let utcTime: UInt8 = 0x17
        static let generalizedTime: UInt8 = 0x18
        package static let sequence: UInt8 = 0x30
        package static func contextConstructed(_ number: UInt8) -> UInt8 { 0xa0 | number }
    }

    package let tag: UInt8
    /// The offset of the tag.
    let start: Int
    /// The available part of the contents.
    package let contents: ArraySlice<UInt8>
    /// The end that the length states. It may be past the last byte.
    package let statedEnd: Int

    /// Whether the bytes end before the value does.
    package var isTruncated: Bool { statedEnd > contents.endIndex }
    /// Returns the available part of the value, including tag and length.
    package func whole(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> { bytes[start..<contents.endIndex] }

    /// Reads the header at the start of `bytes`.
    /// - Returns: nil for an incomplete header, an indefinite length, or a length of more than four bytes.
    package init?(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        guard let tag = rest.popFirst(), tag & 0x1f != 0x1f, var length = rest.popFirst().map({ Int($0) }) else {
            return nil
        }
        if length >= 0x80 {
            let count = length & 0x7f
            guard (1...4).contains(count), rest.count >= count else { return nil }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
        }
        self.tag = tag
        self.start = bytes.startIndex
        self.contents = rest.prefix(length)
        self.statedEnd = rest.startIndex + length
    }

    /// Returns the first values inside.
    /// - Parameter maximum: the maximum number of values to return.
    package func members(_ maximum: Int = 10) -> [TLV] {
        var members: [TLV] = []
        var rest = contents
        while members.count < maximum, let member = TLV(rest) {
            members.append(member)
            rest = rest[member.contents.endIndex...]
        }
        return members
    }
}

extension TLV {
    /// The object identifier in dotted decimal, or nil for another type. Empty if it is truncated or too long.
    package var dottedIdentifier: String? {
        guard tag == Tag.objectIdentifier else { return nil }
        let isWhole = contents.count <= OID.maximumSize && contents.last.map { $0 < 0x80 } ?? false
        return isWhole ? OID(contents: Array(contents)).description : ""
    }
}
