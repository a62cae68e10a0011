// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Atomic reading and writing of files.
///
/// A file is written under another name, flushed to the disk, and renamed. A process that is killed in between leaves a file whose
/// name ends in ``partialSuffix``, and no other trace.
package enum FolderFile {
    static let partialSuffix = ".partial"

    /// The largest size read; certificates, keys and indices are far below it.
    private static let maximumSize = 64 << 20
    private static let patience = 20

    package enum Mode: mode_t {
        /// Readable and writable by the owner alone, independently of the umask.
        case secret = 0o600
        /// Subject to the umask.
        case open = 0o644
    }

    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    static func read(_ path: String) throws(AuthorityFolderError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw AuthorityFolderError(path, .notReadable(systemError())) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = chunk.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw AuthorityFolderError(path, .notReadable(systemError())) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= maximumSize else {
                throw AuthorityFolderError(path, .malformed("is over \(maximumSize >> 20) MiB"))
            }
        }
    }

    /// Creates a folder unless it exists.
    package static func makeFolder(_ path: String) throws(AuthorityFolderError) {
        guard mkdir(path, 0o755) != 0 else { return }
        let reason = systemError()
        var status = stat()
        guard errno == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw AuthorityFolderError(path, .notWritable(reason))
        }
    }

    /// Replaces several files that belong together: writes all of them under other names, then renames them in this order.
    ///
    /// A full disk or a missing permission is thus an error before any file has changed. The caller holds the lock.
    package static func replace(_ files: [(path: String, bytes: [UInt8], mode: Mode)]) throws(AuthorityFolderError) {
        do throws(AuthorityFolderError) {
            for file in files { try writePartial(file.path, file.bytes, file.mode) }
            for file in files {
                guard rename(file.path + partialSuffix, file.path) == 0 else {
                    throw AuthorityFolderError(file.path, .notWritable(systemError()))
                }
                try flushFolder(of: file.path)
            }
        } catch {
            for file in files { unlink(file.path + partialSuffix) }
            throw error
        }
    }

    private static func writePartial(_ path: String, _ bytes: [UInt8], _ mode: Mode) throws(AuthorityFolderError) {
        let partial = path + partialSuffix
        // The lock keeps other processes from writing it.
        unlink(partial)
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode.rawValue)
        guard descriptor >= 0 else { throw AuthorityFolderError(path, .notWritable(systemError())) }
        var isWritten = mode == .open || fchmod(descriptor, mode.rawValue) == 0
        isWritten = isWritten && writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
        let reason = systemError()
        guard close(descriptor) == 0, isWritten else { throw AuthorityFolderError(path, .notWritable(reason)) }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 {
                    guard errno == EINTR else { return false }
                    continue
                }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// Flushes the folder of a file, without which a rename is not on the disk.
    private static func flushFolder(of path: String) throws(AuthorityFolderError) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // Some file systems can't flush a folder and return EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw AuthorityFolderError(path, .notWritable(systemError()))
        }
    }

    /// Runs `body` while no other process changes `folder`.
    static func locked<Result>(
        _ folder: String, _ body: () throws(AuthorityFolderError) -> Result
    ) throws(AuthorityFolderError) -> Result {
        let path = folder + "/.lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw AuthorityFolderError(path, .notWritable(systemError())) }
        defer { close(descriptor) }
        try wait(for: descriptor, LOCK_EX, folder)
        return try body()
    }

    /// Runs `body` while no other process changes `folder`. If the lock can't be opened, as in a read-only copy, it runs without.
    static func lockedForReading<Result>(
        _ folder: String, _ body: () throws(AuthorityFolderError) -> Result
    ) throws(AuthorityFolderError) -> Result {
        let descriptor = open(folder + "/.lock", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return try body() }
        defer { close(descriptor) }
        try wait(for: descriptor, LOCK_SH, folder)
        return try body()
    }

    private static func wait(for descriptor: Int32, _ kind: Int32, _ folder: String) throws(AuthorityFolderError) {
        let start = Date()
        while flock(descriptor, kind | LOCK_NB) != 0 {
            guard errno == EINTR || errno == EWOULDBLOCK else {
                throw AuthorityFolderError(folder, .notWritable(systemError()))
            }
            guard Date().timeIntervalSince(start) < Double(patience) else {
                throw AuthorityFolderError(folder, .busy(seconds: patience))
            }
            usleep(10_000)
        }
    }

    private static func systemError() -> String { String(cString: strerror(errno)) }
}
