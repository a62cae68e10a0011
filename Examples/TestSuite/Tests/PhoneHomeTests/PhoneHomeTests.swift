// SPDX-License-Identifier: Apache-2.0

import PKIX
import PhoneHome
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import Testing

@Suite("The app's trust decisions")
struct PhoneHomeTests {
    /// Returns the app's rules with the test's anchors.
    private func app(pinning pin: Certificate, anchors: [Certificate]) throws -> PhoneHome {
        let reserve = try TestAuthority.root(.authority("Reserve Root")).certificate
        return try PhoneHome(
            host: "api.lab.test", pins: [SPKIPin(pin)], backup: [SPKIPin(reserve)], anchors: .only(anchors))
    }

    @Test("The app trusts the server whose CA is pinned, and refuses every other server of the lab")
    func everyScenario() async throws {
        // The app has its own settings: in all scenarios, it pins a CA and doesn't check revocation.
        let conformance = ClientConformance(
            LabScenario.all.filter { !$0.dependsOnClient } + [.intercepted, .pinnedKeyReplaced, .revokedByCRL],
            comparing: .decisions,
            exempting: [
                .pinnedKeyReplaced: "the app pins the CA, not the key of the leaf",
                .revokedByCRL: "the app doesn't check revocation",
            ])
        let violations = try await conformance.run { server in
            let report = try await LabClient().get(server)
            guard !report.presentedChain.isEmpty else { return .noHandshake }
            let anchors = server.certificates.anchors
            let app = try app(pinning: anchors[0], anchors: anchors)
            return LabOutcome(
                await app.configuration.evaluate(PresentedChain(der: report.presentedChain), host: server.host))
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test("No byte of a request reaches a server that is refused")
    func noByte() async throws {
        let server = try await LabServer.start(.expired)
        _ = try await LabClient().get(server)
        #expect(server.counts.connections == 1)
        #expect(server.counts.requestBytes == 0)
        await server.stop()
    }

    @Test("The evaluator refuses a certificate that is valid for too long, and conforms to the protocol")
    func conformance() async throws {
        let root = try TestAuthority.root()
        func trust(days: Int) throws -> Trust {
            let leaf = try root.issue(
                .leaf("api.example.com").with { $0.notAfter = $0.notBefore.advanced(by: .days(days) - .seconds(1)) })
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
