// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TrustSupport

@Suite("New contents of a file under another name")
struct ReplacementFileTests {
    @Test(
        "A secret file is readable by its owner alone, and a replaced one by those before",
        arguments: [(ReplacementFile.Mode.secret, 0o600), (.open, 0o644), (.same(0o664), 0o664), (.same(0o400), 0o400)])
    func modeIsThatOfTheNewFile(_ mode: ReplacementFile.Mode, _ expected: Int) throws {
        let scratch = try Scratch()
        let file = try ReplacementFile(
            [1], for: scratch.file("f"), suffix: ".partial", mode: mode, replacesRemnant: false)
        try file.replace()
        try file.flushFolder()
        // The umask takes away from an open file's permissions, and nothing from a secret's.
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

    @Test("A created file replaces none") func createdFileReplacesNone() throws {
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

    @Test("A remnant is replaced on demand alone") func remnantIsReplacedOnDemandAlone() throws {
        let scratch = try Scratch()
        try scratch.make("f.p", [1])
        #expect(throws: SystemError(code: EEXIST)) {
            try ReplacementFile([2], for: scratch.file("f"), suffix: ".p", mode: .open, replacesRemnant: false)
        }
        #expect(try scratch.contents("f.p") == [1])
        try ReplacementFile([2], for: scratch.file("f"), suffix: ".p", mode: .open, replacesRemnant: true).replace()
        #expect(try scratch.contents("f") == [2])
    }

    @Test("A symbolic link in the place of the other name is not followed")
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
