// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import Testing

@Suite("Every scenario, over TrustedHTTPClient")
struct ScenarioTests {
    @Test("TrustedHTTPClient conforms in every scenario")
    func conformance() async throws {
        let violations = try await ClientConformance().run { server in
            var configuration = TrustedHTTPConfiguration(server)
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
        #expect(violations.isEmpty, "\(violations)")
    }
}
