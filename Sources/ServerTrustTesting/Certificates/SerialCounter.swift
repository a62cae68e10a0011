// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// The serial numbers of one authority: four bytes of its own, then a count from 1. Positive, eight bytes.
///
/// The first four come from the names and serial numbers above it, not from chance or from the process, so a program gets the
/// same numbers in every run whatever else runs beside it, and authorities of one tree, those of equal name too, don't share any.
/// Two roots of equal name do.
///
/// `@unchecked`: `count` is read and written under `lock` alone, everything else is constant.
final class SerialCounter: @unchecked Sendable {
    private let seed: [UInt8]
    private let lock = NSLock()
    private var count: UInt32 = 0

    private init(seed: [UInt8]) { self.seed = seed }

    /// Of a root, or of a certificate that has no issuer but itself.
    convenience init(root name: [UInt8]) { self.init(seed: Array(SHA256.hash(data: name))) }

    /// Of the CA to which this one gave the serial number.
    func below(serialNumber: [UInt8], name: [UInt8]) -> SerialCounter {
        SerialCounter(seed: Array(SHA256.hash(data: seed + serialNumber + name)))
    }

    func next() -> [UInt8] {
        let count = lock.withLock {
            self.count &+= 1
            return self.count
        }
        return [seed[0] & 0x3f | 0x40] + seed[1..<4] + withUnsafeBytes(of: count.bigEndian) { Array($0) }
    }
}
