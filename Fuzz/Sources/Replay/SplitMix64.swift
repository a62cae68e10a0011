// SPDX-License-Identifier: Apache-2.0

/// The random number generator SplitMix64. It returns the same numbers on every machine, in every run and with every
/// version of Swift.
///
/// Don't use it with the standard library's `random(in:using:)`, whose conversion of numbers to ranges may change.
struct SplitMix64 {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number that is at least 0 and less than `limit`, which is at most 2^32.
    mutating func next(below limit: Int) -> Int {
        Int(((next() >> 32) * UInt64(limit)) >> 32)
    }

    /// Returns a range within a number of bytes. Short ranges are more frequent than long ones.
    mutating func range(in count: Int) -> Range<Int> {
        guard count > 0 else { return 0..<0 }
        let longest = next(below: 4) == 0 ? count : min(count, 16)
        let length = 1 + next(below: longest)
        let start = next(below: count - length + 1)
        return start..<(start + length)
    }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 56) }
}

/// A checksum that is the same on every machine. `Hasher` has a different seed in each process.
struct Checksum {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Adds bytes, eight at a time, and their count.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while index + 8 <= bytes.count {
            add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index += 8
        }
        var rest: UInt64 = 0
        for byte in bytes[index...] { rest = rest << 8 | UInt64(byte) }
        add(rest)
        add(UInt64(bytes.count))
    }

    mutating func add(_ number: UInt64) {
        value = (value ^ number) &* 0x0000_0100_0000_01b3
        value ^= value >> 29
    }

    static func of(_ bytes: [UInt8]) -> UInt64 {
        var sum = Checksum()
        bytes.withUnsafeBytes { sum.add($0) }
        return sum.value
    }

    /// Returns the last digits of a checksum in hexadecimal.
    static func text(_ value: UInt64, digits: Int) -> String {
        let hexadecimal = String(value, radix: 16)
        return String((String(repeating: "0", count: 16) + hexadecimal).suffix(digits))
    }
}
