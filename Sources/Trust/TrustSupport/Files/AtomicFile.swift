// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file that is only ever replaced as a whole: a reader, a crash or a kill at any moment sees the old contents or the new.
///
/// Several processes may share it; a process that changes it holds the lock (`FILE.lock` beside it). The bytes are on the disk
/// when ``write(_:)`` returns, and so is the file's name.
package struct AtomicFile: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    /// A failure of reading or writing, in the operating system's words.
    package enum Problem: Error, Hashable {
        case notReadable(String)
        case notWritable(String)
        /// The bytes it has.
        case tooLarge(Int)
        /// Group or others may write it; its permissions.
        case writableByOthers(Int)
    }

    /// Returns the contents; nil if there is no such file.
    /// - Parameters:
    ///   - maximumSize: in bytes; a file that is longer is an error.
    ///   - forOwnerAlone: whether a file that others may write is an error.
    package func read(maximumSize: Int, forOwnerAlone: Bool) throws(Problem) -> [UInt8]? {
        let descriptor: FileDescriptor
        // O_NONBLOCK: opening a pipe doesn't wait for its writer.
        do throws(SystemError) { descriptor = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK) } catch {
            // A missing file is distinct from one that can't be opened, which must not count as empty.
            guard error.code == ENOENT else { throw .notReadable(error.description) }
            return nil
        }
        defer { try? descriptor.close() }
        let status = try Self.reading { () throws(SystemError) in try descriptor.status() }
        guard status.isRegularFile else { throw .notReadable("no regular file") }
        guard !forOwnerAlone || !status.isWritableByOthers else { throw .writableByOthers(status.permissions) }
        guard !forOwnerAlone || status.hasTrustedOwner else {
            throw .notReadable("belongs to user \(status.owner), expected \(geteuid())")
        }
        guard status.size <= maximumSize else { throw .tooLarge(status.size) }
        let bytes = try Self.reading { () throws(SystemError) in try descriptor.readAll(maximumSize: maximumSize) }
        guard bytes.count <= maximumSize else { throw .tooLarge(bytes.count) }
        return bytes
    }

    /// Replaces the contents, or makes the file, for its owner alone. To be called under the lock.
    package func write(_ bytes: [UInt8]) throws(Problem) {
        do throws(SystemError) {
            // Under the lock there is one writer, so the suffix can be the same each time.
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

    /// Runs `body` while no other caller of this method does, in any process.
    /// - Parameters:
    ///   - failure: makes the error to throw if there is no lock, from a text that names its file.
    ///   - patience: the longest wait for the lock; ``LockFile/patience`` unless given.
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
