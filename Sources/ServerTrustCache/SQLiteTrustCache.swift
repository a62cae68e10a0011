// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import PKIX
import ServerTrust
import ServerTrustFetching

/// What was fetched, in an SQLite file: missing issuers, CRLs and OCSP responses outlive the process and are shared by all that use
/// the same file.
///
/// ```swift
/// let cache = try SQLiteTrustCache(file: "/var/cache/api/trust.sqlite") { logger.warning("\($0)") }
/// let resources = TrustFetchCoordinator(fetcher: HTTPTrustFetcher(), cache: cache)
/// ```
/// The file is its owner's alone (mode 600) and has a write-ahead log beside it (`-wal`, `-shm`) and a lock (`.lock`). An entry is
/// written whole or not at all, whenever the process ends. It holds so many bytes; what was unused for longest goes first. A
/// damaged database is set aside as `FILE.damaged` and begun anew, unless ``DamagedFilePolicy/leave`` says otherwise: whatever is lost is
/// fetched again. A file that doesn't begin as SQLite's databases do is never renamed, replaced or written.
///
/// What it gives back is evaluated as if a stranger had sent it, so this type checks that bytes are those that were stored, and
/// nothing else about them. Not for file systems without locks that hold between machines (NFS).
public final class SQLiteTrustCache: TrustResourceCache {
    /// Where it is kept.
    public let file: String

    /// Of all entries together.
    public let maximumBytes: Int

    /// What happens to a database that is damaged.
    public enum DamagedFilePolicy: Sendable, Hashable {
        /// It is renamed to `FILE.damaged`, and a new one is begun. For a place that is the cache's alone.
        case setAside
        /// It stays, and opening or using it throws. For a file that a user has named.
        case leave
    }

    private let policy: DamagedFilePolicy
    private let connection: Locked<CacheConnection>
    private let warn: @Sendable (String) -> Void

    /// Opens the file, or makes it if it is missing.
    /// - Parameters:
    ///   - file: its folder has to be there.
    ///   - maximumBytes: of all entries together, 256 MiB unless given; an entry counts its bytes and 512 for what is kept beside
    ///     them. Log and administration take some more.
    ///   - damaged: what happens to a database that is damaged; it is set aside unless given.
    ///   - warn: told for people what was done about a damaged file.
    /// - Throws: ``SQLiteTrustCacheError``; nothing has been changed then.
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
            // Not what was stored: no half entry and no forged one is handed out twice.
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

    /// Keeps an entry; one that alone is over ``maximumBytes`` isn't kept.
    public func store(_ entry: TrustResourceEntry) async throws(TrustResourceCacheError) {
        let maximumBytes = maximumBytes
        try await run { database in try CacheRow.store(entry, in: database, maximumBytes: maximumBytes) }
    }

    public func remove(_ resource: TrustResource) async throws(TrustResourceCacheError) {
        try await run { database in try CacheRow.remove(resource, from: database) }
    }

    /// Forgets everything.
    /// - Returns: how many entries there were.
    @discardableResult
    public func removeAll() async throws(TrustResourceCacheError) -> Int {
        try await run { database in
            try database.execute(sql: "DELETE FROM entry")
            return database.changesCount
        }
    }

    /// One entry without its bytes.
    public struct Summary: Sendable, Hashable {
        public let kind: TrustResource.Kind
        public let url: String
        /// Of the bytes that were fetched.
        public let size: Int
        public let fetched: Time
    }

    /// All entries, most recently used first. What can't be read is removed.
    public func summaries() async throws(TrustResourceCacheError) -> [Summary] {
        try await run { database in
            let (summaries, unreadable) = try Summary.all(in: database)
            for number in unreadable {
                try database.execute(sql: "DELETE FROM entry WHERE rowid = ?", arguments: [number])
            }
            return summaries
        }
    }

    /// All entries of a file, most recently used first, without writing: the file, its log and its folder stay as they are. What can't be
    /// read is left out.
    /// - Throws: ``SQLiteTrustCacheError`` if there is no such file, or it is no cache.
    public static func summaries(readOnly file: String) throws(SQLiteTrustCacheError) -> [Summary] {
        try CacheConnection.reading(file) { try Summary.all(in: $0).summaries } ?? []
    }

    /// What entries count, in bytes.
    public var bytes: Int {
        get async throws(TrustResourceCacheError) {
            try await run { database in try CacheRow.total(in: database) }
        }
    }
}

extension SQLiteTrustCache.Summary {
    /// All entries, most recently used first, and the numbers of the rows that can't be read.
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
    /// In a transaction. A file that turns out to be damaged is set aside.
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

    /// - Returns: what was done.
    private func replace(_ damaged: CacheConnection, _ error: DatabaseError) -> String {
        let outcome = connection.withLock { connection -> (told: String, isNew: Bool) in
            // Another task was first.
            guard connection === damaged else { return ("\(error)", false) }
            do throws(SQLiteTrustCacheError) {
                let opened = try CacheConnection.open(file, policy, replacing: damaged)
                connection = opened.connection
                return (opened.setAside.map { Self.text(file, $0) } ?? "\(error)", opened.setAside != nil)
            } catch {
                return (error.description, false)
            }
        }
        if outcome.isNew { warn(outcome.told) }
        return outcome.told
    }
}

extension DatabaseError {
    /// Whether the file itself is wrong, and not the moment.
    var isDamage: Bool {
        let code = resultCode.primaryResultCode
        return code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB
    }
}
