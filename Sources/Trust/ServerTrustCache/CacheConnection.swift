// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import TrustSupport

#if canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// The open file. One process at a time opens, creates or sets aside the file (`FILE.lock`), so that no process takes
/// incomplete tables for another program's database, or sets aside a file that another has just created.
final class CacheConnection: Sendable {
    let queue: DatabaseQueue
    /// The identity of the file that is open, which may have lost its name since.
    private let identity: FileIdentity

    private init(_ queue: DatabaseQueue, _ identity: FileIdentity) {
        self.queue = queue
        self.identity = identity
    }

    /// Opens the file, or creates it. A file that isn't an SQLite database is never changed.
    /// - Parameters:
    ///   - policy: for a database that is damaged.
    ///   - damaged: a connection that found its file damaged.
    /// - Returns: the connection, and where a damaged file was put.
    static func open(
        _ file: String, _ policy: SQLiteTrustCache.DamagedFilePolicy, replacing damaged: CacheConnection? = nil
    ) throws(SQLiteTrustCacheError) -> (connection: CacheConnection, setAside: String?) {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw SQLiteTrustCacheError(.noFolder(folder), file: file)
        }
        // Before anything is created: not even a lock appears beside a file that isn't a cache.
        try CacheFile.checkContents(of: file)
        let lock = try CacheFile.lock(file)
        defer { try? lock.close() }
        var setAside: String?
        // Another process may have created a new file already; then that one is opened.
        if let damaged, try CacheFile.prepare(file) == damaged.identity {
            guard policy == .setAside else { throw SQLiteTrustCacheError(.damaged, file: file) }
            try? damaged.queue.close()
            setAside = try CacheFile.setAside(file)
        }
        do throws(CacheOpeningError) { return (try openPrepared(file), setAside) } catch {
            guard case .damaged = error else { throw error.cacheError(file) }
            guard policy == .setAside else { throw SQLiteTrustCacheError(.damaged, file: file) }
        }
        setAside = try CacheFile.setAside(file)
        do throws(CacheOpeningError) { return (try openPrepared(file), setAside) } catch {
            throw error.cacheError(file)
        }
    }

    private static func openPrepared(_ file: String) throws(CacheOpeningError) -> CacheConnection {
        let identity: FileIdentity
        do throws(SQLiteTrustCacheError) { identity = try CacheFile.prepare(file) } catch {
            throw .refused(error.problem)
        }
        do {
            // Before any setting, which would change another program's database.
            let finding = try inspect(file)
            switch finding {
            case .empty, .current: break
            case .newer(let version): throw CacheOpeningError.refused(.newerSchema(version))
            case .foreign: throw CacheOpeningError.refused(.anotherDatabase)
            }
            let queue = try DatabaseQueue(path: CacheFile.sqlitePath(file), configuration: configuration)
            if case .empty = finding { try queue.write(CacheSchema.make) }
            if try !queue.read(CacheSchema.hasOptionalTables) { try queue.write(CacheSchema.addOptionalTables) }
            return CacheConnection(queue, identity)
        } catch let error as CacheOpeningError {
            throw error
        } catch let error as DatabaseError where error.isDamage {
            throw .damaged
        } catch let error as DatabaseError {
            throw .refused(.database(error.description))
        } catch {
            throw .refused(.database(String(describing: error)))
        }
    }

    /// Reads the tables of the file, without creating anything beside it where that can be avoided.
    private static func inspect(_ file: String) throws -> CacheSchema.Finding {
        if !CacheFile.hasLog(file),
            let finding = try? DatabaseQueue(path: CacheFile.immutableAddress(file), configuration: readingOnly)
                .read(CacheSchema.inspect)
        {
            return finding
        }
        // This read takes no lock, so an apparent fault may be another process's incomplete change.
        return try DatabaseQueue(path: CacheFile.sqlitePath(file), configuration: readingOnly).read(CacheSchema.inspect)
    }

    /// Runs `body` on the file without changing it or anything beside it.
    /// - Returns: nil for a file that holds nothing yet.
    /// - Throws: ``SQLiteTrustCacheError`` if it is no cache, or can't be read without writing.
    static func reading<Value>(
        _ file: String, _ body: (Database) throws -> Value
    ) throws(SQLiteTrustCacheError) -> Value? {
        guard try CacheFile.checkContents(of: file, mustExist: true) == .database else { return nil }
        // No opening process gets this connection's view of the log's index; a missing lock isn't made.
        let lock = try CacheFile.existingLock(file)
        defer { try? lock?.close() }
        let address = try CacheFile.readingAddress(file)
        do {
            return try DatabaseQueue(path: address, configuration: readingOnly).read { database in
                switch try CacheSchema.inspect(database) {
                case .empty: return nil
                case .current: return try body(database)
                case .newer(let version): throw CacheOpeningError.refused(.newerSchema(version))
                case .foreign: throw CacheOpeningError.refused(.anotherDatabase)
                }
            }
        } catch let error as CacheOpeningError {
            throw error.cacheError(file)
        } catch let error as DatabaseError where error.isDamage {
            throw SQLiteTrustCacheError(.damaged, file: file)
        } catch {
            throw SQLiteTrustCacheError(.database(String(describing: error)), file: file)
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
        // Other processes write for milliseconds.
        configuration.busyMode = .timeout(5)
        configuration.label = "ServerTrustCache"
        configuration.prepareDatabase { database in
            // Another program may have written the file: nothing in its tables is run, and pages are checked before
            // they are used.
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

/// The reason why a file wasn't opened.
private enum CacheOpeningError: Error {
    case damaged
    case refused(SQLiteTrustCacheError.Problem)

    func cacheError(_ file: String) -> SQLiteTrustCacheError {
        switch self {
        case .damaged: SQLiteTrustCacheError(.database("damaged, and again after it was begun anew"), file: file)
        case .refused(let problem): SQLiteTrustCacheError(problem, file: file)
        }
    }
}
