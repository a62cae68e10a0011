// SPDX-License-Identifier: Apache-2.0

#if Cache || Everything

import Foundation
import GRDB
import ServerTrust

/// A connection to the open cache file.
///
/// Only one process at a time opens, creates or sets aside the file (`FILE.lock`). So no process mistakes incomplete
/// tables for another program's database, or sets aside a file that another process has just created.
final class CacheConnection: Sendable {
    let queue: DatabaseQueue
    /// The identity of the open file, which may have been renamed since.
    private let identity: FileIdentity

    private init(_ queue: DatabaseQueue, _ identity: FileIdentity) {
        self.queue = queue
        self.identity = identity
    }

    /// Opens the file, or creates it. Never changes a file that isn't an SQLite database.
    /// - Parameters:
    ///   - policy: the policy for a damaged database.
    ///   - damaged: a connection that found its file damaged.
    /// - Returns: the connection, and the path of a damaged file that was set aside.
    static func open(
        _ file: String, _ policy: SQLiteTrustCache.DamagedFilePolicy, replacing damaged: CacheConnection? = nil
    ) throws(SQLiteTrustCacheError) -> (connection: CacheConnection, setAside: String?) {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        guard (try? FileStatus(following: folder))?.isFolder == true else {
            throw SQLiteTrustCacheError(.noFolder(folder), file: file)
        }
        // Checks this before creating any file, so that not even a lock appears next to a file that isn't a cache.
        try CacheFile.checkContents(of: file)
        let lock = try CacheFile.lock(file)
        defer { try? lock.close() }
        var setAside: String?
        // If another process has already created a new file, opens that file.
        if let damaged, try CacheFile.prepare(file) == damaged.identity {
            guard policy == .setAside else { throw SQLiteTrustCacheError(.damaged, file: file) }
            try? damaged.queue.close()
            setAside = try CacheFile.setAside(file)
        }
        do throws(SQLiteTrustCacheError) { return (try openPrepared(file), setAside) } catch {
            guard error.problem == .damaged, policy == .setAside else { throw error }
        }
        setAside = try CacheFile.setAside(file)
        do throws(SQLiteTrustCacheError) { return (try openPrepared(file), setAside) } catch {
            guard error.problem == .damaged else { throw error }
            throw SQLiteTrustCacheError(.database("damaged, and damaged again after it was recreated"), file: file)
        }
    }

    private static func openPrepared(_ file: String) throws(SQLiteTrustCacheError) -> CacheConnection {
        let identity = try CacheFile.prepare(file)
        return try accessing(file) {
            // Comes before any setting, because a setting would change another program's database.
            let isEmpty = try isEmpty(file)
            let queue = try DatabaseQueue(path: CacheFile.sqlitePath(file), configuration: configuration)
            if isEmpty { try queue.write(CacheSchema.make) }
            return CacheConnection(queue, identity)
        }
    }

    /// Runs `body`, and reports its errors as a cache's.
    private static func accessing<Value>(
        _ file: String, _ body: () throws -> Value
    ) throws(SQLiteTrustCacheError) -> Value {
        do { return try body() } catch let problem as SQLiteTrustCacheError.Problem {
            throw SQLiteTrustCacheError(problem, file: file)
        } catch let error as DatabaseError where error.isDamage {
            throw SQLiteTrustCacheError(.damaged, file: file)
        } catch {
            throw SQLiteTrustCacheError(.database(String(describing: error)), file: file)
        }
    }

    /// Returns whether the file has no tables. If possible, the method creates no file next to it.
    private static func isEmpty(_ file: String) throws -> Bool {
        if !CacheFile.hasLog(file) {
            do {
                return try DatabaseQueue(path: CacheFile.immutableAddress(file), configuration: readingOnly)
                    .read(CacheSchema.isEmpty)
            } catch let problem as SQLiteTrustCacheError.Problem where problem != .damaged {
                throw problem
            } catch {
                // This read takes no lock, so apparent damage may be another process's incomplete change.
            }
        }
        return try DatabaseQueue(path: CacheFile.sqlitePath(file), configuration: readingOnly).read(CacheSchema.isEmpty)
    }

    /// Runs `body` on the file without changing it or anything next to it.
    /// - Returns: the result, or nil for an empty file.
    /// - Throws: ``SQLiteTrustCacheError`` if the file isn't a cache, or can't be read without writing.
    static func reading<Value>(
        _ file: String, _ body: (Database) throws -> Value
    ) throws(SQLiteTrustCacheError) -> Value? {
        guard try CacheFile.checkContents(of: file, mustExist: true) == .database else { return nil }
        // Prevents a process that opens the file from using this connection's view of the log's index. Doesn't create a
        // missing lock.
        let lock = try CacheFile.existingLock(file)
        defer { try? lock?.close() }
        let address = try CacheFile.readingAddress(file)
        return try accessing(file) {
            try DatabaseQueue(path: address, configuration: readingOnly).read { database in
                try CacheSchema.isEmpty(database) ? nil : body(database)
            }
        }
    }

    private static var readingOnly: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase {
            try $0.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        }
        return configuration
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.journalMode = .wal
        // Writes by other processes take milliseconds.
        configuration.busyMode = .timeout(5)
        configuration.label = "ServerTrustCache"
        configuration.prepareDatabase { database in
            // Another program may have written the file. These settings disable code in its tables and check pages
            // before use.
            try database.execute(
                sql: """
                    PRAGMA trusted_schema = OFF;
                    PRAGMA cell_size_check = ON;
                    PRAGMA auto_vacuum = FULL;
                    PRAGMA synchronous = NORMAL;
                    PRAGMA journal_size_limit = 4194304;
                    PRAGMA secure_delete = OFF;
                    """)
        }
        return configuration
    }
}

#endif
