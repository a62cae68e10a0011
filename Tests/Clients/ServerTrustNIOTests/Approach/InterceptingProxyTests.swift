// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustNIO
import Testing

@testable import ServerTrustLab

@Suite("Proxies that end or intercept TLS to the server", .timeLimit(.minutes(10)))
struct InterceptingProxyTests {
    enum Kind: CaseIterable {
        case http, https, socks

        /// Starts a proxy that opens its tunnel, and then behaves like the script or leads to a port.
        func start(
            _ certificates: LabCertificates, _ target: String, then script: [ScriptedPeer.Answer] = [],
            leadingTo port: Int? = nil
        ) async throws -> ScriptedPeer {
            let host = target.prefix { $0 != ":" }
            let request = "CONNECT \(target) HTTP/1.1\r\nhost: \(target)\r\n\r\n".utf8.count
            let tunnel: [ScriptedPeer.Answer] =
                self == .socks
                ? [.init(bytes: [5, 0], after: 3), .init(bytes: HostileProxy.open, after: 7 + host.utf8.count)]
                : [.init(bytes: Array("HTTP/1.1 200 OK\r\n\r\n".utf8), after: request)]
            return try await ScriptedPeer(
                tunnel + script, leadingTo: port, certificates: self == .https ? certificates : nil)
        }

        func address(_ port: Int) -> ConnectionProxy {
            switch self {
            case .http: ProxyKind.http.proxy(port)
            case .https: .https(host: "localhost", port: port)
            case .socks: ProxyKind.socks.proxy(port)
            }
        }
    }

    /// Connects to a host that only the proxy reaches. Returns the error.
    private func error(
        _ trust: ServerTrustConfiguration, _ host: Hostname, through proxy: ConnectionProxy
    ) async throws -> (any Error)? {
        var tls = try ServerTrustTLS(trust)
        tls.handshakeTimeout = .seconds(60)
        do {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(
                to: host, port: 443, through: proxy, serverTrust: tls
            ) { channel, server in server.map { _ in channel } }
            try await channel.close()
            return nil
        } catch {
            return error
        }
    }

    private static let ends: [[ScriptedPeer.Answer]] = [
        // The connection ends after the ClientHello, or after the start of an answer to it.
        [.init(bytes: [], after: 1, closes: true)], [.init(bytes: [22, 3, 3, 0, 100, 2], after: 1, closes: true)],
    ]

    @Test(
        "The error names the proxy if the connection through its tunnel ends in the TLS handshake",
        arguments: Kind.allCases, ends)
    func ended(kind: Kind, script: [ScriptedPeer.Answer]) async throws {
        let certificates = try LabCertificates.localhost()
        let server = try LabScenario.good.certificates(at: .now())
        let peer = try await kind.start(certificates, "\(server.host):443", then: script)
        let proxy = kind.address(peer.port)
        let found = try await error(
            try server.configuration(throughProxyWith: certificates.anchors), server.host, through: proxy)
        let failure = try #require(found as? ConnectionFailure, "\(String(describing: found))")
        let usual = ConnectionFailure(.connectionClosed, host: server.host)
        #expect(failure == usual.naming(proxy))
        #expect(failure != usual)
        #expect(failure.code == .connectionClosed && failure.host == server.host)
        while peer.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        await peer.stop()
    }

    @Test(
        "A proxy that presents its own certificate for the server is a refused server, not a failure of the proxy",
        arguments: Kind.allCases)
    func intercepts(kind: Kind) async throws {
        let certificates = try LabCertificates.localhost()
        let server = try LabScenario.good.certificates(at: .now())
        let interceptor = try await LabServer.start(.selfSigned)
        let peer = try await kind.start(certificates, "\(server.host):443", leadingTo: interceptor.port)
        let found = try await error(
            try server.configuration(throughProxyWith: certificates.anchors), server.host,
            through: kind.address(peer.port))
        let refusal = try #require(found as? TrustRefusal, "\(String(describing: found))")
        #expect(refusal.verdict.host == server.host)
        #expect(interceptor.counts.requestBytes == 0)
        await interceptor.stop()
        await peer.stop()
    }

    @Test("The error doesn't name the proxy for another failure of the handshake", arguments: Kind.allCases)
    func otherFailures(kind: Kind) async throws {
        let certificates = try LabCertificates.localhost()
        let server = try LabScenario.good.certificates(at: .now())
        // A fatal alert: handshake_failure.
        let alert = ScriptedPeer.Answer(bytes: [21, 3, 3, 0, 2, 2, 40], after: 1)
        let peer = try await kind.start(certificates, "\(server.host):443", then: [alert])
        let proxy = kind.address(peer.port)
        let found = try await error(
            try server.configuration(throughProxyWith: certificates.anchors), server.host, through: proxy)
        let failure = try #require(found as? ConnectionFailure, "\(String(describing: found))")
        #expect(failure.code == .connectionHandshakeAlert && failure.alert == 40)
        #expect(failure.naming(proxy) == failure)
        await peer.stop()
    }

    @Test("Only the failure of a closed connection changes, and each proxy is another failure")
    func naming() throws {
        let host = try Hostname("api.lab.test")
        let (first, second) = (ProxyKind.http.proxy(8080), ProxyKind.socks.proxy(1080))
        let closed = ConnectionFailure(.connectionClosed, host: host, port: 443)
        #expect(closed.naming(first) != closed)
        #expect(closed.naming(first) != closed.naming(second))
        #expect(closed.naming(first) == closed.naming(first))
        #expect(closed.naming(first).host == host && closed.naming(first).port == 443)
        for code in [ErrorCode.connectionTimedOut, .connectionHandshakeFailed, .connectionEvaluationTimedOut] {
            let other = ConnectionFailure(code, host: host)
            #expect(other.naming(first) == other)
        }
        // A password isn't part of the failure.
        let secret = ConnectionProxy.http(
            host: "127.0.0.1", port: 8080, authorization: .basic(user: "user", password: "secret"))
        #expect(!"\(closed.naming(secret))".contains("secret"))
        #expect(closed.naming(secret) == closed.naming(first))
    }
}
