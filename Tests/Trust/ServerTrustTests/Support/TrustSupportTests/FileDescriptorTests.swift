// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

@Suite("Reading, writing and locking with descriptors")
struct FileDescriptorTests {
    /// The two ends of a pipe.
    private func pipe(nonBlocking: Bool = false) throws -> (reader: FileDescriptor, writer: FileDescriptor) {
        var ends: [Int32] = [0, 0]
        guard Foundation.pipe(&ends) == 0 else { throw SystemError.last }
        if nonBlocking {
            for end in ends where fcntl(end, F_SETFL, O_NONBLOCK) != 0 { throw SystemError.last }
        }
        return (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    }

    /// More than the capacity of any pipe, so writing it takes several calls.
    private static let large = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    @Test("Every byte arrives through a pipe, whether it blocks or not", arguments: [false, true])
    func everyByteOfALargeTextArrives(isNonBlocking: Bool) async throws {
        let (reader, writer) = try pipe(nonBlocking: isNonBlocking)
        defer { try? reader.close() }
        let thread = Thread {
            try? writer.writeAll(Self.large)
            try? writer.close()
        }
        thread.start()
        #expect(try reader.readAll(maximumSize: .max) == Self.large)
    }

    @Test("Reading stops above the maximum", arguments: [0, 1, 4, 1 << 20])
    func readingStopsAboveTheMaximum(maximum: Int) throws {
        let scratch = try Scratch()
        try scratch.make("f", Self.large)
        let file = try FileDescriptor(opening: scratch.file("f"), O_RDONLY)
        defer { try? file.close() }
        let bytes = try file.readAll(maximumSize: maximum)
        #expect(Self.large.starts(with: bytes))
        #expect(maximum < Self.large.count ? bytes.count > maximum : bytes.count == maximum)
        #expect(bytes.count <= maximum + (64 << 10))
    }

    @Test(
        "Reading the first bytes of a shorter file returns fewer bytes",
        arguments: [(0, 0), (2, 2), (3, 3), (16, 3)]
    )
    func firstBytesAreFewerOfAShorterFile(count: Int, expected: Int) throws {
        let scratch = try Scratch()
        try scratch.make("f", [1, 2, 3])
        let file = try FileDescriptor(opening: scratch.file("f"), O_RDONLY)
        defer { try? file.close() }
        #expect(try file.readFirst(count) == Array([1, 2, 3].prefix(expected)))
    }

    @Test("Errors keep their code") func errorsKeepTheirCode() throws {
        let scratch = try Scratch()
        #expect(throws: SystemError(code: ENOENT)) { try FileDescriptor(opening: scratch.file("f"), O_RDONLY) }
        let closed = FileDescriptor(rawValue: -1)
        #expect(throws: SystemError(code: EBADF)) { try closed.readAll(maximumSize: 1) }
        #expect(throws: SystemError(code: EBADF)) { try closed.writeAll([1]) }
        #expect(throws: SystemError(code: EBADF)) { try closed.status() }
        #expect(throws: SystemError(code: EBADF)) { try closed.close() }
    }

    @Test("An exclusive lock excludes other locks") func exclusiveLockKeepsOthersOut() throws {
        let scratch = try Scratch()
        let flags = O_RDWR | O_CREAT
        let first = try FileDescriptor(opening: scratch.file("lock"), flags, permissions: 0o600)
        let second = try FileDescriptor(opening: scratch.file("lock"), flags, permissions: 0o600)
        defer { try? second.close() }
        #expect(try first.tryLock(.exclusive))
        #expect(try !second.tryLock(.shared))
        #expect(try first.tryLock(.shared))
        #expect(try second.tryLock(.shared))
        #expect(try !second.tryLock(.exclusive))
        try first.close()
        #expect(try second.tryLock(.exclusive))
    }

    @Test("The status contains the kind, size and permissions") func statusHasKindSizeAndPermissions() throws {
        let scratch = try Scratch()
        try scratch.make("f", [1, 2, 3], permissions: 0o640)
        let file = try FileDescriptor(opening: scratch.file("f"), O_RDONLY)
        defer { try? file.close() }
        let status = try file.status()
        #expect(status.isRegularFile)
        #expect(status.size == 3)
        #expect(status.permissions == 0o640)
        #expect(!status.isWritableByOthers)
        #expect(status.hasTrustedOwner)
        let folder = try FileDescriptor(opening: scratch.path, O_RDONLY)
        defer { try? folder.close() }
        #expect(try !folder.status().isRegularFile)
    }
}
