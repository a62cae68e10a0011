// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
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

    /// The number of requests, counted by the server.
    private func count(
        _ session: URLSession, _ path: String, _ policy: URLRequest.CachePolicy = .useProtocolCachePolicy
    ) async throws -> Int {
        let request = URLRequest(url: server.url(path), cachePolicy: policy)
        return try EchoServer.echo(await session.data(for: request).0).count
    }

    @Test(
        "The cache answers what is fresh, and asks about what may have changed",
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

    @Test("The cache is used or not as the request says")
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

    @Test("The cache keeps nothing that the delegate doesn't want kept")
    func delegate() async throws {
        let delegate = ScriptedDelegate()
        delegate.onCaching = { _ in nil }
        let session = try session(delegate: delegate)
        #expect(try await count(session, "/cache7?control=max-age=60") == 1)
        #expect(try await count(session, "/cache7?control=max-age=60") == 2)
    }

    @Test("The cache has nothing for a session that others have put there")
    func foreign() async throws {
        let path = "/cache8?control=max-age=60"
        let request = URLRequest(url: server.url(path))
        let response = try #require(
            HTTPURLResponse(
                url: server.url(path), statusCode: 200, httpVersion: nil,
                headerFields: ["Cache-Control": "max-age=600"]))
        cache.storeCachedResponse(CachedURLResponse(response: response, data: Data("planted".utf8)), for: request)
        #expect(try await count(session(), path) == 1)
        // Nor another session's entries, which may have asked less of the server.
        #expect(try await count(session(), path) == 2)
    }
}
