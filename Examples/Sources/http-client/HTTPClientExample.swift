// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustNIO

/// An HTTP client whose servers are evaluated, and a gate for a library that requires an `HTTPClient`.
///
/// The servers are real lab servers on loopback.
@main
struct HTTPClientExample {
    static func main() async throws {
        for scenario in [LabScenario.good, .expired, .pinnedKeyReplaced, .noTLS] {
            let server = try await LabServer.start(scenario)
            var trust = ServerTrustConfiguration(server.certificates.manager)
            trust.anchors = .only(server.certificates.anchors)
            print("\(scenario.summary):")
            print("  TrustedHTTPClient: \(try await trustedClient(server, trust))")
            print("  gate: \(try await gatedClient(server, trust))")
            print("  requests that arrived: \(server.counts.requests)")
            await server.stop()
        }
    }

    static func trustedClient(_ server: LabServer, _ trust: ServerTrustConfiguration) async throws -> String {
        var configuration = TrustedHTTPConfiguration()
        // The lab's names aren't in DNS. The client still verifies the host.
        configuration.dnsOverride[server.host.description] = "127.0.0.1"

        // Create it once, and keep it for all servers.
        let client = try TrustedHTTPClient(trust: trust, configuration: configuration)
        let text = await get(server.url + "/", client)
        await client.shutdown()
        return text
    }

    static func get(_ url: String, _ client: TrustedHTTPClient) async -> String {
        do {
            let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(10))
            let body = try await response.body.collect(upTo: 1 << 20)
            return "status \(response.status.code), \(body.readableBytes) bytes"
        } catch let refusal as TrustRefusal {
            return "refused: \(sentence(about: refusal))"
        } catch let error as ConnectionFailure {
            return "no verdict: \(error.code)"
        } catch let error as TrustedHTTPError {
            return "not sent: \(error.code)"
        } catch {
            return "\(error)"
        }
    }

    /// Returns a message for the app's user. Programs use the codes, and log the refusal itself.
    static func sentence(about refusal: TrustRefusal) -> String {
        switch refusal.headline.code {
        case .certificateExpired, .certificateNotYetValid:
            "The server's certificate has expired, or this machine's clock is wrong."
        case .pinNotMatched: "The connection may be intercepted. Try another network."
        case .hostMismatch: "The connection leads to another server."
        default: "The server couldn't be verified (\(refusal.headline.code))."
        }
    }

    static func gatedClient(_ server: LabServer, _ trust: ServerTrustConfiguration) async throws -> String {
        var tls = TLSConfiguration.makeClientConfiguration()
        // NIOSSL also verifies, so name a private CA here, too.
        tls.trustRoots = .certificates(
            try server.certificates.anchors.map { try NIOSSLCertificate(bytes: $0.der, format: .der) })
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.dnsOverride[server.host.description] = "127.0.0.1"

        // Call this last: the gate runs before the initializers that the configuration has.
        try configuration.gate(by: trust)
        let client = HTTPClient(configuration: configuration)
        defer { client.shutdown { _ in } }
        do {
            let response = try await client.execute(HTTPClientRequest(url: server.url + "/"), timeout: .seconds(10))
            return "status \(response.status.code)"
        } catch let refusal as TrustRefusal {
            return "refused: \(refusal.headline.code)"
        } catch {
            return "refused by NIOSSL, or not reached"
        }
    }
}
