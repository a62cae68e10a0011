// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ServerTrust

@Suite("Output locations")
struct OutputPlaceTests {
    /// A folder with a file of each kind that needs no privilege.
    private struct Scene {
        let scratch: Scratch

        init() throws {
            scratch = try Scratch()
            try scratch.make("file", [1])
            for (name, target) in [
                ("link", "file"), ("dangling", "nothing"), ("null", "/dev/null"), ("to pipe", "pipe"),
                ("to folder", "folder"),
                ("loop", "loop"),
            ] {
                try #require(symlink(target, scratch.file(name)) == 0)
            }
            try #require(mkfifo(scratch.file("pipe"), 0o600) == 0 && mkdir(scratch.file("folder"), 0o700) == 0)
            try #require(mknod(scratch.file("socket"), S_IFSOCK | 0o600, 0) == 0)
        }
    }

    @Test("The writer replaces a file or free name, writes through devices and pipes, and refuses everything else")
    func kinds() throws {
        let scene = try Scene()
        for (name, place) in [
            ("file", .file), ("free", .file), ("pipe", .stream), ("null", .stream), ("to pipe", .stream),
        ] as [(String, OutputPlace)] {
            #expect(try OutputPlace(scene.scratch.file(name)) == place, "\(name)")
        }
        for name in ["link", "dangling", "to folder", "loop", "folder", "socket"] {
            #expect(throws: SystemError.self, "\(name)") { try OutputPlace(scene.scratch.file(name)) }
        }
        #expect(try OutputPlace("/dev/null") == .stream)
        #expect(try OutputPlace("/dev/stdout") == .descriptor(1))
        #expect(try OutputPlace("/dev/stderr") == .descriptor(2))
        #expect(try OutputPlace("/dev/fd/2") == .descriptor(2))
        #expect(throws: SystemError(code: EBADF)) { try OutputPlace("/dev/fd/1000000") }
    }

    @Test("The writer replaces only a regular file, and a refused file stays unchanged")
    func replacement() throws {
        let scene = try Scene()
        let scratch = scene.scratch
        let before = try scratch.names
        for name in ["link", "dangling", "null", "pipe", "to pipe", "folder", "socket", "loop"] {
            let kind = try FileStatus(ofFile: scratch.file(name)).kind
            let error = SystemError(found: kind)
            #expect(error.code == EINVAL)
            #expect(throws: error) {
                try ReplacementFile([2], for: scratch.file(name), suffix: ".p", mode: .open, replacesRemnant: true)
            }
            #expect(throws: AtomicFile.Problem.notWritable(error.description)) {
                try AtomicFile(scratch.file(name)).write([2])
            }
            #expect(try FileStatus(ofFile: scratch.file(name)).kind == kind)
        }
        #expect(try scratch.names == before && scratch.contents("file") == [1])
        try AtomicFile(scratch.file("file")).write([2])
        try AtomicFile(scratch.file("free")).write([3])
        #expect(try scratch.contents("file") == [2] && scratch.contents("free") == [3])
    }

    @Test("The writer doesn't replace a link that takes the file's name before the new contents do")
    func race() throws {
        let scratch = try Scratch()
        try scratch.make("victim", [1])
        let file = try ReplacementFile([2], for: scratch.file("f"), suffix: ".p", mode: .open, replacesRemnant: false)
        try #require(symlink("victim", scratch.file("f")) == 0)
        #expect(throws: SystemError(found: .symbolicLink)) { try file.replace() }
        file.discard()
        #expect(try scratch.names == ["f", "victim"] && scratch.contents("victim") == [1])
    }

    @Test("A stream is opened for writing, and a descriptor is duplicated")
    func opening() throws {
        let scene = try Scene()
        let path = scene.scratch.file("to pipe")
        let reader = open(scene.scratch.file("pipe"), O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let stream = try #require(try OutputPlace(path).open(path))
        try stream.writeAll([1, 2])
        try stream.close()
        #expect(try FileDescriptor(rawValue: reader).readFirst(2) == [1, 2])
        let file = try FileDescriptor(opening: scene.scratch.file("file"), O_WRONLY | O_APPEND)
        let name = "/dev/fd/\(file.rawValue)"
        let copy = try #require(try OutputPlace(name).open(name))
        #expect(copy != file)
        try copy.writeAll([2])
        try copy.close()
        try file.writeAll([3])
        try file.close()
        #expect(try scene.scratch.contents("file") == [1, 2, 3])
        #expect(try OutputPlace(scene.scratch.file("file")).open(scene.scratch.file("file")) == nil)
    }
}
