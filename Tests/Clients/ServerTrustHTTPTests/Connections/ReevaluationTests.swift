// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustNIO
import Testing

@testable import ServerTrustHTTP

@Suite("Reevaluation after the rules change")
struct ReevaluationTests {
    private func pinned(_ server: LabServer, to certificate: Certificate) throws -> ServerTrustConfiguration {
        var trust = ServerTrustConfiguration(server)
        trust.manager = try ServerTrustManager(
            evaluators: [
                server.host.description: SPKIPinsTrustEvaluator(
                    try SPKIPinSet(pinsRiskingLockout: [SPKIPin(certificate)]))
            ])
        return trust
    }

    @Test("The client keeps open connections to servers that are still trusted and closes the others")
    func replaced() async throws {
        let server = try await LabServer.start(.good)
        let stranger = try LabScenario.good.certificates(at: .now()).chain[0]
        try await withClient(of: server) { client in
            try await client.expectOK(at: server.url + "/")
            let kept = try await client.replaceTrust(try pinned(server, to: server.certificates.chain[0]))
            #expect(kept.isEmpty)
            try await client.expectOK(at: server.url + "/")
            #expect(server.counts.connections == 1)

            let closed = try await client.replaceTrust(try pinned(server, to: stranger))
            #expect(closed.map(\.verdict.headline?.code) == [.pinNotMatched])
            #expect(closed.first?.host == server.host)
            #expect(client.openConnections == 0)
            let error = await failure { try await client.text(server.url + "/") }
            #expect((error as? TrustRefusal)?.headline.code == .pinNotMatched)
            #expect(server.counts.requests == 2)
        }
    }

    @Test("A request fails with the verdict if the client closes its connection after reevaluation")
    func busy() async throws {
        var options = LabServer.Options()
        options.response = .slow(["slow"], pause: .seconds(5))
        let server = try await LabServer.start(.good, options: options)
        let stranger = try LabScenario.good.certificates(at: .now()).chain[0]
        let trust = try pinned(server, to: stranger)
        try await withClient(of: server) { client in
            async let error = failure { try await client.text(server.url + "/") }
            while server.counts.requests == 0 { try await Task.sleep(for: .milliseconds(5)) }
            #expect(try await client.replaceTrust(trust).count == 1)
            let found = await error
            #expect((found as? TrustRefusal)?.headline.code == .pinNotMatched, "\(String(describing: found))")
        }
    }

    @Test("A source whose rules changed reevaluates open connections on request")
    func asked() async throws {
        let server = try await LabServer.start(.good)
        let isOpen = Locked(true)
        let trust = ServerTrustConfiguration(server)
        var closed = trust
        closed.verifyDate = .at(server.certificates.verifyDate.advanced(by: 400 * 86_400))
        let later = closed
        let client = try TrustedHTTPClient(
            source: .immediate { chain, host in
                (isOpen.withLock { $0 } ? trust : later).evaluateWithoutFetching(chain, host: host)
            },
            configuration: .init(server))
        try await client.expectOK(at: server.url + "/")
        #expect(await client.reevaluateConnections().isEmpty)
        isOpen.withLock { $0 = false }
        #expect(await client.reevaluateConnections().map(\.verdict.headline?.code) == [.certificateExpired])
        await client.shutdown()
        await server.stop()
    }

    @Test("The new rules also apply to a connection that is still being established")
    func inTheMaking() async throws {
        let server = try await LabServer.start(.good)
        let trust = ServerTrustConfiguration(server)
        let refusing = try pinned(server, to: LabScenario.good.certificates(at: .now()).chain[0])
        let isAsked = Locked(false)
        let mayAnswer = Locked(false)
        let client = try TrustedHTTPClient(
            source: .waiting { chain, host in
                isAsked.withLock { $0 = true }
                while !mayAnswer.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(5)) }
                return trust.evaluateWithoutFetching(chain, host: host)
            }, configuration: .init(server))
        async let error = failure { try await client.text(server.url + "/") }
        while !isAsked.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
        try await client.replaceTrust(refusing)
        mayAnswer.withLock { $0 = true }
        let found = await error
        #expect((found as? TrustRefusal)?.headline.code == .pinNotMatched, "\(String(describing: found))")
        #expect(server.counts.requestBytes == 0)
        await client.shutdown()
        await server.stop()
    }

    @Test(
        "The client evaluates all connections at once and closes those without a new verdict in time",
        .timeLimit(.minutes(10)))
    func noVerdict() async throws {
        let scene = try Scene { $0.handshakeTimeout = .seconds(4) }
        let trust = scene.trust
        let answers = Locked(true)
        let pending = Locked((now: 0, most: 0))
        let script: @Sendable (String) -> [ScriptedServer.Step] = { _ in [.answer(200)] }
        let servers = [
            try await ScriptedServer.start(scene.certificates, script),
            try await ScriptedServer.start(scene.certificates, script),
        ]
        let client = try TrustedHTTPClient(
            source: .waiting { chain, host in
                if !answers.withLock({ $0 }) {
                    pending.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                    try? await Task.sleep(for: .seconds(600))
                    pending.withLock { $0.now -= 1 }
                }
                return trust.evaluateWithoutFetching(chain, host: host)
            }, configuration: scene.configuration)
        for server in servers { try await client.expectOK(at: scene.url(server.port)) }
        #expect(client.openConnections == 2)
        answers.withLock { $0 = false }
        #expect(await client.reevaluateConnections().isEmpty)
        #expect(client.openConnections == 0)
        #expect(pending.withLock { $0.most } == 2)
        await client.shutdown()
        for server in servers { await server.stop() }
    }

    @Test("A connection that is still being established fails if it gets no new verdict in time")
    func noVerdictInTheMaking() async throws {
        let server = try await LabServer.start(.good)
        let trust = ServerTrustConfiguration(server)
        let isAsked = Locked(false)
        let mayAnswer = Locked(false)
        var configuration = TrustedHTTPConfiguration(server)
        configuration.handshakeTimeout = .seconds(4)
        let client = try TrustedHTTPClient(
            source: .waiting { chain, host in
                isAsked.withLock { $0 = true }
                while !mayAnswer.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(5)) }
                return trust.evaluateWithoutFetching(chain, host: host)
            }, configuration: configuration)
        async let error = failure { try await client.text(server.url + "/") }
        while !isAsked.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
        _ = await client.connections.reevaluate(
            by: .waiting { chain, host in
                try? await Task.sleep(for: .seconds(600))
                return trust.evaluateWithoutFetching(chain, host: host)
            })
        mayAnswer.withLock { $0 = true }
        let found = await error
        #expect((found as? ConnectionFailure)?.code == .connectionEvaluationTimedOut, "\(String(describing: found))")
        #expect(server.counts.requestBytes == 0 && client.openConnections == 0)
        await client.shutdown()
        await server.stop()
    }
}
