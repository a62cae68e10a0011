// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import FoundationNetworking
import NIOHTTP1
import Testing

@testable import ServerTrustURLSession

@Suite("Cache entries")
struct ResponseCacheTests {
    private let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)

    private func store(_ path: String, size: Int = 1000) throws {
        let url = try #require(URL(string: "https://api.lab.test\(path)"))
        let response = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil, headerFields: ["Cache-Control": "max-age=60"]))
        let client = CacheClient(fields: [:], password: nil, certificates: [])
        try #require(ResponseCache(cache, scope: "test", for: client, at: url))
            .store(CachedURLResponse(response: response, data: Data(count: size)), for: URLRequest(url: url))
    }

    @Test("The cache evicts entries that were stored several times like any others")
    func storedTwice() throws {
        for _ in 0..<3 { try store("/a") }
        try store("/b", size: 10_000)
        #expect(cache.currentMemoryUsage > 10_000)
        cache.memoryCapacity = 0
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test("The cache evicts entries that were stored at the same time like any others")
    func storedTogether() throws {
        DispatchQueue.concurrentPerform(iterations: 64) { _ in try? store("/a") }
        try store("/b", size: 10_000)
        cache.memoryCapacity = 0
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test("A 304 response replaces the fields it contains, except for fields about the body")
    func updated() throws {
        let url = try #require(URL(string: "https://api.lab.test/"))
        let old = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil,
                headerFields: [
                    "Cache-Control": "max-age=60", "Content-Type": "text/plain", "ETag": "x", "X-Old": "1",
                ]))
        let cached = CachedURLResponse(response: old, data: Data("text".utf8))
        let updated = ResponseCache.updated(
            cached, by: ["cache-control": "no-store", "content-type": "text/html", "content-length": "0", "etag": "y"])
        let response = try #require(updated.response as? HTTPURLResponse)
        #expect(response.statusCode == 200 && response.url == url && updated.data == Data("text".utf8))
        #expect(
            ["Cache-Control", "Content-Type", "ETag", "X-Old", "Content-Length"].map {
                response.value(forHTTPHeaderField: $0)
            } == ["no-store", "text/plain", "y", "1", nil])
    }
}
