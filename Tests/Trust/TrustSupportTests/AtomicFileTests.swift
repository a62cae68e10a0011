// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TrustSupport

@Suite("Files that are replaced as a whole")
struct AtomicFileTests {
    struct Reading: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var size: Int?
        var permissions = 0o600
        var isForOwnerAlone = false
        let expected: Result<[UInt8]?, AtomicFile.Problem>
    }

    @Test(
        "A file is read if it is small enough and not for others to write",
        arguments: [
            Reading(testDescription: "a missing file is nil", expected: .success(nil)),
            Reading(testDescription: "an empty file is no byte", size: 0, expected: .success([])),
            Reading(
                testDescription: "a file of the maximum size is read", size: 1000,
                expected: .success([UInt8](repeating: 7, count: 1000))),
            Reading(
                testDescription: "a byte above the maximum is refused", size: 1001, expected: .failure(.tooLarge(1001))),
            Reading(
                testDescription: "a file that the group may write is refused", size: 1, permissions: 0o620,
                isForOwnerAlone: true, expected: .failure(.writableByOthers(0o620))),
            Reading(
                testDescription: "a file that all may write is refused", size: 1, permissions: 0o602,
                isForOwnerAlone: true,
                expected: .failure(.writableByOthers(0o602))),
            Reading(
                testDescription: "a file that others may read alone is read", size: 1, permissions: 0o644,
                isForOwnerAlone: true, expected: .success([7])),
            Reading(
                testDescription: "without the demand others may write it", size: 1, permissions: 0o666,
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

    @Test("A folder is no file") func folderIsNoFile() throws {
        let scratch = try Scratch()
        #expect(throws: AtomicFile.Problem.self) {
            try AtomicFile(scratch.path).read(maximumSize: 1, forOwnerAlone: false)
        }
    }

    @Test("A pipe without a writer is refused at once") func pipeWithoutWriterIsRefusedAtOnce() throws {
        let scratch = try Scratch()
        #expect(mkfifo(scratch.file("f"), 0o600) == 0)
        #expect(throws: AtomicFile.Problem.self) {
            try AtomicFile(scratch.file("f")).read(maximumSize: 1, forOwnerAlone: false)
        }
    }

    @Test("A file is replaced as a whole, for its owner alone") func replacesTheWholeFileForItsOwnerAlone() throws {
        let scratch = try Scratch()
        try scratch.make("f", [1, 2, 3], permissions: 0o644)
        try AtomicFile(scratch.file("f")).write([4])
        #expect(try scratch.contents("f") == [4])
        #expect(try scratch.permissions("f") == 0o600)
        #expect(try scratch.names == ["f"])
    }

    @Test("The remnant of a killed writer is replaced") func remnantOfAKilledWriterIsReplaced() throws {
        let scratch = try Scratch()
        try scratch.make("f.new", [1, 2, 3])
        try AtomicFile(scratch.file("f")).write([4])
        #expect(try scratch.contents("f") == [4])
        #expect(try scratch.names == ["f"])
    }

    @Test("A failure leaves the file, and no other") func failureLeavesTheFileAndNoOther() throws {
        let scratch = try Scratch()
        // A folder that isn't empty can't be replaced by a file.
        try FileManager.default.createDirectory(atPath: scratch.file("f/inside"), withIntermediateDirectories: true)
        #expect(throws: AtomicFile.Problem.self) { try AtomicFile(scratch.file("f")).write([4]) }
        #expect(try scratch.names == ["f"])
    }

    @Test("A missing folder is an error") func missingFolderIsAnError() throws {
        let scratch = try Scratch()
        #expect(throws: AtomicFile.Problem.notWritable(SystemError(code: ENOENT).description)) {
            try AtomicFile(scratch.file("missing/f")).write([4])
        }
    }

    @Test("The lock admits one at a time") func lockAdmitsOneAtATime() async throws {
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
