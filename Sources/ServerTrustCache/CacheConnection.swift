// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

#if canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// The open file. It is opened, made and set aside by one process at a time (`FILE.lock`), so that nobody takes half-made tables for
/// a foreign database or sets aside what another has just begun anew.
final class CacheConnection: Sendable {
    let queue: DatabaseQueue
    /// Which file it is, whatever stands under its name by now.
    private let identity: FileIdentity

    private init(_ queue: DatabaseQueue, _ identity: FileIdentity) {
        self.queue = queue
        self.identity = identity
    }

    /// Opens the file, or makes it. What is no SQLite database is never touched.
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
        // Before anything is made: not even a lock appears beside a file that isn't a cache.
        try CacheFile.checkContents(of: file)
        let lock = try CacheFile.lock(file)
        defer { close(lock) }
        var setAside: String?
        // Another process may have begun it anew already; then that is the one.
        if let damaged, try CacheFile.prepare(file) == damaged.identity {
            guard policy == .setAside else { throw SQLiteTrustCacheError(.damaged, file: file) }
            try? damaged.queue.close()
            setAside = try CacheFile.setAside(file)
        }
        do throws(CacheOpeningError) { return (try openPrepared(file), setAside) } catch {
            guard case .damaged = error else { throw error.told(file) }
            guard policy == .setAside else { throw SQLiteTrustCacheError(.damaged, file: file) }
        }
        setAside = try CacheFile.setAside(file)
        do throws(CacheOpeningError) { return (try openPrepared(file), setAside) } catch { throw error.told(file) }
    }

    private static func openPrepared(_ file: String) throws(CacheOpeningError) -> CacheConnection {
        let identity: FileIdentity
        do throws(SQLiteTrustCacheError) { identity = try CacheFile.prepare(file) } catch {
            throw .refused(error.reason)
        }
        do {
            // Before anything is set, or another program's database would be changed by it.
            let finding = try inspect(file)
            switch finding {
            case .empty, .current: break
            case .newer(let version): throw CacheOpeningError.refused(.newerSchema(version))
            case .foreign: throw CacheOpeningError.refused(.anotherDatabase)
            }
            let queue = try DatabaseQueue(path: CacheFile.sqlitePath(file), configuration: configuration)
            if case .empty = finding { try queue.write(CacheSchema.make) }
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

    /// The tables of the file, read without making anything beside it where that can be avoided.
    private static func inspect(_ file: String) throws -> CacheSchema.Finding {
        if !CacheFile.hasLog(file),
            let finding = try? DatabaseQueue(path: CacheFile.immutableAddress(file), configuration: readingOnly)
                .read(CacheSchema.look)
        {
            return finding
        }
        // Such a reading takes no lock: what it finds wrong may be another process's change in the making.
        return try DatabaseQueue(path: CacheFile.sqlitePath(file), configuration: readingOnly).read(CacheSchema.look)
    }

    /// Runs `body` on the file without changing it or anything beside it.
    /// - Returns: nil for a file that holds nothing yet.
    /// - Throws: ``SQLiteTrustCacheError`` if it is no cache, or can't be read without writing.
    static func reading<Value>(
        _ file: String, _ body: (Database) throws -> Value
    ) throws(SQLiteTrustCacheError) -> Value? {
        guard try CacheFile.checkContents(of: file, mustExist: true) == .database else { return nil }
        // No opening process gets this connection's view of the log's index; a missing lock isn't made.
        let lock = CacheFile.existingLock(file)
        defer { if let lock { close(lock) } }
        let address = try CacheFile.readingAddress(file)
        do {
            return try DatabaseQueue(path: address, configuration: readingOnly).read { database in
                switch try CacheSchema.look(at: database) {
                case .empty: return nil
                case .current: return try body(database)
                case .newer(let version): throw CacheOpeningError.refused(.newerSchema(version))
                case .foreign: throw CacheOpeningError.refused(.anotherDatabase)
                }
            }
        } catch let error as CacheOpeningError {
            throw error.told(file)
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
            // Whoever else may have written the file: nothing in its tables is run, and pages are looked at before they are used.
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

/// Why a file wasn't opened.
private enum CacheOpeningError: Error {
    case damaged
    case refused(SQLiteTrustCacheError.Reason)

    func told(_ file: String) -> SQLiteTrustCacheError {
        switch self {
        case .damaged: SQLiteTrustCacheError(.database("damaged, and again after it was begun anew"), file: file)
        case .refused(let reason): SQLiteTrustCacheError(reason, file: file)
        }
    }
}
