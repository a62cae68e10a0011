// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab

/// A CA, a client's settings, and scripted servers with certificates from that CA.
struct Scene {
    let certificates: LabCertificates
    let configuration: TrustedHTTPConfiguration
    let trust: ServerTrustConfiguration
    /// A second name for the same servers, which isn't in any certificate.
    static let elsewhere = "elsewhere.lab.test"

    init(_ change: (inout TrustedHTTPConfiguration) -> Void = { _ in }) throws {
        certificates = try LabScenario.good.certificates(at: .now())
        self.trust = certificates.configuration
        var configuration = TrustedHTTPConfiguration()
        configuration.bePatient()
        configuration.dnsOverride = [certificates.host.description: "127.0.0.1", Self.elsewhere: "127.0.0.1"]
        change(&configuration)
        self.configuration = configuration
    }

    func url(_ port: Int, _ path: String = "/") -> String { "https://\(certificates.host):\(port)\(path)" }

    /// Runs `body` with a client and a server that follows a script.
    func run<Result: Sendable>(
        _ script: @escaping @Sendable (_ head: String) -> [ScriptedServer.Step],
        _ body: (TrustedHTTPClient, ScriptedServer) async throws -> Result
    ) async throws -> Result {
        let server = try await ScriptedServer.start(certificates, script)
        let client = try TrustedHTTPClient(trust: trust, configuration: configuration)
        return try await client.used(stopping: { await server.stop() }) { try await body(client, server) }
    }
}

/// Returns the error that `body` throws, or nil.
func failure<Result>(_ body: () async throws -> Result) async -> (any Error)? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
