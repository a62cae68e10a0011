// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import AsyncHTTPClient
import Foundation
import FoundationNetworking
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore
import NIOPosix
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustGRPC
import ServerTrustLab
import ServerTrustNIO
import ServerTrustURLSession
import ServerTrustWebSocket
import Testing

@testable import ServerTrustHTTP

/// Records that each client of this package makes of the lab's servers.
@Suite("Records of every client", .timeLimit(.minutes(10)))
struct RecordedClientsLiveTests {
    /// The decisions of the lab's scenarios that a record can't contain.
    private static let obstacles: Set<String> = [
        // Evaluators of an app, and evaluators of this package that a line can't express.
        "UnstapledTrustEvaluator", "WildcardRefusingEvaluator", "AttributeTrustEvaluator",
        "CertificateAuthorityTrustEvaluator", "pinned certificates",
        // A host that is refused whatever its certificates, a smaller work budget, and the system's evaluator.
        "rule", "budget", "system evaluator",
    ]

    @Test(
        "In another process without roots, the record of each lab server leads to the recorded verdict, codes, path and warnings",
        arguments: RecordedClient.allCases)
    func replayed(_ client: RecordedClient) async throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        let records = folder.url.appendingPathComponent("verdicts").path
        var settings = TrustRecorder.Settings()
        settings.client = client.rawValue
        let recorder = TrustRecorder(folder: records, recording: .all, settings: settings)
        for scenario in LabScenario.all where !scenario.isForProbes {
            let server = try await LabServer.start(scenario)
            server.certificates.manager.events.add(recorder)
            // The verdict is in the record, whatever follows it.
            try? await client.connect(to: server, by: server.certificates.configuration)
            await server.stop()
        }
        await recorder.flush()
        #expect(recorder.counts.dropped + recorder.counts.failed == 0)
        let outcome = try Tool.run(["audit", "--replay", records, "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
        let report = try #require(try outcome.json([ReplayJSON].self).first)
        let count = { (outcome: String) in report.records[outcome] ?? -1 }
        #expect(count("newlyRefused") + count("newlyTrusted") + count("unreadable") + count("otherDetails") == 0)
        #expect(count("stillTrusted") >= 15)
        #expect(count("stillRefused") > 75)
        #expect(
            Set(report.obstacles.map(\.name)).subtracting(Self.obstacles.map { "not recorded: \($0)" }).isEmpty)
    }
}

/// A client with a manager that a recorder observes.
enum RecordedClient: String, CaseIterable, CustomTestStringConvertible {
    case nio, http, gate, grpc, websocket, urlsession

    var testDescription: String { rawValue }

    /// Connects, and sends a request if the server is trusted.
    func connect(to server: LabServer, by trust: ServerTrustConfiguration) async throws {
        let address = server.address.rawValue
        switch self {
        case .nio:
            let tls = try ServerTrustTLS(trust)
            let (channel, handshake) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: address, port: server.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        (channel, try tls.addHandlers(to: channel.pipeline.syncOperations, host: server.host))
                    }
                }
            _ = try? await handshake.get()
            try await channel.close()
        case .http:
            var configuration = TrustedHTTPConfiguration()
            configuration.dnsOverride[server.host.description] = address
            configuration.redirects = .disallow
            configuration.handshakeTimeout = .seconds(60)
            configuration.timeout.connect = .seconds(60)
            let client = try TrustedHTTPClient(trust: trust, configuration: configuration)
            _ = try? await client.get(url: server.url + "/")
            await client.shutdown()
        case .gate:
            var configuration = HTTPClient.Configuration()
            var tls = TLSConfiguration.makeClientConfiguration()
            // Otherwise, NIOSSL refuses most servers before the gate evaluates them.
            tls.certificateVerification = .none
            tls.verifySignatureAlgorithms = TLSConfiguration.clientForServerTrust().verifySignatureAlgorithms
            configuration.tlsConfiguration = tls
            configuration.httpVersion = .http1Only
            configuration.redirectConfiguration = .disallow
            configuration.dnsOverride[server.host.description] = address
            var gate = ConnectionGate(source: VerdictSource(trust), timeout: .seconds(60))
            gate.needsVerification = false
            try configuration.gate(gate)
            let client = HTTPClient(configuration: configuration)
            _ = try? await client.execute(HTTPClientRequest(url: server.url + "/"), timeout: .seconds(60))
            try await client.shutdown()
        case .grpc:
            let transport = try TrustedGRPCTransport(
                target: .ipv4(address: address, port: server.port), host: server.host,
                transportSecurity: .serverTrust(trust))
            var options = CallOptions.defaults
            // The lab's servers don't support gRPC.
            let isRefused = if case .refused = server.expected { true } else { false }
            options.timeout = isRefused ? .seconds(60) : .milliseconds(500)
            try await withGRPCClient(transport: transport) { [options] client in
                _ = try await client.unary(
                    request: ClientRequest(message: []),
                    descriptor: MethodDescriptor(fullyQualifiedService: "example.Echo", method: "Say"),
                    serializer: PlainBytes(), deserializer: PlainBytes(), options: options
                ) { try $0.message }
            }
        case .websocket:
            var client = try TrustedWebSocketClient(trust: trust)
            client.timeout = .seconds(60)
            try await client.withConnection(
                to: "wss://\(server.host):\(server.port)/", connectingTo: address
            ) { _ in }
        case .urlsession:
            let session = URLSession(
                configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                    trust, connectingTo: [server.host.description: address]))
            let url = try #require(URL(string: server.url + "/"))
            _ = try await session.data(from: url)
        }
    }
}

private struct PlainBytes: MessageSerializer, MessageDeserializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Bytes { Bytes(message) }

    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> [UInt8] {
        bytes.withUnsafeBytes { Array($0) }
    }
}
#endif
