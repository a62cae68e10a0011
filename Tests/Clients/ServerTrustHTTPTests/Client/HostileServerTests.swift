// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import ServerTrust
import ServerTrustHTTP
import ServerTrustNIO
import Testing

@testable import ServerTrustLab

/// Each server causes a specific error within the time limit.
@Suite("Hostile HTTP servers", .timeLimit(.minutes(10)))
struct HostileServerTests {
    /// How long the client waits for a silent server.
    private static let patience = Duration.milliseconds(700)

    private func expect<Result>(
        _ error: HTTPClientError, _ body: () async throws -> Result, _ location: SourceLocation = #_sourceLocation
    ) async {
        let found = await failure(body)
        #expect(found as? HTTPClientError == error, "\(String(describing: found))", sourceLocation: location)
    }

    @Test("A server that never answers the handshake causes a handshake timeout", arguments: [true, false])
    func silent(poolIsFirst: Bool) async throws {
        let scene = try Scene {
            $0.handshakeTimeout = poolIsFirst ? .seconds(5) : Self.patience
            if poolIsFirst { $0.timeout.connect = TimeAmount(Self.patience) }
        }
        let server = try await SilentServer.start()
        let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
        let error = await failure { try await client.text(scene.url(server.port)) }
        await client.shutdown()
        await server.stop()
        #expect((error as? ConnectionFailure)?.code == .connectionTimedOut, "\(String(describing: error))")
    }

    @Test("With a shorter deadline, a server that never answers the handshake causes a deadline error")
    func silentUnderDeadline() async throws {
        let scene = try Scene()
        let server = try await SilentServer.start()
        let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
        // Twice, because async-http-client remembers how the last connection ended, although no request was waiting for
        // it.
        for _ in 0..<2 {
            await expect(.deadlineExceeded) { try await client.text(scene.url(server.port), within: Self.patience) }
        }
        // The handshake would continue for a minute, and the test doesn't wait for it.
        await client.shutdown()
        await server.stop()
    }

    @Test("A missing server causes a connection error")
    func absent() async throws {
        let scene = try Scene()
        let port = try await Peer.freePort()
        let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
        let error = await failure { try await client.text(scene.url(port)) }
        await client.shutdown()
        #expect((error as? IOError)?.errnoCode == ECONNREFUSED, "\(String(describing: error))")
    }

    @Test(
        "A server that breaks off the handshake, or doesn't speak TLS, causes a connection error",
        arguments: [LabScenario.handshakeCutOff, .noTLS])
    func brokenHandshake(scenario: LabScenario) async throws {
        let server = try await LabServer.start(scenario)
        try await withClient(of: server) { client in
            let error = await failure { try await client.text(server.url + "/") }
            let expected: ErrorCode =
                scenario == .noTLS ? .connectionPlainHTTP : .connectionClosed
            #expect((error as? ConnectionFailure)?.code == expected, "\(String(describing: error))")
        }
        #expect(server.counts.connections == 1)
    }

    @Test("A request that the server never answers ends at the deadline")
    func noHead() async throws {
        try await Scene().run({ _ in [] }) { client, server in
            await expect(.deadlineExceeded) { try await client.text(scene(server), within: Self.patience) }
        }
        try await Scene { $0.timeout.read = TimeAmount(Self.patience) }.run({ _ in [] }) { client, server in
            await expect(.readTimeout) { try await client.text(scene(server)) }
        }
    }

    @Test("An endless body that keeps arriving ends at the body's time limit")
    func trickle() async throws {
        let script: @Sendable (String) -> [ScriptedServer.Step] = { _ in
            [
                .send("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n"),
                .forever("x", pause: .milliseconds(100)),
            ]
        }
        try await Scene { $0.timeout.read = .seconds(5) }.run(script) { client, server in
            await expect(.deadlineExceeded) { try await client.text(scene(server), within: Self.patience) }
            let isClosed = try await eventually { client.openConnections == 0 }
            #expect(isClosed)
        }
    }

    @Test("An endless head ends at the deadline")
    func trickleOfHead() async throws {
        let script: @Sendable (String) -> [ScriptedServer.Step] = { _ in
            [.send("HTTP/1.1 200 OK\r\nx: "), .forever("x", pause: .milliseconds(100))]
        }
        try await Scene().run(script) { client, server in
            await expect(.deadlineExceeded) { try await client.text(scene(server), within: Self.patience) }
        }
    }

    @Test("A body that is shorter than its announced length causes an error")
    func truncated() async throws {
        let script: @Sendable (String) -> [ScriptedServer.Step] = { _ in
            [.send("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"), .cut]
        }
        try await Scene().run(script) { client, server in
            let error = await failure { try await client.text(scene(server)) }
            #expect(error != nil && !(error is TrustRefusal), "\(String(describing: error))")
            #expect(error is HTTPParserError || error is HTTPClientError, "\(String(describing: error))")
        }
    }

    @Test("A body that breaks off in the middle of a chunk causes an error")
    func truncatedChunk() async throws {
        let script: @Sendable (String) -> [ScriptedServer.Step] = { _ in
            [.send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\nhalf"), .cut]
        }
        try await Scene().run(script) { client, server in
            let error = await failure { try await client.text(scene(server)) }
            #expect(error is HTTPParserError || error is HTTPClientError, "\(String(describing: error))")
        }
    }

    @Test("A body without a length causes an error if the connection ends without a TLS close_notify")
    func cutOffWithoutLength() async throws {
        let script: @Sendable (String) -> [ScriptedServer.Step] = { _ in
            [.send("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhalf"), .wait(.milliseconds(50)), .cut]
        }
        try await Scene().run(script) { client, server in
            let error = await failure { try await client.text(scene(server)) }
            #expect(error != nil, "an attacker on the network can truncate it")
        }
    }

    @Test("A response that isn't HTTP causes an error")
    func garbage() async throws {
        try await Scene().run({ _ in [.send("220 mail.example ESMTP\r\n")] }) { client, server in
            let error = await failure { try await client.text(scene(server)) }
            #expect(error is HTTPParserError, "\(String(describing: error))")
        }
    }

    @Test("The client ignores a response tag that the server sends")
    func forgedMark() async throws {
        let script: @Sendable (String) -> [ScriptedServer.Step] = { _ in
            [.answer(200, ["x-servertrust-exchange: 7 7"], body: "hello")]
        }
        try await Scene().run(script) { client, server in
            let answer = try await client.exchange(
                HTTPClientRequest(url: scene(server)), deadline: .now() + .seconds(20))
            #expect(answer.server?.verdict.isTrusted == true)
            #expect(!answer.response.headers.contains(name: "x-servertrust-exchange"))
            let body = try await answer.response.body.collect(upTo: 100)
            #expect(String(buffer: body) == "hello")
        }
    }

    private func scene(_ server: ScriptedServer) -> String { "https://api.lab.test:\(server.port)/" }
}
