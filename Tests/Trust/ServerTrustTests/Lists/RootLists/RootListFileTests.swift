// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing
import TrustScenes

@Suite("Root list files")
struct RootListFileTests {
    @Test("A list has its file's modification date, unless its form or the caller sets another date")
    func date() throws {
        let folder = try StoreFolder()
        let root = try TestAuthority.root(.authority("Root")).certificate
        try folder.write(
            RootListTexts.certificateObject(root) + RootListTexts.trustObject(root), "certdata.txt")
        let path = folder.path + "/certdata.txt"
        let changed = Date(timeIntervalSince1970: 1_781_308_800)
        try FileManager.default.setAttributes([.modificationDate: changed], ofItemAtPath: path)
        #expect(try RootList(contentsOfFile: path).source == "Mozilla, file of 2026-06-13")
        #expect(try RootList(contentsOfFile: path, date: .at("2026-01-02")).source == "Mozilla, 2026-01-02")
        #expect(try RootList(Array(folder.bytes("certdata.txt"))).source == "Mozilla")
        try folder.write(
            #"{ "schemaVersion": 1, "program": "Test", "date": "2025-05-05", "distrusted": ["\#(Hex.encode(root.sha256))"] }"#,
            "list.json")
        #expect(try RootList(contentsOfFile: folder.path + "/list.json").source == "Test, 2025-05-05")
    }

    @Test("An unreadable file causes an error with its name")
    func unreadable() throws {
        let folder = try StoreFolder()
        for path in [folder.path + "/nothing", folder.path] {
            let error = #expect(throws: RootListError.self) { try RootList(contentsOfFile: path) }
            #expect(error?.file == path)
        }
    }

    @Test(
        "A file that is too large causes an error, and the reader doesn't read it to the end", .timeLimit(.minutes(10))
    )
    func tooLarge() {
        #expect(throws: RootListError.self) { try RootList(contentsOfFile: "/dev/zero") }
    }

    @Test(
        "Bytes in no known form cause an error",
        arguments: ["", " ", "\u{0}", "%PDF", "-----BEGIN X-----", "#", "# only\n# comments"])
    func noForm(_ text: String) {
        #expect(throws: RootListError.self) { try RootListTexts.list(text) }
    }

    @Test("Random bytes after the beginning of each form never crash a reader")
    func randomBytes() {
        var random = SplitMix(state: 7)
        let starts = [
            "BEGINDATA\nCKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\nCKA_VALUE MULTILINE_OCTAL\n", "trust_anchors {\n",
            "[p11-kit-object-v1]\n", "{ \"schemaVersion\": 1,", "-----BEGIN TRUSTED CERTIFICATE-----\n",
        ]
        let alphabet = Array("\\07 \n\t\"':{}[]<>,%-ABEGINDtrue#".utf8) + [0, 0xff]
        for round in 0..<4000 {
            var bytes = Array(starts[round % starts.count].utf8)
            for _ in 0..<(round % 97) { bytes.append(alphabet[Int(random.next() % UInt64(alphabet.count))]) }
            _ = try? RootList(bytes)
        }
    }
}

/// A generator that returns the same numbers in every run.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
