// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustNIO
import Testing

/// Each of them ends in an error that can be told from others, and in time.
@Suite("A server that", .timeLimit(.minutes(2)))
struct HostileServerTests {
    /// What they are given, and what they may take at most: the machine is shared.
    private static let patience = TimeAmount.milliseconds(700)

    private func expect<Result>(
        _ error: HTTPClientError, _ body: () async throws -> Result, _ location: SourceLocation = #_sourceLocation
    ) async {
        let found = await failure(body)
        #expect(found as? HTTPClientError == error, "\(String(describing: found))", sourceLocation: location)
    }

    @Test("never answers the handshake", arguments: [true, false])
    func silent(poolIsFirst: Bool) async throws {
        let scene = try Scene {
            $0.handshakeTimeout = poolIsFirst ? .seconds(5) : Self.patience
            if poolIsFirst { $0.timeout.connect = Self.patience }
        }
        let server = try await SilentServer.start()
        let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
        let error = await failure { try await client.text(scene.url(server.port)) }
        await client.shutdown()
        await server.stop()
        #expect((error as? ServerConnectionError)?.reason == .handshakeTimedOut, "\(String(describing: error))")
    }

    @Test("never answers the handshake, under a shorter deadline")
    func silentUnderDeadline() async throws {
        let scene = try Scene()
        let server = try await SilentServer.start()
        let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
        // Twice: async-http-client remembers how the last connection ended, which was because nobody waited for it any more.
        for _ in 0..<2 {
            await expect(.deadlineExceeded) { try await client.text(scene.url(server.port), within: Self.patience) }
        }
        // The handshake would go on for a minute, and isn't waited for.
        await client.shutdown()
        await server.stop()
    }

    @Test("isn't there")
    func absent() async throws {
        let scene = try Scene()
        let port = try await Peer.freePort()
        let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
        let error = await failure { try await client.text(scene.url(port)) }
        await client.shutdown()
        #expect((error as? IOError)?.errnoCode == ECONNREFUSED, "\(String(describing: error))")
    }

    @Test("breaks the handshake off, or speaks no TLS", arguments: [LabScenario.handshakeCutOff, .noTLS])
    func brokenHandshake(scenario: LabScenario) async throws {
        let server = try await LabServer.start(scenario)
        try await withClient(of: server) { client in
            let error = await failure { try await client.text(server.url + "/") }
            let expected: ServerConnectionError.Reason =
                scenario == .noTLS ? .handshakeFailed : .closedDuringHandshake
            #expect((error as? ServerConnectionError)?.reason == expected, "\(String(describing: error))")
        }
        #expect(server.counts.connections == 1)
    }

    @Test("takes a request and says nothing")
    func noHead() async throws {
        try await Scene().run({ _ in [] }) { client, server in
            await expect(.deadlineExceeded) { try await client.text(scene(server), within: Self.patience) }
        }
        try await Scene { $0.timeout.read = Self.patience }.run({ _ in [] }) { client, server in
            await expect(.readTimeout) { try await client.text(scene(server)) }
        }
    }

    @Test("sends its body a byte at a time, without end, each in time")
    func trickle() async throws {
        let script: @Sendable (String) -> [ScriptedServer.Step] = { _ in
            [
                .send("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n"),
                .forever("x", pause: .milliseconds(100)),
            ]
        }
        try await Scene { $0.timeout.read = .seconds(5) }.run(script) { client, server in
            await expect(.deadlineExceeded) { try await client.text(scene(server), within: Self.patience) }
            for _ in 0..<400 where client.openConnections > 0 { try await Task.sleep(for: .milliseconds(25)) }
            #expect(client.openConnections == 0)
        }
    }

    @Test("sends its head a byte at a time, without end")
    func trickleOfHead() async throws {
        let script: @Sendable (String) -> [ScriptedServer.Step] = { _ in
            [.send("HTTP/1.1 200 OK\r\nx: "), .forever("x", pause: .milliseconds(100))]
        }
        try await Scene().run(script) { client, server in
            await expect(.deadlineExceeded) { try await client.text(scene(server), within: Self.patience) }
        }
    }

    @Test("ends before the bytes that it promised")
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

    @Test("breaks off in the middle of a chunk")
    func truncatedChunk() async throws {
        let script: @Sendable (String) -> [ScriptedServer.Step] = { _ in
            [.send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\nhalf"), .cut]
        }
        try await Scene().run(script) { client, server in
            let error = await failure { try await client.text(scene(server)) }
            #expect(error is HTTPParserError || error is HTTPClientError, "\(String(describing: error))")
        }
    }

    @Test("says nothing of a length, and is cut off without TLS's farewell")
    func cutOffWithoutLength() async throws {
        let script: @Sendable (String) -> [ScriptedServer.Step] = { _ in
            [.send("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhalf"), .wait(.milliseconds(50)), .cut]
        }
        try await Scene().run(script) { client, server in
            let error = await failure { try await client.text(scene(server)) }
            #expect(error != nil, "somebody on the way can cut it short, and it looks whole")
        }
    }

    @Test("speaks another language")
    func garbage() async throws {
        try await Scene().run({ _ in [.send("220 mail.example ESMTP\r\n")] }) { client, server in
            let error = await failure { try await client.text(scene(server)) }
            #expect(error is HTTPParserError, "\(String(describing: error))")
        }
    }

    @Test("marks its responses itself")
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
