// SPDX-License-Identifier: Apache-2.0

import Crypto
import PKIX
import TrustSupport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The file beside the final one that a download is received into (`PATH.part`), and a note about the version that it is a part of
/// (`PATH.part.info`).
///
/// The final name is given in one step, to a file that is whole and on the disk. The partial file is locked while a download is under way. It
/// waits for the disk, so that it is called from a pool of threads; one call comes at a time.
final class PartialFile: Sendable {
    private struct State {
        var digest = SHA256()
        /// The bytes of the file that belong to the download.
        var size: Int
        var note: DownloadNote?
        var isOpen = true
    }

    let path: String
    private let descriptor: FileDescriptor
    private let state: Locked<State>

    private var partPath: String { Self.partPath(of: path) }
    private var notePath: String { partPath + ".info" }
    private static func partPath(of path: String) -> String { path + ".part" }

    /// The bytes that are there.
    var size: Int { state.withLock { $0.size } }
    /// The version that the bytes are of; nil if they can't be continued.
    var note: DownloadNote? { state.withLock { $0.note } }

    /// Opens or makes the partial file, and locks it.
    /// - Throws: ``DownloadError``: `inUse`, `fileSystem`.
    init(_ path: String, permissions: UInt16?) throws(DownloadError) {
        self.path = path
        let (descriptor, size) = try Self.open(path, permissions)
        self.descriptor = descriptor
        self.state = Locked(State(size: size))
        let note = DownloadNote(readFrom: notePath)
        if size > 0, let note, note.totalBytes.map({ size <= $0 }) ?? true {
            state.withLock { $0.note = note }
        }
    }

    deinit { close(isKept: true) }

    private static func open(
        _ path: String, _ permissions: UInt16?
    ) throws(DownloadError) -> (FileDescriptor, size: Int) {
        let partPath = partPath(of: path)
        do throws(SystemError) { try OutputPlace.requireFile(path) } catch {
            throw DownloadError(.downloadFileSystem, path: path, detail: "\(path): \(error)")
        }
        do throws(SystemError) {
            // Another download may finish between opening and locking, and its file has the final name then.
            for _ in 0..<16 {
                // Not through a symbolic link, and not waiting for a pipe's other end.
                let descriptor = try FileDescriptor(
                    opening: partPath, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, permissions: permissions ?? 0o666)
                do throws(SystemError) {
                    if let size = try lock(descriptor, partPath, permissions) { return (descriptor, size) }
                } catch {
                    try? descriptor.close()
                    throw error
                }
                try? descriptor.close()
            }
            throw SystemError(code: EWOULDBLOCK)
        } catch {
            throw DownloadError(
                error.code == EWOULDBLOCK ? .downloadInUse : .downloadFileSystem, path: path,
                detail: "\(partPath): \(error)")
        }
    }

    /// - Returns: the size of the file; nil if the open file isn't the one of that name any more.
    private static func lock(
        _ descriptor: FileDescriptor, _ partPath: String, _ permissions: UInt16?
    ) throws(SystemError) -> Int? {
        guard try descriptor.tryLock(.exclusive) else { throw SystemError(code: EWOULDBLOCK) }
        let status = try descriptor.status()
        guard let named = try? FileStatus(ofFile: partPath), named.number == status.number,
            named.device == status.device
        else { return nil }
        guard status.isOwnRegularFile else { throw SystemError(code: EPERM) }
        if let permissions { try descriptor.setPermissions(permissions) }
        return status.size
    }
}

// MARK: - Receiving

extension PartialFile {
    /// Begins anew.
    /// - Parameter note: the version that will be received; nil for one that can't be continued.
    func restart(_ note: DownloadNote?) throws(DownloadError) {
        forgetNote()
        try fileSystem { () throws(SystemError) in
            // In this order a process that is killed in between leaves no note for bytes of another version.
            unlink(notePath)
            try descriptor.truncate(to: 0)
            try note?.write(to: notePath)
        }
        state.withLock { state in
            state.digest = SHA256()
            state.size = 0
            state.note = note
        }
    }

    /// Keeps the first bytes, and continues behind them.
    func keep(_ count: Int) throws(DownloadError) {
        let note = self.note
        forgetNote()
        var digest = SHA256()
        try fileSystem { () throws(SystemError) in
            try descriptor.rewind()
            var rest = count
            while rest > 0 {
                let bytes = try descriptor.readFirst(min(rest, 1 << 18))
                // Shorter than it was: written by a process that doesn't care for the lock.
                guard !bytes.isEmpty else { throw SystemError(code: EIO) }
                digest.update(data: bytes)
                rest -= bytes.count
            }
            try descriptor.truncate(to: count)
        }
        let kept = digest
        state.withLock { state in
            state.digest = kept
            state.size = count
            state.note = note
        }
    }

    /// Writes bytes behind those that are there. After an error, as of a disk that is full, the file has those that were there.
    func append(_ bytes: [UInt8]) throws(DownloadError) {
        try fileSystem { () throws(SystemError) in
            do throws(SystemError) { try descriptor.writeAll(bytes) } catch {
                do throws(SystemError) { try descriptor.truncate(to: size) } catch { forgetNote() }
                throw error
            }
        }
        state.withLock { state in
            state.digest.update(data: bytes)
            state.size += bytes.count
        }
    }

    /// The digest of the bytes that are there, in hexadecimal digits.
    var digest: String { state.withLock { Hex.encode($0.digest.finalize()) } }

    /// The bytes aren't known to be those of the version any more: they are removed in the end unless that changes.
    private func forgetNote() { state.withLock { $0.note = nil } }

    private func fileSystem(_ body: () throws(SystemError) -> Void) throws(DownloadError) {
        do throws(SystemError) { try body() } catch {
            throw DownloadError(.downloadFileSystem, path: path, detail: "\(partPath): \(error)")
        }
    }
}

// MARK: - The end

extension PartialFile {
    /// Gives the bytes the final name, in the place of an existing file.
    func finish() throws(DownloadError) {
        try fileSystem { () throws(SystemError) in
            do throws(SystemError) { try descriptor.flush() } catch {
                // Any of the bytes may be missing on the disk.
                forgetNote()
                throw error
            }
            try OutputPlace.requireFile(path)
            guard rename(partPath, path) == 0 else { throw .last }
        }
        unlink(notePath)
        let isOpen = state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        if isOpen { try? descriptor.close() }
        // The name is there already; a folder that can't be flushed is no reason to call the download failed.
        try? FileDescriptor.flushFolder(of: path)
    }

    /// Ends a download without a file.
    /// - Parameter isKept: whether the next one may continue it, if there is anything to continue.
    func close(isKept: Bool) {
        let (isOpen, isUsable) = state.withLock { state in
            defer { state.isOpen = false }
            return (state.isOpen, state.size > 0 && state.note != nil)
        }
        guard isOpen else { return }
        if !isKept || !isUsable {
            unlink(notePath)
            unlink(partPath)
        }
        try? descriptor.close()
    }
}
