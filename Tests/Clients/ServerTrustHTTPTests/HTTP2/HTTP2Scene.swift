// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustTesting

/// A CA with an intermediate, another CA, and a client that trusts both.
struct HTTP2Scene {
    static let name = "h2.lab.test"
    static let otherName = "other.lab.test"

    let root: TestAuthority
    let intermediate: TestAuthority
    let otherRoot: TestAuthority
    let good: HTTP2Server.Presented
    var configuration = TrustedHTTPConfiguration()
    var trust: ServerTrustConfiguration

    init() throws {
        let now = Time.now()
        func authority(_ name: String) -> CertificateTemplate { .authority(name).valid(around: now) }
        root = try .root(authority("H2 Root"))
        intermediate = try root.intermediate(authority("H2 CA"))
        otherRoot = try .root(authority("Other H2 Root"))
        good = try .init(intermediate.issue(.leaf(Self.name, Self.otherName).valid(around: now)), of: intermediate)
        trust = ServerTrustConfiguration(
            try ServerTrustManager(
                evaluators: [Self.name: DefaultTrustEvaluator(), Self.otherName: DefaultTrustEvaluator()]))
        trust.anchors = .only([root.certificate, otherRoot.certificate])
        configuration.bePatient()
        configuration.dnsOverride = [Self.name: "127.0.0.1", Self.otherName: "127.0.0.1"]
    }

    /// Returns a chain that an authority issues.
    func presented(_ authority: TestAuthority, _ name: String = HTTP2Scene.name) throws -> HTTP2Server.Presented {
        try .init(authority.issue(.leaf(name).valid(around: .now())), of: authority)
    }

    func url(_ server: HTTP2Server, _ path: String = "/", host: String = HTTP2Scene.name) -> String {
        "https://\(host):\(server.port)\(path)"
    }

    /// Runs `body` with a client and a server.
    func run<Result: Sendable>(
        _ setup: @escaping @Sendable (Int) -> HTTP2Server.Setup,
        _ body: (TrustedHTTPClient, HTTP2Server) async throws -> Result
    ) async throws -> Result {
        let server = try await HTTP2Server.start(setup)
        let client = try TrustedHTTPClient(trust: trust, configuration: configuration)
        return try await client.used(stopping: { await server.stop() }) { try await body(client, server) }
    }
}

extension TrustedHTTPClient {
    /// Sends that many concurrent requests and returns their outcomes.
    func outcomes(_ count: Int, at url: @escaping @Sendable (Int) -> String) async -> [Result<String, any Error>] {
        await withTaskGroup(of: Result<String, any Error>.self) { group in
            for number in 0..<count {
                group.addTask {
                    do { return .success(try await self.text(url(number))) } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}

/// Waits until the condition is true, for as long as a busy machine might need.
func eventually(_ condition: () async -> Bool) async throws -> Bool {
    for _ in 0..<2_000 {
        if await condition() { return true }
        try await Task.sleep(for: .milliseconds(10))
    }
    return await condition()
}
