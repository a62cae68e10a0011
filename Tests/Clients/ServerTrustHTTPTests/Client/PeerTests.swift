// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore
import NIOPosix
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustGRPC
import ServerTrustHTTP
import ServerTrustNIO
import ServerTrustWebSocket
import Testing

@testable import ServerTrustLab

@Suite("Verdicts on other projects' servers")
struct PeerTests {
    private func client(
        _ certificates: LabCertificates, _ change: (inout TrustedHTTPConfiguration) -> Void = { _ in }
    ) throws -> TrustedHTTPClient {
        var configuration = TrustedHTTPConfiguration()
        configuration.bePatient()
        configuration.dnsOverride = [certificates.host.description: "127.0.0.1"]
        change(&configuration)
        return try TrustedHTTPClient(trust: certificates.configuration, configuration: configuration)
    }

    @Test(
        "Every client reaches the lab's verdicts with nginx", .enabled(if: Peer.Program.nginx.isAvailable),
        arguments: [LabScenario.good, .goodRSA, .expired, .wrongHost, .untrustedRoot, .intercepted])
    func nginx(scenario: LabScenario) async throws {
        let certificates = try scenario.certificates(at: .now())
        let peer = try await Peer.nginx(certificates)
        let client = try client(certificates)
        let url = "https://\(certificates.host):\(peer.port)/long.txt"
        let error = await failure { try await client.expect("200 " + Peer.longText, at: url) }
        await client.shutdown()
        #expect(error.map { LabOutcome($0) } ?? .trusted == scenario.expected)
        let log = try? String(contentsOf: peer.folder.appendingPathComponent("access.log"), encoding: .utf8)
        #expect(log?.contains("long.txt") == scenario.expected.isTrusted)
        peer.stop()
    }

    @Test(
        "If configured to, the client decompresses a body from nginx, up to the client's limit",
        .enabled(if: Peer.Program.nginx.isAvailable), arguments: [true, false])
    func gzip(isWithinLimit: Bool) async throws {
        let certificates = try LabScenario.good.certificates(at: .now())
        let peer = try await Peer.nginx(certificates)
        let client = try client(certificates) {
            $0.decompression = .enabled(limit: .size(isWithinLimit ? 1 << 20 : 100))
        }
        var request = HTTPClientRequest(url: "https://\(certificates.host):\(peer.port)/long.txt")
        request.headers.add(name: "accept-encoding", value: "gzip")
        let error = await failure { [request] in
            let response = try await client.execute(request, timeout: .seconds(20))
            #expect(response.headers.first(name: "content-encoding") == "gzip")
            let body = try await response.body.collect(upTo: 1 << 20)
            #expect(String(buffer: body) == Peer.longText)
        }
        await client.shutdown()
        peer.stop()
        let trustedError = error as? TrustedHTTPError
        #expect(trustedError?.code == (isWithinLimit ? nil : .decompressionLimitExceeded))
        #expect(isWithinLimit || trustedError?.message.contains("the limit is size(100)") == true)
        #expect((error == nil) == isWithinLimit, "\(String(describing: error))")
    }

    @Test(
        "Every client reaches the lab's verdicts with openssl s_server", .enabled(if: Peer.Program.openssl.isAvailable),
        arguments: [
            (LabScenario.good, "-tls1_2"), (.good, "-tls1_3"), (.goodEd25519, "-tls1_3"), (.expired, "-tls1_2"),
            (.wrongHost, "-tls1_3"), (.noAlternativeName, "-tls1_2"),
        ])
    func openssl(scenario: LabScenario, version: String) async throws {
        let certificates = try scenario.certificates(at: .now())
        let peer = try await Peer.openssl(certificates, [version])
        let client = try client(certificates)
        let error = await failure {
            let response = try await client.get("https://\(certificates.host):\(peer.port)/")
            #expect(response.status == .ok)
            _ = try await response.body.collect(upTo: 1 << 20)
        }
        await client.shutdown()
        peer.stop()
        #expect(error.map { LabOutcome($0) } ?? .trusted == scenario.expected, "\(String(describing: error))")
    }

    /// Returns the verdict from a NIO pipeline.
    private func overNIO(
        _ host: Hostname, _ port: Int, _ trust: ServerTrustConfiguration
    ) async throws -> LabOutcome? {
        var tls = try ServerTrustTLS(trust)
        tls.handshakeTimeout = .seconds(60)
        let (channel, handshake) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { [tls] channel in
                channel.eventLoop.makeCompletedFuture {
                    (channel, try tls.addHandlers(to: channel.pipeline.syncOperations, host: host))
                }
            }
        let error = await failure { try await handshake.get() }
        try? await channel.close().get()
        return error.map { LabOutcome($0) } ?? .trusted
    }

    /// Returns the outcome of a WebSocket request. The server doesn't support WebSockets, so a request that reaches it
    /// means trust.
    private func overWebSocket(
        _ host: Hostname, _ port: Int, _ trust: ServerTrustConfiguration, through proxy: ConnectionProxy? = nil
    ) async throws -> LabOutcome? {
        var client = try TrustedWebSocketClient(trust: trust)
        client.timeout = .seconds(60)
        client.proxy = proxy
        let error = await failure { [client] in
            try await client.withConnection(
                to: "wss://\(host):\(port)/", connectingTo: proxy == nil ? "127.0.0.1" : nil
            ) { _ in }
        }
        if let error = error as? WebSocketError, error.code == .webSocketNotUpgraded { return .trusted }
        return error.flatMap { LabOutcome($0) }
    }

    /// Returns the outcome of a call. The server doesn't support gRPC, so any error other than a refusal occurs after
    /// the verdict.
    private func overGRPC(_ host: Hostname, _ port: Int, _ trust: ServerTrustConfiguration) async throws -> LabOutcome?
    {
        let transport = try TrustedGRPCTransport(
            target: .ipv4(address: "127.0.0.1", port: port), host: host, transportSecurity: .serverTrust(trust))
        let error = await failure {
            try await withGRPCClient(transport: transport) { client in
                var options = CallOptions.defaults
                options.waitForReady = true
                options.timeout = .seconds(20)
                return try await client.unary(
                    request: ClientRequest(message: [UInt8]()),
                    descriptor: MethodDescriptor(fullyQualifiedService: "example.Echo", method: "Say"),
                    serializer: Bytes(), deserializer: Bytes(), options: options
                ) { try $0.message }
            }
        }
        let rpcError = try #require(error as? RPCError)
        return rpcError.cause.flatMap { LabOutcome($0) } ?? .trusted
    }

    /// Binary messages.
    private struct Bytes: MessageSerializer, MessageDeserializer {
        func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Bytes { Bytes(message) }

        func deserialize<Bytes: GRPCContiguousBytes>(_ serializedMessageBytes: Bytes) throws -> [UInt8] {
            serializedMessageBytes.withUnsafeBytes { Array($0) }
        }
    }

    /// Returns a probe's verdict.
    private func probe(
        _ host: Hostname, _ port: Int, _ trust: ServerTrustConfiguration, through proxy: ConnectionProxy
    ) async throws -> LabOutcome {
        var probe = TrustProbe(trust)
        probe.timeout = .seconds(60)
        probe.proxy = proxy
        return LabOutcome(try await probe.probe(host, port: port).verdict)
    }

    /// Returns the outcome through a proxy that redirects every tunnel to an interceptor.
    private func throughProxy(
        _ kind: ProxyKind, to interceptor: Int, _ server: LabServer, _ trust: ServerTrustConfiguration
    ) async throws -> LabOutcome {
        let proxy = try await LabProxy.start(replacement: interceptor)
        var configuration = TrustedHTTPConfiguration()
        configuration.bePatient()
        configuration.proxy = kind.selection(proxy.port)
        let client = try TrustedHTTPClient(trust: trust, configuration: configuration)
        let before = server.counts.requests
        let error = await failure { try await client.expectOK(at: server.url + "/") }
        let outcome = error.map { LabOutcome($0) } ?? .trusted
        #expect(Set(proxy.tunnels.map(\.target)) == ["\(server.host):\(server.port)"])
        #expect(server.counts.requests == before + (error == nil ? 1 : 0))
        await client.shutdown()
        await proxy.stop()
        return try #require(outcome)
    }

    @Test(
        "Pins stop mitmproxy even if the machine trusts its CA",
        .enabled(if: Peer.Program.mitmdump.isAvailable))
    func interceptor() async throws {
        let server = try await LabServer.start(.good)
        let (peer, authority) = try await Peer.interceptor(before: server.port)
        let host = server.host.description
        var configuration = TrustedHTTPConfiguration()
        configuration.bePatient()
        configuration.dnsOverride = [host: "127.0.0.1"]
        let evaluators: [(any TrustEvaluator, LabOutcome)] = [
            (DefaultTrustEvaluator(), .trusted),
            (
                SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [SPKIPin(server.certificates.chain[0])])),
                .refused(.pinNotMatched)
            ),
            (
                SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [SPKIPin(server.certificates.anchors[0])])),
                .refused(.pinNotMatched)
            ),
        ]
        for (evaluator, expected) in evaluators {
            var trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: [host: evaluator]))
            trust.anchors = .only(server.certificates.anchors + [authority.certificate])
            let client = try TrustedHTTPClient(trust: trust, configuration: configuration)
            let before = server.counts.requests
            let error = await failure {
                try await client.expect("200 hello from the lab\n", at: "https://\(host):\(peer.port)/")
            }
            #expect(error.map { LabOutcome($0) } ?? .trusted == expected, "\(String(describing: error))")
            #expect(server.counts.requests == before + (expected.isTrusted ? 1 : 0))
            #expect(try await overNIO(server.host, peer.port, trust) == expected)
            #expect(try await overWebSocket(server.host, peer.port, trust) == expected)
            #expect(try await overGRPC(server.host, peer.port, trust) == expected)
            for kind in ProxyKind.allCases {
                let proxy = try await LabProxy.start(replacement: peer.port)
                let way = kind.connectionProxy(proxy.port)
                #expect(try await overWebSocket(server.host, server.port, trust, through: way) == expected, "\(kind)")
                #expect(try await probe(server.host, server.port, trust, through: way) == expected, "\(kind)")
                await proxy.stop()
                let outcome = try await throughProxy(kind, to: peer.port, server, trust)
                #expect(outcome == expected, "\(kind)")
            }
            // Without the proxy, all three accept the server.
            try await client.expectOK(at: server.url + "/")
            await client.shutdown()
        }
        peer.stop()
        await server.stop()
    }

    /// A way to use mitmproxy as a proxy.
    enum ProxyWay: CaseIterable, Sendable {
        case http, https, socks

        func address(_ port: Int, _ password: String) -> ConnectionProxy {
            let login = ConnectionProxy.Authorization.basic(user: "user", password: password)
            return switch self {
            case .http: .http(host: "127.0.0.1", port: port, authorization: login)
            case .https: .https(host: "localhost", port: port, authorization: login)
            case .socks: .socks5(host: "127.0.0.1", port: port, user: "user", password: password)
            }
        }
    }

    /// With TLS to the proxy, mitmproxy also intercepts the server's TLS. The clients trust its CA in this test.
    @Test(
        "Clients reach a server through mitmproxy with a login, and fail with a wrong one",
        .enabled(if: Peer.Program.mitmdump.isAvailable), arguments: ProxyWay.allCases)
    func proxy(way: ProxyWay) async throws {
        let server = try await LabServer.start(.good)
        let (peer, authority) = try await Peer.proxy(
            way == .socks ? "socks5" : "regular", to: server.port, intercepts: way == .https)
        let host = server.host.description
        var trust = ServerTrustConfiguration(
            try ServerTrustManager(evaluators: [host: DefaultTrustEvaluator(), "localhost": DefaultTrustEvaluator()]))
        trust.anchors = .only(way == .https ? [authority.certificate] : server.certificates.anchors)
        for password in ["secret", "wrong"] {
            var configuration = TrustedHTTPConfiguration()
            configuration.bePatient()
            configuration.proxy = .always(way.address(peer.port, password))
            let client = try TrustedHTTPClient(trust: trust, configuration: configuration)
            let before = server.counts.requests
            let error = await failure {
                for _ in 0..<3 { try await client.expect("200 hello from the lab\n", at: server.url + "/") }
            }
            await client.shutdown()
            #expect(server.counts.requests == before + (password == "secret" ? 3 : 0))
            let code = (error as? ConnectionFailure)?.code
            #expect(
                code == (password == "secret" ? nil : .connectionProxyAuthorizationRequired),
                "\(String(describing: error))")
            #expect(password == "wrong" || error == nil, "\(String(describing: error))")
        }
        let outcome = try await probe(server.host, server.port, trust, through: way.address(peer.port, "secret"))
        #expect(outcome == .trusted)
        peer.stop()
        await server.stop()
    }
}
