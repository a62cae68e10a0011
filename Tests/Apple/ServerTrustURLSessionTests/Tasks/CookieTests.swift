// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import ServerTrustURLSession
import Testing

@Suite("A session's cookies", .enabled(if: EchoServer.isAvailable))
struct CookieTests {
    private let server: EchoServer
    private let storage: HTTPCookieStorage
    private let session: URLSession

    init() throws {
        server = try EchoServer.shared.get()
        session = try server.session()
        storage = try #require(session.configuration.httpCookieStorage)
    }

    /// Makes the server set cookies.
    private func set(_ cookies: String..., at path: String = "/cookie") async throws {
        let text = cookies.joined(separator: "|").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        _ = try await session.data(from: server.url("\(path)?set=\(text)"))
    }

    /// Returns the cookies that the server receives.
    private func sent(_ path: String, _ change: (inout URLRequest) -> Void = { _ in }) async throws -> String? {
        var request = URLRequest(url: server.url(path))
        change(&request)
        return try EchoServer.echo(await session.data(for: request).0).headers["cookie"]
    }

    private var stored: [String: HTTPCookie] {
        Dictionary((storage.cookies ?? []).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    @Test("The session sends a cookie to its path and subpaths")
    func path() async throws {
        try await set("a=1; Path=/x")
        #expect(try await sent("/x") == "a=1")
        #expect(try await sent("/x/y") == "a=1")
        #expect(try await sent("/xy") == nil)
        #expect(try await sent("/") == nil)
    }

    @Test("The session sends a cookie without a path to the folder of the request that received it")
    func defaultPath() async throws {
        try await set("a=1", at: "/folder/cookie")
        #expect(stored["a"]?.path == "/folder")
        #expect(try await sent("/folder/page") == "a=1")
        #expect(try await sent("/other") == nil)
    }

    @Test("Cookies with longer paths come first")
    func order() async throws {
        try await set("a=1; Path=/", "b=2; Path=/x/y", "c=3; Path=/x")
        #expect(try await sent("/x/y/z") == "b=2; c=3; a=1")
    }

    @Test(
        "A past expiration date removes the stored cookie",
        arguments: [
            "Max-Age=0", "Max-Age=-1", "Expires=Thu, 01 Jan 1970 00:00:00 GMT", "expires=Thu, 01-Jan-70 00:00:01 GMT",
            "Max-Age=0; Expires=Tue, 01 Jan 2999 00:00:00 GMT",
        ])
    func deletion(end: String) async throws {
        try await set("a=1; Path=/", "b=1; Path=/")
        #expect(Set(stored.keys) == ["a", "b"])
        try await set("a=2; Path=/; \(end)")
        #expect(Set(stored.keys) == ["b"])
        #expect(try await sent("/echo") == "b=1")
    }

    @Test("A domain can have as many cookies as in a browser, and the session removes the oldest")
    func number() async throws {
        for name in ["a", "b"] {
            try await set((0..<100).map { "\(name)\($0)=1; Path=/" }.joined(separator: "|"))
        }
        #expect(stored.count == 180)
        #expect(stored.keys.count { $0.hasPrefix("b") } == 100)
        // More than the limit in one response.
        try await set((0..<200).map { "c\($0)=1; Path=/" }.joined(separator: "|"))
        #expect(stored.count == 180)
        #expect(Set(stored.keys) == Set((20..<200).map { "c\($0)" }))
    }

    @Test("Max-Age overrides Expires, and a cookie without either lasts for the session")
    func lifetime() async throws {
        try await set(
            "a=1; Path=/; Max-Age=600; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "b=1; Path=/",
            "c=1; Path=/; Expires=Tue, 01 Jan 2999 00:00:00 GMT")
        let end = try #require(stored["a"]?.expiresDate).timeIntervalSinceNow
        #expect(end > 0 && end <= 600)
        #expect(stored["b"]?.expiresDate == nil && stored["b"]?.isSessionOnly == true)
        #expect(stored["c"]?.expiresDate == Date(timeIntervalSince1970: 32_472_144_000))
        #expect(stored["c"]?.isSessionOnly == false)
    }

    @Test("The session doesn't send an expired cookie, even if the storage still has it")
    func expired() async throws {
        var end = Date()
        // The storage rejects an expired cookie, which can happen on a machine that pauses here.
        while stored["a"] == nil {
            end = Date(timeIntervalSinceNow: 0.3)
            storage.setCookie(
                try #require(
                    HTTPCookie(properties: [
                        .name: "a", .value: "1", .path: "/", .domain: "api.lab.test", .expires: end,
                    ])))
        }
        while Date() <= end { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try await sent("/echo") == nil)
        #expect(stored["a"] != nil)
    }

    @Test("Secure, HttpOnly and the domain are stored as Foundation stores them")
    func attributes() async throws {
        try await set("a=1; Path=/; Secure; HttpOnly; Domain=lab.test", "b=1; Path=/", "__Host-c=1; Path=/")
        #expect(stored["a"]?.isSecure == true && stored["a"]?.isHTTPOnly == true)
        #expect(stored["a"]?.domain == ".lab.test")
        #expect(stored["b"]?.isSecure == false && stored["b"]?.domain == "api.lab.test")
        #expect(stored["__Host-c"] == nil)
        #expect(Set(try await sent("/echo")?.components(separatedBy: "; ") ?? []) == ["a=1", "b=1"])
    }

    @Test("The session doesn't send a cookie for a public suffix, even if other software stored it")
    func suffix() async throws {
        for domain in [".test", ".lab.test", "test"] {
            storage.setCookie(
                try #require(
                    HTTPCookie(properties: [
                        .name: domain.filter { $0 != "." }, .value: "1", .path: "/", .domain: domain,
                    ])))
        }
        #expect(try await sent("/echo") == "labtest=1")
    }

    @Test("The session replaces cookies that Foundation put into a request")
    func chosenAnew() async throws {
        try await set("a=1; Path=/x")
        let task = session.dataTask(with: server.url("/echo"))
        #expect(task.currentRequest?.value(forHTTPHeaderField: "Cookie") == "a=1")
        task.cancel()
        #expect(try await sent("/echo") == nil)
        #expect(try await sent("/x") { $0.httpShouldHandleCookies = false } == nil)
    }

    @Test("The app's own cookie field is sent if the storage has no cookie for the host")
    func own() async throws {
        #expect(try await sent("/echo") { $0.setValue("own=1", forHTTPHeaderField: "Cookie") } == "own=1")
        let unhandled = try await sent("/echo") {
            $0.setValue("own=1", forHTTPHeaderField: "Cookie")
            $0.httpShouldHandleCookies = false
        }
        #expect(unhandled == "own=1")
    }
}
