// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import PKIX
import ServerTrust
import ServerTrustFetching

/// A cache of fetched resources in an SQLite file: missing issuers, CRLs and OCSP responses outlive the process and are
/// shared by all processes that use the file.
///
/// ```swift
/// let cache = try SQLiteTrustCache(file: "/var/cache/api/trust.sqlite") { logger.warning("\($0)") }
/// let resources = TrustFetchCoordinator(fetcher: HTTPTrustFetcher(), cache: cache)
/// ```
/// The file has mode 600, a write-ahead log beside it (`-wal`, `-shm`) and a lock (`.lock`). An entry is written whole
/// or not at all, even if the process is killed. The size is limited; the least recently used entries are removed
/// first. A damaged database is renamed to `FILE.damaged` and a new one created, unless ``DamagedFilePolicy/leave`` is
/// set: lost entries are fetched again. A file that doesn't begin as SQLite's databases do is never renamed, replaced
/// or written.
///
/// Entries are evaluated like bytes from an unknown server, so this type checks that the bytes are those that were
/// stored, and nothing else about them. Not for file systems without locks between machines (NFS).
public final class SQLiteTrustCache: TrustResourceCache {
    /// The path of the file.
    package let file: String

    /// The largest size of all entries together, in bytes.
    package let maximumBytes: Int

    /// The treatment of a damaged database.
    public enum DamagedFilePolicy: Sendable, Hashable {
        /// Renames the file to `FILE.damaged` and creates a new one. For a path that belongs to the cache alone.
        case setAside
        /// Leaves the file as it is; opening or using it throws. For a file that a user has named.
        case leave
    }

    private let policy: DamagedFilePolicy
    private let connection: Locked<CacheConnection>
    private let warn: @Sendable (String) -> Void

    /// Opens the file, or creates it if it is missing.
    /// - Parameters:
    ///   - file: the path; its folder must exist.
    ///   - maximumBytes: the largest size of all entries together, 256 MiB unless given. An entry counts its bytes and
    ///     512 more. The log takes additional space. A larger size that the file was given by `servertrust cache prefetch` counts instead.
    ///   - damaged: the treatment of a damaged database; ``DamagedFilePolicy/setAside`` unless given.
    ///   - warn: called with a message for people after a damaged file was set aside.
    /// - Throws: ``SQLiteTrustCacheError``; no file has been changed then.
    public init(
        file: String, maximumBytes: Int = 256 << 20, damaged: DamagedFilePolicy = .setAside,
        warn: @escaping @Sendable (String) -> Void
    ) throws(SQLiteTrustCacheError) {
        self.file = file
        self.policy = damaged
        self.maximumBytes = maximumBytes
        self.warn = warn
        let opened = try CacheConnection.open(file, damaged)
        self.connection = Locked(opened.connection)
        if let setAside = opened.setAside { warn(Self.text(file, setAside)) }
    }

    private static func text(_ file: String, _ setAside: String) -> String {
        "\(file): was damaged; it is set aside as \(setAside) and begun anew"
    }
}

// MARK: - Entries

extension SQLiteTrustCache {
    public func entry(for resource: TrustResource) async throws(TrustResourceCacheError) -> TrustResourceEntry? {
        let found = try await run { database in
            do {
                guard let row = try CacheRow.find(resource, in: database) else { return CacheRow.Found.nothing }
                if let entry = row.entry(for: resource) {
                    try row.markUsed(in: database)
                    return .entry(entry)
                }
            } catch is RowDecodingError {}
            // Not the entry that was stored: it is removed, so that it isn't read twice.
            try CacheRow.remove(resource, from: database)
            return .damaged
        }
        switch found {
        case .entry(let entry): return entry
        case .nothing: return nil
        case .damaged:
            throw TrustResourceCacheError(cache: file, detail: "the entry for \(resource) was damaged and is removed")
        }
    }

    /// Stores an entry; one that alone is larger than the cache may be isn't stored, and its predecessor is removed.
    public func store(_ entry: TrustResourceEntry) async throws(TrustResourceCacheError) {
        let maximumBytes = maximumBytes
        try await run { database in try CacheRow.store(entry, in: database, maximumBytes: maximumBytes) }
    }

    public func remove(_ resource: TrustResource) async throws(TrustResourceCacheError) {
        try await run { database in try CacheRow.remove(resource, from: database) }
    }

    /// Gives the file a size, in bytes, that every process which opens it then keeps to if its own is smaller. A size that was given
    /// before is replaced; entries are removed with the next store.
    package func reserve(_ bytes: Int) async throws(TrustResourceCacheError) {
        try await run { database in
            guard try CacheRow.reserved(in: database) != bytes else { return }
            try database.execute(sql: "DELETE FROM reserved")
            try database.execute(sql: "INSERT INTO reserved VALUES (?)", arguments: [bytes])
        }
    }

    /// The size given by ``reserve(_:)``, in bytes; 0 for none.
    package var reservedBytes: Int {
        get async throws(TrustResourceCacheError) {
            try await run { database in try CacheRow.reserved(in: database) }
        }
    }

    /// Removes all entries.
    /// - Returns: the number of removed entries.
    @discardableResult
    public func removeAll() async throws(TrustResourceCacheError) -> Int {
        try await run { database in
            try database.execute(sql: "DELETE FROM entry")
            return database.changesCount
        }
    }

    /// One entry without its bytes.
    package struct Summary: Sendable, Hashable {
        /// The kind of the resource.
        package let kind: TrustResource.Kind
        /// The address of the resource.
        package let url: String
        /// The size of the fetched bytes.
        package let size: Int
        /// The time of the fetch.
        package let fetched: Time
    }

    /// Returns all entries, most recently used first. Rows that can't be read are removed.
    package func summaries() async throws(TrustResourceCacheError) -> [Summary] {
        try await run { database in
            let (summaries, unreadable) = try Summary.all(in: database)
            for number in unreadable {
                try database.execute(sql: "DELETE FROM entry WHERE rowid = ?", arguments: [number])
            }
            return summaries
        }
    }

    /// Returns all entries of a file, most recently used first, without writing: the file, its log and its folder stay
    /// as they are. Rows that can't be read are left out.
    /// - Throws: ``SQLiteTrustCacheError`` if there is no such file, or if it is no cache.
    package static func summaries(readOnly file: String) throws(SQLiteTrustCacheError) -> [Summary] {
        try CacheConnection.reading(file) { try Summary.all(in: $0).summaries } ?? []
    }

    /// The size of all entries, in bytes, each with 512 bytes in addition to its own.
    public var bytes: Int {
        get async throws(TrustResourceCacheError) {
            try await run { database in try CacheRow.total(in: database) }
        }
    }
}

extension SQLiteTrustCache.Summary {
    /// Returns all entries, most recently used first, and the numbers of the rows that can't be read.
    fileprivate static func all(in database: Database) throws -> (summaries: [Self], unreadable: [Int64]) {
        let rows = try Row.fetchAll(
            database, sql: "SELECT rowid, kind, url, length(body) AS size, fetched FROM entry ORDER BY used DESC")
        var summaries: [Self] = []
        var unreadable: [Int64] = []
        for row in rows {
            do {
                guard let kind = TrustResource.Kind(rawValue: try row.decode(forColumn: "kind")) else { continue }
                summaries.append(
                    Self(
                        kind: kind, url: try row.decode(forColumn: "url"), size: try row.decode(forColumn: "size"),
                        fetched: Time(secondsSinceEpoch: try row.decode(forColumn: "fetched"))))
            } catch is RowDecodingError {
                unreadable.append(try row.decode(Int64.self, forColumn: "rowid"))
            }
        }
        return (summaries, unreadable)
    }
}

// MARK: - Running

extension SQLiteTrustCache {
    /// Runs `body` in a transaction. A damaged file is set aside, unless the policy leaves it.
    private func run<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(TrustResourceCacheError) -> Value {
        let current = connection.withLock { $0 }
        do {
            return try await current.queue.write(body)
        } catch let error as DatabaseError {
            guard error.isDamage else { throw TrustResourceCacheError(cache: file, detail: error.description) }
            throw TrustResourceCacheError(cache: file, detail: replace(current, error))
        } catch {
            throw TrustResourceCacheError(cache: file, detail: String(describing: error))
        }
    }

    /// Replaces a damaged file.
    /// - Returns: the message for people about it.
    private func replace(_ damaged: CacheConnection, _ error: DatabaseError) -> String {
        let outcome = connection.withLock { connection -> (message: String, isNew: Bool) in
            // Another task has replaced it already.
            guard connection === damaged else { return ("\(error)", false) }
            do throws(SQLiteTrustCacheError) {
                let opened = try CacheConnection.open(file, policy, replacing: damaged)
                connection = opened.connection
                return (opened.setAside.map { Self.text(file, $0) } ?? "\(error)", opened.setAside != nil)
            } catch {
                return (error.description, false)
            }
        }
        if outcome.isNew { warn(outcome.message) }
        return outcome.message
    }
}

extension DatabaseError {
    /// Whether the file itself is damaged, as opposed to a temporary failure.
    var isDamage: Bool {
        let code = resultCode.primaryResultCode
        return code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB
    }
}
