// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import Testing

@Suite("Every scenario over TrustedHTTPClient")
struct ScenarioTests {
    @Test("TrustedHTTPClient conforms in every scenario, over HTTP/1.1 and HTTP/2", arguments: [false, true])
    func conformance(isHTTP2: Bool) async throws {
        let violations = try await ClientConformance().run { server in
            var configuration = TrustedHTTPConfiguration(
                server, httpVersion: isHTTP2 ? .automatic : .http1Only)
            configuration.redirects = .disallow
            return try await withClient(of: server, configuration) { client in
                do {
                    let answer = try await client.text(server.url + "/")
                    #expect(answer == (server.redirectTarget == nil ? "200 hello from the lab\n" : "302 "))
                    return LabOutcome.trusted
                } catch {
                    guard let outcome = LabOutcome(error) else { throw error }
                    return outcome
                }
            }
        }
        // HTTP/2 makes one more connection to a trusted server.
        let found = violations.filter { !(isHTTP2 && $0.rule == .reconnects && $0.scenario.expected.isTrusted) }
        #expect(found.isEmpty, "\(found)")
    }
}
