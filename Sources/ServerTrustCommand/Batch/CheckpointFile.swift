// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import PKIX
import TrustSupport

/// The file of a ``Checkpoint``, replaced as a whole.
final class CheckpointFile {
    /// The least time between two writes; each waits for the disk.
    private static let pause = Duration.milliseconds(250)

    let path: String
    private(set) var checkpoint: Checkpoint
    private var next = ContinuousClock.now + pause

    /// Reads the file, or begins it.
    /// - Parameter wanted: the run as it is asked for now.
    /// - Throws: ``CommandFailure`` if the file is of another run, or can't be read or written.
    init(_ path: String, _ wanted: Checkpoint) throws(CommandFailure) {
        self.path = path
        checkpoint = wanted
        guard let begun = try Self.read(path) else {
            try write()
            return
        }
        if let difference = wanted.difference(from: begun) {
            throw CommandFailure(
                "\(path): the run can't go on: \(difference)",
                hint:
                    "repeat the command as it was, or delete \(path) and the answers that end with \(begun.run).partial, "
                    + "and begin anew")
        }
        checkpoint = begun
    }

    private static func read(_ path: String) throws(CommandFailure) -> Checkpoint? {
        let bytes: [UInt8]?
        do throws(AtomicFile.Problem) {
            bytes = try AtomicFile(path).read(maximumSize: Checkpoint.maximumSize, forOwnerAlone: false)
        } catch {
            throw CommandFailure("\(path): can not be read as a checkpoint: \(error)")
        }
        guard let bytes else { return nil }
        guard let found = try? JSONDecoder().decode(Schema.self, from: Data(bytes)) else {
            throw CommandFailure("\(path): no checkpoint", hint: "name another file: nothing was changed")
        }
        guard found.schema == Checkpoint.schema,
            let checkpoint = try? JSONDecoder().decode(Checkpoint.self, from: Data(bytes))
        else {
            throw CommandFailure("\(path): a checkpoint of another version of this program, or a damaged one")
        }
        return checkpoint
    }

    private struct Schema: Decodable { let schema: Int }

    /// Notes the file of the answers, which has none yet.
    func begin(_ output: AnswerOutput) throws(CommandFailure) {
        checkpoint.output = output.number
        try write()
    }

    /// Writes the state behind some answers, if it is time, or at once.
    ///
    /// The answers are on the disk before the file says so: whatever happens in between, those behind it are cut off and written again.
    func update(
        _ position: InputPosition, _ output: AnswerOutput, _ counts: BatchCounts, _ summary: AuditSummary?,
        now: Bool = false
    ) throws(CommandFailure) {
        guard now || ContinuousClock.now >= next else { return }
        let start = ContinuousClock.now
        try output.flush()
        checkpoint.position = position
        checkpoint.outputSize = output.size
        checkpoint.counts = counts
        checkpoint.summary = summary
        try write()
        // A large summary or a slow disk takes at most a tenth of the time.
        next = ContinuousClock.now + max(Self.pause, (ContinuousClock.now - start) * 10)
    }

    /// Notes that all is written, with the counts of all rows.
    func complete(
        _ output: AnswerOutput, _ counts: BatchCounts, _ summary: AuditSummary?
    ) throws(CommandFailure) {
        checkpoint.outputSize = output.size
        checkpoint.counts = counts
        checkpoint.summary = summary
        checkpoint.isComplete = true
        try write()
    }

    private func write() throws(CommandFailure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            let bytes = Array(try encoder.encode(checkpoint)) + [UInt8(ascii: "\n")]
            // From its first answers on the run holds the lock on them, so no other one that goes on from here writes.
            // The name has the run's digits: nobody else's file has it.
            let replacement = try ReplacementFile(
                bytes, for: path, suffix: ".\(checkpoint.run).new", mode: .open, replacesRemnant: true)
            do { try replacement.replace() } catch {
                replacement.discard()
                throw error
            }
            try replacement.flushFolder()
        } catch {
            throw CommandFailure("\(path): the checkpoint can not be written: \(error)")
        }
    }
}

extension Checkpoint.Input {
    /// Returns the files or folders of an input as they are now.
    /// - Throws: ``CommandFailure`` for standard input, pipes, and what can't be read.
    static func all(of source: InputSource) throws(CommandFailure) -> [Checkpoint.Input] {
        var inputs: [Checkpoint.Input] = []
        for name in source.files {
            if source.format.isFolder {
                let files = try FolderBlockReader.files(in: name)
                inputs.append(
                    Checkpoint.Input(name: name, size: files.count, modified: 0, names: Checkpoint.digest(of: files)))
                continue
            }
            do throws(SystemError) {
                let descriptor = try FileDescriptor(opening: name, O_RDONLY | O_NONBLOCK)
                defer { try? descriptor.close() }
                let status = try descriptor.status()
                guard status.isRegularFile else { throw SystemError(code: ESPIPE) }
                inputs.append(
                    Checkpoint.Input(
                        name: name, size: status.size, modified: status.modified,
                        nanoseconds: status.modifiedNanoseconds))
            } catch {
                throw CommandFailure(
                    error.code == ESPIPE
                        ? "\(name): no regular file, expected one that can be read again with --checkpoint"
                        : "\(name): \(error)")
            }
        }
        return inputs
    }
}

extension Checkpoint {
    /// Returns the SHA-256 of names, sizes and times of files in hexadecimal.
    static func digest(of files: [String]) -> String {
        var digest = SHA256()
        for file in files {
            let status = try? FileStatus(following: file)
            let time = "\(status?.modified ?? 0).\(status?.modifiedNanoseconds ?? 0)"
            digest.update(data: Array("\(file)\0\(status?.size ?? 0) \(time)\0".utf8))
        }
        return Hex.encode(Array(digest.finalize()))
    }
}
