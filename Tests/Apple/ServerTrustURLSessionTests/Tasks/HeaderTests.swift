// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import ServerTrustTesting
import ServerTrustURLSession
import Testing

@Suite("Headers and cookies", .enabled(if: EchoServer.isAvailable))
struct HeaderTests {
    private let server: EchoServer

    init() throws { server = try EchoServer.shared.get() }

    private func headers(_ session: URLSession, _ request: URLRequest) async throws -> [String: String] {
        try EchoServer.echo(await session.data(for: request).0).headers
    }

    @Test("The session sends the configuration's headers unless the request's headers replace them")
    func additional() async throws {
        let session = try server.session { $0.httpAdditionalHeaders = ["X-One": "configured", "X-Two": "2"] }
        var request = URLRequest(url: server.url("/echo"))
        request.setValue("own", forHTTPHeaderField: "x-one")
        let headers = try await headers(session, request)
        #expect(headers["x-one"] == "own")
        #expect(headers["x-two"] == "2")
        #expect(headers["host"] == "api.lab.test:\(server.port)")
    }

    @Test("User-Agent and Accept-Language are Foundation's, even after a redirect, unless the app sets them")
    func usual() async throws {
        let plain = try PlainServer()
        _ = try await URLSession(configuration: .ephemeral).data(from: plain.url)
        let expected = try #require(plain.headers)
        #expect(expected["user-agent"]?.contains(" curl/") == true)
        for path in ["/echo", "/redirect?to=/echo"] {
            let found = try await headers(server.session(), URLRequest(url: server.url(path)))
            #expect(found["user-agent"] == expected["user-agent"])
            #expect(found["accept-language"] == expected["accept-language"])
        }
        let session = try server.session { $0.httpAdditionalHeaders = ["User-Agent": "mine"] }
        var request = URLRequest(url: server.url("/echo"))
        request.setValue("", forHTTPHeaderField: "Accept-Language")
        let own = try await headers(session, request)
        #expect(own["user-agent"] == "mine")
        #expect(own["accept-language"] == "")
    }

    @Test("The app can't set headers that frame the message")
    func framing() async throws {
        var request = URLRequest(url: server.url("/echo"))
        request.httpMethod = "POST"
        request.httpBody = Data("hello".utf8)
        request.setValue("3", forHTTPHeaderField: "Content-Length")
        request.setValue("chunked", forHTTPHeaderField: "Transfer-Encoding")
        let echo = try EchoServer.echo(await server.session().data(for: request).0)
        #expect(echo.length == 5)
        #expect(echo.headers["transfer-encoding"] == nil)
    }

    @Test("Header names have the form that Foundation reads, and fields with the same name are joined")
    func names() async throws {
        let (_, response) = try await server.session().data(from: server.url("/cache?etag=x&control=no-store"))
        let http = try #require(response as? HTTPURLResponse)
        let fields = http.allHeaderFields
        #expect(http.value(forHTTPHeaderField: "etag") == "x")
        #expect(fields["Cache-Control"] as? String == "no-store")
        #expect(fields["Content-Length"] as? String != nil)
    }

    @Test("The session stores cookies, and sends them with the next request and during redirects")
    func cookies() async throws {
        let storage = HTTPCookieStorage.shared
        let name = "c" + UUID().uuidString.filter { $0 != "-" }
        let session = try server.session { $0.httpCookieStorage = storage }
        _ = try await session.data(from: server.url("/cookie?set=\(name)=1;Path=/%7C\(name)2=2;Path=/"))
        let next = try await headers(session, URLRequest(url: server.url("/echo")))["cookie"] ?? ""
        #expect(next.contains("\(name)=1") && next.contains("\(name)2=2"))
        let redirected = try await headers(session, URLRequest(url: server.url("/redirect?to=/echo")))["cookie"] ?? ""
        #expect(redirected.contains("\(name)=1"))
        for cookie in storage.cookies ?? [] where cookie.name.hasPrefix(name) { storage.deleteCookie(cookie) }
    }

    @Test("The session doesn't store or send cookies if the configuration or the request says so")
    func noCookies() async throws {
        let storage = HTTPCookieStorage.shared
        let name = "n" + UUID().uuidString.filter { $0 != "-" }
        for set: (URLSessionConfiguration) -> Void in [
            { $0.httpShouldSetCookies = false }, { $0.httpCookieAcceptPolicy = .never }, { $0.httpCookieStorage = nil },
        ] {
            let session = try server.session {
                $0.httpCookieStorage = storage
                set($0)
            }
            _ = try await session.data(from: server.url("/cookie?set=\(name)=1;Path=/"))
            #expect(storage.cookies?.contains { $0.name == name } != true)
        }
    }

    @Test("The session doesn't store cookies from the response to a request that declines cookies")
    func unwantedCookies() async throws {
        let storage = HTTPCookieStorage.shared
        let name = "u" + UUID().uuidString.filter { $0 != "-" }
        let session = try server.session { $0.httpCookieStorage = storage }
        var request = URLRequest(url: server.url("/cookie?set=\(name)=1;Path=/"))
        request.httpShouldHandleCookies = false
        _ = try await session.data(for: request)
        #expect(storage.cookies?.contains { $0.name == name } != true)
    }

    @Test(
        "The session doesn't store cookies for a foreign domain",
        arguments: ["evil.test", "test", ".test", "other.api.lab.test", "i.lab.test"])
    func foreign(domain: String) async throws {
        let storage = HTTPCookieStorage.shared
        let name = "f" + UUID().uuidString.filter { $0 != "-" }
        let session = try server.session { $0.httpCookieStorage = storage }
        _ = try await session.data(from: server.url("/cookie?set=\(name)=1;Path=/;Domain=\(domain)"))
        #expect(storage.cookies?.contains { $0.name == name } != true)
    }
}
