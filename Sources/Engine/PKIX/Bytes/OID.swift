// SPDX-License-Identifier: Apache-2.0

/// An object identifier, stored as the contents of its DER encoding.
///
/// The name is `OID` because the standard library already has an `ObjectIdentifier`.
public struct OID: Sendable, Hashable {
    /// The largest size of the contents in bytes. The longest identifiers in use have about 20. The limit keeps hostile
    /// identifiers short.
    package static let maximumSize = 128

    /// The contents octets of the encoding, without tag and length.
    public let der: [UInt8]

    /// Creates an identifier from contents octets that the reader has checked.
    init(checkedContents der: [UInt8]) { self.der = der }

    /// Creates an identifier from any contents octets, without checking them. Only for display.
    package init(contents der: [UInt8]) { self.der = der }

    /// Creates an identifier from dotted decimal notation: `OID("2.5.29.17")`.
    /// - Returns: nil unless `dotted` has at least two arcs. The first is 0 to 2, and the second is below 40 if the
    ///   first is 0 or 1. Arcs are below 2⁶³ and have no sign or leading zero.
    public init?(_ dotted: String) {
        var arcs: [UInt64] = []
        for part in dotted.split(separator: ".", omittingEmptySubsequences: false) {
            guard !part.isEmpty, part.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
                part == "0" || part.first != "0", let arc = UInt64(part), arc < 1 << 63 - 80
            else { return nil }
            arcs.append(arc)
        }
        guard arcs.count >= 2, arcs[0] <= 2, arcs[0] == 2 || arcs[1] < 40 else { return nil }
        var der: [UInt8] = []
        Self.append(arcs[0] * 40 + arcs[1], to: &der)
        for arc in arcs[2...] { Self.append(arc, to: &der) }
        guard der.count <= Self.maximumSize else { return nil }
        self.der = der
    }

    private static func append(_ arc: UInt64, to der: inout [UInt8]) {
        var groups: [UInt8] = [UInt8(arc & 0x7f)]
        var rest = arc >> 7
        while rest != 0 {
            groups.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        der.append(contentsOf: groups.reversed())
    }
}

extension OID: CustomStringConvertible, LosslessStringConvertible {
    /// The identifier in dotted decimal notation. An arc above 2⁶⁴ - 1 (such as an arc from a UUID) is in hexadecimal
    /// with `0x`.
    public var description: String {
        var arcs: [String] = []
        var groups: [UInt8] = []
        for byte in der {
            groups.append(byte & 0x7f)
            guard byte < 0x80 else { continue }
            if arcs.isEmpty {
                // The first number encodes two arcs: 40 times the first arc, plus the second.
                let value = Self.number(groups)
                let root = value.map { min($0 / 40, 2) } ?? 2
                arcs.append(String(root))
                arcs.append(value.map { String($0 - root * 40) } ?? Self.hexadecimal(groups, minus: 80))
            } else {
                arcs.append(Self.number(groups).map { String($0) } ?? Self.hexadecimal(groups, minus: 0))
            }
            groups.removeAll(keepingCapacity: true)
        }
        return arcs.joined(separator: ".")
    }

    /// Returns the number that groups of seven bits encode, or nil if it is above 2⁶⁴ - 1.
    private static func number(_ groups: [UInt8]) -> UInt64? {
        var value: UInt64 = 0
        for group in groups {
            guard value >> 57 == 0 else { return nil }
            value = value << 7 | UInt64(group)
        }
        return value
    }

    private static func hexadecimal(_ groups: [UInt8], minus less: Int) -> String {
        // Start with the lowest group, eight bits at a time.
        var bytes: [UInt8] = []
        var bits = 0
        var count = 0
        for group in groups.reversed() {
            bits |= Int(group) << count
            count += 7
            if count >= 8 {
                bytes.append(UInt8(bits & 0xff))
                bits >>= 8
                count -= 8
            }
        }
        bytes.append(UInt8(bits & 0xff))
        var borrow = less
        for index in bytes.indices where borrow > 0 {
            let difference = Int(bytes[index]) - borrow
            bytes[index] = UInt8(difference & 0xff)
            borrow = difference < 0 ? 1 : 0
        }
        let digits = Hex.encode(bytes.reversed()).drop { $0 == "0" }
        return "0x" + (digits.isEmpty ? "0" : digits)
    }
}

extension OID {
    /// `id-kp-serverAuth` (RFC 5280 § 4.2.1.12).
    public static let serverAuth = OID(checkedContents: [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01])
    /// `id-kp-clientAuth` (RFC 5280 § 4.2.1.12).
    public static let clientAuth = OID(checkedContents: [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02])
    /// `id-kp-OCSPSigning` (RFC 5280 § 4.2.1.12).
    package static let ocspSigning = OID(checkedContents: [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x09])
    /// `anyExtendedKeyUsage` (RFC 5280 § 4.2.1.12).
    package static let anyExtendedKeyUsage = OID(checkedContents: [0x55, 0x1d, 0x25, 0x00])
    /// `anyPolicy` (RFC 5280 § 4.2.1.4).
    package static let anyPolicy = OID(checkedContents: [0x55, 0x1d, 0x20, 0x00])
    /// The CA/Browser Forum's extended validation policy, 2.23.140.1.1.
    package static let extendedValidation = OID(checkedContents: [0x67, 0x81, 0x0c, 0x01, 0x01])
}
