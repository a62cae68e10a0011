// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file whose contents are always replaced as a whole. After a crash or a kill at any moment, a reader finds either
/// the old or the new contents.
///
/// Several processes may share the file. A process that changes it takes the lock (`FILE.lock` in the same folder).
/// When ``write(_:)`` returns, the bytes and the file's name are on disk.
package struct AtomicFile: Sendable {
    let path: String

    package init(_ path: String) { self.path = path }

    /// A read or write failure, in the operating system's words.
    package enum Problem: Error, Hashable {
        case notReadable(String)
        case notWritable(String)
        /// The file is too large. The value is its size in bytes.
        case tooLarge(Int)
        /// The group or others may write to the file. The value is its permissions.
        case writableByOthers(Int)
    }

    /// Returns the contents, or nil if the file doesn't exist.
    /// - Parameters:
    ///   - maximumSize: the limit in bytes. A larger file is an error.
    ///   - forOwnerAlone: whether a file that other users may write to is an error.
    package func read(maximumSize: Int, forOwnerAlone: Bool) throws(Problem) -> [UInt8]? {
        let descriptor: FileDescriptor
        // With O_NONBLOCK, opening a pipe doesn't wait for its writer.
        do throws(SystemError) { descriptor = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK) } catch {
            // A missing file differs from a file that can't be opened, which must not count as empty.
            guard error.code == ENOENT else { throw .notReadable(error.description) }
            return nil
        }
        defer { try? descriptor.close() }
        let status = try Self.reading { () throws(SystemError) in try descriptor.status() }
        guard status.isRegularFile else { throw .notReadable("not a regular file") }
        guard !forOwnerAlone || !status.isWritableByOthers else { throw .writableByOthers(status.permissions) }
        guard !forOwnerAlone || status.hasTrustedOwner else {
            throw .notReadable("belongs to user \(status.owner), expected \(geteuid())")
        }
        guard status.size <= maximumSize else { throw .tooLarge(status.size) }
        let bytes = try Self.reading { () throws(SystemError) in try descriptor.readAll(maximumSize: maximumSize) }
        guard bytes.count <= maximumSize else { throw .tooLarge(bytes.count) }
        return bytes
    }

    /// Replaces the contents, or creates the file, accessible only to its owner. Call it while holding the lock.
    package func write(_ bytes: [UInt8]) throws(Problem) {
        do throws(SystemError) {
            // The lock allows only one writer, so the suffix can always be the same.
            let replacement = try ReplacementFile(
                bytes, for: path, suffix: ".new", mode: .secret, replacesRemnant: true)
            do throws(SystemError) { try replacement.replace() } catch {
                replacement.discard()
                throw error
            }
            try replacement.flushFolder()
        } catch {
            throw .notWritable(error.description)
        }
    }

    /// Runs `body` under the lock: no other caller of this method runs at the same time, in any process.
    /// - Parameters:
    ///   - failure: creates the error to throw if locking fails, from a text that names the file.
    ///   - patience: the longest wait for the lock. The default is ``LockFile/patience``.
    package func locked<Result, Failure: Error>(
        _ failure: (String) -> Failure, patience: Duration = LockFile.patience, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let lock: FileDescriptor
        do throws(LockFile.Problem) { lock = try LockFile.lock(path + ".lock", patience: patience) } catch {
            throw failure(error.description)
        }
        defer { try? lock.close() }
        return try body()
    }

    private static func reading<Value>(_ body: () throws(SystemError) -> Value) throws(Problem) -> Value {
        do throws(SystemError) { return try body() } catch { throw .notReadable(error.description) }
    }
}
