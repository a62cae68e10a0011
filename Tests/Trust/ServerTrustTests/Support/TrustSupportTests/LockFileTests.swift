// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ServerTrust

@Suite("Files that processes lock")
struct LockFileTests {
    @Test("A lock that another process holds causes an error that names the file", .timeLimit(.minutes(10)))
    func lockThatStaysTakenIsAnError() throws {
        let scratch = try Scratch()
        let path = scratch.file("f.lock")
        let holder = try LockFile.lock(path)
        let busy = LockFile.Problem(path: path, reason: .busy(.milliseconds(20)))
        #expect(throws: busy) { try LockFile.lock(path, patience: .milliseconds(20)) }
        #expect(throws: busy) { try LockFile.lockExisting(path, .shared, patience: .milliseconds(20)) }
        let words = "\(path): has been locked by another process for 2 s"
        #expect(LockFile.Problem(path: path, reason: .busy(.seconds(2))).description == words)
        try holder.close()
        // A process that another test has forked shares the descriptor until it executes its program.
        try LockFile.lock(path, patience: .seconds(60)).close()
    }

    @Test("The caller gets a lock that is released in time", .timeLimit(.minutes(10)))
    func lockThatIsReleasedIsTaken() async throws {
        let scratch = try Scratch()
        let path = scratch.file("f.lock")
        let holder = try LockFile.lock(path)
        async let next = Task.detached { try LockFile.lock(path, patience: .seconds(300)) }.value
        try holder.close()
        try await next.close()
    }

    @Test("Several processes can hold shared locks, but only one can hold an exclusive lock", .timeLimit(.minutes(10)))
    func sharedLocksAreHeldTogether() throws {
        let scratch = try Scratch()
        let path = scratch.file("f.lock")
        try LockFile.lock(path).close()
        let first = try #require(try LockFile.lockExisting(path, .shared))
        defer { try? first.close() }
        let second = try #require(try LockFile.lockExisting(path, .shared, patience: .zero))
        defer { try? second.close() }
        #expect(throws: LockFile.Problem.self) { try LockFile.lock(path, patience: .zero) }
    }

    @Test("The lock doesn't follow a symbolic link and creates nothing at its target")
    func symbolicLinkIsNotFollowed() throws {
        let scratch = try Scratch()
        let path = scratch.file("f.lock")
        for target in ["missing", "present"] {
            if target == "present" { try scratch.make(target, [1]) }
            #expect(symlink(scratch.file(target), path) == 0)
            let problem = LockFile.Problem(path: path, reason: .symbolicLink)
            #expect(throws: problem) { try LockFile.lock(path) }
            #expect(throws: problem) { try LockFile.lockExisting(path, .shared) }
            #expect(unlink(path) == 0)
        }
        #expect(try scratch.names == ["present"])
        #expect(try scratch.contents("present") == [1])
    }

    @Test("The lock immediately refuses a pipe and a folder", .timeLimit(.minutes(10))) func othersAreRefused() throws {
        let scratch = try Scratch()
        let pipe = scratch.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let problem = LockFile.Problem(path: pipe, reason: .notRegular)
        #expect(throws: problem) { try LockFile.lock(pipe) }
        #expect(throws: problem) { try LockFile.lockExisting(pipe, .shared) }
        #expect(throws: LockFile.Problem.self) { try LockFile.lock(scratch.path) }
        #expect(throws: LockFile.Problem.self) { try LockFile.lockExisting(scratch.path, .shared) }
    }

    @Test("An existing lock file isn't created again") func existingLockIsNotCreated() throws {
        let scratch = try Scratch()
        #expect(try LockFile.lockExisting(scratch.file("f.lock"), .shared) == nil)
        #expect(try scratch.names.isEmpty)
    }

    @Test("Changing a file throws while another process holds the lock", .timeLimit(.minutes(10)))
    func changeEndsWithAnError() throws {
        let scratch = try Scratch()
        let file = AtomicFile(scratch.file("f"))
        let holder = try LockFile.lock(scratch.file("f.lock"))
        defer { try? holder.close() }
        let problem = AtomicFile.Problem.notWritable("\(file.path).lock: has been locked by another process for 0 s")
        #expect(throws: problem) {
            try file.locked({ AtomicFile.Problem.notWritable($0) }, patience: .milliseconds(1)) {
                () throws(AtomicFile.Problem) in try file.write([1])
            }
        }
        #expect(try scratch.names == ["f.lock"])
    }
}
