// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

/// A CRL of 10 MB with 300,000 entries, and certificates that it does and doesn't list.
struct LargeCRL {
    static let count = 300_000

    let der: [UInt8]
    let listed: Certificate
    let unlisted: Certificate

    init() throws {
        let authority = try TestAuthority.root(.authority("Large CA"))
        // Pseudorandom numbers of 16 bytes that are the same in every run (Vigna's SplitMix64).
        var state: UInt64 = 1
        func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = state
            z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
            return z ^ z >> 31
        }
        let serials = (0..<Self.count).map { _ -> [UInt8] in
            var bytes = [next(), next()].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
            bytes[0] = bytes[0] & 0x3f | 0x40
            return bytes
        }
        self.der = try authority.crl { crl in
            crl.entries = serials.map { TestCRL.Entry(serialNumber: $0) }
        }.der
        self.listed = try authority.issue(
            .leaf("a.example").with { $0.serialNumber = serials[Self.count / 2] }
        ).certificate
        self.unlisted = try authority.issue(.leaf("b.example")).certificate
    }
}
