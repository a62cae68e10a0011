// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// A folder with files of records and their blobs.
///
/// Each writer has its own files, so any number of processes may write to a folder. A writer keeps its file locked, and
/// ``prune(maximumSize:oldest:)`` keeps locked files. A file's name begins with the time of its creation, so names sort by age:
/// `verdicts-20261127T093000Z-4711-0.ndjson`.
package struct RecordFolder: Sendable {
    let path: String

    /// Creates a value. Creates no folder.
    package init(_ path: String) { self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path }

    /// The folder with the values that are too large for a line.
    var blobs: BlobFolder { BlobFolder("\(path)/\(BlobFolder.name)") }

    private static let prefix = "verdicts-"
    private static let suffix = ".ndjson"

    /// A file of records.
    package struct File: Sendable, Hashable {
        package let name: String
        /// The size in bytes.
        package let size: Int
        /// The time of the last write, in seconds since 1970.
        package let modified: Int64
        /// Whether a process has the file open for writing.
        package let isInUse: Bool
    }

    /// Returns the files, oldest first.
    /// - Throws: ``SystemError`` if the folder can't be read.
    package func files() throws(SystemError) -> [File] {
        var files: [File] = []
        for name in try Self.names(in: path) where name.hasPrefix(Self.prefix) && name.hasSuffix(Self.suffix) {
            guard let descriptor = try? FileDescriptor(opening: "\(path)/\(name)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            else { continue }
            defer { try? descriptor.close() }
            guard let status = try? descriptor.status(), status.isRegularFile else { continue }
            let isFree = (try? descriptor.tryLock(.exclusive)) ?? false
            files.append(File(name: name, size: status.size, modified: status.modified, isInUse: !isFree))
        }
        // Of the files that a process created in one second, the number has more digits in the name of a later one.
        return files.sorted {
            ($0.name.prefix(25), $0.name.utf8.count, $0.name) < ($1.name.prefix(25), $1.name.utf8.count, $1.name)
        }
    }

    /// Deletes the oldest files until the rest meets the limits, and the blobs that no remaining file uses. Keeps files
    /// that a process has open.
    /// - Parameters:
    ///   - maximumSize: the size in bytes of all files and blobs.
    ///   - oldest: the time of the last write before which files are deleted, in seconds since 1970.
    /// - Returns: the deleted files.
    @discardableResult
    package func prune(maximumSize: Int, oldest: Int64) throws(SystemError) -> [File] {
        let lock = try lock()
        defer { try? lock.close() }
        let files = try files()
        // A folder that never had records has no blobs of records either.
        guard !files.isEmpty else { return [] }
        let blobFiles = blobStatuses()
        var size =
            files.reduce(0) { $0 + Self.counted($1.size) } + blobFiles.reduce(0) { $0 + Self.counted($1.status.size) }
        var deleted: [File] = []
        for file in files where !file.isInUse && (size > maximumSize || file.modified < oldest) {
            guard unlink("\(path)/\(file.name)") == 0 else { continue }
            size -= Self.counted(file.size)
            deleted.append(file)
        }
        let remaining = files.first { !deleted.contains($0) }
        // A writer marks a blob as used after it has created the file that refers to it. A record with the count of
        // further connections may follow up to a day later, perhaps in the next file.
        let start = remaining.map { (Self.creation(of: $0.name) ?? 0) - 2 * 86_400 } ?? .max
        for blob in blobFiles where blob.status.modified < start { unlink("\(blobs.path)/\(blob.name)") }
        return deleted
    }

    /// Returns the size that counts toward a limit. Sparse files can claim sizes whose sum overflows.
    private static func counted(_ size: Int) -> Int { min(size, 1 << 40) }

    private func blobStatuses() -> [(name: String, status: FileStatus)] {
        // Behind a symbolic link, the files aren't ours to delete.
        guard (try? FileStatus(ofFile: blobs.path))?.isFolder == true else { return [] }
        return ((try? Self.names(in: blobs.path)) ?? []).compactMap { name in
            guard BlobFolder.owns(name), let status = try? FileStatus(ofFile: "\(blobs.path)/\(name)"),
                status.isRegularFile
            else { return nil }
            return (name, status)
        }
    }

    /// Locks the folder, for changes that other processes must not see halfway.
    func lock() throws(SystemError) -> FileDescriptor {
        do throws(LockFile.Problem) { return try LockFile.lock("\(path)/records.lock", patience: .seconds(2)) } catch {
            if case .system(let error) = error.reason { throw error }
            throw SystemError(code: EAGAIN)
        }
    }

    /// Creates the folder and its folder of blobs, for the owner only.
    func create() throws(SystemError) {
        var created = ""
        for part in (blobs.path).split(separator: "/", omittingEmptySubsequences: false) {
            created += created.isEmpty && !path.hasPrefix("/") ? part : "/\(part)"
            guard !part.isEmpty, part != "." else {
                if created == "/" { created = "" }
                continue
            }
            guard mkdir(created, 0o700) == 0 || errno == EEXIST else {
                // The folder may exist where this process may not create one.
                if (try? FileStatus(following: created))?.isFolder == true { continue }
                throw .last
            }
        }
        // Behind a symbolic link, values would be written to another folder, and never deleted.
        guard (try? FileStatus(ofFile: blobs.path))?.isFolder == true else { throw SystemError(code: ENOTDIR) }
    }

    /// Opens a new file of records for appending, and locks it.
    func open(at time: Time, number: inout Int) throws(SystemError) -> FileDescriptor {
        let stamp = time.description.filter { $0 != "-" && $0 != ":" }
        while true {
            let file = "\(path)/\(Self.prefix)\(stamp)-\(getpid())-\(number)\(Self.suffix)"
            number += 1
            do throws(SystemError) {
                let descriptor = try FileDescriptor(
                    opening: file, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, permissions: 0o600)
                // Regardless of the umask.
                try? descriptor.setPermissions(0o600)
                // Another process may be testing the lock.
                for _ in 0..<100 where (try? descriptor.tryLock(.exclusive)) == false { usleep(1000) }
                return descriptor
            } catch {
                guard error.code == EEXIST else { throw error }
            }
        }
    }

    /// Returns the time of creation in the name of a file, in seconds since 1970.
    private static func creation(of name: String) -> Int64? {
        let digits = Array(name.dropFirst(prefix.count).prefix(16).utf8)
        guard digits.count == 16, digits[8] == UInt8(ascii: "T") else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
        let text = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z"
        return (try? Time(rfc3339: text))?.secondsSinceEpoch
    }

    private static func names(in folder: String) throws(SystemError) -> [String] {
        guard let stream = opendir(folder) else { throw .last }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
