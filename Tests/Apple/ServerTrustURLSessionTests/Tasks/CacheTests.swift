// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrustTesting
import ServerTrustURLSession
import Testing

@Suite("The cache", .enabled(if: EchoServer.isAvailable))
struct CacheTests {
    private let server: EchoServer
    private let cache = URLCache(memoryCapacity: 10 << 20, diskCapacity: 0, diskPath: nil)

    init() throws { server = try EchoServer.shared.get() }

    private func session(delegate: (any URLSessionDelegate)? = nil) throws -> URLSession {
        let cache = cache
        return try server.session(delegate: delegate) { $0.urlCache = cache }
    }

    /// Returns the number of requests, as the server counts them.
    private func count(
        _ session: URLSession, _ path: String, _ policy: URLRequest.CachePolicy = .useProtocolCachePolicy,
        fields: [String: String] = [:]
    ) async throws -> Int {
        var request = URLRequest(url: server.url(path), cachePolicy: policy)
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return try EchoServer.echo(await session.data(for: request).0).count
    }

    @Test(
        "The cache returns fresh responses and revalidates others",
        arguments: [
            ("/cache1?control=max-age=60", [1, 1, 1]), ("/cache2?control=no-store", [1, 2, 3]),
            ("/cache3", [1, 2, 3]), ("/cache4?control=max-age=0&etag=x", [1, 1, 1]),
            ("/cache5?control=no-cache", [1, 2, 3]),
        ])
    func protocolPolicy(path: String, counts: [Int]) async throws {
        let session = try session()
        var found: [Int] = []
        for _ in counts { found.append(try await count(session, path)) }
        #expect(found == counts)
    }

    @Test("The request's cache policy decides whether the cache is used")
    func policies() async throws {
        let session = try session()
        let path = "/cache6?control=max-age=60"
        #expect(
            await session.failure(URLRequest(url: server.url(path), cachePolicy: .returnCacheDataDontLoad))?.code
                == .resourceUnavailable)
        #expect(try await count(session, path) == 1)
        #expect(try await count(session, path, .returnCacheDataDontLoad) == 1)
        #expect(try await count(session, path, .reloadIgnoringLocalCacheData) == 2)
        #expect(try await count(session, path, .returnCacheDataElseLoad) == 2)
    }

    @Test("The cache stores only responses that the delegate wants stored")
    func delegate() async throws {
        let delegate = ScriptedDelegate()
        delegate.onCaching = { _ in nil }
        let session = try session(delegate: delegate)
        #expect(try await count(session, "/cache7?control=max-age=60") == 1)
        #expect(try await count(session, "/cache7?control=max-age=60") == 2)
    }

    @Test("A session doesn't use entries that other code put into the cache")
    func foreign() async throws {
        let path = "/cache8?control=max-age=60"
        let request = URLRequest(url: server.url(path))
        let response = try #require(
            HTTPURLResponse(
                url: server.url(path), statusCode: 200, httpVersion: nil,
                headerFields: ["Cache-Control": "max-age=600"]))
        cache.storeCachedResponse(CachedURLResponse(response: response, data: Data("planted".utf8)), for: request)
        #expect(try await count(session(), path) == 1)
        // It doesn't use another session's entries either, because that session's rules might have been weaker.
        #expect(try await count(session(), path) == 2)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let query: String
        /// The field that identifies the user.
        let field: String
        /// The request counts for users a, b, b, a and one without the field.
        let counts: [Int]
    }

    static let rows: [Row] = [
        Row(
            testDescription: "Authorization and a response that doesn't allow storing it",
            query: "control=max-age=60",
            field: "Authorization", counts: [1, 2, 3, 4, 5]),
        Row(
            testDescription: "Authorization and a public response", query: "control=public,max-age=60",
            field: "Authorization", counts: [1, 2, 2, 3, 4]),
        Row(
            testDescription: "Authorization and must-revalidate", query: "control=must-revalidate,max-age=60",
            field: "Authorization", counts: [1, 2, 2, 3, 4]),
        Row(
            testDescription: "Authorization and s-maxage", query: "control=s-maxage=60,max-age=60",
            field: "Authorization", counts: [1, 2, 2, 3, 4]),
        Row(
            testDescription: "Authorization and a validator", query: "control=public,max-age=0&etag=x",
            field: "Authorization", counts: [1, 2, 2, 4, 5]),
        Row(testDescription: "a cookie", query: "control=max-age=60", field: "Cookie", counts: [1, 2, 2, 3, 4]),
        Row(
            testDescription: "a cookie and a public response", query: "control=public,max-age=60", field: "Cookie",
            counts: [1, 1, 1, 1, 1]),
        Row(
            testDescription: "a cookie in a public response's Vary",
            query: "control=public,max-age=60&vary=Cookie",
            field: "Cookie", counts: [1, 2, 2, 3, 4]),
        Row(
            testDescription: "a field that the response varies by", query: "control=max-age=60&vary=accept,X-User",
            field: "X-User", counts: [1, 2, 2, 3, 4]),
        Row(
            testDescription: "a field that the response doesn't vary by", query: "control=max-age=60&vary=Accept",
            field: "X-User", counts: [1, 1, 1, 1, 1]),
        Row(
            testDescription: "a response that varies by everything", query: "control=max-age=60&vary=*",
            field: "X-User",
            counts: [1, 2, 3, 4, 5]),
    ]

    @Test("A cached response applies only to requests with the same credentials and header fields", arguments: rows)
    func users(row: Row) async throws {
        let session = try session()
        let path = "/cache-users-\(UUID().uuidString)?\(row.query)"
        var found: [Int] = []
        for user in ["a", "b", "b", "a", nil] {
            found.append(try await count(session, path, fields: user.map { [row.field: "u=\($0)"] } ?? [:]))
        }
        #expect(found == row.counts)
    }

    @Test(
        "Even a policy that prefers the cache doesn't return another user's response",
        arguments: ["Authorization", "Cookie"])
    func preferred(field: String) async throws {
        let session = try session()
        let path = "/cache-preferred-\(field)?control=must-revalidate,max-age=60"
        #expect(try await count(session, path, fields: [field: "u=a"]) == 1)
        #expect(try await count(session, path, .returnCacheDataElseLoad, fields: [field: "u=b"]) == 2)
        var request = URLRequest(url: server.url(path), cachePolicy: .returnCacheDataDontLoad)
        request.setValue("u=a", forHTTPHeaderField: field)
        #expect(await session.failure(request)?.code == .resourceUnavailable)
    }

    @Test("A cached response is also bound to credentials from a challenge")
    func challenged() async throws {
        let users = Locked(["a", "b"])
        let delegate = ScriptedDelegate()
        delegate.onTask = { challenge in
            guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic else {
                return (.performDefaultHandling, nil)
            }
            let user = users.withLock { $0.isEmpty ? "b" : $0.removeFirst() }
            return (
                .useCredential,
                URLCredential(user: user, password: "secret", persistence: user == "a" ? .none : .forSession)
            )
        }
        let session = try session(delegate: delegate)
        let path = "/cache-realm?realm=r&control=public,max-age=60"
        // A challenge and a response each, then the response for the user whose credentials the session keeps.
        #expect(try await count(session, path) == 2)
        #expect(try await count(session, path) == 4)
        #expect(try await count(session, path) == 4)
        #expect(try await count(session, path, fields: ["Authorization": "Basic other"]) == 5)
    }

    @Test("A cached response applies only to its own path and query")
    func addresses() async throws {
        let session = try session()
        let path = "/cache-address"
        func answered(_ target: String) async throws -> String {
            try EchoServer.echo(await session.data(from: server.url(target)).0).path
        }
        for target in ["?control=max-age=60&of=a", "?control=max-age=60&of=b", "/?control=max-age=60&of=a"] {
            #expect(try await answered(path + target) == path + target)
            #expect(try await answered(path + target + "#part") == path + target)
        }
        var request = URLRequest(
            url: server.url(path + "?control=max-age=60&of=c"), cachePolicy: .returnCacheDataDontLoad)
        #expect(await session.failure(request)?.code == .resourceUnavailable)
        request.url = server.url(path + "/?control=max-age=60&of=a")
        #expect(try await session.data(for: request).0.isEmpty == false)
    }

    @Test("A request that changes a resource drops its cached response, even if the server redirects back to its URL")
    func changed() async throws {
        let session = try session()
        let path = "/cache-form?control=max-age=60&see=other"
        #expect(try await count(session, path) == 1)
        #expect(try await count(session, path) == 1)
        var request = URLRequest(url: server.url(path))
        request.httpMethod = "POST"
        request.httpBody = Data("x".utf8)
        // One request for the change, and one for the new response.
        #expect(try EchoServer.echo(await session.data(for: request).0).count == 3)
        #expect(try await count(session, path) == 3)
    }

    @Test(
        "A revalidated response gets the new fields, and is dropped if they forbid storing it",
        arguments: [("no-store", [1, 1, 3]), ("max-age=0", [1, 1, 1])])
    func updated(later: String, counts: [Int]) async throws {
        let session = try session()
        let url = server.url("/cache-later?control=max-age=0&etag=x&later=\(later)")
        var found: [Int] = []
        for _ in counts {
            let (data, response) = try await session.data(from: url)
            found.append(try EchoServer.echo(data).count)
            let control = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Cache-Control")
            #expect(control == (found.count == 2 || found == [1, 1, 1] ? later : "max-age=0"))
        }
        #expect(found == counts)
    }

    @Test("A revalidated response is returned even if the server repeats the content coding")
    func coding() async throws {
        let session = try session()
        let path = "/cache-coding?control=max-age=0&etag=x&coding=gzip"
        #expect(try await count(session, path) == 1)
        #expect(try await count(session, path) == 1)
    }
}
