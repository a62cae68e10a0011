// SPDX-License-Identifier: Apache-2.0

import Foundation
import TrustSupport

/// The place that answers are written to: standard output, a device or a pipe, or a file that appears under its name when it is complete.
final class AnswerOutput {
    /// The file's name; nil for standard output and other streams.
    let file: String?
    /// The name until the file is complete.
    private let partial: String
    private let descriptor: FileDescriptor?
    /// The end of the file by a signal; nil for a file that another run goes on with.
    private let unfinished: UnfinishedFile?
    /// The bytes written so far.
    private(set) var size: Int
    /// The number of the file in its file system; nil for streams.
    let number: UInt64?

    /// Creates standard output.
    init() {
        file = nil
        partial = ""
        descriptor = nil
        size = 0
        number = nil
        unfinished = nil
    }

    /// Creates the output to a device, a pipe or a descriptor, which is closed at the end.
    init(to stream: FileDescriptor, _ name: String) {
        file = nil
        partial = name
        descriptor = stream
        size = 0
        number = nil
        unfinished = nil
    }

    /// Begins a file.
    /// - Parameters:
    ///   - partial: the name until the file is complete.
    ///   - replaces: whether a file of that name is what is left of the same run.
    /// - Throws: ``CommandFailure`` if the file is there already, or another process writes it.
    init(_ file: String, partial: String, replaces: Bool) throws(CommandFailure) {
        self.file = file
        self.partial = partial
        size = 0
        guard (try? FileStatus(ofFile: file)) == nil else {
            throw CommandFailure("\(file) is there already", hint: "move it away, or name another file")
        }
        // Without a checkpoint nothing goes on with these answers.
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

    /// Goes on with the file of a run that was killed.
    /// - Parameters:
    ///   - size: the bytes to go on behind.
    ///   - number: the file that the run wrote.
    /// - Throws: ``CommandFailure`` if it is another file or a shorter one, or another process writes it. It is unchanged then.
    init(
        _ file: String, partial: String, from size: Int, of number: UInt64
    ) throws(CommandFailure) {
        self.file = file
        self.partial = partial
        self.size = size
        self.number = number
        unfinished = nil
        // A run that was killed between its last two steps has given the file its name already.
        let named = (try? FileStatus(ofFile: file))?.number
        let hasName = named != nil && (try? FileStatus(ofFile: partial)) == nil
        let name = hasName ? file : partial
        guard named == nil || named == number else {
            throw CommandFailure("\(file) is there already", hint: "move it away: the answers so far are in \(partial)")
        }
        do throws(SystemError) {
            let descriptor = try FileDescriptor(opening: name, O_RDWR | O_NOFOLLOW)
            self.descriptor = descriptor
            let status = try Self.lock(descriptor)
            guard status.number == number else { throw SystemError(code: ESTALE) }
            guard status.size >= size else { throw SystemError(code: ENODATA) }
            // Under the lock: the run that wrote it has ended. Of two names of one file `rename` leaves both.
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
        case EBUSY: "another process writes it"
        case ENODATA: "is shorter than the checkpoint says, expected at least \(size) bytes"
        case ESTALE: "is another file than the one that the checkpoint is about; nothing was changed"
        case EINVAL: "no regular file"
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
        do throws(SystemError) { try descriptor?.flush() } catch { throw CommandFailure("\(partial): \(error)") }
    }

    /// Gives the file its name.
    /// - Throws: ``CommandFailure`` if a file of that name has been made meanwhile. The answers keep the other name then.
    func complete() throws(CommandFailure) {
        guard let file else { return }
        try flush()
        // All answers are there: they stay, whatever happens to their name.
        unfinished?.keep()
        do throws(SystemError) {
            // Unlike a search beforehand, a link can't be overtaken by another process's file.
            if link(partial, file) == 0 {
                unlink(partial)
            } else {
                let error = SystemError.last
                // Some file systems have no links.
                guard [EPERM, EOPNOTSUPP, ENOTSUP, ENOSYS, EMLINK].contains(error.code) else { throw error }
                guard (try? FileStatus(ofFile: file)) == nil else { throw SystemError(code: EEXIST) }
                guard rename(partial, file) == 0 else { throw SystemError.last }
            }
            try FileDescriptor.flushFolder(of: file)
        } catch {
            throw CommandFailure("\(file): \(error)", hint: "the answers are all in \(partial): give it another name")
        }
    }

    /// Deletes a file that isn't complete.
    func discard() {
        if file != nil { unlink(partial) }
        unfinished?.keep()
    }
}
