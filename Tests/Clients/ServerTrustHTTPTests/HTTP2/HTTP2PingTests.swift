// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import Testing

@Suite("Pings on HTTP/2 connections", .timeLimit(.minutes(10)))
struct HTTP2PingTests {
    private func scene(interval: Duration?) throws -> HTTP2Scene {
        var scene = try HTTP2Scene()
        scene.configuration.http2PingInterval = interval
        scene.configuration.http2PingTimeout = .seconds(1)
        return scene
    }

    /// Returns the number of PING frames that a connection has received. The client answers none, so all are its own.
    private func pings(_ server: HTTP2Server, _ connection: Int) -> Int {
        HTTP2Frames.types(server.record.bytes[connection])?.count { $0 == 6 } ?? 0
    }

    private func wait(until condition: () -> Bool) async throws {
        while !condition() { try await Task.sleep(for: .milliseconds(20)) }
    }

    @Test("An idle connection whose server answers stays open, and serves the next request")
    func answered() async throws {
        // Values below a second count as one.
        let scene = try scene(interval: .milliseconds(1))
        try await scene.run({ _ in HTTP2Server.Setup(scene.good) }) { client, server in
            try await client.expect("200 hello", at: scene.url(server))
            try await wait { pings(server, 1) >= 2 }
            try await client.expect("200 hello", at: scene.url(server))
            #expect(server.record.requests.map(\.connection) == [1, 1])
        }
    }

    @Test("nginx answers pings, and the connection stays open")
    func nginx() async throws {
        guard Peer.Program.nginx.isAvailable else { return }
        let certificates = try LabScenario.good.certificates(at: .now())
        let peer = try await Peer.nginx(certificates, isHTTP2: true)
        var configuration = TrustedHTTPConfiguration()
        configuration.bePatient()
        configuration.dnsOverride = [certificates.host.description: "127.0.0.1"]
        configuration.http2PingInterval = .seconds(1)
        configuration.http2PingTimeout = .seconds(60)
        let client = try TrustedHTTPClient(trust: certificates.configuration, configuration: configuration)
        try await client.used(stopping: { peer.stop() }) {
            let url = "https://\(certificates.host):\(peer.port)/long.txt"
            try await client.expectOK(at: url)
            try await Task.sleep(for: .milliseconds(3500))
            #expect(client.openConnections == 1)
            try await client.expectOK(at: url)
            #expect(client.openConnections == 1)
        }
    }

    /// Returns a server that answers one request on each connection, and no pings.
    private func deaf(_ scene: HTTP2Scene, _ answer: @escaping @Sendable (Int, UInt8) -> [FrameScript.Step])
        -> @Sendable (Int) -> HTTP2Server.Setup
    {
        { _ in
            var setup = HTTP2Server.Setup(scene.good)
            setup.script = FrameScript(answer: answer)
            return setup
        }
    }

    @Test("The client closes a connection whose server doesn't answer a ping")
    func unanswered() async throws {
        let scene = try scene(interval: .seconds(1))
        let setup = deaf(scene) { number, stream in number == 0 ? [.send(HTTP2Frames.answer(stream))] : [] }
        try await scene.run(setup) { client, server in
            try await client.expect("200 hello", at: scene.url(server))
            try await wait { client.openConnections == 0 }
            #expect(pings(server, 1) == 1)
            // The next request uses a new connection.
            try await client.expect("200 hello", at: scene.url(server))
            #expect(server.record.requests.map(\.connection) == [1, 2])
        }
    }

    @Test("A request that waits on a dead connection is repeated if it is idempotent")
    func waiting() async throws {
        let scene = try scene(interval: .seconds(1))
        let setup = deaf(scene) { number, stream in number == 0 ? [.send(HTTP2Frames.answer(stream))] : [] }
        try await scene.run(setup) { client, server in
            try await client.expect("200 hello", at: scene.url(server))
            try await client.expect("200 hello", at: scene.url(server))
            #expect(server.record.requests.map(\.connection) == [1, 1, 2])
            // This connection has served a request as well.
            let error = await failure { try await client.post(url: scene.url(server)) }
            #expect(error != nil)
            #expect(server.record.requests.map(\.connection) == [1, 1, 2, 2])
        }
    }

    @Test("Without an interval, the client sends no pings")
    func off() async throws {
        let scene = try scene(interval: nil)
        #expect(TrustedHTTPConfiguration().http2PingInterval == nil)
        try await scene.run({ _ in HTTP2Server.Setup(scene.good) }) { client, server in
            try await client.expect("200 hello", at: scene.url(server))
            try await Task.sleep(for: .milliseconds(2500))
            #expect(pings(server, 1) == 0)
            #expect(client.openConnections == 1)
        }
    }
}
