// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO
import Testing

@testable import ServerTrustHTTP
@testable import ServerTrustLab

@Suite("Resources that the HTTP client leaves behind", .serialized)
struct LeftBehindTests {
    private static func descriptors() -> Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0) - 1
    }

    /// Runs in its own process, where no other test opens or closes descriptors.
    @Test("The HTTP client leaves no descriptor open, whatever the kind of server")
    func descriptorsAfterAll() async {
        await #expect(processExitsWith: .success) {
            // Opens the descriptors that stay open for good: event loops, the random source, the task timer.
            try await Self.round()
            try await Task.sleep(for: .milliseconds(1))
            let before = Self.descriptors()
            for _ in 0..<3 { try await Self.round() }
            for _ in 0..<400 where Self.descriptors() > before { try await Task.sleep(for: .milliseconds(25)) }
            #expect(Self.descriptors() <= before)
        }
    }

    private static func round() async throws {
        for scenario in [LabScenario.good, .expired, .noTLS, .handshakeCutOff] {
            let server = try await LabServer.start(scenario)
            try await withClient(of: server) { client in _ = await failure { try await client.text(server.url + "/") } }
        }
        try await http2Round()
        let scripts: [[ScriptedServer.Step]] = [
            [], [.send("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf"), .cut],
            [.send("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n"), .forever("x", pause: .milliseconds(50))],
        ]
        for script in scripts {
            let scene = try Scene()
            try await scene.run({ _ in script }) { client, server in
                let error = await failure { try await client.text(scene.url(server.port), within: .milliseconds(600)) }
                #expect(error != nil)
            }
        }
        let silent = try await SilentServer.start()
        let scene = try Scene { $0.handshakeTimeout = .milliseconds(300) }
        let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
        let error = await failure { try await client.text(scene.url(silent.port)) }
        #expect(error is ConnectionFailure)
        await client.shutdown()
        await silent.stop()
    }

    /// Requests that succeed, are canceled, are reset, and end with a refused connection.
    private static func http2Round() async throws {
        let scene = try HTTP2Scene()
        var setup = HTTP2Server.Setup(scene.good)
        setup.answer = { path in
            switch path {
            case "/never": .never
            case "/reset": .reset
            case "/last": .goAway
            default: .text("hello")
            }
        }
        let served = setup
        let bad = HTTP2Server.Setup(try scene.presented(scene.otherRoot, "attacker.lab.test"))
        try await scene.run({ $0 < 2 ? served : bad }) { client, server in
            // The first two connections: one explores, the other uses HTTP/2.
            try await client.expect("200 hello", at: scene.url(server))
            for outcome in await client.outcomes(50, at: { _ in scene.url(server) }) { _ = try outcome.get() }
            for path in ["/reset", "/never"] {
                let url = scene.url(server, path)
                _ = await failure { try await client.text(url, within: .milliseconds(200)) }
            }
            try await client.expect("200 the last", at: scene.url(server, "/last"))
            let error = await failure { try await client.text(scene.url(server)) }
            #expect(error is TrustRefusal)
        }
    }

    @Test("The client drops the pools of hundreds of unused hosts and creates them again when needed")
    func origins() async throws {
        let server = try await LabServer.start(.good)
        var configuration = TrustedHTTPConfiguration(server)
        for number in 0..<(OriginPools.maximum + 40) { configuration.dnsOverride["h\(number).lab.test"] = "127.0.0.1" }
        try await withClient(of: server, configuration) { client in
            try await client.expectOK(at: server.url + "/")
            for number in 0..<(OriginPools.maximum + 40) {
                let error = await failure { try await client.text("https://h\(number).lab.test:\(server.port)/") }
                #expect((error as? TrustRefusal)?.headline.code == .hostNotListed)
            }
            #expect(client.pools.count <= OriginPools.maximum)
            // The client kept the pool that has a connection.
            let connections = server.counts.connections
            try await client.expectOK(at: server.url + "/")
            #expect(server.counts.connections == connections)
            let again = await failure { try await client.text("https://h0.lab.test:\(server.port)/") }
            #expect((again as? TrustRefusal)?.headline.code == .hostNotListed)
        }
    }
}
