// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServerTrust
import ServerTrustLab
import ServerTrustWebSocket
import Testing

@testable import ServerTrustHTTP

@Suite("Line breaks in a request's head")
struct RequestInjectionTests {
    static let breaks = ["\r\n", "\n", "\r", "\u{0}", "\r\n\r\nGET /other HTTP/1.1\r\nhost: other.lab.test\r\n\r\n"]

    /// Changes that insert text, after a secret, into one part of a request's head.
    static let changes: [@Sendable (inout HTTPClientRequest, String) -> Void] = [
        { $0.method = HTTPMethod(rawValue: "GET\($1)x: y") }, { $0.method = HTTPMethod(rawValue: $1) },
        { $0.headers.add(name: "x\($1)y", value: "z") }, { $0.headers.add(name: $1, value: "z") },
        { $0.headers.add(name: "x", value: "secret\($1)y: z") },
        { $0.headers.add(name: "authorization", value: "Bearer secret\($1)") },
        { $0.headers.add(name: "host", value: "api.lab.test\($1)x: y") },
    ]

    @Test(
        "The client doesn't connect if a method or field contains a line break or zero byte, over HTTP/1.1 and HTTP/2",
        arguments: changes.indices, [HTTPClient.Configuration.HTTPVersion.http1Only, .automatic])
    func parts(index: Int, version: HTTPClient.Configuration.HTTPVersion) async throws {
        let scene = try Scene { $0.httpVersion = version }
        try await scene.run({ _ in [.answer(200)] }) { client, server in
            for text in Self.breaks {
                var request = HTTPClientRequest(url: scene.url(server.port))
                Self.changes[index](&request, text)
                let error = await failure { [request] in try await client.execute(request, timeout: .seconds(60)) }
                #expect((error as? TrustedHTTPError)?.code == .requestMalformed, "\(String(describing: error))")
                #expect(!String(describing: error).contains("secret"))
            }
            #expect(server.connections == 0)
        }
    }

    @Test("Field names must be tokens, but values can contain tabs and non-ASCII bytes")
    func tokens() async throws {
        let scene = try Scene { $0.httpVersion = .http1Only }
        try await scene.run({ _ in [.answer(200)] }) { client, server in
            for name in ["", "a b", "a:", "a(b)", ":method"] {
                var request = HTTPClientRequest(url: scene.url(server.port))
                request.headers.add(name: name, value: "b")
                let error = await failure { [request] in try await client.execute(request, timeout: .seconds(60)) }
                #expect((error as? TrustedHTTPError)?.code == .requestMalformed, "\(name)")
            }
            #expect(server.connections == 0)
            var request = HTTPClientRequest(url: scene.url(server.port))
            request.method = HTTPMethod(rawValue: "M-SEARCH")
            request.headers.add(name: "x!#$%&'*+-.^_`|~9", value: "a\tb \u{e4}")
            let response = try await client.execute(request, timeout: .seconds(60))
            #expect(response.status == .ok)
        }
    }

    @Test("The client doesn't connect if a URL contains a line break or zero byte", arguments: breaks)
    func target(text: String) async throws {
        let scene = try Scene()
        try await scene.run({ _ in [.answer(200)] }) { client, server in
            for path in ["/\(text)", "/a?b=\(text)", "/a#\(text)", text] {
                let error = await failure { try await client.text(scene.url(server.port, path)) }
                #expect((error as? TrustedHTTPError)?.code == .requestMalformedURL, "\(String(describing: error))")
            }
            #expect(server.connections == 0)
        }
    }

    @Test("The client doesn't connect if a WebSocket request contains a line break or zero byte", arguments: breaks)
    func webSocket(text: String) async throws {
        let scene = try Scene()
        try await scene.run({ _ in [.answer(200)] }) { client, server in
            let sockets = try TrustedWebSocketClient(trust: scene.trust)
            let url = "wss://\(scene.certificates.host):\(server.port)/"
            let rows: [(url: String, protocols: [String], headers: HTTPHeaders, reason: ErrorCode)] = [
                (url + text, [], [:], .webSocketUnusableURL), (url, ["v1\(text)"], [:], .webSocketUnusableField),
                (url, [], ["x\(text)": "y"], .webSocketUnusableField),
                (url, [], ["x": "secret\(text)y"], .webSocketUnusableField),
            ]
            for row in rows {
                let error = await failure {
                    try await sockets.withConnection(
                        to: row.url, protocols: row.protocols, headers: row.headers, connectingTo: "127.0.0.1"
                    ) { _ in }
                }
                #expect((error as? WebSocketError)?.code == row.reason)
                #expect(!String(describing: error).contains("secret"))
            }
            #expect(server.connections == 0)
        }
    }
}
