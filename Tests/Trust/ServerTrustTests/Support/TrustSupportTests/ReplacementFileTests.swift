// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

@Suite("New contents for a file under another name")
struct ReplacementFileTests {
    @Test(
        "Only the owner can read a secret file, and a replacement keeps the old file's permissions",
        arguments: [(ReplacementFile.Mode.secret, 0o600), (.open, 0o644), (.same(0o664), 0o664), (.same(0o400), 0o400)])
    func modeIsThatOfTheNewFile(_ mode: ReplacementFile.Mode, _ expected: Int) throws {
        let scratch = try Scratch()
        let file = try ReplacementFile(
            [1], for: scratch.file("f"), suffix: ".partial", mode: mode, replacesRemnant: false)
        try file.replace()
        try file.flushFolder()
        // The umask limits an open file's permissions, but doesn't affect a secret's.
        let permissions = try #require(try scratch.permissions("f"))
        #expect(mode == .open ? permissions & ~expected == 0 : permissions == expected)
    }

    @Test("A file stays until it is replaced") func fileStaysUntilItIsReplaced() throws {
        let scratch = try Scratch()
        try scratch.make("f", [1])
        let file = try ReplacementFile([2], for: scratch.file("f"), suffix: ".p", mode: .open, replacesRemnant: false)
        #expect(try scratch.contents("f") == [1])
        #expect(try scratch.names == ["f", "f.p"])
        try file.replace()
        #expect(try scratch.contents("f") == [2])
        #expect(try scratch.names == ["f"])
    }

    @Test("A created file doesn't replace an existing one") func createdFileReplacesNone() throws {
        let scratch = try Scratch()
        try scratch.make("f", [1])
        let file = try ReplacementFile([2], for: scratch.file("f"), suffix: ".p", mode: .open, replacesRemnant: false)
        #expect(throws: SystemError(code: EEXIST)) { try file.create() }
        file.discard()
        #expect(try scratch.contents("f") == [1])
        #expect(try scratch.names == ["f"])
    }

    @Test("A created file has one name") func createdFileHasOneName() throws {
        let scratch = try Scratch()
        try ReplacementFile([2], for: scratch.file("f"), suffix: ".p", mode: .open, replacesRemnant: false).create()
        #expect(try scratch.contents("f") == [2])
        #expect(try scratch.names == ["f"])
    }

    @Test("A remnant is replaced only on request") func remnantIsReplacedOnDemandAlone() throws {
        let scratch = try Scratch()
        try scratch.make("f.p", [1])
        #expect(throws: SystemError(code: EEXIST)) {
            try ReplacementFile([2], for: scratch.file("f"), suffix: ".p", mode: .open, replacesRemnant: false)
        }
        #expect(try scratch.contents("f.p") == [1])
        try ReplacementFile([2], for: scratch.file("f"), suffix: ".p", mode: .open, replacesRemnant: true).replace()
        #expect(try scratch.contents("f") == [2])
    }

    @Test("The writer doesn't follow a symbolic link under the other name")
    func symbolicLinkInTheOtherNamesPlaceIsNotFollowed() throws {
        let scratch = try Scratch()
        try scratch.make("victim", [1])
        #expect(symlink(scratch.file("victim"), scratch.file("f.p")) == 0)
        #expect(throws: SystemError(code: EEXIST)) {
            try ReplacementFile([2], for: scratch.file("f"), suffix: ".p", mode: .open, replacesRemnant: false)
        }
        try ReplacementFile([2], for: scratch.file("f"), suffix: ".p", mode: .open, replacesRemnant: true).replace()
        #expect(try scratch.contents("victim") == [1])
        #expect(try scratch.contents("f") == [2])
    }
}
