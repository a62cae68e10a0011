// SPDX-License-Identifier: Apache-2.0

/// The encoding of an Ed25519 key: y in little-endian order, with the sign of x in the highest bit (RFC 8032 § 5.1.2).
///
/// RFC 8032 leaves checking the order of a key to the verifier (§ 5.1.7), and implementations differ (Chalkias,
/// Garillot, Nikolaenko, "Taming the many EdDSAs", 2020). With a key of order 1, 2, 4 or 8, an attacker can make
/// signatures without the private key, as with an RSA exponent of 1. Not checked: that the curve has a point with this
/// y.
package enum Ed25519Point {
    /// Whether the bytes are a canonical key that isn't of small order.
    static func isUsable(_ bytes: Span<UInt8>, _ range: ByteRange) -> Bool {
        guard range.count == 32 else { return false }
        var contents: [UInt8] = []
        contents.reserveCapacity(32)
        for index in range.indices { contents.append(bytes[index]) }
        return isCanonical(contents) && !isOfSmallOrder(contents)
    }

    /// Whether y is below the prime 2²⁵⁵ - 19 (RFC 8032 § 5.1.3). Libraries accept other encodings, which give one key
    /// two names. False unless there are 32 bytes.
    package static func isCanonical(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 32 else { return false }
        return bytes[31] & 0x7f != 0x7f || bytes[0] < 0xed || bytes[1..<31].contains { $0 != 0xff }
    }

    /// Whether eight times the point is the neutral element, for a canonical encoding with either sign. False unless
    /// there are 32 bytes.
    package static func isOfSmallOrder(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 32 else { return false }
        var y = bytes
        y[31] &= 0x7f
        return smallOrder.contains(y)
    }

    /// The y coordinates of the eight points in the torsion subgroup: 0 (order 4, two points), 1 (order 1), -1 (order
    /// 2), and two of order 8 with two points each.
    private static let smallOrder: [[UInt8]] = [
        [UInt8](repeating: 0, count: 32),
        [1] + [UInt8](repeating: 0, count: 31),
        [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
        [
            0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
            0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
        ],
        [
            0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
            0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
        ],
    ]
}
