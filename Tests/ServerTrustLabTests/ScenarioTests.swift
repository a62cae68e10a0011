// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import Testing

@Suite("Every scenario, over a real connection")
struct ScenarioTests {
    @Test(
        "is judged as it expects, and a refused server gets no byte of a request",
        arguments: LabScenario.all, [LabServer.TLSVersions.tls12, .tls13])
    func verdict(scenario: LabScenario, versions: LabServer.TLSVersions) async throws {
        let server = try await LabServer.start(scenario)
        let report = try await LabClient(versions: versions).get(server)
        await server.stop()
        #expect(report.outcome == scenario.expected, "\(report.error ?? "")")
        #expect(server.counts.connections == 1)
        #expect(server.counts.openConnections == 0)
        if scenario.expected.isTrusted {
            #expect(report.status == (server.redirectTarget == nil ? 200 : 302))
            #expect(report.isComplete)
            #expect(server.counts.requests == 1)
            #expect(server.counts.handshakes == 1)
            #expect(server.counts.requestBytes == report.requestBytes)
            #expect(report.requestBytes > 0)
        } else {
            #expect(report.status == nil)
            #expect(!report.isHandshakeComplete)
            #expect(report.requestBytes == 0)
            #expect(server.counts.requestBytes == 0)
            #expect(server.counts.requests == 0)
            #expect(server.counts.handshakes == 0)
        }
    }

    @Test("have names and summaries that differ, and are found by name")
    func names() {
        #expect(LabScenario.all.count == 36)
        #expect(Set(LabScenario.all.map(\.name)).count == LabScenario.all.count)
        #expect(Set(LabScenario.all.map(\.summary)).count == LabScenario.all.count)
        for scenario in LabScenario.all { #expect(LabScenario.named(scenario.name) == scenario) }
        #expect(LabScenario.named("nothing") == nil)
    }

    @Test("play at any date, in memory as well", arguments: LabScenario.all)
    func memory(scenario: LabScenario) throws {
        let certificates = try scenario.certificates(at: TestAuthority.now)
        guard scenario.expected != .noHandshake else { return }
        let verdict = certificates.verdict(on: PresentedChain(certificates.chain))
        #expect(LabOutcome(verdict) == scenario.expected)
        #expect(verdict.evaluationDate == TestAuthority.now)
    }

    @Test(
        "have one thing wrong with them", arguments: LabScenario.all.filter { !$0.expected.isTrusted })
    func oneFailure(scenario: LabScenario) throws {
        guard scenario.expected != .noHandshake else { return }
        let certificates = try scenario.certificates(at: TestAuthority.now)
        let verdict = certificates.verdict(on: PresentedChain(certificates.chain))
        var expected: Set<LabOutcome> = [scenario.expected]
        // No end of ways up, none of them any better.
        if scenario == .hostilePathSet { expected.insert(.refused(.stepBudgetExceeded)) }
        #expect(Set(verdict.failures.map { LabOutcome.refused($0.code) }) == expected)
    }

    @Test(
        "are trusted but for the pins",
        arguments: [LabScenario.pinnedKeyReplaced, .authorityChanged, .intercepted, .pinnedKeyRotatedToBackup])
    func withoutPins(scenario: LabScenario) throws {
        let certificates = try scenario.certificates(at: TestAuthority.now)
        #expect(certificates.trust(presentedChain: PresentedChain(certificates.chain)).evaluate().isTrusted)
    }

    @Test("may be of one's own making, right and wrong")
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

    @Test("go over to the backup pin, and the verdict says so")
    func backup() async throws {
        let server = try await LabServer.start(.pinnedKeyRotatedToBackup)
        let report = try await LabClient().get(server)
        await server.stop()
        #expect(report.verdict?.matchedPin?.isBackup == true)
        #expect(report.verdict?.matchedPin?.certificate == 0)
    }

    @Test("are judged by the path, not by what was sent")
    func crossSigned() async throws {
        let server = try await LabServer.start(.crossSigned)
        let report = try await LabClient().get(server)
        await server.stop()
        let chain = server.certificates.chain
        #expect(report.presentedChain == chain.map(\.der))
        #expect(report.verdict?.path == [chain[0], chain[2]] + server.certificates.anchors)
    }
}
