// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustLab

@Suite("The lab's scenarios")
struct ScenarioTests {
    @Test("LabClient conforms, and its report matches the server's counts")
    func conformance() async throws {
        let violations = try await ClientConformance().run { server in
            let report = try await LabClient().get(server)
            if report.outcome.isTrusted {
                #expect(report.status == (server.redirectTarget == nil ? 200 : 302))
                #expect(report.isComplete)
                #expect(report.requestBytes > 0)
                #expect(server.counts.requestBytes == report.requestBytes)
            } else {
                #expect(report.status == nil)
                #expect(!report.isHandshakeComplete)
                #expect(report.requestBytes == 0)
            }
            return report.outcome
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test("Scenarios have unique names and summaries, and are found by name")
    func names() {
        #expect(LabScenario.all.count == 117)
        #expect(Set(LabScenario.all.map(\.name)).count == LabScenario.all.count)
        #expect(Set(LabScenario.all.map(\.summary)).count == LabScenario.all.count)
        for scenario in LabScenario.all { #expect(LabScenario.named(scenario.name) == scenario) }
        #expect(LabScenario.named("nothing") == nil)
    }

    @Test("Every scenario is in exactly one group")
    func groups() {
        let grouped = LabScenario.Group.allCases.flatMap(\.scenarios)
        #expect(grouped.count == LabScenario.all.count)
        #expect(Set(grouped) == Set(LabScenario.all))
        for group in LabScenario.Group.allCases {
            for scenario in group.scenarios { #expect(scenario.group == group) }
        }
        #expect(Set(LabScenario.Group.allCases.map(\.title)).count == LabScenario.Group.allCases.count)
    }

    @Test("A scenario depends on its client if and only if the client has settings", arguments: LabScenario.all)
    func dependence(scenario: LabScenario) throws {
        let client = try scenario.certificates(at: TestAuthority.now).client
        let hasSettings = client.hasRulesOfItsOwn || client.policy.isStrict || client.revocation != .off
        #expect(scenario.dependsOnClient == hasSettings)
    }

    /// Configurations of other clients contain the ports of the first scenarios.
    @Test("New scenarios come after the old ones and don't change a lab's other ports")
    func ports() {
        let ports = [
            ("good", 0), ("expired", 6), ("self-signed", 18), ("handshake-cut-off", 35), ("tls-1.0", 90),
            ("around-distrusted-root", 97), ("ct-good", 100), ("ct-private-authority", 114), ("ct-rule-none", 116),
        ]
        for (name, offset) in ports {
            #expect(LabScenario.named(name).flatMap { Lab.port(of: $0, from: 8440) } == 8440 + offset, "\(name)")
        }
        #expect(LabScenario.all.count <= Lab.portCount - 2)
        let all = LabScenario.all.compactMap { Lab.port(of: $0, from: 0) }
        #expect(Set(all).count == LabScenario.all.count && Set(all).isDisjoint(with: [98, 99]))
    }

    @Test("Scenarios have the expected verdict when evaluated in memory, at any date", arguments: LabScenario.all)
    func memory(scenario: LabScenario) throws {
        let certificates = try scenario.certificates(at: TestAuthority.now)
        guard !scenario.dependsOnHandshake else { return }
        let verdict = certificates.evaluate(PresentedChain(certificates.chain))
        #expect(LabOutcome(verdict) == scenario.expected)
        #expect(verdict.evaluationDate == TestAuthority.now)
    }

    @Test(
        "Refused scenarios have one failure code", arguments: LabScenario.all.filter { !$0.expected.isTrusted }
    )
    func oneFailure(scenario: LabScenario) throws {
        guard !scenario.dependsOnHandshake else { return }
        let certificates = try scenario.certificates(at: TestAuthority.now)
        let verdict = certificates.evaluate(PresentedChain(certificates.chain))
        var expected: Set<LabOutcome> = [scenario.expected]
        // The step budget runs out while candidate paths are left.
        if scenario == .hostilePathSet { expected.insert(.refused(.stepBudgetExceeded)) }
        #expect(Set(verdict.failures.map { LabOutcome.refused($0.code) }) == expected)
    }

    @Test(
        "Pin and CA scenarios are trusted without their evaluator",
        arguments: [LabScenario.pinnedKeyReplaced, .authorityChanged, .intercepted, .pinnedKeyRotatedToBackup])
    func withoutPins(scenario: LabScenario) throws {
        let certificates = try scenario.certificates(at: TestAuthority.now)
        #expect(certificates.trust(presentedChain: PresentedChain(certificates.chain)).evaluate().isTrusted)
    }

    @Test("Custom scenarios serve the caller's certificates, valid or not")
    func custom() async throws {
        let root = try TestAuthority.root(.authority("Team CA"))
        let leaf = try root.issue(.leaf("reports.example.com"))
        for (host, expected) in [
            ("reports.example.com", LabOutcome.trusted), ("other.example.com", .refused(.hostMismatch)),
        ] {
            let server = try await LabServer.start(
                .custom(host: host, leaf: leaf, anchors: [root.certificate], expected: expected),
                now: TestAuthority.now)
            let report = try await LabClient().get(server)
            await server.stop()
            #expect(server.host.description == host)
            #expect(report.outcome == expected)
            #expect(server.counts.requests == (expected.isTrusted ? 1 : 0))
        }
    }

    @Test("A server with the backup pin's key is trusted, and the verdict names the backup pin")
    func backup() async throws {
        let server = try await LabServer.start(.pinnedKeyRotatedToBackup)
        let report = try await LabClient().get(server)
        await server.stop()
        #expect(report.verdict?.matchedPin?.isBackup == true)
        #expect(report.verdict?.matchedPin?.certificate == 0)
    }

    @Test("The path of a cross-signed chain omits the certificate of the unknown root")
    func crossSigned() async throws {
        let server = try await LabServer.start(.crossSigned)
        let report = try await LabClient().get(server)
        await server.stop()
        let chain = server.certificates.chain
        #expect(report.presentedChain == chain.map(\.der))
        #expect(report.verdict?.path == [chain[0], chain[2]] + server.certificates.anchors)
    }
}
