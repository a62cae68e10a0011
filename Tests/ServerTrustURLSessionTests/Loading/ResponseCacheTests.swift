// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import FoundationNetworking
import Testing

@testable import ServerTrustURLSession

@Suite("The entries of a cache")
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

    @Test("Entries that were stored several times are dropped like others")
    func storedTwice() throws {
        for _ in 0..<3 { try store("/a") }
        try store("/b", size: 10_000)
        #expect(cache.currentMemoryUsage > 10_000)
        cache.memoryCapacity = 0
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test("Entries that are stored at the same time are dropped like others")
    func storedTogether() throws {
        DispatchQueue.concurrentPerform(iterations: 64) { _ in try? store("/a") }
        try store("/b", size: 10_000)
        cache.memoryCapacity = 0
        #expect(cache.currentMemoryUsage == 0)
    }
}
