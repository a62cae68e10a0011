// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import PKIX
import ServerTrust

/// The file of a ``Checkpoint``: a JSON object whose first key is the SHA-256 of the rest. Each write replaces the
/// whole file.
final class CheckpointFile {
    /// The minimum time between two writes. Each write waits for the disk.
    private static let pause = Duration.milliseconds(250)

    let path: String
    private(set) var checkpoint: Checkpoint
    private var next = ContinuousClock.now + pause

    /// Reads the file, or creates it.
    /// - Parameter wanted: the run as it is requested now.
    /// - Throws: ``CommandFailure`` if the file belongs to another run, or can't be read or written.
    init(_ path: String, _ wanted: Checkpoint) throws(CommandFailure) {
        self.path = path
        checkpoint = wanted
        guard let begun = try Self.read(path) else {
            try write()
            return
        }
        if let difference = wanted.difference(from: begun) {
            throw CommandFailure(
                "\(path): the run can't be resumed: \(difference)",
                hint:
                    "repeat the original command, or delete \(path) and the answers that end in \(begun.run).partial, "
                    + "and start over")
        }
        checkpoint = begun
    }

    /// Checks that the files of a run that can resume are regular files, or don't exist yet.
    static func checkPlaces(of files: [String]) throws(CommandFailure) {
        for file in files where try OutputFile.place(file) != .file {
            throw CommandFailure(
                "\(file): isn't a regular file", hint: "--checkpoint needs files that can be read again")
        }
    }

    private static func read(_ path: String) throws(CommandFailure) -> Checkpoint? {
        let bytes = try CommandFailure.of("\(path): can't be read as a checkpoint") {
            try AtomicFile(path).read(maximumSize: Checkpoint.maximumSize, forOwnerAlone: false)
        }
        guard let bytes else { return nil }
        guard let found = try? JSONDecoder().decode(Schema.self, from: Data(bytes)) else {
            throw CommandFailure("\(path): isn't a checkpoint", hint: "name another file: nothing was changed")
        }
        guard found.schema == Checkpoint.schema else {
            throw CommandFailure(
                "\(path): a checkpoint from another version of this program; its schema is \(found.schema), expected \(Checkpoint.schema)"
            )
        }
        guard let body = Self.body(of: bytes) else { throw changed(path, "its digest doesn't match its contents") }
        guard let checkpoint = try? JSONDecoder().decode(Checkpoint.self, from: Data(body)) else {
            throw changed(path, "its contents aren't a checkpoint")
        }
        if let problem = checkpoint.invalidValue { throw changed(path, problem) }
        return checkpoint
    }

    private static func changed(_ path: String, _ problem: String) -> CommandFailure {
        CommandFailure(
            "\(path): the checkpoint was changed or damaged: \(problem)",
            hint:
                "nothing was changed; restore the file, or delete it and the answers that end in .partial, "
                + "and start over")
    }

    // MARK: - The digest

    private static let digestKey = Array(#"{"digest":""#.utf8)
    private static let digestEnd = Array(#"","#.utf8)
    /// The number of hexadecimal digits of SHA-256.
    private static let digestSize = 64

    /// Returns the contents of a file without their digest, or nil if the digest doesn't match.
    private static func body(of bytes: [UInt8]) -> [UInt8]? {
        let digest = bytes.dropFirst(digestKey.count).prefix(digestSize)
        let rest = bytes.dropFirst(digestKey.count + digestSize)
        guard bytes.starts(with: digestKey), rest.starts(with: digestEnd), rest.last == UInt8(ascii: "\n") else {
            return nil
        }
        let body = [UInt8(ascii: "{")] + rest.dropFirst(digestEnd.count).dropLast()
        return digest.elementsEqual(Hex.encode(Array(SHA256.hash(data: body))).utf8) ? body : nil
    }

    /// Returns the contents of a file as a JSON object with their digest.
    private static func file(of body: [UInt8]) -> [UInt8] {
        digestKey + Array(Hex.encode(Array(SHA256.hash(data: body))).utf8) + digestEnd + body.dropFirst()
            + [UInt8(ascii: "\n")]
    }

    private struct Schema: Decodable { let schema: Int }

    /// Changes the state and writes it, if enough time has passed or if `now` is true.
    ///
    /// The answers are written to the disk before the state. If the process ends in between, the next run cuts off the
    /// answers after the recorded size and writes them again.
    func update(
        now: Bool = false, _ change: (inout Checkpoint) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        guard now || ContinuousClock.now >= next else { return }
        let start = ContinuousClock.now
        try change(&checkpoint)
        try write()
        // With a large summary or a slow disk, writing takes at most a tenth of the time.
        next = ContinuousClock.now + max(Self.pause, (ContinuousClock.now - start) * 10)
    }

    private func write() throws(CommandFailure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try CommandFailure.of("\(path): the checkpoint can't be written") {
            let bytes = Self.file(of: JSONWriter.escaping(try encoder.encode(checkpoint)))
            // From the first answers on, this run holds the lock on the answers' file, so no other run that resumes
            // from here writes. The name contains the run's digits, so no other run's file has it.
            let replacement = try ReplacementFile(
                bytes, for: path, suffix: ".\(checkpoint.run).new", mode: .open, replacesRemnant: true)
            do { try replacement.replace() } catch {
                replacement.discard()
                throw error
            }
            try replacement.flushFolder()
        }
    }
}

extension Checkpoint.Input {
    /// Returns the files of an input with their current sizes and times.
    /// - Throws: ``CommandFailure`` for standard input, pipes, and files that can't be read.
    static func all(of source: InputSource) throws(CommandFailure) -> [Checkpoint.Input] {
        var inputs: [Checkpoint.Input] = []
        for name in source.files {
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
                        ? "\(name): isn't a regular file; --checkpoint needs files that can be read again"
                        : "\(name): \(error)")
            }
        }
        return inputs
    }
}

extension Checkpoint {
    /// Returns the SHA-256 of the names, sizes and times of files in hexadecimal.
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
