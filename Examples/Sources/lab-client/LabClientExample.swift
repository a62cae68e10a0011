// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustNIO

/// A client that passes the tests of every server of the lab, and a client that fails them.
///
/// The servers are real and on loopback.
@main
struct LabClientExample {
    static func main() async throws {
        try await oneServer()
        try await everyServer()
        try await carelessClient()
    }

    /// Connects to one server, and prints the number of bytes that it received.
    static func oneServer() async throws {
        let server = try await LabServer.start(.expired)
        // Your client: server.url, server.address, server.certificates.anchors.
        let outcome = try await outcome(of: server)
        print("expected \(server.expected), found \(outcome)")
        print("bytes of a request that arrived: \(server.counts.requestBytes)")
        await server.stop()
    }

    static func everyServer() async throws {
        let violations = try await ClientConformance().run { server in try await outcome(of: server) }
        print("violations: \(violations.count)")
    }

    /// Connects the client under test and returns its outcome.
    static func outcome(of server: LabServer) async throws -> LabOutcome {
        var configuration = TrustedHTTPConfiguration()
        configuration.dnsOverride[server.host.description] = server.address.rawValue
        configuration.redirects = .disallow
        configuration.httpVersion = .http1Only  // HTTP/2 needs one more connection
        let client = try TrustedHTTPClient(trust: server.certificates.configuration, configuration: configuration)
        let outcome: LabOutcome
        do {
            _ = try await client.execute(HTTPClientRequest(url: server.url + "/"), timeout: .seconds(30))
            outcome = .trusted
        } catch let refusal as TrustRefusal {
            outcome = LabOutcome(refusal.verdict)
        } catch is ConnectionFailure {
            outcome = .noHandshake
        }
        await client.shutdown()
        return outcome
    }

    /// Tests a client with verification turned off, which sometimes ships by mistake.
    static func carelessClient() async throws {
        let suite = ClientConformance([.good, .expired, .wrongHost, .intercepted], comparing: .decisions)
        let violations = try await suite.run { server in
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.certificateVerification = .none
            var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
            configuration.dnsOverride[server.host.description] = server.address.rawValue
            configuration.httpVersion = .http1Only
            let client = HTTPClient(configuration: configuration)
            _ = try await client.execute(HTTPClientRequest(url: server.url + "/"), timeout: .seconds(30))
            try await client.shutdown()
            return .trusted
        }
        for scenario in [LabScenario.good, .expired, .wrongHost, .intercepted] {
            let rules = Set(violations.filter { $0.scenario == scenario }.map(\.rule.rawValue)).sorted()
            print("careless client, \(scenario): \(rules.isEmpty ? "conforms" : rules.joined(separator: ", "))")
        }
    }
}
