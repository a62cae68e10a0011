// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustNIO
import Testing

@Suite("Name lookups before requests", .timeLimit(.minutes(10)))
struct NameLookupTests {
    /// Doesn't answer lookups of `dead…`.
    private static func lookup(_ asked: Locked<[String]>, _ isOver: Locked<Bool>) -> NameLookup {
        NameLookup { name throws(ConnectionFailure) in
            asked.withLock { $0.append(name) }
            while name.hasPrefix("dead"), !isOver.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.01) }
            throw ConnectionFailure(
                name.hasPrefix("offline") ? .connectionNameServerFailed : .connectionNameNotResolved, name: name)
        }
    }

    /// Runs `body` with a server of the scene, and a client with rules for every host.
    private func run(
        _ scene: Scene, _ body: (TrustedHTTPClient, ScriptedServer) async throws -> Void
    ) async throws {
        var trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false))
        trust.anchors = scene.trust.anchors
        let server = try await ScriptedServer.start(scene.certificates) { _ in [.answer(200, body: "ok")] }
        let client = try TrustedHTTPClient(trust: trust, configuration: scene.configuration)
        try await client.used(stopping: { await server.stop() }) { try await body(client, server) }
    }

    private func reason(_ url: String, _ client: TrustedHTTPClient) async -> ErrorCode? {
        let error = await failure {
            try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
        }
        return (error as? ConnectionFailure)?.code
    }

    @Test("Requests to dead names end at the connect timeout and don't delay requests to healthy servers")
    func deadNames() async throws {
        let (asked, isOver) = (Locked<[String]>([]), Locked(false))
        let scene = try Scene {
            $0.nameLookup = Self.lookup(asked, isOver)
            // The limit also applies to healthy servers, which a busy machine delays.
            $0.timeout.connect = .seconds(6)
        }
        try await run(scene) { client, server in
            await withTaskGroup { group in
                for number in 0..<40 {
                    group.addTask {
                        #expect(
                            await reason("https://dead\(number).lab.test/", client) == .connectionNameLookupTimedOut)
                    }
                }
                for _ in 0..<20 {
                    group.addTask {
                        let response = try? await client.execute(
                            HTTPClientRequest(url: scene.url(server.port)), timeout: .seconds(60))
                        #expect(response?.status == .ok)
                    }
                }
            }
        }
        // An address needs no lookup.
        #expect(asked.withLock { Set($0) } == Set((0..<40).map { "dead\($0).lab.test" }))
        isOver.withLock { $0 = true }
    }

    @Test("A request reports a failed name server and throws async-http-client's error for a name that doesn't exist")
    func codes() async throws {
        let scene = try Scene { $0.nameLookup = Self.lookup(Locked([]), Locked(true)) }
        try await run(scene) { client, _ in
            #expect(await reason("https://offline.invalid/", client) == .connectionNameServerFailed)
            #expect(await reason("https://missing.invalid/", client) == nil)
        }
    }

    @Test("A canceled request doesn't wait for the lookup")
    func cancellation() async throws {
        let (asked, isOver) = (Locked<[String]>([]), Locked(false))
        let scene = try Scene {
            $0.nameLookup = Self.lookup(asked, isOver)
            $0.timeout.connect = .hours(1)
        }
        try await run(scene) { client, _ in
            let task = Task {
                await failure {
                    try await client.execute(HTTPClientRequest(url: "https://dead.lab.test/"), timeout: .seconds(3_600))
                }
            }
            while asked.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(5)) }
            task.cancel()
            #expect(await task.value is CancellationError)
        }
        isOver.withLock { $0 = true }
    }

    @Test("If no address answers in time, the error names the addresses")
    func silentAddresses() async throws {
        let hole = try BlackHole("127.0.0.1")
        let found = try ["127.0.0.1", "127.0.0.2"].map { try SocketAddress(ipAddress: $0, port: 0) }
        let scene = try Scene {
            // async-http-client also looks up the name.
            $0.nameLookup = NameLookup { _ in found }
            $0.timeout.connect = .milliseconds(500)
        }
        try await run(scene) { client, _ in
            let error = await failure {
                try await client.execute(
                    HTTPClientRequest(url: "https://localhost:\(hole.port)/"), timeout: .seconds(60))
            }
            let failure = try #require(error as? ConnectionFailure)
            #expect(failure.code == .connectionTimedOut && failure.host?.description == "localhost")
            #expect(failure.message.contains("127.0.0.1, 127.0.0.2"))
        }
    }

    @Test("The client looks up the proxy's name, but not the name of the server behind it")
    func proxy() async throws {
        let (asked, isOver) = (Locked<[String]>([]), Locked(false))
        let scene = try Scene {
            $0.nameLookup = Self.lookup(asked, isOver)
            $0.timeout.connect = .milliseconds(300)
            $0.proxy = .always(.http(host: "dead.proxy.test", port: 3128))
        }
        try await run(scene) { client, _ in
            #expect(await reason("https://good.test/", client) == .connectionProxyTimedOut)
        }
        #expect(asked.withLock { $0 } == ["dead.proxy.test"])
        isOver.withLock { $0 = true }
    }
}
