// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An open file, pipe or terminal. It stays open until ``close()``.
///
/// Reading and writing continue after a signal (`EINTR`). They wait if a non-blocking descriptor isn't ready
/// (`EAGAIN`).
///
/// This isn't swift-system's type of the same name, which lacks `fstat`, `fsync`, `flock` and `poll`. With it, most of
/// this file would still be needed.
package struct FileDescriptor: Sendable, Hashable {
    package let rawValue: Int32

    package static let standardInput = FileDescriptor(rawValue: STDIN_FILENO)
    package static let standardOutput = FileDescriptor(rawValue: STDOUT_FILENO)

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Opens a file. Programs that this process executes don't inherit the descriptor (`O_CLOEXEC`).
    /// - Parameters:
    ///   - flags: the flags of `open(2)`.
    ///   - permissions: the permissions of a new file, subject to the umask.
    package init(opening path: String, _ flags: Int32, permissions: UInt16 = 0) throws(SystemError) {
        let descriptor = open(path, flags | O_CLOEXEC, mode_t(permissions))
        guard descriptor >= 0 else { throw .last }
        self.rawValue = descriptor
    }

    /// Closes the descriptor.
    /// - Throws: a write error that the system only reports on closing. The descriptor is closed anyway.
    package func close() throws(SystemError) {
        guard systemClose(rawValue) == 0 else { throw .last }
    }

    /// Returns the kind, size, owner and permissions of the open file.
    package func status() throws(SystemError) -> FileStatus {
        var status = stat()
        guard fstat(rawValue, &status) == 0 else { throw .last }
        return FileStatus(status)
    }

    /// Sets the permissions, regardless of the umask.
    package func setPermissions(_ permissions: UInt16) throws(SystemError) {
        guard fchmod(rawValue, mode_t(permissions)) == 0 else { throw .last }
    }

    /// Truncates the file to a size, and moves the position there.
    package func truncate(to size: Int) throws(SystemError) {
        guard ftruncate(rawValue, off_t(size)) == 0, lseek(rawValue, off_t(size), SEEK_SET) >= 0 else { throw .last }
    }

    /// Moves the position to the beginning of the file.
    package func rewind() throws(SystemError) {
        guard lseek(rawValue, 0, SEEK_SET) >= 0 else { throw .last }
    }

    /// Moves the position forward by a number of bytes.
    package func seek(by count: Int) throws(SystemError) {
        guard lseek(rawValue, off_t(count), SEEK_CUR) >= 0 else { throw .last }
    }

    /// Waits until all written bytes are on disk.
    package func flush() throws(SystemError) {
        guard fsync(rawValue) == 0 else { throw .last }
    }

    /// Waits until the names in a file's folder are on disk.
    package static func flushFolder(of path: String) throws(SystemError) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = try FileDescriptor(opening: folder.isEmpty ? "/" : folder, O_RDONLY)
        defer { try? descriptor.close() }
        do throws(SystemError) { try descriptor.flush() } catch {
            // Some file systems can't flush a folder and report EINVAL.
            guard error.code == EINVAL else { throw error }
        }
    }
}

// MARK: - Reading

extension FileDescriptor {
    /// Reads at least one byte unless the file has ended.
    /// - Returns: the number of bytes read, or 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        while true {
            let count = systemRead(rawValue, buffer)
            if count >= 0 { return count }
            try recover(POLLIN)
        }
    }

    private func read(into bytes: inout [UInt8], from start: Int) throws(SystemError) -> Int {
        try bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(SystemError) in try read(into: .init(rebasing: buffer[start...])) }
        }.get()
    }

    /// Reads until the end, in time proportional to the number of bytes.
    /// - Returns: all bytes, or a prefix longer than `maximumSize` if there are more than `maximumSize`.
    package func readAll(maximumSize: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        // A file may change during reading, so its size is only a hint. A pipe has no size.
        if let status = try? status(), status.isRegularFile { bytes.reserveCapacity(min(status.size, maximumSize)) }
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= maximumSize {
            let count = try read(into: &chunk, from: 0)
            if count == 0 { break }
            bytes.append(contentsOf: chunk[..<count])
        }
        return bytes
    }

    /// Reads the first `count` bytes, or fewer if the file is shorter.
    package func readFirst(_ count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var found = 0
        while found < count {
            let added = try read(into: &bytes, from: found)
            if added == 0 { break }
            found += added
        }
        return Array(bytes.prefix(found))
    }
}

// MARK: - Writing

extension FileDescriptor {
    /// Writes all bytes.
    /// - Throws: ``SystemError``. Some of the bytes may have been written.
    package func writeAll(_ bytes: [UInt8]) throws(SystemError) {
        let error = bytes.withUnsafeBytes { buffer -> SystemError? in
            var rest = buffer
            while !rest.isEmpty {
                let count = systemWrite(rawValue, rest)
                if count >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                    continue
                }
                do throws(SystemError) { try recover(POLLOUT) } catch { return error }
            }
            return nil
        }
        if let error { throw error }
    }

    /// Returns if the failed call is worth another try, after waiting if necessary.
    /// - Throws: the call's error, if it isn't.
    private func recover(_ events: Int32) throws(SystemError) {
        switch errno {
        case EINTR: return
        case EAGAIN:
            var request = pollfd(fd: rawValue, events: Int16(events), revents: 0)
            _ = poll(&request, 1, -1)
        default: throw .last
        }
    }
}

// MARK: - Locking

extension FileDescriptor {
    /// The two kinds of `flock(2)` lock. A lock ends when its descriptor is closed or its process ends.
    package enum Lock: Sendable {
        /// Allows other shared locks at the same time.
        case shared
        /// Allows no other lock at the same time.
        case exclusive

        fileprivate var operation: Int32 { self == .shared ? LOCK_SH : LOCK_EX }
    }

    /// Locks the file if the lock is free. ``LockFile`` waits for a lock.
    /// - Returns: false if another descriptor has the lock.
    package func tryLock(_ kind: Lock) throws(SystemError) -> Bool {
        while flock(rawValue, kind.operation | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return false
            default: throw .last
            }
        }
        return true
    }
}

// Wrappers for system functions. Inside the type, members with the same names would shadow them.

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    write(descriptor, buffer.baseAddress, buffer.count)
}
