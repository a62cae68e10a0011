// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A filter of revoked certificates with the size of a full filter, 8.5 MB. It has as many logs, issuers and columns as
/// Mozilla's, and pseudorandom bits.
struct LargeFilter {
    static let size = 8_500_000
    static let issuerCount = 3_000
    private static let logCount = 26
    private static let columnCount = 12

    let bytes: Data
    let issuer: [UInt8]
    let log: [UInt8]
    /// A time within the coverage, in milliseconds since 1970.
    let time: UInt64 = 1_780_000_000_000

    /// - Parameter version: the format, 3 or 4.
    init(version: Int) {
        var random = SplitMix64(state: UInt64(version))
        func hash() -> [UInt8] { (0..<4).flatMap { _ in Self.bytes(random.next(), 8, version) } }
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            Self.bytes(UInt64(value), version == 4 ? size : 8, version)
        }
        var data = Data([UInt8(version), 0])
        data += number(Self.logCount, 2)
        var logs: [[UInt8]] = []
        for _ in 0..<Self.logCount {
            logs.append(hash())
            data += logs[logs.count - 1] + number(Int(time) - 1_000_000_000, 8) + number(Int(time) + 1_000_000_000, 8)
        }
        data += number(Self.issuerCount, 4)
        let words = (Self.size - data.count - Self.issuerCount * 100) / 8 / (Self.columnCount + 3)
        var issuers: [[UInt8]] = []
        for index in 0..<Self.issuerCount {
            issuers.append(hash())
            let (count, offset) = (words * 64 / Self.issuerCount, index * words * 64 / Self.issuerCount)
            data += version == 3 ? number(32, 8) + issuers[index] : issuers[index]
            data +=
                version == 4
                ? number(count, 4) + [UInt8(Self.columnCount)] + number(offset, 4) + number(count, 4)
                    + number(offset, 4)
                : number(count, 8) + number(count, 8) + number(Self.columnCount, 8) + number(offset, 8)
                    + number(offset, 8)
            // Two exceptions of 16 bytes.
            data += [0] + number(2, 2)
            for _ in 0..<2 { data += number(16, 1) + hash().prefix(16) }
        }
        data += number(Self.columnCount, 1)
        for column in 0...Self.columnCount {
            // The exact column is longer than the others.
            let count = column < Self.columnCount ? words : (Self.size - data.count - 8) / 8
            data += number(count, 4)
            for _ in 0..<count { data += Self.bytes(random.next(), 8, version) }
        }
        bytes = data
        issuer = issuers[Self.issuerCount / 2]
        log = logs[Self.logCount - 1]
    }

    private static func bytes(_ value: UInt64, _ size: Int, _ version: Int) -> [UInt8] {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
        return version == 4 ? bytes.reversed() : bytes
    }
}

/// Pseudorandom numbers that are the same in every run (Vigna's SplitMix64).
private struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }
}
