// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustLab

@Suite("A scenario's series of chains")
struct LabChainSeriesTests {
    private static let scenarios = LabScenario.all.filter { $0.requestObstacle == nil }

    @Test(
        "A scenario has requests if and only if requests can express its client's settings", arguments: LabScenario.all)
    func obstacles(scenario: LabScenario) throws {
        let certificates = try scenario.certificates(at: TestAuthority.now)
        let client = certificates.client
        var policy = client.policy
        policy.isStrict = false
        policy.maximumIntermediates = nil
        let rule = client.rule?.evaluator
        let hasOtherSettings =
            policy != ValidationPolicy() || client.system != nil || !client.transparencyChecks.isEmpty
            || client.rootList != nil || client.denied != nil
            || !(rule is DefaultTrustEvaluator || rule is SPKIPinsTrustEvaluator)
        let isOfHandshake = scenario.dependsOnHandshake || certificates.chain[0].requiresStaple
        #expect(
            (scenario.requestObstacle != nil)
                == (hasOtherSettings || isOfHandshake || scenario.name == "redirect-to-another-authority"))
    }

    @Test("Leaves have their own serial numbers and hosts, and the scenario's issuers", arguments: scenarios)
    func leaves(scenario: LabScenario) throws {
        let series = try #require(try LabChainSeries.all(of: [scenario], at: TestAuthority.now).first)
        let numbers = [0, 1, 2, 123_456_789, LabChainSeries.capacity - 1]
        let leaves = try numbers.map { try Certificate(der: series.leaf($0)) }
        #expect(Set(leaves).count == numbers.count)
        #expect(Set(leaves.map(\.serialNumber.bytes)).count == numbers.count)
        #expect(Set(numbers.map(series.host)).count == numbers.count)
        #expect(series.host(123_456_789).hasPrefix("h123456789."))
        let original = series.certificates.chain[0]
        for leaf in leaves {
            #expect(leaf.issuer == original.issuer || scenario == .selfSigned)
            #expect(leaf.serialNumber.bytes.count == original.serialNumber.bytes.count)
        }
        // The certificate contains the changed host name.
        if original.subjectAlternativeNames?.contains(.dnsName(series.certificates.host.description)) == true {
            #expect(leaves[1].subjectAlternativeNames?.contains(.dnsName(series.host(1))) == true)
        }
    }

    @Test("Chains have the expected outcome when evaluated in memory", arguments: scenarios)
    func outcomes(scenario: LabScenario) throws {
        let series = try #require(try LabChainSeries.all(of: [scenario], at: TestAuthority.now).first)
        for number in [0, 17] where number == 0 || scenario.group != .budgets {
            let leaf = try series.leaf(number)
            let certificates = series.certificates
            let chain = PresentedChain([try Certificate(der: leaf)] + series.issuers)
            var settings = certificates.trust(presentedChain: chain).settings
            settings.revocationData = try series.evidence(for: leaf)
            let trust = Trust(presentedChain: chain, host: try Hostname(series.host(number)), settings: settings)
            let verdict = certificates.pins.isEmpty ? trust.evaluate() : certificates.evaluator.evaluate(trust)
            #expect(LabOutcome(verdict) == scenario.expected, "\(series.host(number)): \(verdict)")
        }
    }

    @Test("A wildcard for part of a label matches part of each host's label")
    func partialWildcard() throws {
        let scenario = try #require(LabScenario.named("partial-wildcard"))
        let series = try #require(try LabChainSeries.all(of: [scenario], at: TestAuthority.now).first)
        #expect(try Certificate(der: series.leaf(7)).subjectAlternativeNames == [.dnsName("h*.lab.test")])
        #expect(series.host(7) == "h000000007.lab.test")
    }

    @Test("Good leaves have different keys, and others share one")
    func keys() throws {
        for (scenario, count) in [(LabScenario.good, 16), (.expired, 1)] {
            let series = try #require(try LabChainSeries.all(of: [scenario], at: TestAuthority.now).first)
            let keys = try (0..<40).map { SPKIPin(try Certificate(der: series.leaf($0))) }
            #expect(Set(keys).count == count)
        }
    }
}
