// SPDX-License-Identifier: Apache-2.0

import GRDB
import Testing

@testable import ServerTrust
@testable import ServerTrustCache

/// Entry validators, and the size stored in the file.
@Suite struct ValidatorTests {
    private static let resource = TrustResource(.crl, url: "http://crl.example.com/ca.crl")

    private func entry(_ bytes: [UInt8], _ tag: String?) -> TrustResourceEntry {
        var entry = TrustResourceEntry(
            resource: Self.resource, bytes: bytes, fetched: Time(secondsSinceEpoch: 1_795_000_000),
            maximumAge: .seconds(60))
        entry.validators = TrustResourceValidators(entityTag: tag, modified: nil)
        return entry
    }

    @Test("The cache stores, replaces and removes validators together with their entry") func kept() async throws {
        let scene = try CacheScene()
        let cache = try scene.open()
        try await cache.store(entry([1], "\"a\""))
        #expect(try await cache.entry(for: Self.resource)?.validators?.entityTag == "\"a\"")
        #expect(try await scene.open().entry(for: Self.resource) == entry([1], "\"a\""))
        try await cache.store(entry([2], nil))
        #expect(try await cache.entry(for: Self.resource) == entry([2], nil))
        try await cache.store(entry([3], "\"b\""))
        try await cache.remove(Self.resource)
        let left = try await DatabaseQueue(path: scene.file).read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM validator")
        }
        #expect(left == 0)
    }

    @Test(
        "Validators that were changed, or that belong to other bytes, don't count",
        arguments: [
            "UPDATE validator SET entityTag = '\"x\"'",
            "UPDATE validator SET modified = 'Sun, 06 Nov 1994 08:49:37 GMT'",
            "UPDATE validator SET digest = x'00'", "UPDATE validator SET digest = 'text'",
            "UPDATE validator SET entityTag = x'ff'", "DELETE FROM validator",
        ])
    func changed(sql: String) async throws {
        let scene = try CacheScene()
        try await scene.open().store(entry([1], "\"a\""))
        try await DatabaseQueue(path: scene.file).write { try $0.execute(sql: sql) }
        #expect(try await scene.open().entry(for: Self.resource) == entry([1], nil))
    }

    @Test("A size stored in the file applies to every process that opens it with a smaller one")
    func reserved() async throws {
        let scene = try CacheScene()
        try await SQLiteTrustCache(file: scene.file) { _ in }.reserve(1 << 20)
        let small = try SQLiteTrustCache(file: scene.file, maximumBytes: 1000) { _ in }
        #expect(try await small.reservedBytes == 1 << 20)
        try await small.store(entry([UInt8](repeating: 1, count: 5000), nil))
        #expect(try await small.entry(for: Self.resource) != nil)
        try await small.reserve(0)
        try await small.store(entry([UInt8](repeating: 1, count: 5000), nil))
        #expect(try await small.entry(for: Self.resource) == nil)
    }
}
