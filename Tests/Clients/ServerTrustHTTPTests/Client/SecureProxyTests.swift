// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustNIO
import ServerTrustTesting
import ServerTrustWebSocket
import Testing

@testable import ServerTrustHTTP
@testable import ServerTrustLab

@Suite("TrustedHTTPClient through proxies that use TLS or a SOCKS login", .timeLimit(.minutes(10)))
struct SecureProxyTests {
    private static func trust(_ server: LabServer, _ proxy: LabCertificates) throws -> ServerTrustConfiguration {
        try server.certificates.configuration(throughProxyWith: proxy.anchors)
    }

    private static func configuration(_ proxy: ConnectionProxy) -> TrustedHTTPConfiguration {
        var configuration = TrustedHTTPConfiguration()
        configuration.bePatient()
        configuration.proxy = .always(proxy)
        return configuration
    }

    @Test(
        "Every scenario has the same outcome through the proxy, and refused servers receive no part of a request",
        arguments: [true, false])
    func conformance(overTLS: Bool) async throws {
        let certificates = try LabCertificates.localhost()
        let proxy = try await LabProxy.start(login: "user:secret", certificates: overTLS ? certificates : nil)
        let address: ConnectionProxy =
            overTLS
            ? .https(host: "localhost", port: proxy.port)
            : .socks5(host: "127.0.0.1", port: proxy.port, user: "user", password: "secret")
        let violations = try await ClientConformance().run { server in
            var configuration = Self.configuration(address)
            configuration.redirects = .disallow
            let client = try TrustedHTTPClient(
                source: VerdictSource(server.certificates.configuration),
                proxySource: VerdictSource(certificates.configuration), configuration: configuration)
            let error = await failure { try await client.text(server.url + "/") }
            await client.shutdown()
            guard let error else { return .trusted }
            guard let outcome = LabOutcome(error) else { throw error }
            return outcome
        }
        #expect(violations.isEmpty, "\(violations)")
        await proxy.stop()
    }

    @Test("The proxy gets credentials, name and port once for many requests, and sees only TLS of the server's")
    func keepAlive() async throws {
        let certificates = try LabCertificates.localhost()
        let proxy = try await LabProxy.start(authorization: "Basic dXNlcjpwOnc=", certificates: certificates)
        let server = try await LabServer.start(.good)
        let url = server.url + "/secret-path"
        let address = ConnectionProxy.https(
            host: "localhost", port: proxy.port, authorization: .basic(user: "user", password: "p:w"))
        try await withClient(of: server, trust: try Self.trust(server, certificates), Self.configuration(address)) {
            client in
            for _ in 0..<5 { try await client.expectOK(at: url) }
            let served = try await client.exchange(HTTPClientRequest(url: url), deadline: .now() + .seconds(60))
            #expect(served.server?.host == server.host)
        }
        #expect(
            proxy.tunnels == [
                .init(kind: .http, target: "\(server.host):\(server.port)", authorization: "Basic dXNlcjpwOnc=")
            ])
        #expect(proxy.clientBytes.starts(with: [22, 3]))
        #expect(!String(decoding: proxy.clientBytes, as: UTF8.self).contains("secret-path"))
        await proxy.stop()
    }

    static let faults: [(String, @Sendable (inout CertificateTemplate) -> Void)] = [
        ("unknown root", { _ in }),
        (
            "expired",
            {
                $0.notBefore = Time.now().advanced(by: .days(-30))
                $0.notAfter = Time.now().advanced(by: .days(-1))
            }
        ),
        ("other name", { $0.dnsNames = ["proxy.example.com"] }),
        ("not a server", { $0.extendedKeyUsage = [.clientAuth] }),
    ]

    @Test(
        "A proxy that isn't trusted gets no byte of CONNECT, no credentials and no part of a request",
        arguments: faults.indices)
    func untrusted(row: Int) async throws {
        let certificates = try LabCertificates.localhost(Self.faults[row].1)
        let proxy = try await LabProxy.start(certificates: certificates)
        let server = try await LabServer.start(.good)
        let address = ConnectionProxy.https(
            host: "localhost", port: proxy.port, authorization: .basic(user: "user", password: "secret"))
        let trust =
            try row == 0
            ? server.certificates.configuration(throughProxyWith: []) : Self.trust(server, certificates)
        for version in [HTTPClient.Configuration.HTTPVersion.http1Only, .automatic] {
            var configuration = Self.configuration(address)
            configuration.httpVersion = version
            try await withClient(of: server, trust: trust, configuration) { client in
                let error = await failure { try await client.text(server.url + "/") }
                let verdict = (error as? TrustRefusal)?.verdict
                #expect(verdict?.host?.description == "localhost", "\(String(describing: error))")
            }
        }
        var sockets = try TrustedWebSocketClient(trust: trust)
        sockets.timeout = .seconds(60)
        sockets.proxy = address
        let error = await failure { [sockets] in
            try await sockets.withConnection(to: "wss://\(server.host):\(server.port)/") { _ in }
        }
        #expect((error as? TrustRefusal)?.verdict.host?.description == "localhost", "\(String(describing: error))")
        #expect(proxy.requestBytes.isEmpty && proxy.tunnels.isEmpty)
        #expect(server.counts.connections == 0)
        await proxy.stop()
    }

    @Test("The client refuses a proxy that the rules deny before it connects, also when the rules change")
    func denied() async throws {
        let certificates = try LabCertificates.localhost()
        let proxy = try await LabProxy.start(certificates: certificates)
        let server = try await LabServer.start(.good)
        var trust = try Self.trust(server, certificates)
        let configuration = Self.configuration(.https(host: "localhost", port: proxy.port))
        try await withClient(of: server, trust: trust, configuration) { client in
            try await client.expectOK(at: server.url + "/")
            trust.manager = try ServerTrustManager(
                rules: [server.host.description: .enforced(DefaultTrustEvaluator()), "localhost": .denied], memory: nil
            )
            _ = try await client.replaceTrust(trust)
            let error = await failure { try await client.text(server.url + "/") }
            #expect((error as? TrustRefusal)?.headline.code == .hostDenied)
        }
        #expect(proxy.tunnels.count == 1)
        await proxy.stop()
    }

    @Test("A redirect's server gets no credentials of the proxy, and a redirect in the clear isn't followed")
    func redirects() async throws {
        let certificates = try LabCertificates.localhost()
        let proxy = try await LabProxy.start(certificates: certificates)
        let address = ConnectionProxy.https(
            host: "localhost", port: proxy.port, authorization: .basic(user: "user", password: "secret"))
        let scene = try Scene { $0.proxy = .always(address) }
        let trust = try scene.certificates.configuration(throughProxyWith: certificates.anchors)
        let target = try await ScriptedServer.start(scene.certificates) { _ in
            [.send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")]
        }
        let location = scene.url(target.port, "/next")
        let server = try await ScriptedServer.start(scene.certificates) { _ in
            [.send("HTTP/1.1 302 Found\r\nlocation: \(location)\r\ncontent-length: 0\r\n\r\n")]
        }
        let client = try TrustedHTTPClient(trust: trust, configuration: scene.configuration)
        let text = try await client.text(scene.url(server.port))
        #expect(text.hasSuffix("ok"))
        await client.shutdown()
        for received in [server.received, target.received] {
            #expect(received.lowercased().contains("get /"))
            #expect(!received.lowercased().contains("proxy-") && !received.contains("dXNlcjpzZWNyZXQ="))
        }
        await server.stop()
        #expect(proxy.tunnels.count == 2)
        await target.stop()
        await proxy.stop()
    }

    @Test("The environment's https proxy and SOCKS login work, with percent-encoding")
    func environment() async throws {
        let certificates = try LabCertificates.localhost()
        let secure = try await LabProxy.start(authorization: "Basic dXNlcjpwOnc=", certificates: certificates)
        let socks = try await LabProxy.start(login: "user@home:p:w")
        let server = try await LabServer.start(.good)
        let variables = Locked<[String: String]>([:])
        var configuration = TrustedHTTPConfiguration()
        configuration.bePatient()
        configuration.proxy = .environment(ProxyEnvironment { name in variables.withLock { $0[name] } })
        try await withClient(of: server, trust: try Self.trust(server, certificates), configuration) { client in
            variables.withLock { $0 = ["https_proxy": "https://user:p%3Aw@localhost:\(secure.port)"] }
            try await client.expectOK(at: server.url + "/")
            variables.withLock { $0 = ["all_proxy": "socks5h://user%40home:p%3Aw@127.0.0.1:\(socks.port)/"] }
            try await client.expectOK(at: server.url + "/")
        }
        #expect(secure.tunnels.count == 1)
        #expect(socks.tunnels.map(\.authorization) == ["user@home:p:w"])
        await secure.stop()
        await socks.stop()
    }

    @Test("A request in the clear that the rules allow goes through a trusted proxy only")
    func plain() async throws {
        let certificates = try LabCertificates.localhost()
        let proxy = try await LabProxy.start(certificates: certificates)
        let server = try await ScriptedServer.start(nil) { _ in
            [.send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")]
        }
        var configuration = Self.configuration(.https(host: "localhost", port: proxy.port))
        configuration.insecurelyPlainHosts = [try Hostname("plain.test")]
        var trust = ServerTrustConfiguration(
            try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false))
        trust.anchors = .only(certificates.anchors)
        for isTrusted in [true, false] {
            if !isTrusted { trust.anchors = .only(try LabCertificates.localhost().anchors) }
            let client = try TrustedHTTPClient(trust: trust, configuration: configuration)
            let result = await failure {
                let text = try await client.text("http://plain.test:\(server.port)/")
                #expect(text.hasSuffix("ok"))
            }
            #expect(isTrusted ? result == nil : result is TrustRefusal, "\(String(describing: result))")
            await client.shutdown()
        }
        #expect(proxy.tunnels.map(\.target) == ["plain.test:\(server.port)"])
        #expect(server.connections == 1)
        await server.stop()
        await proxy.stop()
    }

    @Test("A wrong or missing SOCKS login fails without the password in the error")
    func login() async throws {
        let proxy = try await LabProxy.start(login: "user:secret")
        let server = try await LabServer.start(.good)
        for address in [
            ConnectionProxy.socks5(host: "127.0.0.1", port: proxy.port, user: "user", password: "wrong-word"),
            .socks5(host: "127.0.0.1", port: proxy.port),
        ] {
            try await withClient(of: server, Self.configuration(address)) { client in
                let error = await failure { try await client.text(server.url + "/") }
                #expect((error as? ConnectionFailure)?.code == .connectionProxyAuthorizationRequired)
                var dumped = String(reflecting: error)
                dump(error, to: &dumped)
                #expect(!dumped.contains("wrong-word"))
            }
        }
        #expect(proxy.tunnels.isEmpty && server.counts.connections == 0)
        await proxy.stop()
    }
}
