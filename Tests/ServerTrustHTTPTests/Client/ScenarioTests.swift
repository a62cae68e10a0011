// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import Testing

@Suite("Every scenario, over TrustedHTTPClient")
struct ScenarioTests {
    @Test(
        "Each scenario gets its expected verdict, and a refused server gets no byte and no second connection",
        arguments: LabScenario.all, [LabServer.TLSVersions.tls12, .tls13])
    func verdict(scenario: LabScenario, versions: LabServer.TLSVersions) async throws {
        let server = try await LabServer.start(scenario)
        var configuration = TrustedHTTPConfiguration(server, versions: versions)
        configuration.redirects = .disallow
        let finding = try await withClient(of: server, configuration) { client in
            do {
                let answer = try await client.text(server.url + "/")
                #expect(answer == (scenario == .redirectToAnotherAuthority ? "302 " : "200 hello from the lab\n"))
                return LabOutcome.trusted
            } catch {
                if scenario.expected.isTrusted { Issue.record("\(error)") }
                return try #require(LabOutcome(error), "\(error)")
            }
        }
        #expect(finding == scenario.expected)
        #expect(server.counts.connections == 1)
        if scenario.expected.isTrusted {
            #expect(server.counts.requests == 1)
        } else {
            #expect(server.counts.requestBytes == 0)
            #expect(server.counts.handshakes == 0)
        }
    }
}
