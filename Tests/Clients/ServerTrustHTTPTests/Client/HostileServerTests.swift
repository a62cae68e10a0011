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

/// Each of them ends in an error of its own, and in time.
@Suite("A server that", .timeLimit(.minutes(10)))
struct HostileServerTests {
    /// The time that a silent server is given.
    private static let patience = Duration.milliseconds(700)

    private func expect<Result>(
        _ error: HTTPClientError, _ body: () async throws -> Result, _ location: SourceLocation = #_sourceLocation
    ) async {
        let found = await failure(body)
        #expect(found as? HTTPClientError == error, "\(String(describing: found))", sourceLocation: location)
    }

    @Test("A server that never answers the handshake is a time-out of the handshake", arguments: [true, false])
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

    @Test("A server that never answers the handshake is a deadline that passed, under a shorter deadline")
    func silentUnderDeadline() async throws {
        let scene = try Scene()
        let server = try await SilentServer.start()
        let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
        // Twice: async-http-client remembers how the last connection ended, for which no request was waiting any more.
        for _ in 0..<2 {
            await expect(.deadlineExceeded) { try await client.text(scene.url(server.port), within: Self.patience) }
        }
        // The handshake would go on for a minute, and isn't waited for.
        await client.shutdown()
        await server.stop()
    }

    @Test("A server that isn't there is an error of the connection")
    func absent() async throws {
        let scene = try Scene()
        let port = try await Peer.freePort()
        let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
        let error = await failure { try await client.text(scene.url(port)) }
        await client.shutdown()
        #expect((error as? IOError)?.errnoCode == ECONNREFUSED, "\(String(describing: error))")
    }

    @Test(
        "A server that breaks the handshake off, or speaks no TLS, is an error of the connection",
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

    @Test("A server that takes a request and never answers ends with the deadline")
    func noHead() async throws {
        try await Scene().run({ _ in [] }) { client, server in
            await expect(.deadlineExceeded) { try await client.text(scene(server), within: Self.patience) }
        }
        try await Scene { $0.timeout.read = TimeAmount(Self.patience) }.run({ _ in [] }) { client, server in
            await expect(.readTimeout) { try await client.text(scene(server)) }
        }
    }

    @Test("A server that sends an endless body, each byte in time, ends with the time for the body")
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

    @Test("A server that sends an endless head ends with the deadline")
    func trickleOfHead() async throws {
        let script: @Sendable (String) -> [ScriptedServer.Step] = { _ in
            [.send("HTTP/1.1 200 OK\r\nx: "), .forever("x", pause: .milliseconds(100))]
        }
        try await Scene().run(script) { client, server in
            await expect(.deadlineExceeded) { try await client.text(scene(server), within: Self.patience) }
        }
    }

    @Test("A body that ends before its length is an error")
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

    @Test("A body that breaks off in the middle of a chunk is an error")
    func truncatedChunk() async throws {
        let script: @Sendable (String) -> [ScriptedServer.Step] = { _ in
            [.send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\nhalf"), .cut]
        }
        try await Scene().run(script) { client, server in
            let error = await failure { try await client.text(scene(server)) }
            #expect(error is HTTPParserError || error is HTTPClientError, "\(String(describing: error))")
        }
    }

    @Test("A body without a length that is cut off without TLS's close_notify is an error")
    func cutOffWithoutLength() async throws {
        let script: @Sendable (String) -> [ScriptedServer.Step] = { _ in
            [.send("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhalf"), .wait(.milliseconds(50)), .cut]
        }
        try await Scene().run(script) { client, server in
            let error = await failure { try await client.text(scene(server)) }
            #expect(error != nil, "somebody on the way can cut it short, and it looks whole")
        }
    }

    @Test("An answer that isn't HTTP is an error")
    func garbage() async throws {
        try await Scene().run({ _ in [.send("220 mail.example ESMTP\r\n")] }) { client, server in
            let error = await failure { try await client.text(scene(server)) }
            #expect(error is HTTPParserError, "\(String(describing: error))")
        }
    }

    @Test("A tag that a server sends itself has no effect")
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
