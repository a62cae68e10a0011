// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustNIO
import ServerTrustTesting
import Testing

@testable import ServerTrustHTTP
@testable import ServerTrustLab

/// Each trial does with a gated client what a limit is about, and sees whether the gate behaves as
/// `TrustedHTTPClient` does. The list of limits must be exactly the list of the differences.
@Suite("The limits of the gate", .timeLimit(.minutes(10)))
struct GateLimitTests {
    private typealias Trial = (limit: GateLimit, differs: () async throws -> Bool)

    @Test("The gate's list of limits is what the gate was seen to do")
    func derived() async throws {
        let trials: [Trial] = [
            (.deniedHost, contactsDeniedHost), (.hostByAddress, refusesAddress), (.missingSettings, waitsForSettings),
            (.redirect, contactsPlainHTTP), (.requestIdentity, presentsCertificate), (.ruleChange, failsAfterChange),
            (.staple, requestsNoStaple),
        ]
        var seen: Set<GateLimit> = []
        for trial in trials where try await trial.differs() { seen.insert(trial.limit) }
        var configuration = HTTPClient.Configuration()
        let limits = try configuration.gate(by: try HTTP2Scene().trust).limits
        #expect(seen == Set(limits))
    }

    private func use(
        _ configuration: HTTPClient.Configuration, _ server: HTTP2Server,
        _ body: (HTTPClient) async throws -> Bool
    ) async throws -> Bool {
        let client = HTTPClient(configuration: configuration)
        let result = await Result { try await body(client) }
        await server.stop()
        try await client.shutdown()
        return try result.get()
    }

    private func server(
        _ scene: HTTP2Scene, _ change: (inout HTTP2Server.Setup) -> Void = { _ in }
    ) async throws -> HTTP2Server {
        var setup = HTTP2Server.Setup(scene.good)
        change(&setup)
        return try await HTTP2Server.start { [setup] _ in setup }
    }

    private func contactsDeniedHost() async throws -> Bool {
        let scene = try HTTP2Scene()
        scene.trust.manager.replaceRules(by: try ServerTrustManager(rules: [HTTP2Scene.name: .denied]), denied: nil)
        let server = try await server(scene)
        return try await use(scene.gated(), server) { client in
            _ = await failure { try await client.expectAnswer(at: scene.url(server)) }
            return server.record.handshakes > 0 || !server.record.bytes.isEmpty
        }
    }

    private func refusesAddress() async throws -> Bool {
        let server = try await LabServer.start(.ipAddressOnly)
        var trust = server.certificates.configuration
        trust.manager = try ServerTrustManager(evaluators: ["127.0.0.1": DefaultTrustEvaluator()])
        let error = try await GatedClient().run([server], trust) { client in
            await failure { try await client.expectAnswer(at: "https://127.0.0.1:\(server.port)/") }
        }
        await server.stop()
        return error as? HTTPClientGateError == .noServerName
    }

    private func waitsForSettings() async throws -> Bool {
        let scene = try HTTP2Scene()
        let server = try await server(scene) { $0.isSilent = true }
        return try await use(scene.gated(), server) { client in
            for _ in 0..<2 {
                let error = await failure {
                    try await client.expectAnswer(at: scene.url(server), within: .milliseconds(1500))
                }
                guard error as? HTTPClientError == .deadlineExceeded else { return false }
            }
            // The second request waited for the same connection. Only its end lets the client shut down.
            server.closeConnections()
            return server.record.bytes.count == 1
        }
    }

    private func contactsPlainHTTP() async throws -> Bool {
        let scene = try HTTP2Scene()
        let plain = try await ScriptedServer.start(nil) { _ in [.answer(200)] }
        let server = try await server(scene) {
            $0.protocols = ["http/1.1"]
            $0.answer = { _ in .redirect("http://\(HTTP2Scene.name):\(plain.port)/") }
        }
        let differs = try await use(scene.gated(), server) { client in
            _ = await failure { try await client.expectAnswer(at: scene.url(server)) }
            // The server may count the connection only after the client has closed it.
            return try await eventually { plain.connections > 0 }
        }
        #expect(plain.received.isEmpty)
        await plain.stop()
        return differs
    }

    private func presentsCertificate() async throws -> Bool {
        let scene = try HTTP2Scene()
        let server = try await server(scene) {
            $0.protocols = ["http/1.1"]
            $0.requestsCertificate = true
        }
        let configuration = try scene.gated()
        var settings = TrustedHTTPConfiguration()
        try settings.show(
            try TestAuthority.root(.authority("Client CA").valid(around: .now()))
                .issue(.leaf("client.lab.test").valid(around: .now())))
        var tls = try #require(configuration.tlsConfiguration)
        (tls.certificateChain, tls.privateKey) = (settings.tls.certificateChain, settings.tls.privateKey)
        var request = HTTPClientRequest(url: scene.url(server))
        request.tlsConfiguration = tls
        return try await use(configuration, server) { [request] client in
            let error = await failure { try await client.execute(request, timeout: .seconds(60)) }
            // The gate refuses the connection when the handshake is over.
            return error as? HTTPClientGateError == .clientCertificate && !server.record.bytes.isEmpty
        }
    }

    private func failsAfterChange() async throws -> Bool {
        var scene = try HTTP2Scene()
        // A source that may fetch evaluates in a task.
        scene.trust.fetching = TrustFetchCoordinator(fetcher: HTTPTrustFetcher())
        let trust = scene.trust
        let server = try await server(scene)
        return try await use(scene.gated(), server) { client in
            try await client.expectAnswer(at: scene.url(server))
            var differs = false
            // The gate's own evaluation may be faster than the request.
            for _ in 0..<200 where !differs {
                trust.manager.replaceRules(by: trust.manager, denied: nil)
                differs = await failure { try await client.expectAnswer(at: scene.url(server)) } != nil
            }
            return differs
        }
    }

    private func requestsNoStaple() async throws -> Bool {
        let scene = try HTTP2Scene()
        let server = try await server(scene)
        let staple = Locked<StapleState?>(nil)
        let source = VerdictSource.immediate { chain, host in
            staple.withLock { $0 = chain.staple }
            return scene.trust.evaluateWithoutFetching(chain, host: host)
        }
        var configuration = try scene.ungated()
        try configuration.gate(ConnectionGate(source: source, timeout: .seconds(60)))
        return try await use(configuration, server) { client in
            try await client.expectAnswer(at: scene.url(server))
            return staple.withLock { $0 } == .unknown
        }
    }
}
