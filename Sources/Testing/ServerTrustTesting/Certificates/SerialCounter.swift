// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import Crypto
import PKIX

/// The serial numbers of one authority: four bytes that identify the authority, then a count from 1. The numbers are
/// positive and eight bytes long.
///
/// The first four bytes are a hash of the names and serial numbers of the CAs above the authority. A program therefore
/// uses the same numbers in every run. Authorities in one tree have different numbers, even if their names are equal.
/// Two roots with the same name share their numbers.
final class SerialCounter: Sendable {
    private let seed: [UInt8]
    private let count = Locked<UInt32>(0)

    private init(seed: [UInt8]) { self.seed = seed }

    /// The counter of a root or a self-signed certificate.
    convenience init(root name: [UInt8]) { self.init(seed: Array(SHA256.hash(data: name))) }

    /// Returns the counter of a CA that this authority issued with the serial number.
    func below(serialNumber: [UInt8], name: [UInt8]) -> SerialCounter {
        SerialCounter(seed: Array(SHA256.hash(data: seed + serialNumber + name)))
    }

    func next() -> [UInt8] {
        let count = count.withLock {
            $0 &+= 1
            return $0
        }
        return [seed[0] & 0x3f | 0x40] + seed[1..<4] + withUnsafeBytes(of: count.bigEndian) { Array($0) }
    }
}

#endif
