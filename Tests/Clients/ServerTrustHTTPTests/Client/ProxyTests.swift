// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustNIO
import Testing

@testable import ServerTrustHTTP
@testable import ServerTrustLab

/// The two kinds of proxies without TLS.
enum ProxyKind: String, CaseIterable, CustomTestStringConvertible {
    case http
    case socks

    var testDescription: String { rawValue }
    var tunnel: LabProxy.Tunnel.Kind { self == .http ? .http : .socks }

    func connectionProxy(_ port: Int) -> ConnectionProxy {
        self == .http ? .http(host: "127.0.0.1", port: port) : .socks5(host: "127.0.0.1", port: port)
    }

    func selection(_ port: Int) -> ProxySelection {
        .always(connectionProxy(port))
    }
}

@Suite("TrustedHTTPClient through proxies")
struct ProxyTests {
    /// A configuration without addresses for names, because the proxy resolves them.
    private static func configuration(_ proxy: ProxySelection) -> TrustedHTTPConfiguration {
        var configuration = TrustedHTTPConfiguration()
        configuration.bePatient()
        configuration.proxy = proxy
        configuration.httpVersion = .http1Only
        return configuration
    }

    @Test(
        "Every scenario has the same outcome through a proxy, and refused servers receive no part of a request",
        arguments: ProxyKind.allCases)
    func conformance(kind: ProxyKind) async throws {
        let proxy = try await LabProxy.start()
        let violations = try await ClientConformance().run { server in
            var configuration = Self.configuration(kind.selection(proxy.port))
            configuration.redirects = .disallow
            return try await withClient(of: server, configuration) { client in
                do {
                    _ = try await client.text(server.url + "/")
                    return LabOutcome.trusted
                } catch {
                    guard let outcome = LabOutcome(error) else { throw error }
                    return outcome
                }
            }
        }
        #expect(violations.isEmpty, "\(violations)")
        #expect(proxy.tunnels.count >= LabScenario.all.count)
        await proxy.stop()
    }

    @Test(
        "The proxy gets the server's name and port once for many requests and sees only TLS",
        arguments: ProxyKind.allCases)
    func keepAlive(kind: ProxyKind) async throws {
        let proxy = try await LabProxy.start()
        let server = try await LabServer.start(.good)
        let url = server.url + "/secret-path"
        try await withClient(of: server, Self.configuration(kind.selection(proxy.port))) { client in
            for _ in 0..<5 { try await client.expectOK(at: url) }
        }
        let expected = LabProxy.Tunnel(
            kind: kind.tunnel, target: "\(server.host):\(server.port)", authorization: nil)
        #expect(proxy.tunnels == [expected])
        // A TLS handshake record (RFC 8446 § 5.1).
        #expect(proxy.clientBytes.starts(with: [22, 3]))
        #expect(!String(decoding: proxy.clientBytes, as: UTF8.self).contains("secret-path"))
        await proxy.stop()
    }

    @Test(
        "The client refuses an interceptor behind the proxy without sending a byte of a request",
        arguments: ProxyKind.allCases)
    func interceptor(kind: ProxyKind) async throws {
        let interceptor = try await LabServer.start(.untrustedRoot)
        let proxy = try await LabProxy.start(replacement: interceptor.port)
        let server = try await LabServer.start(.good)
        let error = try await withClient(of: server, Self.configuration(kind.selection(proxy.port))) { client in
            await failure { try await client.text(server.url + "/") }
        }
        #expect(error is TrustRefusal)
        #expect(interceptor.counts.connections == 1)
        #expect(interceptor.counts.requestBytes == 0)
        #expect(server.counts.connections == 0)
        await interceptor.stop()
        await proxy.stop()
    }

    @Test("Redirects go through the proxy, with a separate tunnel for each server")
    func redirects() async throws {
        let proxy = try await LabProxy.start()
        let target = try await LabServer.start(.good)
        var options = LabServer.Options()
        options.response = .redirect(to: "https://\(target.host):\(target.port)/")
        let server = try await LabServer.start(.good, options: options)
        var trust = ServerTrustConfiguration(server)
        trust.anchors = .only(server.certificates.anchors + target.certificates.anchors)
        try await withClient(of: server, trust: trust, Self.configuration(ProxyKind.http.selection(proxy.port))) {
            try await $0.expectOK(at: server.url + "/")
        }
        #expect(proxy.tunnels.map(\.target) == ["\(server.host):\(server.port)", "\(target.host):\(target.port)"])
        await target.stop()
        await proxy.stop()
    }

    static let authorizations: [(HTTPClient.Authorization?, Bool)] = [
        (.basic(username: "user", password: "p:w"), true), (.basic(username: "user", password: "other"), false),
        (.bearer(tokens: "token"), false), (nil, false),
    ]

    @Test(
        "The client sends the configured credentials to the proxy, and a request fails if the proxy rejects them",
        arguments: authorizations)
    func authorization(given: HTTPClient.Authorization?, isAccepted: Bool) async throws {
        let proxy = try await LabProxy.start(authorization: "Basic dXNlcjpwOnc=")
        let server = try await LabServer.start(.good)
        let selection = ProxySelection.always(
            HTTPClient.Configuration.Proxy.server(host: "127.0.0.1", port: proxy.port, authorization: given))
        try await withClient(of: server, Self.configuration(selection)) { client in
            guard !isAccepted else { return try await client.expectOK(at: server.url + "/") }
            let error = await failure { try await client.text(server.url + "/") }
            #expect((error as? ConnectionFailure)?.code == .connectionProxyAuthorizationRequired)
            #expect(server.counts.connections == 0)
        }
        await proxy.stop()
    }

    @Test("The client refuses a host that the rules deny before it contacts the proxy")
    func denied() async throws {
        let proxy = try await LabProxy.start()
        let server = try await LabServer.start(.good)
        let trust = ServerTrustConfiguration(try ServerTrustManager(rules: [server.host.description: .denied]))
        let error = try await withClient(
            of: server, trust: trust, Self.configuration(ProxyKind.http.selection(proxy.port))
        ) { client in await failure { try await client.text(server.url + "/") } }
        #expect((error as? TrustRefusal)?.headline.code == .hostDenied)
        #expect(proxy.tunnels.isEmpty)
        await proxy.stop()
    }

    @Test("The client uses the environment's proxy on request, except for hosts in no_proxy")
    func environment() async throws {
        let proxy = try await LabProxy.start()
        let server = try await LabServer.start(.good)
        let variables = Locked<[String: String]>([:])
        let selection = ProxySelection.environment(ProxyEnvironment { name in variables.withLock { $0[name] } })
        var configuration = Self.configuration(selection)
        configuration.dnsOverride = [server.host.description: "127.0.0.1"]
        try await withClient(of: server, configuration) { client in
            try await client.expectOK(at: server.url + "/")
            #expect(proxy.tunnels.isEmpty)
            variables.withLock { $0 = ["https_proxy": "http://user:p%3aw@127.0.0.1:\(proxy.port)/"] }
            try await client.expectOK(at: server.url + "/")
            #expect(proxy.tunnels.map(\.authorization) == ["Basic dXNlcjpwOnc="])
            variables.withLock { $0["no_proxy"] = server.host.description }
            try await client.expectOK(at: server.url + "/")
            #expect(proxy.tunnels.count == 1)
            variables.withLock { $0 = ["all_proxy": "socks5h://127.0.0.1:\(proxy.port)"] }
            try await client.expectOK(at: server.url + "/")
            #expect(proxy.tunnels.map(\.kind) == [.http, .socks])
            for unusable in [
                "ftp://127.0.0.1:1", "http://", "http://127.0.0.1:0", "socks5://user@127.0.0.1:1", "socks4://a",
            ] {
                variables.withLock { $0 = ["https_proxy": unusable] }
                let error = await failure { try await client.text(server.url + "/") }
                #expect((error as? TrustedHTTPError)?.code == .proxyUnsupported, "\(unusable)")
            }
        }
        #expect(proxy.tunnels.count == 2)
        await proxy.stop()
    }

    @Test("The client ignores an upper-case HTTP_PROXY, because a web server sets it from a request's header")
    func httpoxy() throws {
        let environment = ProxyEnvironment { ["HTTP_PROXY": "http://127.0.0.1:1"][$0] }
        let host = try Hostname("example.com")
        #expect(environment.proxy(for: host, isSecure: false) == nil)
        let lower = ProxyEnvironment { ["http_proxy": "http://127.0.0.1:1"][$0] }
        #expect(lower.proxy(for: host, isSecure: false)?.variable == "http_proxy")
    }

    static let addresses: [(String, ConnectionProxy?)] = [
        ("proxy.test:3128", .http(host: "proxy.test", port: 3128)),
        ("proxy.test", .http(host: "proxy.test", port: 1080)),
        ("http://proxy.test:3128/", .http(host: "proxy.test", port: 3128)),
        ("HTTP://proxy.test:1", .http(host: "proxy.test", port: 1)),
        ("http://[2001:db8::1]:8080", .http(host: "2001:db8::1", port: 8080)),
        (
            "http://a:b@proxy.test:1",
            .http(host: "proxy.test", port: 1, authorization: .basic(user: "a", password: "b"))
        ),
        (
            "http://a:b@c@proxy.test:1",
            .http(host: "proxy.test", port: 1, authorization: .basic(user: "a", password: "b@c"))
        ),
        (
            "http://a%40:%3A@proxy.test:1",
            .http(host: "proxy.test", port: 1, authorization: .basic(user: "a@", password: ":"))
        ),
        ("a@proxy.test:1", .http(host: "proxy.test", port: 1, authorization: .basic(user: "a", password: ""))),
        ("https://proxy.test:1", .https(host: "proxy.test", port: 1)),
        ("HTTPS://proxy.test/", .https(host: "proxy.test", port: 443)),
        (
            "https://a:b%2F@[::1]",
            .https(host: "::1", authorization: .basic(user: "a", password: "b/"))
        ),
        ("socks5://proxy.test", .socks5(host: "proxy.test", port: 1080)),
        ("socks5h://proxy.test:9", .socks5(host: "proxy.test", port: 9)),
        ("socks5://a:b@proxy.test:1", .socks5(host: "proxy.test", port: 1, user: "a", password: "b")),
        ("socks5h://a%20:%25@proxy.test", .socks5(host: "proxy.test", user: "a ", password: "%")),
        ("socks5://a@proxy.test:1", nil), ("socks5://:b@proxy.test:1", nil),
        ("socks5://a:\(String(repeating: "b", count: 256))@proxy.test:1", nil),
        ("socks4://proxy.test:1", nil), ("socks4a://a:b@proxy.test:1", nil), ("", nil),
        ("http://", nil), ("https://", nil), ("https://:443", nil), ("https://proxy.test:0", nil),
        ("proxy.test:", nil), ("proxy.test:0", nil), ("proxy.test:65536", nil),
        ("proxy.test:+1", nil),
        ("proxy.test:1x", nil), ("proxy test:1", nil), ("http://a%4:b@proxy.test:1", nil),
        ("http://%ff:b@proxy.test:1", nil), ("socks5://%ff:b@proxy.test:1", nil),
        ("http://proxy.test:1/path", nil), ("[::1", nil),
    ]

    @Test("The client reads a proxy's address as libcurl does, or refuses it", arguments: addresses)
    func address(text: String, expected: ConnectionProxy?) {
        #expect((try? ConnectionProxy(address: text)) == expected)
    }

    @Test(
        "The error about an address says what to do, and doesn't repeat the address",
        arguments: [
            ("socks4://me:secret@proxy.test:1", "socks5"), ("socks5://me@proxy.test", "255"),
            ("secret://me:secret@proxy.test:1", "https"), ("http://me:secret@proxy.test:x", "HOST:PORT"),
            ("http://me:sec%ret@proxy.test:1", "percent"),
        ])
    func addressErrors(text: String, expected: String) {
        let error = #expect(throws: ProxyAddressError.self) { try ConnectionProxy(address: text) }
        #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
        #expect(error?.description.contains("sec") == false && error?.description.contains("me:") == false)
    }
}
