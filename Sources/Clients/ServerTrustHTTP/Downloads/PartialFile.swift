// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import Crypto
import Foundation
import PKIX
import ServerTrust

/// The file next to the final one that receives a download (`PATH.part`), and a note about the file's version
/// (`PATH.part.info`).
///
/// The file receives its final name in one step, after it is complete and flushed to disk. The partial file is locked
/// during a download. Its methods wait for the disk, so call them from a thread pool, one at a time.
final class PartialFile: Sendable {
    private struct State {
        var digest = SHA256()
        /// The number of bytes in the file that belong to the download.
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

    /// The number of bytes received so far.
    var size: Int { state.withLock { $0.size } }
    /// The version that the bytes belong to. Nil if the download can't continue with them.
    var note: DownloadNote? { state.withLock { $0.note } }

    /// Opens or creates the partial file, and locks it.
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
            // Another download may finish between opening and locking. The opened file then has the final name.
            for _ in 0..<16 {
                // The flags refuse symbolic links, and don't wait for the other end of a pipe.
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

    /// - Returns: the size of the file. Nil if the name now belongs to a different file than the open one.
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
    /// Starts the file again.
    /// - Parameter note: the version of the bytes that will follow. Nil if the download can't be continued later.
    func restart(_ note: DownloadNote?) throws(DownloadError) {
        forgetNote()
        try fileSystem { () throws(SystemError) in
            // Because of this order, a process that is killed in between doesn't leave a note for bytes of another
            // version.
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

    /// Keeps the first bytes, and continues after them.
    func keep(_ count: Int) throws(DownloadError) {
        let note = self.note
        forgetNote()
        var digest = SHA256()
        try fileSystem { () throws(SystemError) in
            try descriptor.rewind()
            var rest = count
            while rest > 0 {
                let bytes = try descriptor.readFirst(min(rest, 1 << 18))
                // The file is shorter than before. Another process has changed it despite the lock.
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

    /// Appends bytes to the file. After an error, such as a full disk, the file contains only the earlier bytes.
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

    /// The digest of the bytes received so far, in hexadecimal digits.
    var digest: String { state.withLock { Hex.encode($0.digest.finalize()) } }

    /// Records that the bytes may no longer belong to the version. Unless a new note follows, the download removes them
    /// at the end.
    private func forgetNote() { state.withLock { $0.note = nil } }

    private func fileSystem(_ body: () throws(SystemError) -> Void) throws(DownloadError) {
        do throws(SystemError) { try body() } catch {
            throw DownloadError(.downloadFileSystem, path: path, detail: "\(partPath): \(error)")
        }
    }
}

// MARK: - Completion

extension PartialFile {
    /// Renames the partial file to the final name, and replaces an existing file.
    func finish() throws(DownloadError) {
        try fileSystem { () throws(SystemError) in
            do throws(SystemError) { try descriptor.flush() } catch {
                // After a failed flush, any of the bytes may be missing on the disk.
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
        // The file already has its final name. If the folder can't be flushed, the download has still succeeded.
        try? FileDescriptor.flushFolder(of: path)
    }

    /// Ends a download without a complete file.
    /// - Parameter isKept: whether the next download may continue it, if there is anything to continue.
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

/// The version of the file that a partial file belongs to. It is stored next to the partial file.
struct DownloadNote: Sendable, Hashable {
    /// The SHA-256 digest of the URL. It isn't the URL itself because the query may contain a secret.
    let url: String
    /// The strong entity tag.
    let tag: String
    /// The size of the whole file in bytes. Nil if the server didn't send it.
    let totalBytes: Int?

    private static let firstLine = "servertrust-download 1"
    private static let maximumSize = 4096

    init(url: String, tag: String, totalBytes: Int?) {
        self.url = Self.digest(ofURL: url)
        self.tag = tag
        self.totalBytes = totalBytes
    }

    static func digest(ofURL url: String) -> String { Hex.encode(Digests.sha256(Array(url.utf8))) }

    /// - Returns: nil if there is no note, if it can't be read, or if others may have written it. The download then
    ///   starts again.
    init?(readFrom path: String) {
        guard let status = try? FileStatus(ofFile: path), status.isOwnRegularFile, !status.isWritableByOthers,
            let bytes = try? AtomicFile(path).read(maximumSize: Self.maximumSize, forOwnerAlone: true)
        else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 5, lines[0] == Self.firstLine, lines[4].isEmpty else { return nil }
        let total = Int(lines[3])
        guard lines[3] == "-" || total.map({ $0 >= 0 }) ?? false else { return nil }
        self.url = String(lines[1])
        self.tag = String(lines[2])
        self.totalBytes = total
    }

    func write(to path: String) throws(SystemError) {
        let total = totalBytes.map { "\($0)" } ?? "-"
        let text = "\(Self.firstLine)\n\(url)\n\(tag)\n\(total)\n"
        try ReplacementFile(Array(text.utf8), for: path, suffix: ".new", mode: .secret, replacesRemnant: true).replace()
    }
}

#endif
