// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// The output for answers: standard output, a device, a pipe or a file. A file appears under its name when it is
/// complete.
final class AnswerOutput {
    /// The name of the file, or nil for standard output and other streams.
    let file: String?
    /// The name of the file until it is complete.
    private let partial: String
    private let descriptor: FileDescriptor?
    /// Deletes the file if a signal ends the process. Nil for a file that another run can continue.
    private let unfinished: UnfinishedFile?
    /// The number of bytes written so far.
    private(set) var size: Int
    /// The inode number of the file, or nil for streams.
    let number: UInt64?

    /// Creates an output to a device, a pipe or a descriptor, which the output closes at the end.
    /// - Parameter stream: the descriptor, or nil for standard output.
    init(to stream: FileDescriptor?, _ name: String) {
        file = nil
        partial = name
        descriptor = stream
        size = 0
        number = nil
        unfinished = nil
    }

    /// Starts a new file.
    /// - Parameters:
    ///   - partial: the name until the file is complete.
    ///   - replaces: whether an existing file with the partial name was left by the same run and may be replaced.
    /// - Throws: ``CommandFailure`` if the file already exists, or another process is writing to it.
    init(_ file: String, partial: String, replaces: Bool) throws(CommandFailure) {
        self.file = file
        self.partial = partial
        size = 0
        guard (try? FileStatus(ofFile: file)) == nil else {
            throw CommandFailure("\(file) already exists", hint: "move it away, or name another file")
        }
        // Without a checkpoint, no later run can continue these answers.
        let unfinished = replaces ? nil : UnfinishedFile(partial)
        self.unfinished = unfinished
        do throws(SystemError) {
            let descriptor = try FileDescriptor(
                opening: partial, O_RDWR | O_NOFOLLOW | O_CREAT | (replaces ? 0 : O_EXCL), permissions: 0o644)
            self.descriptor = descriptor
            let status = try Self.lock(descriptor)
            number = status.number
            try descriptor.truncate(to: 0)
            try FileDescriptor.flushFolder(of: partial)
        } catch {
            throw CommandFailure("\(partial): \(Self.reason(error, 0))")
        }
    }

    /// Continues the file of a run that was killed.
    /// - Parameters:
    ///   - size: the number of bytes to keep.
    ///   - number: the inode number of the file that the run wrote.
    /// - Throws: ``CommandFailure`` if the file is a different or a shorter one, or another process is writing to it. The
    ///   file is unchanged then.
    init(
        _ file: String, partial: String, from size: Int, of number: UInt64
    ) throws(CommandFailure) {
        self.file = file
        self.partial = partial
        self.size = size
        self.number = number
        unfinished = nil
        // If the run was killed between its last two steps, the file already has its final name.
        let named = (try? FileStatus(ofFile: file))?.number
        let hasName = named != nil && (try? FileStatus(ofFile: partial)) == nil
        let name = hasName ? file : partial
        guard named == nil || named == number else {
            throw CommandFailure("\(file) already exists", hint: "move it away: the answers so far are in \(partial)")
        }
        do throws(SystemError) {
            let descriptor = try FileDescriptor(opening: name, O_RDWR | O_NOFOLLOW)
            self.descriptor = descriptor
            let status = try Self.lock(descriptor)
            guard status.number == number else { throw SystemError(code: ESTALE) }
            guard status.size >= size else { throw SystemError(code: ENODATA) }
            // This process holds the lock, so the run that wrote the file has ended. If both names belong to the same
            // file, `rename` would keep both.
            if hasName { guard rename(file, partial) == 0 else { throw .last } } else if named != nil { unlink(file) }
            try descriptor.truncate(to: size)
        } catch {
            throw CommandFailure("\(name): \(Self.reason(error, size))")
        }
    }

    private static func lock(_ descriptor: FileDescriptor) throws(SystemError) -> FileStatus {
        guard try descriptor.tryLock(.exclusive) else { throw SystemError(code: EBUSY) }
        let status = try descriptor.status()
        guard status.isRegularFile else { throw SystemError(code: EINVAL) }
        return status
    }

    private static func reason(_ error: SystemError, _ size: Int) -> String {
        switch error.code {
        case EBUSY: "another process is writing to it"
        case ENODATA: "is shorter than the checkpoint says, expected at least \(size) bytes"
        case ESTALE: "isn't the file that the checkpoint belongs to; nothing was changed"
        case EINVAL: "isn't a regular file"
        default: error.description
        }
    }

    deinit { try? descriptor?.close() }

    /// Appends answers.
    /// - Throws: ``CommandFailure``, or ``OutputClosed`` if the reader of a stream has closed it.
    func write(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        guard let descriptor else { return try StandardStream.output.write(bytes) }
        do throws(SystemError) { try descriptor.writeAll(bytes) } catch {
            guard file != nil || error.code != EPIPE else { throw OutputClosed() }
            throw CommandFailure("\(partial): \(error)")
        }
        size += bytes.count
    }

    /// Waits until all answers are on the disk.
    func flush() throws(CommandFailure) {
        try CommandFailure.of(partial) { try descriptor?.flush() }
    }

    /// Renames the file to its final name.
    /// - Throws: ``CommandFailure`` if a file with that name has been created in the meantime. The answers keep their
    ///   partial name then.
    func complete() throws(CommandFailure) {
        guard let file else { return }
        try flush()
        // All answers are written: keep them even if renaming fails.
        unfinished?.keep()
        try CommandFailure.of(file, hint: "all answers are in \(partial): rename it") {
            // Unlike a check beforehand, `link` is atomic: it fails if another process has created the file.
            if link(partial, file) == 0 {
                unlink(partial)
            } else {
                let error = SystemError.last
                // Some file systems don't support links.
                guard [EPERM, EOPNOTSUPP, ENOTSUP, ENOSYS, EMLINK].contains(error.code) else { throw error }
                guard (try? FileStatus(ofFile: file)) == nil else { throw SystemError(code: EEXIST) }
                guard rename(partial, file) == 0 else { throw SystemError.last }
            }
            try FileDescriptor.flushFolder(of: file)
        }
    }

    /// Deletes the incomplete file.
    func discard() {
        if file != nil { unlink(partial) }
        unfinished?.keep()
    }
}
