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

    /// - Parameter replacing: a connection that found its file damaged.
    /// - Returns: the connection, and where a damaged file was put.
    static func open(
        _ file: String, replacing damaged: CacheConnection? = nil
    ) throws(SQLiteTrustCacheError) -> (connection: CacheConnection, setAside: String?) {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw SQLiteTrustCacheError(.noFolder(folder), file: file)
        }
        let lock = try CacheFile.lock(file)
        defer { close(lock) }
        var setAside: String?
        // Another process may have begun it anew already; then that is the one.
        if let damaged, try CacheFile.prepare(file) == damaged.identity {
            try? damaged.queue.close()
            setAside = try CacheFile.setAside(file)
        }
        do throws(CacheOpeningError) { return (try openPrepared(file), setAside) } catch {
            guard case .damaged = error else { throw error.told(file) }
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
            // Looked at before anything is set, or somebody else's database would be changed by it.
            let finding = try DatabaseQueue(path: file, configuration: lookingOnly).read(CacheSchema.look)
            switch finding {
            case .empty, .current: break
            case .newer(let version): throw CacheOpeningError.refused(.newerSchema(version))
            case .foreign: throw CacheOpeningError.refused(.anotherDatabase)
            }
            let queue = try DatabaseQueue(path: file, configuration: configuration)
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

    private static var lookingOnly: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
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

/// Which file stands behind a name.
struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let number: UInt64
}

/// The file as such.
private enum CacheFile {
    /// Waits until no other process opens or sets aside the same file.
    /// - Returns: a descriptor; closing it lets the next one in.
    static func lock(_ file: String) throws(SQLiteTrustCacheError) -> Int32 {
        let lock = open(file + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw SQLiteTrustCacheError(.notWritable(systemError()), file: file) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let error = systemError()
                close(lock)
                throw SQLiteTrustCacheError(.notWritable(error), file: file)
            }
        }
        return lock
    }

    /// Makes the file if it is missing, for its owner alone: SQLite gives its log the same permissions.
    static func prepare(_ file: String) throws(SQLiteTrustCacheError) -> FileIdentity {
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SQLiteTrustCacheError(errno == EISDIR ? .notAFile : .notWritable(systemError()), file: file)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw SQLiteTrustCacheError(.notWritable(systemError()), file: file)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SQLiteTrustCacheError(.notAFile, file: file) }
        // Its owner can write it whatever its permissions say.
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw SQLiteTrustCacheError(.ownedByAnother(Int(status.st_uid)), file: file)
        }
        guard status.st_mode & 0o022 == 0 else {
            throw SQLiteTrustCacheError(.writableByOthers(Int(status.st_mode & 0o777)), file: file)
        }
        return FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// Renames the file; what was set aside before is lost.
    /// - Returns: where it is.
    static func setAside(_ file: String) throws(SQLiteTrustCacheError) -> String {
        let damaged = file + ".damaged"
        // The log first: beside a new file it would be taken for that one's.
        for suffix in ["-wal", "-shm", ""] where rename(file + suffix, damaged + suffix) != 0 && errno != ENOENT {
            throw SQLiteTrustCacheError(.notWritable(systemError()), file: file)
        }
        return damaged
    }

    private static func systemError() -> String { String(cString: strerror(errno)) }
}
