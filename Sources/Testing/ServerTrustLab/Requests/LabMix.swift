// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

/// An order of scenarios with many ordinary servers and a few others. It depends only on the scenarios and a seed.
///
/// Of five consecutive numbers, four are for ordinary scenarios: ``LabScenario/good`` or, for one in ten of them,
/// ``LabScenario/goodRSA``. The fifth number is for another scenario, each in turn. If one of the two ordinary
/// scenarios is missing, the other replaces it. If both are missing, or if there are no other scenarios, the remaining
/// scenarios get all the numbers.
package struct LabMix: Sendable {
    /// The indices of `good` and `goodRSA`, if they are present.
    private let usual: [Int]
    /// The indices of the other scenarios, in an order that depends on the seed.
    private let others: [Int]
    private let seed: UInt64

    /// - Parameter scenarios: at least one scenario, each of them once.
    package init(_ scenarios: [LabScenario], seed: UInt64) {
        self.seed = seed
        let usual = [LabScenario.good, .goodRSA].compactMap { scenarios.firstIndex(of: $0) }
        self.usual = usual
        self.others = scenarios.indices.filter { !usual.contains($0) }
            .map { (index: $0, key: Self.scattered(seed, UInt64.max - UInt64($0))) }
            .sorted { ($0.key, $0.index) < ($1.key, $1.index) }.map(\.index)
    }

    /// Returns the index of the scenario for a number.
    /// - Parameter number: 0 or more.
    package func index(of number: Int) -> Int {
        guard !usual.isEmpty else { return others[number % others.count] }
        let block = number / 5
        if !others.isEmpty, Int(Self.scattered(seed, UInt64(block)) % 5) == number % 5 {
            return others[block % others.count]
        }
        let isRSA = Self.scattered(~seed, UInt64(number)) % 10 == 0
        return isRSA ? usual[usual.count - 1] : usual[0]
    }

    /// Returns bits without a pattern for a seed and a number, using the last step of SplitMix64 (Steele, Lea and Flood
    /// 2014).
    private static func scattered(_ seed: UInt64, _ number: UInt64) -> UInt64 {
        var bits = mixed(seed) &+ (number &+ 1) &* 0x9e37_79b9_7f4a_7c15
        bits = mixed(bits)
        return bits
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var bits = value
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits >> 31)
    }
}

#endif
