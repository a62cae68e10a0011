// SPDX-License-Identifier: Apache-2.0

#if Cache || Everything

import Foundation
import GRDB
import PKIX
import ServerTrust

/// A cache of fetched resources in an SQLite file. Missing issuers, CRLs and OCSP responses outlive the process, and
/// all processes that use the file share them.
///
/// ```swift
/// let cache = try SQLiteTrustCache(file: "/var/cache/api/trust.sqlite") { logger.warning("\($0)") }
/// let resources = TrustFetchCoordinator(fetcher: HTTPTrustFetcher(), cache: cache)
/// ```
/// The file has mode 600. Next to it are a write-ahead log (`-wal`, `-shm`) and a lock (`.lock`). An entry is written
/// completely or not at all, even if the process is killed. The size is limited, and the least recently used entries
/// are removed first. If a database is damaged, the cache renames it to `FILE.damaged` and creates a new one, unless
/// ``DamagedFilePolicy/leave`` is set. Lost entries are fetched again. The cache never renames, replaces or writes a
/// file that doesn't begin as SQLite's databases do.
///
/// The engine evaluates entries like bytes from an unknown server. So this type only checks that it returns the bytes
/// that were stored. Don't use it on file systems without locks between machines (NFS).
public final class SQLiteTrustCache: TrustResourceCache {
    /// The path of the file.
    let file: String

    /// The maximum size of all entries together, in bytes.
    let maximumBytes: Int

    /// The treatment of a damaged database.
    public enum DamagedFilePolicy: Sendable, Hashable {
        /// Renames the file to `FILE.damaged` and creates a new one. For a path that only the cache uses.
        case setAside
        /// Leaves the file unchanged. Opening or using it throws. For a path that a user chose.
        case leave
    }

    private let policy: DamagedFilePolicy
    private let connection: Locked<CacheConnection>
    private let warn: @Sendable (String) -> Void

    /// Opens the file, or creates it if it is missing.
    /// - Parameters:
    ///   - file: the path. Its folder must exist.
    ///   - maximumBytes: the maximum size of all entries together. The default is 256 MiB. An entry counts its bytes
    ///     and 512 more. The log takes additional space. If `servertrust cache prefetch` reserved a larger size for the
    ///     file, that size applies.
    ///   - damaged: the treatment of a damaged database. The default is ``DamagedFilePolicy/setAside``.
    ///   - warn: called with a message for people after a damaged file was set aside.
    /// - Throws: ``SQLiteTrustCacheError``. No file was changed in this case.
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
        "\(file): was damaged; renamed it to \(setAside) and created a new cache"
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
            // This isn't the entry that was stored. Removes it, so that it isn't read again.
            try CacheRow.remove(resource, from: database)
            return .damaged
        }
        switch found {
        case .entry(let entry): return entry
        case .nothing: return nil
        case .damaged:
            throw TrustResourceCacheError(
                cache: file, detail: "the entry for \(resource) was damaged and has been removed")
        }
    }

    /// Stores an entry. If the entry is larger than the whole cache may be, it isn't stored, and its predecessor is
    /// removed.
    public func store(_ entry: TrustResourceEntry) async throws(TrustResourceCacheError) {
        let maximumBytes = maximumBytes
        try await run { database in try CacheRow.store(entry, in: database, maximumBytes: maximumBytes) }
    }

    public func remove(_ resource: TrustResource) async throws(TrustResourceCacheError) {
        try await run { database in try CacheRow.remove(resource, from: database) }
    }

    /// Reserves a size for the file, in bytes. A process that opens the file with a smaller size then uses this one.
    /// Replaces an earlier reservation. Entries are removed with the next store.
    package func reserve(_ bytes: Int) async throws(TrustResourceCacheError) {
        try await run { database in
            guard try CacheRow.reserved(in: database) != bytes else { return }
            try database.execute(sql: "DELETE FROM reserved")
            try database.execute(sql: "INSERT INTO reserved VALUES (?)", arguments: [bytes])
        }
    }

    /// The size reserved by ``reserve(_:)``, in bytes. 0 without a reservation.
    var reservedBytes: Int {
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

    /// An entry without its bytes.
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

    /// Returns all entries, most recently used first. Removes rows that can't be read.
    func summaries() async throws(TrustResourceCacheError) -> [Summary] {
        try await run { database in
            let (summaries, unreadable) = try Summary.all(in: database)
            for number in unreadable {
                try database.execute(sql: "DELETE FROM entry WHERE rowid = ?", arguments: [number])
            }
            return summaries
        }
    }

    /// Returns all entries of a file, most recently used first, without writing. The file, its log and its folder stay
    /// unchanged. Skips rows that can't be read.
    /// - Throws: ``SQLiteTrustCacheError`` if the file doesn't exist or isn't a cache.
    package static func summaries(readOnly file: String) throws(SQLiteTrustCacheError) -> [Summary] {
        try CacheConnection.reading(file) { try Summary.all(in: $0).summaries } ?? []
    }

    /// The size of all entries, in bytes. Each entry counts 512 bytes in addition to its own.
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
    /// Runs `body` in a transaction. Sets aside a damaged file, unless the policy leaves it.
    private func run<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(TrustResourceCacheError) -> Value {
        let current = connection.withLock { $0 }
        do {
            return try await current.queue.write(body)
        } catch let error as DatabaseError where error.isDamage {
            throw TrustResourceCacheError(cache: file, detail: replace(current, error))
        } catch {
            throw TrustResourceCacheError(cache: file, detail: String(describing: error))
        }
    }

    /// Replaces a damaged file.
    /// - Returns: the message about it for people.
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
    /// Whether the file itself is damaged, not just temporarily unusable.
    var isDamage: Bool {
        let code = resultCode.primaryResultCode
        return code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB
    }
}

#endif
