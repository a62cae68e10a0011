// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustNIO
import Testing

@testable import ServerTrustLab

/// A misbehaving proxy.
struct HostileProxy: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let kind: ProxyKind
    let script: [ScriptedPeer.Answer]

    init(_ description: String, _ kind: ProxyKind, _ script: [ScriptedPeer.Answer]) {
        self.testDescription = "\(kind): \(description)"
        self.kind = kind
        self.script = script
    }

    private static func http(_ description: String, _ text: String, closes: Bool = false) -> HostileProxy {
        HostileProxy(description, .http, [.init(bytes: Array(text.utf8), after: 40, closes: closes)])
    }

    private static func socks(_ description: String, _ answers: [UInt8]...) -> HostileProxy {
        HostileProxy(description, .socks, answers.map { .init(bytes: $0, after: 3) })
    }

    static let open: [UInt8] = [5, 0, 0, 1, 127, 0, 0, 1, 0, 0]

    static let all: [HostileProxy] = [
        http("requires authorization", "HTTP/1.1 407 Auth\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n"),
        http("reports no route", "HTTP/1.1 502 Bad Gateway\r\ncontent-length: 5\r\n\r\nsorry"),
        http("redirects", "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\n\r\n"),
        http("switches protocols", "HTTP/1.1 101 Switching\r\nupgrade: tls\r\n\r\n"),
        http("sends garbage", "\u{0}\u{1}\u{2} what?\r\n\r\n"),
        http("speaks HTTP/2", "HTTP/2.0 200 OK\r\n\r\n"),
        http("speaks SSH", "SSH-2.0-OpenSSH_9.2\r\n"),
        http("sends more than its answer", "HTTP/1.1 200 OK\r\n\r\n\u{16}\u{3}\u{1}"),
        http("answers twice", "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"),
        http("sends a body with its answer", "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc"),
        http("sends a chunked body", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
        http("closes the connection", "", closes: true),
        http("closes the connection during its answer", "HTTP/1.1 200 O", closes: true),
        http("sends endless fields", "HTTP/1.1 200 OK\r\n" + String(repeating: "a: b\r\n", count: 60_000)),
        http("sends an endless field", "HTTP/1.1 200 OK\r\na: " + String(repeating: "b", count: 1 << 20)),
        http("sends endless interim answers", String(repeating: "HTTP/1.1 100 Go on\r\n\r\n", count: 20_000)),
        http("says nothing", ""),
        socks("accepts no method", [5, 0xff]), socks("wants a password", [5, 2]), socks("speaks SOCKS 4", [4, 0]),
        socks("speaks HTTP", Array("HTTP/1.1 400 Bad\r\n\r\n".utf8)),
        socks("refuses", [5, 0], [5, 5, 0, 1, 0, 0, 0, 0, 0, 0]),
        socks("denies the request", [5, 0], [5, 2, 0, 1, 0, 0, 0, 0, 0, 0]),
        socks("sends an unknown address type", [5, 0], [5, 0, 0, 9, 0, 0, 0, 0]),
        socks("sets a reserved byte", [5, 0], [5, 0, 7, 1, 0, 0, 0, 0, 0, 0]),
        socks("sends more than its answer", [5, 0], open + [22]),
        socks("answers before the request", [5, 0] + open), socks("says nothing"),
        socks("stops after the method", [5, 0]),
    ]

    /// Proxies that misbehave while the client logs in.
    static let logins: [HostileProxy] = [
        login("accepts no method", [5, 0xff]), login("selects another method", [5, 1]),
        login("speaks SOCKS 4", [4, 0]), login("says nothing"), login("stops after the method", [5, 2]),
        login("sends more than the method", [5, 2, 1, 0]), login("refuses the login", [5, 2], [1, 1]),
        login("sends half an answer to the login", [5, 2], [1]),
        login("sends more than its answer to the login", [5, 2], [1, 0] + open),
        login("needs no login and refuses", [5, 0], [5, 5, 0, 1, 0, 0, 0, 0, 0, 0]),
        login("refuses after the login", [5, 2], [1, 0], [5, 5, 0, 1, 0, 0, 0, 0, 0, 0]),
        login("sends more than its answer", [5, 2], [1, 0], open + [22]),
    ]

    private static func login(_ description: String, _ answers: [UInt8]...) -> HostileProxy {
        HostileProxy(description, .socks, answers.map { .init(bytes: $0, after: 4) })
    }
}

@Suite("Misbehaving proxies", .timeLimit(.minutes(10)))
struct HostileProxyTests {
    private func probe(_ peer: ScriptedPeer, _ kind: ProxyKind, _ timeout: Duration) async throws -> ConnectionFailure?
    {
        try await probe(through: kind.proxy(peer.port), timeout)
    }

    private func probe(
        through proxy: ConnectionProxy, anchors: [Certificate] = [], _ timeout: Duration
    ) async throws -> ConnectionFailure? {
        var trust = ServerTrustConfiguration(
            try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false))
        trust.anchors = .only(anchors)
        var probe = TrustProbe(trust)
        probe.timeout = timeout
        probe.proxy = proxy
        let host = try Hostname("api.example.com")
        do throws(ConnectionFailure) {
            _ = try await probe.probe(host)
            return nil
        } catch {
            return error
        }
    }

    @Test("The error names a misbehaving proxy as the cause, and no connection stays open", arguments: HostileProxy.all)
    func hostile(_ row: HostileProxy) async throws {
        let peer = try await ScriptedPeer(row.script)
        let error = try await probe(peer, row.kind, .seconds(1))
        #expect(error?.isOfProxy == true, "\(String(describing: error))")
        // No TLS data.
        #expect(!peer.received.contains(22) || row.kind == .socks)
        while peer.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        await peer.stop()
    }

    @Test(
        "The error names a proxy that misbehaves over TLS, and no connection stays open",
        arguments: HostileProxy.all.filter { $0.kind == .http })
    func hostileOverTLS(_ row: HostileProxy) async throws {
        let certificates = try LabCertificates.localhost()
        let peer = try await ScriptedPeer(row.script, certificates: certificates)
        let proxy = ConnectionProxy.https(host: "localhost", port: peer.port)
        let error = try await probe(through: proxy, anchors: certificates.anchors, .seconds(2))
        #expect(error?.isOfProxy == true, "\(String(describing: error))")
        // No TLS data.
        #expect(!peer.received.contains(22))
        while peer.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        await peer.stop()
    }

    @Test(
        "A proxy that answers before CONNECT fails, in the clear and over TLS, and it gets no TLS data of the server's",
        arguments: [false, true])
    func early(overTLS: Bool) async throws {
        let certificates = try LabCertificates.localhost()
        // Two answers in one write: if the client reads after it has sent CONNECT, it finds one answer too many. Of a
        // single early answer it couldn't know that the proxy sent it before.
        let answer = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
        let early = ScriptedPeer.Answer(bytes: answer + answer, after: 0)
        let peer = try await ScriptedPeer([early], certificates: overTLS ? certificates : nil)
        let proxy: ConnectionProxy =
            overTLS ? .https(host: "localhost", port: peer.port) : .http(host: "localhost", port: peer.port)
        let error = try await probe(through: proxy, anchors: certificates.anchors, .seconds(2))
        #expect(error?.isOfProxy == true, "\(String(describing: error))")
        #expect(!peer.received.contains(22))
        await peer.stop()
    }

    @Test(
        "The error names a proxy that misbehaves during the login, without the password",
        arguments: HostileProxy.logins)
    func logins(_ row: HostileProxy) async throws {
        let peer = try await ScriptedPeer(row.script)
        let proxy = ConnectionProxy.socks5(host: "127.0.0.1", port: peer.port, user: "me", password: "secret")
        let error = try await probe(through: proxy, .seconds(1))
        #expect(error?.isOfProxy == true, "\(String(describing: error))")
        #expect(!"\(String(reflecting: error))".contains("secret"))
        var dumped = ""
        dump(proxy, to: &dumped)
        #expect(!dumped.contains("secret") && !String(reflecting: proxy).contains("secret"))
        // Only a proxy that has selected the method gets the password.
        let isSelected = row.script.first?.bytes == [5, 2]
        #expect(String(decoding: peer.received, as: UTF8.self).contains("secret") == isSelected)
        while peer.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        await peer.stop()
    }

    @Test("A login whose answers arrive byte by byte still opens the tunnel")
    func dribblingLogin() async throws {
        let server = try await LabServer.start(.good)
        let script: [ScriptedPeer.Answer] = [
            .init(bytes: [5, 2], after: 4, dribbles: true), .init(bytes: [1, 0], after: 11, dribbles: true),
            .init(bytes: HostileProxy.open, after: 7 + server.host.description.utf8.count, dribbles: true),
        ]
        let peer = try await ScriptedPeer(script, leadingTo: server.port)
        var probe = TrustProbe(server.certificates.configuration)
        probe.timeout = .seconds(30)
        probe.proxy = .socks5(host: "127.0.0.1", port: peer.port, user: "me", password: "secret")
        let report = try await probe.probe(server.host, port: server.port, requesting: "/")
        #expect(report.response?.status == 200)
        #expect(
            peer.received.starts(with: [5, 2, 0, 2, 1, 2] + Array("me".utf8) + [6] + Array("secret".utf8) + [5, 1]))
        await server.stop()
        await peer.stop()
    }

    @Test("A connection ends in time if the proxy stalls after any byte of its answer", arguments: ProxyKind.allCases)
    func stalls(kind: ProxyKind) async throws {
        let answer: [UInt8] =
            kind == .http ? Array("HTTP/1.1 200 OK\r\na: b\r\n\r\n".utf8) : HostileProxy.open
        try await withThrowingTaskGroup(of: Void.self) { group in
            for count in 0..<answer.count {
                group.addTask {
                    let last = ScriptedPeer.Answer(bytes: Array(answer.prefix(count)), after: 3)
                    let script = kind == .http ? [last] : [.init(bytes: [5, 0], after: 3), last]
                    let peer = try await ScriptedPeer(script)
                    let error = try await probe(peer, kind, .milliseconds(300))
                    #expect(error?.isOfProxy == true, "\(count)")
                    while peer.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
                    await peer.stop()
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("An answer that arrives byte by byte still opens the tunnel", arguments: ProxyKind.allCases)
    func dribble(kind: ProxyKind) async throws {
        let server = try await LabServer.start(.good)
        let target = "\(server.host):\(server.port)"
        let request = "CONNECT \(target) HTTP/1.1\r\nhost: \(target)\r\n\r\n"
        let script: [ScriptedPeer.Answer] =
            kind == .http
            ? [.init(bytes: Array("HTTP/1.1 200 OK\r\na: b\r\n\r\n".utf8), after: request.utf8.count, dribbles: true)]
            : [
                .init(bytes: [5, 0], after: 3, dribbles: true),
                .init(bytes: HostileProxy.open, after: 7 + server.host.description.utf8.count, dribbles: true),
            ]
        let peer = try await ScriptedPeer(script, leadingTo: server.port)
        var probe = TrustProbe(server.certificates.configuration)
        probe.timeout = .seconds(30)
        probe.proxy = kind.proxy(peer.port)
        let report = try await probe.probe(server.host, port: server.port, requesting: "/")
        #expect(report.response?.status == 200)
        await server.stop()
        await peer.stop()
    }
}
