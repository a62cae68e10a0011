// SPDX-License-Identifier: Apache-2.0

import PhoneHome
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import Testing

@Suite("The app's trust decisions")
struct PhoneHomeTests {
    /// The app as it is, save that its anchors are a test's.
    private func app(pinning pin: Certificate, anchors: [Certificate]) throws -> PhoneHome {
        let reserve = try TestAuthority.root(.authority("Reserve Root")).certificate
        return try PhoneHome(
            host: "api.lab.test", pins: [SPKIPin(pin)], backup: [SPKIPin(reserve)], anchors: .only(anchors))
    }

    @Test("go to the server whose key is pinned, and to none that is wrong in some way", arguments: LabScenario.all)
    func everyScenario(scenario: LabScenario) async throws {
        let server = try await LabServer.start(scenario)
        let report = try await LabClient().get(server)
        await server.stop()
        guard !report.presentedChain.isEmpty else { return #expect(scenario.expected == .noHandshake) }
        let certificates = server.certificates
        let app = try app(pinning: certificates.anchors[0], anchors: certificates.anchors)
        let verdict = app.configuration.verdict(
            on: PresentedChain(der: report.presentedChain), host: server.host)
        // Scenarios that are about pins or revocation have settings of their own; all others the app judges alike.
        if certificates.pins.isEmpty, certificates.revocation == .off, scenario != .authorityChanged {
            #expect(verdict.isTrusted == scenario.expected.isTrusted)
        }
        // A pin is a pin: what the middle box shows is refused although its CA is trusted.
        if scenario == .intercepted { #expect(verdict.headline?.code == .pinNotMatched) }
    }

    @Test("keep every byte of a request back from a server that is refused")
    func noByte() async throws {
        let server = try await LabServer.start(.expired)
        _ = try await LabClient().get(server)
        #expect(server.counts.connections == 1)
        #expect(server.counts.requestBytes == 0)
        await server.stop()
    }

    @Test("refuse a certificate that is valid for too long, and conform to what evaluators are held to")
    func conformance() async throws {
        let root = try TestAuthority.root()
        func trust(days: Int64) throws -> Trust {
            let leaf = try root.issue(
                .leaf("api.example.com").with { $0.notAfter = $0.notBefore.advanced(by: days * 86_400 - 1) })
            var trust = Trust(presentedChain: [leaf.certificate], host: try Hostname("api.example.com"))
            trust.anchors = .only([root.certificate])
            trust.verifyDate = .at(TestAuthority.now)
            return trust
        }
        let violations = try await EvaluatorConformance(
            ShortLivedTrustEvaluator(), accepting: [trust(days: 100)], refusing: [trust(days: 101)]
        ).run()
        #expect(violations.isEmpty, "\(violations)")
    }
}
