// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import ServerTrust
import ServerTrustLab
import Testing

@testable import ServerTrustHTTP

@Suite("Client shutdown", .timeLimit(.minutes(10)))
struct ShutdownTests {
    @Test("Shutdown returns when all sockets, idle and busy, are closed")
    func closed() async throws {
        let scene = try Scene()
        let script: @Sendable (String) -> [ScriptedServer.Step] = {
            $0.hasPrefix("GET /never") ? [] : [.answer(200, body: "ok")]
        }
        let server = try await ScriptedServer.start(scene.certificates, script)
        let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try? await client.text(scene.url(server.port)) } }
        }
        let running = Task { try await client.text(scene.url(server.port, "/never")) }
        while !server.received.contains("GET /never") { try await Task.sleep(for: .milliseconds(5)) }
        #expect(client.openConnections > 0)
        let left = await client.shutdown(within: .seconds(60))
        #expect(left.isEmpty)
        #expect(client.openConnections == 0)
        #expect(await failure { try await running.value } != nil)
        await server.stop()
    }

    @Test("Shutdown names the host whose connections don't close in time, and they close later")
    func left() async throws {
        let scene = try Scene()
        let server = try await ScriptedServer.start(
            scene.certificates, { _ in [.deaf, .send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")] })
        let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
        try await client.expect("200 ok", at: scene.url(server.port))
        let left = await client.shutdown(within: .milliseconds(100))
        #expect(left == [scene.certificates.host: 1])
        #expect(await client.shutdown(within: .seconds(60)).isEmpty)
        #expect(client.openConnections == 0)
        await server.stop()
    }

    @Test("Shutdown ends hanging handshakes and doesn't wait for them")
    func handshakes() async throws {
        let scene = try Scene()
        let server = try await SilentServer.start()
        let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
        let tasks = (0..<8).map { _ in Task { try await client.text(scene.url(server.port)) } }
        for _ in 0..<200 where client.connections.remaining.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        #expect(await client.shutdown(within: .seconds(60)).isEmpty)
        for task in tasks { #expect(await failure { try await task.value } != nil) }
        await server.stop()
    }
}
