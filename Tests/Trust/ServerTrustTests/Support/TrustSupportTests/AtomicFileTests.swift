// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

@Suite("Atomically replaced files")
struct AtomicFileTests {
    struct Reading: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var size: Int?
        var permissions = 0o600
        var isForOwnerAlone = false
        let expected: Result<[UInt8]?, AtomicFile.Problem>
    }

    @Test(
        "The reader accepts a file if it is small enough and others can't write to it",
        arguments: [
            Reading(testDescription: "a missing file returns nil", expected: .success(nil)),
            Reading(testDescription: "an empty file has no bytes", size: 0, expected: .success([])),
            Reading(
                testDescription: "a file of the maximum size is accepted", size: 1000,
                expected: .success([UInt8](repeating: 7, count: 1000))),
            Reading(
                testDescription: "a file one byte above the maximum is refused", size: 1001,
                expected: .failure(.tooLarge(1001))),
            Reading(
                testDescription: "a file that its group can write is refused", size: 1, permissions: 0o620,
                isForOwnerAlone: true, expected: .failure(.writableByOthers(0o620))),
            Reading(
                testDescription: "a file that all can write is refused", size: 1, permissions: 0o602,
                isForOwnerAlone: true,
                expected: .failure(.writableByOthers(0o602))),
            Reading(
                testDescription: "a file that others can only read is accepted", size: 1, permissions: 0o644,
                isForOwnerAlone: true, expected: .success([7])),
            Reading(
                testDescription: "others may write the file if the caller allows it", size: 1, permissions: 0o666,
                expected: .success([7])),
        ])
    func reads(_ row: Reading) throws {
        let scratch = try Scratch()
        if let size = row.size {
            try scratch.make("f", [UInt8](repeating: 7, count: size), permissions: row.permissions)
        }
        let found = Result { () throws(AtomicFile.Problem) in
            try AtomicFile(scratch.file("f")).read(maximumSize: 1000, forOwnerAlone: row.isForOwnerAlone)
        }
        #expect(found == row.expected)
    }

    @Test("A folder isn't a file") func folderIsNoFile() throws {
        let scratch = try Scratch()
        #expect(throws: AtomicFile.Problem.self) {
            try AtomicFile(scratch.path).read(maximumSize: 1, forOwnerAlone: false)
        }
    }

    @Test("The reader immediately refuses a pipe without a writer") func pipeWithoutWriterIsRefusedAtOnce() throws {
        let scratch = try Scratch()
        #expect(mkfifo(scratch.file("f"), 0o600) == 0)
        #expect(throws: AtomicFile.Problem.self) {
            try AtomicFile(scratch.file("f")).read(maximumSize: 1, forOwnerAlone: false)
        }
    }

    @Test("The writer replaces the whole file, and only its owner can read the new one")
    func replacesTheWholeFileForItsOwnerAlone() throws {
        let scratch = try Scratch()
        try scratch.make("f", [1, 2, 3], permissions: 0o644)
        try AtomicFile(scratch.file("f")).write([4])
        #expect(try scratch.contents("f") == [4])
        #expect(try scratch.permissions("f") == 0o600)
        #expect(try scratch.names == ["f"])
    }

    @Test("The writer replaces the remnant of a killed writer") func remnantOfAKilledWriterIsReplaced() throws {
        let scratch = try Scratch()
        try scratch.make("f.new", [1, 2, 3])
        try AtomicFile(scratch.file("f")).write([4])
        #expect(try scratch.contents("f") == [4])
        #expect(try scratch.names == ["f"])
    }

    @Test("A failed write leaves the file unchanged and leaves no other file behind")
    func failureLeavesTheFileAndNoOther()
        throws
    {
        let scratch = try Scratch()
        // A file can't replace a folder that isn't empty.
        try FileManager.default.createDirectory(atPath: scratch.file("f/inside"), withIntermediateDirectories: true)
        #expect(throws: AtomicFile.Problem.self) { try AtomicFile(scratch.file("f")).write([4]) }
        #expect(try scratch.names == ["f"])
    }

    @Test("A missing folder causes an error") func missingFolderIsAnError() throws {
        let scratch = try Scratch()
        #expect(throws: AtomicFile.Problem.notWritable(SystemError(code: ENOENT).description)) {
            try AtomicFile(scratch.file("missing/f")).write([4])
        }
    }

    @Test("The lock admits one writer at a time") func lockAdmitsOneAtATime() async throws {
        let scratch = try Scratch()
        let file = AtomicFile(scratch.file("f"))
        try file.write([0])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try? file.locked({ _ in AtomicFile.Problem.notWritable("") }) { () throws(AtomicFile.Problem) in
                        let count = try file.read(maximumSize: 1, forOwnerAlone: true)?.first ?? 0
                        try file.write([count + 1])
                    }
                }
            }
        }
        #expect(try scratch.contents("f") == [50])
    }
}
