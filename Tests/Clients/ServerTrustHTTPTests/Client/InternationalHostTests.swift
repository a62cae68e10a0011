// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOTLS
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import Testing

@Suite("URLs with U-labels", .timeLimit(.minutes(5)))
struct InternationalHostTests {
    private static let host = "xn--bcher-kva.example"

    private func client(_ trust: ServerTrustConfiguration) throws -> TrustedHTTPClient {
        var trust = trust
        trust.manager = try ServerTrustManager(
            evaluators: [Self.host: DefaultTrustEvaluator()], allHostsMustBeEvaluated: true)
        var configuration = TrustedHTTPConfiguration()
        configuration.bePatient()
        configuration.dnsOverride = [Self.host: "127.0.0.1"]
        configuration.insecurelyPlainHosts = [try Hostname(Self.host)]
        return try TrustedHTTPClient(trust: trust, configuration: configuration)
    }

    @Test("The client finds the rule, connects, and evaluates the server by the A-labels")
    func verified() async throws {
        let certificates = try LabScenario.good.certificates(at: .now())
        let server = try await ScriptedServer.start(certificates) { _ in [.answer(200, body: "ok")] }
        let client = try client(certificates.configuration)
        try await client.used(stopping: { await server.stop() }) {
            let error = await failure {
                try await client.execute(
                    HTTPClientRequest(url: "https://bücher.example:\(server.port)/"), timeout: .seconds(60))
            }
            let refusal = try #require(error as? TrustRefusal)
            #expect(refusal.verdict.failures.map(\.code) == [.hostMismatch])
            #expect("\(refusal)".contains(Self.host))
            #expect(server.received.isEmpty)
        }
    }

    @Test("The client sends the A-labels in SNI")
    func serverName() async throws {
        let names = Locked<[SNIResult]>([])
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        ByteToMessageHandler(
                            SNIHandler { result in
                                names.withLock { $0.append(result) }
                                return channel.close()
                            }))
                }
            }.bind(host: "127.0.0.1", port: 0).get()
        let client = try client(LabScenario.good.certificates(at: .now()).configuration)
        try await client.used(stopping: { try? await listener.close() }) {
            let port = try #require(listener.localAddress?.port)
            _ = await failure {
                try await client.execute(
                    HTTPClientRequest(url: "https://BÜCHER.example:\(port)/"), timeout: .seconds(60))
            }
            let found = names.withLock { $0 }
            #expect(!found.isEmpty && found.allSatisfy { $0 == .hostname(Self.host) })
        }
    }

    @Test("The client sends the A-labels in the Host field, unless the caller sets it")
    func hostField() async throws {
        let server = try await ScriptedServer.start(nil) { _ in [.answer(200, body: "ok")] }
        let client = try client(LabScenario.good.certificates(at: .now()).configuration)
        try await client.used(stopping: { await server.stop() }) {
            for host in ["bücher.example", Self.host] {
                let response = try await client.execute(
                    HTTPClientRequest(url: "http://\(host):\(server.port)/"), timeout: .seconds(60))
                #expect(try await response.body.collect(upTo: 10) == ByteBuffer(string: "ok"))
            }
            let fields = server.received.split(separator: "\r\n").filter { $0.hasPrefix("host:") }
            #expect(fields == Array(repeating: "host: \(Self.host):\(server.port)", count: 2))
            // Both spellings are the same origin, so they share a connection.
            #expect(server.connections == 1)
        }
    }

    @Test(
        "The client sends nothing for a host that would turn into another name or an address",
        arguments: ["127\u{3002}0\u{3002}0\u{3002}1", "\u{ff11}\u{ff12}\u{ff17}.0.0.1", "b\u{fc}cher\u{3002}example"])
    func unclear(host: String) async throws {
        let server = try await ScriptedServer.start(nil) { _ in [.answer(200, body: "ok")] }
        let client = try client(LabScenario.good.certificates(at: .now()).configuration)
        try await client.used(stopping: { await server.stop() }) {
            let error = await failure {
                try await client.execute(
                    HTTPClientRequest(url: "http://\(host):\(server.port)/"), timeout: .seconds(60))
            }
            #expect((error as? TrustedHTTPError)?.code == .requestMalformedURL)
            #expect(server.connections == 0)
        }
    }
}
