// SPDX-License-Identifier: Apache-2.0

#if Cache || Everything

import Foundation
import PKIX
import ServerTrust

/// The identity of a file, which stays the same if the file is renamed and changes if it is replaced.
struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let number: UInt64
}

/// Checks of the cache's file before it is opened, created or set aside.
///
/// A user chooses the name and may have meant another file. So the cache only renames, replaces or writes files that
/// begin as SQLite's do (<https://www.sqlite.org/fileformat.html> § 1.3.1).
enum CacheFile {
    enum Contents {
        /// The file doesn't exist or is empty.
        case nothing
        case database
    }

    /// Reads the start of the file.
    /// - Throws: ``SQLiteTrustCacheError`` for a file that isn't an SQLite file, and if a file of another kind next to
    ///   it has a name that SQLite uses.
    @discardableResult
    static func checkContents(of file: String, mustExist: Bool = false) throws(SQLiteTrustCacheError) -> Contents {
        let descriptor: FileDescriptor
        // With O_NONBLOCK, opening a pipe doesn't wait for its writer.
        do throws(SystemError) { descriptor = try FileDescriptor(opening: file, O_RDONLY | O_NONBLOCK) } catch {
            if error.code == ENOENT, !mustExist {
                try checkCompanions(of: file)
                return .nothing
            }
            throw SQLiteTrustCacheError(.notReadable(error.description), file: file)
        }
        defer { try? descriptor.close() }
        try checkKind(descriptor, file)
        let contents = try contents(of: descriptor, file)
        if contents == .nothing { try checkCompanions(of: file) }
        return contents
    }

    /// Waits until no other process opens or sets aside the same file.
    /// - Returns: a descriptor. Close it to let the next process continue.
    static func lock(
        _ file: String, patience: Duration = LockFile.patience
    ) throws(SQLiteTrustCacheError) -> FileDescriptor {
        do throws(LockFile.Problem) { return try LockFile.lock(file + ".lock", patience: patience) } catch {
            throw SQLiteTrustCacheError(.notWritable(error.description), file: file)
        }
    }

    /// Returns the lock if its file exists and this process may open it. Creates and writes nothing.
    static func existingLock(_ file: String) throws(SQLiteTrustCacheError) -> FileDescriptor? {
        do throws(LockFile.Problem) { return try LockFile.lockExisting(file + ".lock", .exclusive) } catch {
            throw SQLiteTrustCacheError(.notReadable(error.description), file: file)
        }
    }

    /// Creates the file if it is missing, with permissions only for its owner. SQLite gives its log the same
    /// permissions.
    static func prepare(_ file: String) throws(SQLiteTrustCacheError) -> FileIdentity {
        let descriptor: FileDescriptor
        do throws(SystemError) {
            descriptor = try FileDescriptor(opening: file, O_RDWR | O_CREAT, permissions: 0o600)
        } catch {
            throw SQLiteTrustCacheError(
                error.code == EISDIR ? .notAFile : .notWritable(error.description), file: file)
        }
        defer { try? descriptor.close() }
        let status = try checkKind(descriptor, file)
        guard status.hasTrustedOwner else {
            throw SQLiteTrustCacheError(.ownedByAnother(Int(status.owner)), file: file)
        }
        guard !status.isWritableByOthers else {
            throw SQLiteTrustCacheError(.writableByOthers(status.permissions), file: file)
        }
        // The file may have been replaced since the check.
        _ = try contents(of: descriptor, file)
        return FileIdentity(device: status.device, number: status.number)
    }

    /// Renames the file. Replaces a database that was set aside before.
    /// - Returns: the new path.
    /// - Throws: ``SQLiteTrustCacheError`` if the file isn't an SQLite file, or if a file that isn't a database already
    ///   has the new name.
    static func setAside(_ file: String) throws(SQLiteTrustCacheError) -> String {
        let damaged = file + ".damaged"
        try checkContents(of: file, mustExist: true)
        do throws(SQLiteTrustCacheError) { try checkContents(of: damaged) } catch {
            throw SQLiteTrustCacheError(.placeTaken(damaged), file: file)
        }
        // Renames the log first, because SQLite would apply it to a new file next to it.
        for suffix in ["-wal", "-shm", ""] {
            do throws(SystemError) {
                try OutputPlace.requireFile(damaged + suffix)
                guard rename(file + suffix, damaged + suffix) == 0 || errno == ENOENT else { throw .last }
            } catch {
                throw SQLiteTrustCacheError(.notWritable(error.description), file: file)
            }
        }
        return damaged
    }
}

// MARK: - Names for SQLite

extension CacheFile {
    /// Returns the path to pass to SQLite, which interprets names that begin with `file:` or `:`.
    static func sqlitePath(_ file: String) -> String { file.hasPrefix("/") ? file : "./" + file }

    /// Returns whether the file has a write-ahead log that isn't empty.
    static func hasLog(_ file: String) -> Bool { size(of: file + "-wal") ?? 0 > 0 }

    /// Returns the address of the file without log and locks (<https://www.sqlite.org/uri.html>, `immutable`).
    static func immutableAddress(_ file: String) -> String { address(file, "immutable=1") }

    /// Returns the address of the file with its log, if it has one. Reading it creates and writes nothing.
    static func readingAddress(_ file: String) throws(SQLiteTrustCacheError) -> String {
        guard hasLog(file) else { return immutableAddress(file) }
        guard size(of: file + "-shm") != nil else {
            throw SQLiteTrustCacheError(
                .database("its log (-wal) has no index (-shm), so it can't be read without writing"), file: file)
        }
        return address(file, "mode=ro&readonly_shm=1")
    }

    private static func address(_ file: String, _ query: String) -> String {
        let path = URL(fileURLWithPath: file).path.utf8.map { byte in
            byte.isLetterOrDigit || "/.-_".utf8.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "file:\(path.joined())?\(query)"
    }

    private static func size(of file: String) -> Int? {
        var status = stat()
        return stat(file, &status) == 0 ? Int(status.st_size) : nil
    }
}

// MARK: - Contents

extension CacheFile {
    @discardableResult
    private static func checkKind(
        _ descriptor: FileDescriptor, _ file: String
    ) throws(SQLiteTrustCacheError) -> FileStatus {
        let status = try reading(file) { () throws(SystemError) in try descriptor.status() }
        guard status.isRegularFile else { throw SQLiteTrustCacheError(.notAFile, file: file) }
        return status
    }

    private static func contents(
        of descriptor: FileDescriptor, _ file: String
    ) throws(SQLiteTrustCacheError) -> Contents {
        let magic = Array("SQLite format 3\0".utf8)
        let start = try reading(file) { () throws(SystemError) in try descriptor.readFirst(magic.count) }
        if start.isEmpty { return .nothing }
        guard start == magic else { throw SQLiteTrustCacheError(.notADatabase, file: file) }
        return .database
    }

    /// Checks the files next to a new database that SQLite would delete or overwrite. Accepts only empty files and
    /// SQLite's own.
    private static func checkCompanions(of file: String) throws(SQLiteTrustCacheError) {
        try check(file + "-wal") { $0.starts(with: [0x37, 0x7f, 0x06]) }
        try check(file + "-journal") { $0.starts(with: [0xd9, 0xd5, 0x05, 0xf9]) || $0.allSatisfy { $0 == 0 } }
        // The format depends on the machine. The size is a multiple of 32 KiB, or 3 bytes after SQLite has created the
        // file.
        try check(file + "-shm", count: 0) { _ in [0, 3].contains((size(of: file + "-shm") ?? 0) % 32_768) }
    }

    private static func check(
        _ companion: String, count: Int = 8, _ isOfSQLite: ([UInt8]) -> Bool
    ) throws(SQLiteTrustCacheError) {
        guard size(of: companion) ?? 0 > 0 else { return }
        let descriptor = try reading(companion) { () throws(SystemError) in
            try FileDescriptor(opening: companion, O_RDONLY | O_NONBLOCK)
        }
        defer { try? descriptor.close() }
        try checkKind(descriptor, companion)
        guard isOfSQLite(try reading(companion) { () throws(SystemError) in try descriptor.readFirst(count) }) else {
            throw SQLiteTrustCacheError(.notADatabase, file: companion)
        }
    }

    private static func reading<Value>(
        _ file: String, _ body: () throws(SystemError) -> Value
    ) throws(SQLiteTrustCacheError) -> Value {
        do throws(SystemError) { return try body() } catch {
            throw SQLiteTrustCacheError(.notReadable(error.description), file: file)
        }
    }
}

#endif
