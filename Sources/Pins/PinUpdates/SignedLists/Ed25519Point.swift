// SPDX-License-Identifier: Apache-2.0

import PinModel

// Points of Ed25519 that are no signer's key. RFC 8032 doesn't require verifiers to refuse them, and implementations of EdDSA differ
// (Chalkias, Garillot, Nikolaenko, "Taming the many EdDSAs", 2020): under a key of small order one signature, made without any
// private key, is good for one message in eight or for every message.

/// The encoding of a point: y, little-endian, with the sign of x in the highest bit (RFC 8032 § 5.1.2).
enum Ed25519Point {
    /// Returns whether y is below p = 2^255 - 19, as § 5.1.3 requires. Libraries accept other encodings, under which one key has two names.
    static func isCanonical(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 32 else { return false }
        let isLarge = bytes[31] & 0x7f == 0x7f && bytes[1..<31].allSatisfy { $0 == 0xff }
        return !(isLarge && bytes[0] >= 0xed)
    }

    /// Returns whether eight times the point is the neutral element, given a canonical encoding of y with either sign.
    static func isOfSmallOrder(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 32 else { return false }
        var y = bytes
        y[31] &= 0x7f
        return smallOrder.contains(y)
    }

    /// The y of the eight points of the torsion subgroup: 1 (order 1), -1 (2), 0 (4, two points), and two of order 8 with two points each.
    private static let smallOrder: [[UInt8]] = [
        [1] + [UInt8](repeating: 0, count: 31),
        [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
        [UInt8](repeating: 0, count: 32),
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
