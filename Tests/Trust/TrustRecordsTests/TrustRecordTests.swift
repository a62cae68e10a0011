// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Record lines")
struct TrustRecordTests {
    /// A record with a value for each key.
    static func full() throws -> TrustRecord {
        let outcome = TrustRecord.Outcome(
            isTrusted: false, result: .recoverableFailure, codes: ["certificateExpired", "pinNotMatched"],
            path: [String(repeating: "ab", count: 32)], warnings: ["noAddress"], pin: TrustScene.pin(9))
        var record = TrustRecord(time: TestAuthority.now, recorded: outcome)
        record.id = "a \"name\"\n"
        record.host = .name(try Hostname("www.example.com"))
        record.chain = [[1, 2, 3], [UInt8](repeating: 7, count: 20_000)]
        record.intermediates = [[4]]
        record.anchors = [[5]]
        record.policy = ValidationPolicy(
            profile: .rfc5280, purpose: .clientAuth, isStrict: true, maximumIntermediates: 3,
            certificatePolicies: .init(
                acceptable: [try #require(OID("2.23.140.1.1"))], requireExplicit: true, inhibitMapping: true,
                inhibitAny: true))
        record.revocation = .required
        record.exemptsShortLived = true
        record.crls = [[6]]
        record.ocspResponses = [[7], [8]]
        record.pinRules = [KeyRequirement([try SPKIPin(TrustScene.pin(1))])]
        record.transparency = TrustRecord.Transparency(policy: "mozilla", mode: .require)
        record.count = 12
        record.client = "http"
        record.program = TrustRecord.Program(name: "app", version: "1.2")
        record.rule = "*.example.com"
        record.anchorStore = TrustRecord.Store(name: "system", count: 137, sha256: String(repeating: "0", count: 64))
        record.staple = .given([9])
        record.timestamps = [[0, 1, 2]]
        record.denied = [Array(#"{"data":[]}"#.utf8), [UInt8](repeating: 1, count: 17_000)]
        record.conditions = [Array(#"{"schemaVersion":1,"program":"A","roots":{}}"#.utf8)]
        record.filters = [[1]]
        record.logs = Array(#"{"operators":[]}"#.utf8)
        record.unrecorded = ["an evaluator"]
        return record
    }

    @Test("A record with every key survives writing and reading")
    func roundTrip() throws {
        let scratch = Scratch()
        let blobs = BlobFolder(scratch.path)
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        let record = try Self.full()
        var names: [String] = []
        let line = try record.line { bytes, name in
            names.append(name)
            try Data(bytes).write(to: URL(fileURLWithPath: "\(scratch.path)/\(name)"))
        }
        #expect(try TrustRecord(line: line, blobs: blobs) == record)
        #expect(names.count == 2)
        #expect(line.last == 0x0a)
        #expect(line.count(where: { $0 == 0x0a }) == 1)
        // Every key of the contract except those that exclude others here.
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        let keys = RequestKey.allCases.map(\.rawValue) + RecordKey.allCases.map(\.rawValue)
        #expect(Set(keys).subtracting(object.keys) == ["hostHash", "identity", "pinRules"])
        #expect(Set(object.keys).subtracting(keys).isEmpty)
    }

    @Test("Requirements of keys survive writing and reading, with one rule's anchors in a file")
    func pinRules() throws {
        let scratch = Scratch()
        let anchors = try TestAuthority.root(.authority("Own Root")).certificate
        let pins = try [TrustScene.pin(1), TrustScene.pin(2)].map { try SPKIPin($0) }
        let expiry = KeyRequirement.Expiry(TestAuthority.now, refusesAfterwards: true)
        for (rules, ruleAnchors, key) in [
            ([KeyRequirement(pins)], nil, "pins"), ([KeyRequirement(pins, scope: .leaf)], nil, "pinRules"),
            ([KeyRequirement(pins, expiry: expiry)], nil, "pinRules"),
            ([KeyRequirement([pins[0]], scope: .leaf), KeyRequirement([pins[1]], scope: .authority)], nil, "pinRules"),
            ([KeyRequirement(pins)], [anchors.der], "pinRules"),
        ] as [([KeyRequirement], [[UInt8]]?, String)] {
            var record = TrustRecord(
                time: TestAuthority.now, recorded: .init(isTrusted: true, result: .unspecified, codes: [], path: []))
            record.pinRules = rules
            record.ruleAnchors = ruleAnchors
            let folder = scratch.path + "/blobs"
            let line = try record.line { bytes, name in
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
            }
            #expect(String(decoding: line, as: UTF8.self).contains("\"\(key)\":["))
            #expect(try TrustRecord(line: line, blobs: BlobFolder(folder)) == record)
        }
    }

    @Test(
        "A malformed requirement of keys makes the line unreadable",
        arguments: [
            "[]", "{}", "[{}]", #"[{"scope":"leaf"}]"#, #"[{"scope":"leaf","pins":[]}]"#,
            #"[{"scope":"root","pins":["PIN"]}]"#, #"[{"scope":"leaf","pins":["sha256/AA"]}]"#,
            #"[{"scope":"leaf","pins":["PIN"],"expires":"2027-01-01T00:00:00Z"}]"#,
            #"[{"scope":"leaf","pins":["PIN"],"afterwards":"accept"}]"#,
            #"[{"scope":"leaf","pins":["PIN"],"expires":"2027","afterwards":"accept"}]"#,
            #"[{"scope":"leaf","pins":["PIN"],"expires":"2027-01-01T00:00:00Z","afterwards":"unpin"}]"#,
            #"[{"scope":"leaf","pins":["PIN"],"anchors":"AAAA"}]"#, #"[{"scope":"leaf","pins":["PIN"],"else":1}]"#,
            #"[{"scope":"leaf","pins":["PIN"]}],"pins":["PIN"]"#,
        ])
    func malformedPinRules(_ rules: String) throws {
        var record = TrustRecord(
            time: TestAuthority.now, recorded: .init(isTrusted: true, result: .unspecified, codes: [], path: []))
        record.chain = []
        let text = String(decoding: record.line, as: UTF8.self)
            .replacing(#""time":"#, with: #""pinRules":\#(rules.replacing("PIN", with: TrustScene.pin(1))),"time":"#)
        #expect(throws: TrustRecordError.self) { _ = try TrustRecord(text: text) }
    }

    @Test("A minimal record has default values for all other keys")
    func minimal() throws {
        let outcome = TrustRecord.Outcome(
            isTrusted: true, result: .unspecified, codes: [], path: [], warnings: [], pin: nil)
        let record = TrustRecord(time: TestAuthority.now, recorded: outcome)
        #expect(try TrustRecord(line: record.line, blobs: nil) == record)
        var hashed = record
        hashed.host = .hashed("hmac-sha256/" + Base64.encode([UInt8](repeating: 3, count: 32)), isMatched: false)
        hashed.staple = .none
        #expect(try TrustRecord(line: hashed.line, blobs: nil) == hashed)
    }

    /// A valid record with a member instead of another, or in addition.
    static func text(_ members: String, without removed: Set<String> = []) -> String {
        let recorded = #"{"verdict":"trusted","result":"unspecified","codes":[],"path":[],"warnings":[],"pin":null}"#
        let usual = [
            "record": "1", "recorded": recorded, "time": "\"2026-11-21T09:30:00Z\"", "chain": "[]",
        ]
        let kept = usual.filter { !removed.contains($0.key) }.sorted { $0.key > $1.key }
        let parts = kept.map { "\"\($0.key)\":\($0.value)" } + (members.isEmpty ? [] : [members])
        return "{" + parts.joined(separator: ",") + "}"
    }

    @Test("The record that the hostile ones differ from is valid")
    func valid() throws {
        #expect(try TrustRecord(text: Self.text("")) != nil)
    }

    @Test(
        "A hostile line is an error",
        arguments: [
            (#""unknown":1"#, ""), (#""Host":"www.example.com""#, ""), (#""record":2"#, "record"),
            (#""record":"1""#, "record"), (#""record":1.0"#, "record"), (#""record":true"#, "record"),
            (#""recorded":{}"#, "recorded"), ("", "recorded"), ("", "time"), ("", "chain"), (#""time":"now""#, "time"),
            (#""time":1"#, "time"), (#""chain":"""#, "chain"), (#""chain":[1]"#, "chain"), (#""chain":["!"]"#, "chain"),
            (#""chain":null"#, "chain"), (#""chain":[null]"#, "chain"), (#""host":null"#, ""), (#""host":"a b""#, ""),
            (#""id":1"#, ""), (#""anchors":{}"#, ""), (#""anchors":null"#, ""), (#""purpose":"all""#, ""),
            (#""profile":1"#, ""), (#""strict":1"#, ""), (#""strict":"true""#, ""), (#""maximumIntermediates":-1"#, ""),
            (#""maximumIntermediates":1e99"#, ""), (#""revocation":"on""#, ""), (#""exemptShortLived":0"#, ""),
            (#""policies":{"unknown":1}"#, ""), (#""policies":{"acceptable":["x"]}"#, ""), (#""policies":[]"#, ""),
            (#""pins":[]"#, ""), (#""pins":["sha256/AAAA"]"#, ""), (#""pins":"sha256/AAAA""#, ""),
            (#""ct":{}"#, ""), (#""ct":{"policy":"x"}"#, ""), (#""ct":{"policy":"chrome","mode":"x"}"#, ""),
            (#""ct":{"policy":"chrome","extra":1}"#, ""), (#""count":0"#, ""), (#""count":-1"#, ""),
            (#""count":"1""#, ""),
            (#""count":99999999999999999999"#, ""), (#""client":1"#, ""), (#""program":"x""#, ""),
            (#""program":{"other":1}"#, ""), (#""rule":[]"#, ""), (#""anchorStore":{"other":1}"#, ""),
            (#""anchorStore":[]"#, ""), (#""hostHash":"x""#, ""), (#""identity":"matched""#, ""),
            (#""hostHash":"hmac-sha256/AAAA","identity":"matched""#, ""),
            (#""hostHash":"hmac-sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=""#, ""),
            (#""hostHash":"hmac-sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","identity":"yes""#, ""),
            (
                #""host":"a.example","hostHash":"hmac-sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","identity":"matched""#,
                ""
            ),
            (#""staple":[]"#, ""), (#""staple":"x""#, ""), (#""timestamps":"AAAA""#, ""), (#""denied":1"#, ""),
            (#""conditions":[1]"#, ""), (#""filters":null"#, ""), (#""ctLogs":[]"#, ""), (#""unrecorded":"x""#, ""),
            (#""unrecorded":[1]"#, ""), (#""crls":[{"sha256":"00","bytes":1}]"#, ""),
            (#""crls":[{"sha256":"00"}]"#, ""), (#""crls":[{}]"#, ""),
            (
                #""recorded":{"verdict":"trusted","result":"recoverableFailure","codes":[],"path":[],"warnings":[]}"#,
                "recorded"
            ),
            (#""recorded":{"verdict":"trusted","result":"unspecified","codes":["x"],"path":[]}"#, "recorded"),
            (#""recorded":{"verdict":"rejected","result":"recoverableFailure","codes":[],"path":[]}"#, "recorded"),
            (#""recorded":{"verdict":"yes","result":"unspecified","codes":[],"path":[]}"#, "recorded"),
            (#""recorded":{"verdict":"trusted","result":"unspecified","codes":[],"path":[],"more":1}"#, "recorded"),
        ])
    func hostile(_ members: String, _ removed: String) {
        #expect(throws: TrustRecordError.self) { try TrustRecord(text: Self.text(members, without: [removed])) }
    }

    @Test(
        "A line without the key, or that isn't JSON, is no record",
        arguments: ["", "{}", "[]", #"{"chain":[]}"#, #"{"record":1"#, #"{"id":1,"id":1}"#, "{\"record\":1}x"])
    func other(_ text: String) throws {
        #expect(try TrustRecord(text: text) == nil)
    }

    @Test("A key that occurs twice is an error that names it with its place, also if it is written with an escape")
    func repeatedKeys() throws {
        let text = String(decoding: try Self.full().line.dropLast(), as: UTF8.self)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        for key in object.keys {
            let second = "\"\\u00\(String(Array(key.utf8)[0], radix: 16))\(key.dropFirst())\""
            let repeated = "\(text.dropLast()),\(second):0}"
            let error = #expect(throws: TrustRecordError.self, "\(key)") { try TrustRecord(text: repeated) }
            #expect(error?.description.contains("the key \"\(key)\" occurs twice, the second time at byte") == true)
        }
        let nested = Self.text(#""program":{"name":"a","version":"1","nam\u0065":"b"}"#)
        let error = #expect(throws: TrustRecordError.self) { try TrustRecord(text: nested) }
        #expect(error?.description.contains(#"the key "program.name" occurs twice"#) == true)
    }

    @Test("Lines that may be records are recognized, also if they are cut off")
    func recognition() throws {
        let line = try Self.full().line
        #expect(TrustRecord.mayBeRecord(line))
        #expect(TrustRecord.mayBeRecord(Array(#"{"recorded": {}, "record" : 1}"#.utf8)))
        #expect(!TrustRecord.mayBeRecord(Array(#"{"chain":[]}"#.utf8)))
        for length in 3...line.count { #expect(TrustRecord.begins(line.prefix(length))) }
        #expect(!TrustRecord.begins(Array(#"{"id":"record"}"#.utf8)))
    }
}

@Suite("Large values of records")
struct BlobTests {
    /// A record with a large CRL, in a new folder.
    private struct Scene {
        let scratch = Scratch()
        let line: [UInt8]
        let file: String
        let bytes = [UInt8](repeating: 5, count: 30_000)

        var blobs: BlobFolder { BlobFolder(scratch.path) }

        init() throws {
            try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
            var record = try TrustRecordTests.full()
            record.chain = [[1]]
            record.denied = []
            record.crls = [bytes]
            var name = ""
            line = record.line { name = $1 }
            file = "\(scratch.path)/\(name)"
            try Data(bytes).write(to: URL(fileURLWithPath: file))
        }
    }

    @Test("A value in a file is read")
    func read() throws {
        let scene = try Scene()
        #expect(try TrustRecord(line: scene.line, blobs: scene.blobs)?.crls == [scene.bytes])
    }

    @Test(
        "A missing or different file makes the record unreadable",
        arguments: ["missing", "changed", "shorter", "longer", "empty", "folder", "no folder"])
    func unreadable(_ kind: String) throws {
        let scene = try Scene()
        let url = URL(fileURLWithPath: scene.file)
        var bytes = scene.bytes
        switch kind {
        case "changed": bytes[29_999] ^= 1
        case "shorter": bytes.removeLast()
        case "longer": bytes.append(5)
        default: bytes = []
        }
        try FileManager.default.removeItem(at: url)
        if kind == "folder" { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }
        if !["missing", "folder"].contains(kind) { try Data(bytes).write(to: url) }
        let blobs = kind == "no folder" ? nil : scene.blobs
        #expect(throws: TrustRecordError.self) { try TrustRecord(line: scene.line, blobs: blobs) }
    }

    @Test(
        "A name that isn't a digest names no file",
        arguments: [
            "../secret", "/etc/hostname", String(repeating: "A", count: 64), String(repeating: "g", count: 64), "",
        ])
    func names(_ name: String) throws {
        let scene = try Scene()
        let text = TrustRecordTests.text(#""crls":[{"sha256":"\#(name)","bytes":1}]"#)
        #expect(throws: TrustRecordError.self) { try TrustRecord(line: Array(text.utf8), blobs: scene.blobs) }
    }

    @Test("The files of one record have a maximum size")
    func size() throws {
        let scene = try Scene()
        let digest = String(repeating: "0", count: 64)
        let text = TrustRecordTests.text(#""crls":[{"sha256":"\#(digest)","bytes":9223372036854775807}]"#)
        let error = #expect(throws: TrustRecordError.self) {
            try TrustRecord(line: Array(text.utf8), blobs: scene.blobs)
        }
        #expect(error?.description.contains("larger") == true)
    }
}
