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
/// Several processes may share it; whoever changes it holds the lock (`FILE.lock` beside it). What is written is on the disk
/// when ``write(_:)`` returns, the file's name included.
package struct AtomicFile: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    /// What went wrong, in the operating system's words.
    package enum Problem: Error {
        case notReadable(String)
        case notWritable(String)
        /// The bytes it has.
        case tooLarge(Int)
        /// Group or others may write it; its permissions.
        case writableByOthers(Int)
    }

    /// The contents; nil if there is no such file.
    /// - Parameters:
    ///   - maximumSize: in bytes; a file that is longer is an error.
    ///   - forOwnerAlone: whether a file that others may write is an error.
    package func read(maximumSize: Int, forOwnerAlone: Bool) throws(Problem) -> [UInt8]? {
        // Not to wait for a writer if it is a pipe.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            // A missing file is told from one that can't be looked at, which must not count as empty.
            if errno == ENOENT { return nil }
            throw .notReadable(Self.systemError())
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .notReadable(Self.systemError()) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notReadable("no regular file") }
        guard !forOwnerAlone || status.st_mode & 0o022 == 0 else {
            throw .writableByOthers(Int(status.st_mode & 0o777))
        }
        // Whoever owns it can write it, whatever its permissions are at the moment.
        guard !forOwnerAlone || status.st_uid == geteuid() || status.st_uid == 0 else {
            throw .notReadable("belongs to user \(status.st_uid), expected \(geteuid())")
        }
        guard status.st_size <= maximumSize else { throw .tooLarge(Int(status.st_size)) }
        return try Self.readAll(descriptor, maximumSize)
    }

    /// Replaces the contents, or makes the file, for its owner alone. To be called under the lock.
    package func write(_ bytes: [UInt8]) throws(Problem) {
        // Under the lock there is one writer, so the name of the new file needs no chance in it.
        let new = path + ".new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .notWritable(Self.systemError()) }
        var reason = Self.writeAll(bytes, to: descriptor) && fsync(descriptor) == 0 ? nil : Self.systemError()
        if close(descriptor) != 0, reason == nil { reason = Self.systemError() }
        if reason == nil, rename(new, path) != 0 { reason = Self.systemError() }
        if let reason {
            unlink(new)
            throw .notWritable(reason)
        }
        try flushFolder()
    }

    /// Runs `body` while nobody else who asks for the lock is in it, in whatever process.
    /// - Parameter failure: the error to throw, from the operating system's words.
    package func locked<Result, Failure: Error>(
        _ failure: (String) -> Failure, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw failure(Self.systemError()) }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure(Self.systemError()) }
        }
        return try body()
    }

    /// A rename is on the disk only when its folder is.
    private func flushFolder() throws(Problem) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .notWritable(Self.systemError()) }
        defer { close(descriptor) }
        // Some file systems can't flush a folder; they say so with EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .notWritable(Self.systemError()) }
    }

    private static func readAll(_ descriptor: Int32, _ maximumSize: Int) throws(Problem) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = chunk.withUnsafeMutableBytes { buffer in
                #if canImport(Darwin)
                    Darwin.read(descriptor, buffer.baseAddress, buffer.count)
                #elseif canImport(Musl)
                    Musl.read(descriptor, buffer.baseAddress, buffer.count)
                #else
                    Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .notReadable(systemError()) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= maximumSize else { throw .tooLarge(bytes.count) }
        }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                #if canImport(Darwin)
                    Darwin.write(descriptor, buffer.baseAddress, buffer.count)
                #elseif canImport(Musl)
                    Musl.write(descriptor, buffer.baseAddress, buffer.count)
                #else
                    Glibc.write(descriptor, buffer.baseAddress, buffer.count)
                #endif
            }
            if count < 0 {
                guard errno == EINTR else { return false }
                continue
            }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func systemError() -> String { String(cString: strerror(errno)) }
}
