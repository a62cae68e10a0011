// SPDX-License-Identifier: Apache-2.0

/// A generator of random numbers that depend only on the seed (SplitMix64), on every machine and with every compiler.
struct Dice: Sendable {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    /// - Parameters:
    ///   - seed: the seed of a run.
    ///   - index: the number of an exchange.
    init(_ seed: UInt64, _ index: Int) {
        var mixed = Dice(seed)
        state = mixed.next() ^ (UInt64(truncatingIfNeeded: index) &* 0xD134_2543_DE82_EF95)
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }

    mutating func bytes(_ range: ClosedRange<Int>) -> [UInt8] { (0..<number(range)).map { _ in byte() } }

    mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }

    /// Returns one of the values.
    mutating func pick<Value>(_ first: Value, _ others: Value...) -> Value {
        let index = number(0...others.count)
        return index == 0 ? first : others[index - 1]
    }

    mutating func pick<Value>(from values: [Value]) -> Value? {
        values.isEmpty ? nil : values[number(0...values.count - 1)]
    }
}
