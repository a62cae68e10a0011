// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustNIO
import Testing

@testable import ServerTrustHTTP

/// An `HTTPClient` with a gate, for a lab server.
struct GatedClient: Sendable {
    /// How the client reaches a server.
    enum Route: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case direct, connect, socks
        var testDescription: String { rawValue }
    }

    var route = Route.direct
    var version = HTTPClient.Configuration.HTTPVersion.http1Only
    /// The gate, or nil for the gate that users get.
    var gate: ConnectionGate?
    /// Whether NIOSSL verifies certificates too. Otherwise only the gate does.
    var isVerifiedByNIOSSL = true
    var more: [Certificate] = []
    var proxyPort: Int?

    /// Returns the client's configuration before the gate is added.
    func configuration(_ servers: [LabServer]) throws -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        var tls = TLSConfiguration.makeClientConfiguration()
        let anchors = servers.flatMap(\.certificates.anchors) + more
        tls.trustRoots = .certificates(try anchors.map { try NIOSSLCertificate(bytes: $0.der, format: .der) })
        // Adds Ed25519, which NIOSSL leaves out by default.
        tls.verifySignatureAlgorithms = TLSConfiguration.clientForServerTrust().verifySignatureAlgorithms
        if !isVerifiedByNIOSSL { tls.certificateVerification = .none }
        configuration.tlsConfiguration = tls
        configuration.httpVersion = version
        configuration.timeout.connect = .seconds(60)
        switch (route, proxyPort) {
        case (.connect, let port?): configuration.proxy = .server(host: "127.0.0.1", port: port)
        case (.socks, let port?): configuration.proxy = .socksServer(host: "127.0.0.1", port: port)
        default: for server in servers { configuration.dnsOverride[server.host.description] = server.address.rawValue }
        }
        return configuration
    }

    /// Runs `body` with a client that uses the gate, then shuts the client down.
    func run<Result: Sendable>(
        _ servers: [LabServer], _ trust: ServerTrustConfiguration, _ body: (HTTPClient) async throws -> Result
    ) async throws -> Result {
        var configuration = try configuration(servers)
        if var gate {
            gate.needsVerification = isVerifiedByNIOSSL
            try configuration.gate(gate)
        } else if isVerifiedByNIOSSL {
            try configuration.gate(by: trust, evaluationTimeout: .seconds(60))
        } else {
            var gate = ConnectionGate(source: VerdictSource(trust), timeout: .seconds(60))
            gate.needsVerification = false
            try configuration.gate(gate)
        }
        let client = HTTPClient(configuration: configuration)
        do {
            let result = try await body(client)
            try await client.shutdown()
            return result
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    /// Returns the outcome of one request under the scenario's rules. Throws errors that come neither from the gate nor
    /// from NIOSSL.
    func outcome(of server: LabServer) async throws -> LabOutcome {
        let trust = server.certificates.configuration
        return try await run([server] + [server.redirectTarget].compactMap(\.self), trust) { client in
            do {
                try await client.expectAnswer(at: server.url + "/")
                return .trusted
            } catch let refusal as TrustRefusal {
                return .refused(refusal.headline.code)
            } catch let error where error is NIOSSLError || error is NIOSSLExtraError {
                return .noHandshake
            } catch is HTTPClientError {
                return .noHandshake
            }
        }
    }
}

extension HTTPClient {
    /// Accepts any answer.
    func expectAnswer(at url: String, within limit: TimeAmount = .seconds(60)) async throws {
        let response = try await execute(HTTPClientRequest(url: url), timeout: limit)
        _ = try await response.body.collect(upTo: 1 << 20)
    }
}
