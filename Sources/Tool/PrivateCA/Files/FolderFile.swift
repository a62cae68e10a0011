// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// Reads and writes files atomically.
///
/// A file is first written under another name, then flushed to disk and renamed. If a process is killed in between, it
/// leaves only a file whose name ends in ``partialSuffix``.
package enum FolderFile {
    static let partialSuffix = ".partial"

    /// The maximum file size that is read. Certificates, keys and indices are far smaller.
    private static let maximumSize = 64 << 20
    private static let patience = Duration.seconds(20)

    package typealias Mode = ReplacementFile.Mode

    package static func exists(_ path: String) -> Bool { (try? FileStatus(ofFile: path)) != nil }

    static func read(_ path: String) throws(AuthorityFolderError) -> [UInt8] {
        let bytes = try AuthorityFolderError.of(path, AuthorityFolderError.Reason.notReadable) {
            try FileContents(ofFile: path, maximumSize: maximumSize).bytes
        }
        guard bytes.count <= maximumSize else {
            throw AuthorityFolderError(path, .malformed("is larger than \(maximumSize >> 20) MiB"))
        }
        return bytes
    }

    /// Creates a folder unless it exists.
    package static func makeFolder(_ path: String) throws(AuthorityFolderError) {
        guard mkdir(path, 0o755) != 0 else { return }
        let error = SystemError.last
        guard error.code == EEXIST, (try? FileStatus(following: path))?.isFolder == true else {
            throw AuthorityFolderError(path, .notWritable(error.description))
        }
    }

    /// Replaces several files that belong together. It writes all of them under other names first, then renames them in
    /// this order.
    ///
    /// A full disk or a missing permission therefore fails before any file is changed. The caller must have locked the
    /// folder.
    package static func replace(_ files: [(path: String, bytes: [UInt8], mode: Mode)]) throws(AuthorityFolderError) {
        var replacements: [ReplacementFile] = []
        do throws(AuthorityFolderError) {
            for file in files {
                replacements.append(
                    try AuthorityFolderError.of(file.path, AuthorityFolderError.Reason.notWritable) {
                        // The lock prevents other processes from writing it.
                        try ReplacementFile(
                            file.bytes, for: file.path, suffix: partialSuffix, mode: file.mode, replacesRemnant: true)
                    })
            }
            for replacement in replacements {
                try AuthorityFolderError.of(replacement.path, AuthorityFolderError.Reason.notWritable) {
                    try replacement.replace()
                    try flushFolder(of: replacement)
                }
            }
        } catch {
            for replacement in replacements { replacement.discard() }
            throw error
        }
    }

    private static func flushFolder(of replacement: ReplacementFile) throws(SystemError) {
        do throws(SystemError) { try replacement.flushFolder() } catch {
            // A folder that can be written but not read can't be opened, so it can't be flushed.
            guard error.code == EACCES else { throw error }
        }
    }

    /// Runs `body` while no other process can change `folder`.
    static func locked<Result>(
        _ folder: String, _ body: () throws(AuthorityFolderError) -> Result
    ) throws(AuthorityFolderError) -> Result {
        try holding({ () throws(LockFile.Problem) in try LockFile.lock(folder + "/.lock", patience: patience) }, body)
    }

    /// Runs `body` while no other process can change `folder`. If no lock file can be opened, as in a read-only copy,
    /// it runs without the lock.
    static func lockedForReading<Result>(
        _ folder: String, _ body: () throws(AuthorityFolderError) -> Result
    ) throws(AuthorityFolderError) -> Result {
        try holding(
            { () throws(LockFile.Problem) in
                try LockFile.lockExisting(folder + "/.lock", .shared, patience: patience)
            }, body)
    }

    private static func holding<Result>(
        _ makeLock: () throws(LockFile.Problem) -> FileDescriptor?,
        _ body: () throws(AuthorityFolderError) -> Result
    ) throws(AuthorityFolderError) -> Result {
        let lock: FileDescriptor?
        do throws(LockFile.Problem) { lock = try makeLock() } catch {
            throw
                switch error.reason
            {
            case .busy(let patience):
                AuthorityFolderError(error.path, .busy(seconds: Int(patience.components.seconds)))
            case .system(let reason): AuthorityFolderError(error.path, .notWritable(reason.description))
            case .symbolicLink, .notRegular: AuthorityFolderError(error.path, .notWritable("not a regular file"))
            }
        }
        defer { try? lock?.close() }
        return try body()
    }
}
