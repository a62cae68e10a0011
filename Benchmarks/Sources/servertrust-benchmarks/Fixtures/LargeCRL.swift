// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

/// A CRL of 10 MB with 300,000 entries by default, and certificates that it does and doesn't list.
struct LargeCRL {
    static let count = 300_000

    let der: [UInt8]
    let authority: TestAuthority
    /// The serial numbers of up to 5,000 entries, spread over the list.
    let sample: [[UInt8]]
    let listed: Certificate
    let unlisted: Certificate

    init(count: Int = LargeCRL.count) throws {
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
        let serials = (0..<count).map { _ -> [UInt8] in
            var bytes = [next(), next()].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
            bytes[0] = bytes[0] & 0x3f | 0x40
            return bytes
        }
        self.authority = authority
        let step = max(1, count / 5_000)
        self.sample = stride(from: 0, to: count, by: step).prefix(5_000).map { serials[$0] }
        self.der = try authority.crl { crl in
            crl.entries = serials.map { TestCRL.Entry(serialNumber: $0) }
        }.der
        self.listed = try authority.issue(
            .leaf("a.example").with { $0.serialNumber = serials[count / 2] }
        ).certificate
        self.unlisted = try authority.issue(.leaf("b.example")).certificate
    }
}
