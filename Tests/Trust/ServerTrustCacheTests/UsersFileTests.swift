// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustCache

/// A user can pass the name of any of their files.
@Suite("Files that aren't caches") struct UsersFileTests {
    /// Files of every kind, including one with the beginning of SQLite's header.
    static let contents: [String] = [
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n", "x", "\n", "\0",
        "SQLite format 3", "SQLite format 4\0", "sqlite format 3\0 in another case", " SQLite format 3\0",
        String(repeating: "\0", count: 4096), "{}",
    ]

    @Test(
        "The cache refuses a file that doesn't start like a database, and nothing in its folder changes",
        arguments: contents)
    func noDatabase(_ text: String) throws {
        for policy in [SQLiteTrustCache.DamagedFilePolicy.setAside, .leave] {
            let scene = try CacheScene()
            try scene.write(Data(text.utf8))
            let before = try scene.snapshot()
            #expect(cacheError { _ = try scene.open(damaged: policy) }?.code == .cacheFileOfAnotherKind)
            #expect(
                cacheError { _ = try SQLiteTrustCache.summaries(readOnly: scene.file) }?.code == .cacheFileOfAnotherKind
            )
            #expect(try scene.snapshot() == before)
            #expect(scene.warnings.isEmpty)
        }
    }

    @Test("An empty file becomes a cache") func empty() async throws {
        let scene = try CacheScene()
        try scene.write(Data())
        #expect(try SQLiteTrustCache.summaries(readOnly: scene.file).isEmpty)
        #expect(try scene.names() == ["trust.sqlite"])
        try await scene.open(damaged: .leave).store(.numbered(1))
        #expect(try SQLiteTrustCache.summaries(readOnly: scene.file).map(\.url) == [TrustResource.numbered(1).url])
    }

    @Test(
        "The cache leaves a user's file unchanged even if SQLite would use it as its log or journal",
        arguments: ["-wal", "-journal", "-shm"])
    func companions(_ suffix: String) throws {
        let scene = try CacheScene()
        try scene.write(Data("notes of a user".utf8), suffix: suffix)
        let before = try scene.snapshot()
        #expect(cacheError { _ = try scene.open() }?.code == .cacheFileOfAnotherKind)
        #expect(try scene.snapshot() == before)
    }

    @Test("The cache leaves a damaged database that a user named unchanged, both when opening it and while it is open")
    func damagedAndLeft() async throws {
        let scene = try CacheScene()
        try scene.write(Data(("SQLite format 3\0 and then nonsense" + String(repeating: "x", count: 5000)).utf8))
        let before = try Data(contentsOf: URL(fileURLWithPath: scene.file))
        #expect(cacheError { _ = try scene.open(damaged: .leave) }?.code == .cacheDamaged)
        #expect(cacheError { _ = try SQLiteTrustCache.summaries(readOnly: scene.file) }?.code == .cacheDamaged)
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene.file)) == before)
        #expect(try !scene.names().contains { $0.hasSuffix(".damaged") })

        let other = try CacheScene()
        do {
            let cache = try other.open()
            for number in 0..<100 { try await cache.store(.numbered(number, size: 5000)) }
        }
        let cache = try other.open(damaged: .leave)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: other.file))
        try handle.seek(toOffset: 100)
        try handle.write(contentsOf: Data(repeating: 0xee, count: 300_000))
        try handle.close()
        for _ in 0..<2 {
            await #expect(throws: TrustResourceCacheError.self) { try await cache.store(.numbered(1)) }
        }
        #expect(try !other.names().contains { $0.hasSuffix(".damaged") })
    }

    @Test("The cache replaces a database that it set aside before, but not a user's file with that name")
    func placeTaken() throws {
        let damaged = Data(("SQLite format 3\0 and then nonsense" + String(repeating: "x", count: 5000)).utf8)
        let scene = try CacheScene()
        try scene.write(damaged)
        try scene.write(Data("a user's".utf8), suffix: ".damaged")
        let error = cacheError { _ = try scene.open() }
        #expect(error?.code == .cachePlaceTaken)
        #expect(error?.message.contains("name \(scene.file).damaged ") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene.file)) == damaged)
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene.file + ".damaged")) == Data("a user's".utf8))
        try scene.write(damaged + Data([1]), suffix: ".damaged")
        _ = try scene.open()
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene.file + ".damaged")) == damaged)
    }

    @Test("The cache refuses another program's database and creates nothing next to it", arguments: ["delete", "wal"])
    func anotherDatabase(_ journal: String) async throws {
        let scene = try CacheScene()
        do {
            let queue = try DatabaseQueue(path: scene.file)
            try await queue.writeWithoutTransaction {
                try $0.execute(
                    sql: "PRAGMA journal_mode = \(journal); CREATE TABLE mine (x); INSERT INTO mine VALUES (1)")
            }
            try queue.close()
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: scene.file)
        let before = try scene.snapshot()
        #expect(
            cacheError { _ = try SQLiteTrustCache.summaries(readOnly: scene.file) }?.code == .cacheFileOfAnotherKind)
        #expect(try scene.snapshot() == before)
        #expect(cacheError { _ = try scene.open() }?.code == .cacheFileOfAnotherKind)
        // The cache creates the lock before it reads the tables.
        #expect(try scene.snapshot().filter { !$0.key.hasSuffix(".lock") } == before)
    }

    @Test(
        "A name that SQLite would interpret as a URI or as an in-memory database is used as a file name",
        arguments: ["file:x?mode=memory", ":memory:", "a%20b?c#d"])
    func names(_ name: String) async throws {
        let scene = try CacheScene()
        let before = FileManager.default.currentDirectoryPath
        let file = scene.folder + "/" + name
        let cache = try SQLiteTrustCache(file: file) { _ in }
        try await cache.store(.numbered(1))
        #expect(try SQLiteTrustCache.summaries(readOnly: file).count == 1)
        #expect(try scene.names().contains(name))
        #expect(FileManager.default.currentDirectoryPath == before)
    }
}

@Suite("Listing without writing") struct ReadOnlyListTests {
    /// - Parameter isOpenHere: Whether this process has the cache open. SQLite then shares one index of the log between
    ///   its connections.
    private func list(_ scene: CacheScene, isOpenHere: Bool = false) throws -> [String] {
        func snapshot() throws -> [String: [String]] {
            try scene.snapshot().filter { !isOpenHere || !$0.key.hasSuffix("-shm") }
        }
        let before = try snapshot()
        let urls = try SQLiteTrustCache.summaries(readOnly: scene.file).map(\.url)
        #expect(try snapshot() == before)
        return urls
    }

    @Test("The lister reads a closed cache, and one that a process is writing to, completely and without changing them")
    func openAndClosed() async throws {
        let scene = try CacheScene()
        do {
            let cache = try scene.open()
            for number in 0..<3 { try await cache.store(.numbered(number)) }
            #expect(try await cache.summaries().map(\.url) == list(scene, isOpenHere: true))
            try await cache.store(.numbered(3))
            #expect(try list(scene, isOpenHere: true).count == 4)
        }
        #expect(try list(scene).count == 4)
        let cache = try scene.open()
        try await cache.store(.numbered(4))
        #expect(try list(scene, isOpenHere: true).count == 5)
        // The listing doesn't affect the writer.
        try await cache.store(.numbered(5))
        #expect(try await cache.summaries().count == 6)
    }

    @Test("The lister skips unreadable entries and leaves them in the file")
    func unreadable() async throws {
        let scene = try CacheScene()
        do {
            let cache = try scene.open()
            try await cache.store(.numbered(1))
            try await cache.store(.numbered(2))
        }
        try await DatabaseQueue(path: scene.file).write {
            try $0.execute(sql: "UPDATE entry SET fetched = 'soon' WHERE url LIKE '%/1'")
        }
        #expect(try list(scene) == [TrustResource.numbered(2).url])
    }

    @Test("A missing file causes an error, and the lister doesn't create it")
    func missing() throws {
        let scene = try CacheScene()
        #expect(cacheError { _ = try SQLiteTrustCache.summaries(readOnly: scene.file) }?.code == .cacheNotReadable)
        #expect(try scene.names().isEmpty)
    }

    @Test("Folders and pipes aren't caches, and the lister doesn't wait for a writer")
    func notAFile() throws {
        let scene = try CacheScene()
        #expect(
            cacheError { _ = try SQLiteTrustCache.summaries(readOnly: scene.folder) }?.code == .cacheFileOfAnotherKind)
        #expect(mkfifo(scene.file, 0o600) == 0)
        #expect(
            cacheError { _ = try SQLiteTrustCache.summaries(readOnly: scene.file) }?.code == .cacheFileOfAnotherKind)
        #expect(cacheError { _ = try scene.open() }?.code == .cacheFileOfAnotherKind)
    }
}
