// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite("Encodings of Ed25519 points")
struct Ed25519PointTests {
    /// All bits set except the sign: 2²⁵⁵ - 1.
    private static let largest = [UInt8](repeating: 0xff, count: 31) + [0x7f]

    @Test("A coordinate is canonical exactly if it is below the prime (RFC 8032 § 5.1.3)")
    func canonical() {
        // The prime is 2²⁵⁵ - 19, so exactly the 19 largest numbers of 255 bits are too large.
        for low in UInt8(0xe0)...0xff {
            for sign in [UInt8(0), 0x80] {
                let bytes = [low] + Self.largest[1..<31] + [0x7f | sign]
                #expect(Ed25519Point.isCanonical(bytes) == (low < 0xed), "\(low)")
            }
        }
        // A smaller number in any other byte.
        for index in 1..<32 {
            var bytes = Self.largest
            bytes[index] -= 1
            #expect(Ed25519Point.isCanonical(bytes), "\(index)")
        }
    }

    @Test("Other numbers of bytes aren't canonical and aren't of small order")
    func counts() {
        for count in [0, 1, 31, 33, 64] {
            let bytes = [UInt8](repeating: 0, count: count)
            #expect(!Ed25519Point.isCanonical(bytes) && !Ed25519Point.isOfSmallOrder(bytes), "\(count)")
        }
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(Ed25519Point.isCanonical(zero) && Ed25519Point.isOfSmallOrder(zero))
    }
}
