// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustCache

@Suite struct SQLiteTrustCacheTests {
    @Test("Every process that opens the file finds a stored entry")
    func whatIsStoredIsFoundByWhoeverOpensTheFile() async throws {
        let scene = try CacheScene()
        let first = try scene.open()
        let entry = TrustResourceEntry.numbered(1, size: 100_000, age: .seconds(60))
        let posted = TrustResourceEntry(
            resource: TrustResource(.ocsp, url: entry.resource.url, request: [1, 2]), bytes: [3],
            fetched: Time(secondsSinceEpoch: -1))
        try await first.store(entry)
        try await first.store(posted)
        for cache in [first, try scene.open()] {
            #expect(try await cache.entry(for: entry.resource) == entry)
            #expect(try await cache.entry(for: posted.resource) == posted)
            let others = [
                TrustResource(.ocsp, url: entry.resource.url), TrustResource(.issuer, url: entry.resource.url),
                TrustResource(.ocsp, url: entry.resource.url, request: [1, 3]), .numbered(2),
            ]
            for other in others { #expect(try await cache.entry(for: other) == nil) }
        }
    }

    @Test("A newer entry replaces its predecessor") func aNewerEntryTakesThePlaceOfTheOneBefore() async throws {
        let scene = try CacheScene()
        let cache = try scene.open()
        try await cache.store(.numbered(1, size: 100))
        try await cache.store(.numbered(1, size: 200, fetched: 2000))
        #expect(try await cache.entry(for: .numbered(1)) == .numbered(1, size: 200, fetched: 2000))
        #expect(try await cache.summaries().map(\.size) == [200])
        #expect(try await cache.bytes == 200 + 512 + TrustResource.numbered(1).url.utf8.count)
        try await cache.remove(.numbered(1))
        #expect(try await cache.entry(for: .numbered(1)) == nil)
        #expect(try await cache.bytes == 0)
    }

    @Test("A full cache removes the least recently used entries") func whatWasUnusedForLongestGoesWhenItIsFull()
        async throws
    {
        let scene = try CacheScene()
        let cache = try scene.open(maximumBytes: 10_000)
        for number in 0..<4 { try await cache.store(.numbered(number, size: 1800)) }
        #expect(try await cache.entry(for: .numbered(0)) != nil)
        try await cache.store(.numbered(4, size: 1800))
        #expect(try await cache.summaries().map(\.url) == [4, 0, 3, 2].map { TrustResource.numbered($0).url })
        // For a large entry, it removes as many as necessary.
        try await cache.store(.numbered(5, size: 6000))
        #expect(try await cache.summaries().map(\.url) == [5, 4].map { TrustResource.numbered($0).url })
        #expect(try await cache.bytes <= 10_000)
        // The cache doesn't store an entry that is too large by itself, but removes its predecessor.
        try await cache.store(.numbered(5, size: 10_000))
        #expect(try await cache.summaries().map(\.url) == [4].map { TrustResource.numbered($0).url })
    }

    @Test("The file stays within its limits for any number of entries")
    func theFileStaysWithinBoundsHoweverMuchGoesThroughIt() async throws {
        let scene = try CacheScene()
        let cache = try scene.open(maximumBytes: 2 << 20)
        for number in 0..<200 { try await cache.store(.numbered(number, size: 200_000)) }
        let size = try scene.names().reduce(0) { sum, name in
            sum + (try FileManager.default.attributesOfItem(atPath: scene.folder + "/" + name)[.size] as? Int ?? 0)
        }
        // The entries, twice because of the log, and the log's own limit.
        #expect(size < 2 * (2 << 20) + (5 << 20))
        #expect(try await cache.removeAll() == 10)
        #expect(try await cache.bytes == 0)
        #expect(try await cache.summaries().isEmpty)
    }

    @Test("Only the owner can read and write to the files") func theFilesAreTheirOwnersAlone() async throws {
        let scene = try CacheScene()
        let cache = try scene.open()
        try await cache.store(.numbered(1))
        for name in try scene.names() { #expect(try scene.mode(name) == 0o600) }
        #expect(try scene.names() == ["trust.sqlite", "trust.sqlite-shm", "trust.sqlite-wal", "trust.sqlite.lock"])
    }

    @Test("Several connections can write at the same time") func severalConnectionsWriteAtTheSameTime() async throws {
        let scene = try CacheScene()
        let caches = try (0..<4).map { _ in try scene.open() }
        try await withThrowingTaskGroup { group in
            for (index, cache) in caches.enumerated() {
                group.addTask {
                    for number in 0..<50 {
                        try await cache.store(.numbered(index * 50 + number))
                        _ = try await cache.entry(for: .numbered(number))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await caches[0].summaries().count == 200)
        #expect(scene.warnings.isEmpty)
    }
}

@Suite struct DamagedCacheTests {
    @Test("The cache sets a damaged database aside and creates a new one")
    func aDatabaseThatIsDamagedIsSetAsideAndBegunAnew() async throws {
        let scene = try CacheScene()
        let damaged = Data(("SQLite format 3\0 and then nonsense" + String(repeating: "x", count: 5000)).utf8)
        try scene.write(damaged)
        let cache = try scene.open()
        #expect(scene.warnings.count == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene.file + ".damaged")) == damaged)
        try await cache.store(.numbered(1))
        #expect(try await cache.entry(for: .numbered(1)) != nil)
        #expect(try await scene.open().entry(for: .numbered(1)) != nil)
        #expect(scene.warnings.count == 1)
    }

    @Test("The cache sets aside a file that is damaged while it is open")
    func aFileThatIsDamagedWhileItIsOpenIsSetAsideToo()
        async throws
    {
        let scene = try CacheScene()
        do {
            let cache = try scene.open()
            for number in 0..<100 { try await cache.store(.numbered(number, size: 5000)) }
        }
        let (one, other) = (try scene.open(), try scene.open())
        // Past the header, so that the file can still be opened.
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: scene.file))
        try handle.seek(toOffset: 100)
        try handle.write(contentsOf: Data(repeating: 0xee, count: 300_000))
        try handle.close()
        await #expect(throws: TrustResourceCacheError.self) { try await one.store(.numbered(1)) }
        try await one.store(.numbered(1))
        #expect(try await one.entry(for: .numbered(1)) != nil)
        // The other cache uses the same new file, and sets nothing aside a second time.
        await #expect(throws: TrustResourceCacheError.self) { try await other.store(.numbered(2)) }
        try await other.store(.numbered(2))
        #expect(try await one.entry(for: .numbered(2)) != nil)
        #expect(scene.warnings.count == 1)
    }

    @Test(
        "The cache removes an entry that differs from what was stored, with a warning",
        arguments: ["body = x'00'", "fetched = fetched + 1", "maximumAge = 9", "digest = x'00'", "url = 'http://b/'"])
    func anEntryThatIsNotWhatWasStoredIsRemovedAndTold(_ change: String) async throws {
        let scene = try CacheScene()
        let cache = try scene.open()
        try await cache.store(.numbered(1))
        try await DatabaseQueue(path: scene.file).write { try $0.execute(sql: "UPDATE entry SET \(change)") }
        await #expect(throws: TrustResourceCacheError.self) { try await cache.entry(for: .numbered(1)) }
        #expect(try await cache.entry(for: .numbered(1)) == nil)
        #expect(try await cache.summaries().isEmpty)
    }

    @Test(
        "A column with a value of any type doesn't crash the process",
        arguments: [
            "kind = x'ff'", "url = x'fffe'", "fetched = 'soon'", "fetched = 1e300", "maximumAge = 'long'",
            "used = 'never'",
            "used = 9223372036854775807", "digest = 7", "body = 7.5", "size = 'large'",
        ]) func whateverTypeAColumnHasNothingEndsTheProcess(_ change: String) async throws
    {
        let scene = try CacheScene()
        let cache = try scene.open(maximumBytes: 10_000)
        func damage() async throws {
            try await cache.store(.numbered(1))
            try await DatabaseQueue(path: scene.file).write {
                try $0.execute(
                    sql: "UPDATE entry SET \(change); UPDATE total SET bytes = (SELECT sum(size) FROM entry)")
            }
        }
        try await damage()
        let found = try? await cache.entry(for: .numbered(1))
        #expect(found == nil || found == .numbered(1))
        try await cache.store(.numbered(2))
        #expect(try await cache.entry(for: .numbered(2)) == .numbered(2))
        try await damage()
        let listed = try await cache.summaries().count
        #expect(try await cache.summaries().count == listed)
        // The cache evicts damaged rows like any others.
        try await damage()
        for number in 3..<10 { try await cache.store(.numbered(number, size: 4000)) }
        #expect(try await cache.entry(for: .numbered(9)) == .numbered(9, size: 4000))
        #expect(try await cache.summaries().count <= 3)
    }

    // Only root can change a file's owner.
    @Test("The cache refuses another user's file", .enabled(if: geteuid() == 0)) func aFileOfAnotherUserIsNotUsed()
        throws
    {
        let scene = try CacheScene()
        _ = try scene.open()
        #expect(chown(scene.file, 12_345, 12_345) == 0)
        let error = cacheError { _ = try scene.open() }
        #expect(error?.code == .cacheOwnedByAnother && error?.message.contains("user 12345") == true)
    }

    @Test("The cache leaves another program's database unchanged") func anothersDatabaseIsLeftAsItIs() async throws {
        let scene = try CacheScene()
        try await DatabaseQueue(path: scene.file).write { try $0.execute(sql: "CREATE TABLE mine (x)") }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: scene.file)
        let before = try Data(contentsOf: URL(fileURLWithPath: scene.file))
        #expect(cacheError { _ = try scene.open() }?.code == .cacheFileOfAnotherKind)
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene.file)) == before)
    }

    @Test("The cache leaves tables from a later version unchanged") func tablesOfALaterVersionAreLeftAsTheyAre()
        async throws
    {
        let scene = try CacheScene()
        _ = try scene.open()
        try await DatabaseQueue(path: scene.file).writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA user_version = 2")
        }
        let error = cacheError { _ = try scene.open() }
        #expect(error?.code == .cacheVersionNewer && error?.message.contains("version 2") == true)
        #expect(scene.warnings.isEmpty)
    }

    @Test("Tables whose version no cache has are damage", arguments: [0, -1])
    func tablesWithoutAVersion(_ version: Int) async throws {
        let scene = try CacheScene()
        _ = try scene.open()
        try await DatabaseQueue(path: scene.file).writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA user_version = \(version)")
        }
        let error = cacheError { _ = try SQLiteTrustCache(file: scene.file, damaged: .leave) { _ in } }
        #expect(error?.code == .cacheDamaged)
    }

    @Test("A location that isn't writable causes an error") func whereNothingCanBeWrittenThereIsAnError() throws {
        let scene = try CacheScene()
        let missing = scene.folder + "/missing"
        let error = cacheError { _ = try SQLiteTrustCache(file: missing + "/a") { _ in } }
        #expect(error?.code == .cacheFolderMissing && error?.file == missing + "/a")
        #expect(error?.message.contains("the folder \(missing) ") == true)
        #expect(cacheError { _ = try SQLiteTrustCache(file: scene.folder) { _ in } }?.code == .cacheFileOfAnotherKind)
        _ = FileManager.default.createFile(
            atPath: scene.file, contents: nil, attributes: [.posixPermissions: 0o666])
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: scene.file)
        let writable = cacheError { _ = try scene.open() }
        #expect(writable?.code == .cacheWritableByOthers && writable?.message.contains("mode 666") == true)
    }

    @Test("A read-only folder causes an error") func inAFolderThatIsReadOnlyThereIsAnError() throws {
        let scene = try CacheScene()
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: scene.folder)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: scene.folder) }
        // Permissions don't stop root, but the kernel does.
        let isRoot = getuid() == 0
        let error = cacheError { _ = try isRoot ? SQLiteTrustCache(file: "/proc/cache.sqlite") { _ in } : scene.open() }
        #expect(error?.code == .cacheNotWritable)
    }

}
