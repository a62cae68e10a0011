// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO
import ServerTrustWebSocket
import Testing

@testable import ServerTrustHTTP

@Suite("Proxies with hostile answers to CONNECT", .timeLimit(.minutes(10)))
struct HostileTunnelTests {
    static let answers = [
        "HTTP/1.1 000 Zero\r\n\r\n", "HTTP/1.1 000 Zero\r\ncontent-length: 5\r\n\r\nhello",
        "HTTP/1.1 042 Early\r\n\r\n",
        "HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 000 Zero\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 407 Login\r\ncontent-length: 0\r\n\r\nHTTP/1.1 407 Login\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nnot TLS", "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 204 None\r\n\r\nnot TLS",
        "HTTP/1.1 99999 Many\r\n\r\n", "HTTP/0.9 200 OK\r\n\r\n", "not HTTP\r\n\r\n", "\r\n\r\n", "",
    ]

    /// Returns the answer in one packet, and then ends the connection.
    private static func proxy(_ answer: String) async throws -> ScriptedServer {
        try await ScriptedServer.start(nil) { _ in [.send(answer), .wait(.milliseconds(20)), .cut] }
    }

    @Test("Each client reports an error", arguments: answers, [false, true])
    func clients(answer: String, isHTTP2: Bool) async throws {
        let scene = try HTTP2Scene()
        let proxy = try await Self.proxy(answer)
        let url = "https://\(HTTP2Scene.name)/"
        var gated = try scene.gated()
        gated.httpVersion = isHTTP2 ? .automatic : .http1Only
        gated.dnsOverride = [:]
        gated.proxy = .server(host: "127.0.0.1", port: proxy.port)
        let client = HTTPClient(configuration: gated)
        for _ in 0..<2 {
            let error = await failure { try await client.expectAnswer(at: url, within: .seconds(10)) }
            #expect(error != nil)
        }
        try await client.shutdown()

        var settings = scene.configuration
        settings.httpVersion = isHTTP2 ? .automatic : .http1Only
        settings.dnsOverride = [:]
        settings.proxy = .always(ConnectionProxy.http(host: "127.0.0.1", port: proxy.port))
        let trusted = try TrustedHTTPClient(trust: scene.trust, configuration: settings)
        let error = await failure { try await trusted.text(url) }
        #expect(error is ConnectionFailure, "\(String(describing: error))")
        await trusted.shutdown()

        var sockets = try TrustedWebSocketClient(trust: scene.trust)
        sockets.proxy = .http(host: "127.0.0.1", port: proxy.port)
        let failed = await failure { [sockets] in
            try await sockets.withConnection(to: "wss://\(HTTP2Scene.name)/") { _ in }
        }
        #expect(failed is ConnectionFailure, "\(String(describing: failed))")
        await proxy.stop()
    }
}
