// SPDX-License-Identifier: Apache-2.0

import ServerTrustLab
import Testing

@Suite("The mix of scenarios in chains without servers")
struct LabMixTests {
    private let scenarios = LabScenario.all.filter { $0.requestObstacle == nil }

    private func names(_ scenarios: [LabScenario], seed: UInt64, count: Int) -> [String] {
        let mix = LabMix(scenarios, seed: seed)
        return (0..<count).map { scenarios[mix.index(of: $0)].name }
    }

    @Test("Four out of five chains are good, one in ten of those uses RSA, and the other scenarios occur equally often")
    func shares() {
        let others = scenarios.count - 2
        let counts = Dictionary(grouping: names(scenarios, seed: 1, count: 5 * others * 20)) { $0 }
            .mapValues(\.count)
        let rsa = counts["good-rsa"] ?? 0
        #expect((counts["good"] ?? 0) + rsa == 4 * others * 20)
        #expect(others * 6...others * 10 ~= rsa, "\(rsa)")
        #expect(counts.count == scenarios.count)
        for (name, count) in counts where !["good", "good-rsa"].contains(name) { #expect(count == 20, "\(name)") }
    }

    @Test("A seed always produces the same mix, and another seed produces a different one")
    func seeds() {
        let first = names(scenarios, seed: 1, count: 2_000)
        #expect(names(scenarios, seed: 1, count: 2_000) == first)
        let second = names(scenarios, seed: 2, count: 2_000)
        #expect(second != first)
        #expect(second.indices.filter { first[$0] == second[$0] }.count < 1_900)
        // The order of the other scenarios differs, not only their positions.
        func others(_ names: [String]) -> [String] { names.filter { !["good", "good-rsa"].contains($0) } }
        #expect(others(first).prefix(50) != others(second).prefix(50))
    }

    @Test("A mix of fewer scenarios keeps the proportions")
    func fewerScenarios() {
        #expect(Set(names([.good], seed: 1, count: 50)) == ["good"])
        #expect(names([.expired, .wrongHost], seed: 1, count: 50).filter { $0 == "expired" }.count == 25)
        #expect(names([.expired, .good], seed: 1, count: 50).filter { $0 == "good" }.count == 40)
        let rsa = LabScenario.named("good-rsa") ?? .good
        #expect(names([.expired, rsa], seed: 1, count: 50).filter { $0 == "good-rsa" }.count == 40)
    }
}
