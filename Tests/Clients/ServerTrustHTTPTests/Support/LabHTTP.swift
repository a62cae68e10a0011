// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustNIO
import ServerTrustTesting
import Testing

extension ServerTrustConfiguration {
    /// Creates the rules for the scenario's client.
    init(_ server: LabServer) { self = server.certificates.configuration }
}

extension TrustedHTTPConfiguration {
    /// Connects to the lab for every name. The default is HTTP/1.1, with one connection per server.
    init(
        _ server: LabServer, versions: LabServer.TLSVersions = .both,
        httpVersion: HTTPClient.Configuration.HTTPVersion = .http1Only
    ) {
        self.init()
        self.httpVersion = httpVersion
        bePatient()
        for server in [server, server.redirectTarget].compactMap({ $0 }) {
            dnsOverride[server.host.description] = server.address.rawValue
        }
        tls.minimumTLSVersion = versions == .tls13 ? .tlsv13 : .tlsv12
        tls.maximumTLSVersion = versions == .tls12 ? .tlsv12 : .tlsv13
    }
}

extension TrustedHTTPConfiguration {
    /// Raises the time limits. The machine may be busy, and only some tests are about timing.
    mutating func bePatient() {
        timeout.connect = .seconds(60)
        handshakeTimeout = .seconds(60)
    }
}

extension TrustedHTTPConfiguration {
    /// Presents this identity to servers that ask for one.
    mutating func show(_ identity: TestIdentity) throws {
        tls.certificateChain = [
            .certificate(try NIOSSLCertificate(bytes: identity.certificate.der, format: .der))
        ]
        tls.privateKey = .privateKey(
            try NIOSSLPrivateKey(bytes: Array(identity.key.pemRepresentation().utf8), format: .pem))
    }
}

/// Runs `body` with a client for a lab server, then shuts down both.
func withClient<Result: Sendable>(
    of server: LabServer, trust: ServerTrustConfiguration? = nil, _ configuration: TrustedHTTPConfiguration? = nil,
    _ body: (TrustedHTTPClient) async throws -> Result
) async throws -> Result {
    let client = try TrustedHTTPClient(
        trust: trust ?? ServerTrustConfiguration(server), configuration: configuration ?? .init(server))
    return try await client.used(stopping: { await server.stop() }) { try await body(client) }
}

extension TrustedHTTPClient {
    /// Runs `body`, shuts down the client and stops its server, even after an error.
    func used<Result: Sendable>(
        stopping stop: () async -> Void, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body()
            await shutdown()
            await stop()
            return result
        } catch {
            await shutdown()
            await stop()
            throw error
        }
    }

    func get(_ url: String, within timeout: Duration = .seconds(60)) async throws -> HTTPClientResponse {
        try await execute(HTTPClientRequest(url: url), timeout: timeout, bodyTimeout: timeout)
    }

    /// Sends a request and returns the status and body.
    func text(_ url: String, within timeout: Duration = .seconds(60)) async throws -> String {
        let response = try await get(url, within: timeout)
        return "\(response.status.code) " + String(buffer: try await response.body.collect(upTo: 1 << 20))
    }
}

extension TrustedHTTPClient {
    /// Sends a request and expects this status and this body.
    func expect(_ expected: String, at url: String, _ location: SourceLocation = #_sourceLocation) async throws {
        let found = try await text(url)
        #expect(found == expected, sourceLocation: location)
    }

    /// Sends a request and expects status 200 and a complete body.
    func expectOK(at url: String, _ location: SourceLocation = #_sourceLocation) async throws {
        let found = try await text(url)
        #expect(found.hasPrefix("200 "), sourceLocation: location)
    }
}

extension LabOutcome {
    /// Creates a string from an error's text.
    init?(_ error: any Error) {
        switch error {
        case let refusal as TrustRefusal: self = .refused(refusal.headline.code)
        case is ConnectionFailure: self = .noHandshake
        default: return nil
        }
    }
}
