// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

/// `--record`, `servertrust records`, and records in `verify --batch`.
@Suite("Records") struct RecordsTests {
    /// An answer of `verify --batch`.
    private struct Answer: Decodable {
        struct Failure: Decodable {
            let code: String
            let message: String
        }
        let verdict: String
        let result: String
        let path: [String]
        let failures: [Failure]
    }

    /// The members of a record that an answer repeats.
    private struct Record: Decodable {
        struct Recorded: Decodable {
            let verdict: String
            let result: String
            let codes: [String]
            let path: [String]
        }
        let recorded: Recorded
        let client: String
        let unrecorded: [String]?
    }

    /// A folder with the records of a trusted and of a refused chain.
    private static func withRecords(_ body: (TemporaryFolder, [String]) throws -> Void) throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate)).path
            let root = try folder.write("root.pem", pem(lab.root)).path
            let verdicts = folder.url.appendingPathComponent("verdicts").path
            for (host, status) in [(Lab.host, Int32(0)), ("www.example.com", 1)] {
                let arguments = ["verify", chain, "--anchors", root, "--host", host, "--time", Lab.time]
                #expect(try Tool.run(arguments + ["--record", verdicts]).status == status)
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: verdicts)
            try body(folder, names.filter { $0.hasSuffix(".ndjson") }.sorted().map { "\(verdicts)/\($0)" })
        }
    }

    private static func answers(_ outcome: Tool.Outcome) throws -> [Answer] {
        try outcome.lines.map { try JSONDecoder().decode(Answer.self, from: Data($0.utf8)) }
    }

    private static func records(_ files: [String]) throws -> [Record] {
        try files.flatMap { file in
            try Data(contentsOf: URL(fileURLWithPath: file)).split(separator: 0x0a).map {
                try JSONDecoder().decode(Record.self, from: $0)
            }
        }
    }

    @Test("verify --batch answers records with the recorded verdicts, without anchors on the machine")
    func verify() throws {
        try Self.withRecords { _, files in
            let outcome = try Tool.run(["verify", "--batch"] + files)
            #expect(outcome.status == 0)
            let answers = try Self.answers(outcome)
            #expect(answers.map(\.verdict).sorted() == ["rejected", "trusted"])
            for (answer, record) in zip(answers, try Self.records(files)) {
                #expect(record.client == "command")
                #expect(answer.result == record.recorded.result)
                #expect(answer.failures.map(\.code) == record.recorded.codes)
                #expect(answer.path == record.recorded.path)
            }
        }
    }

    @Test("Options that set anchors and lists don't change the answer to a record")
    func options() throws {
        try Self.withRecords { folder, files in
            let other = try folder.write("other.pem", pem(try Lab.shared().unrelated)).path
            let arguments = ["verify", "--batch", "--anchors", other, "--time", "2031-01-01", "--strict"]
            let answers = try Self.answers(try Tool.run(arguments + files))
            #expect(answers.map(\.verdict).sorted() == ["rejected", "trusted"])
        }
    }

    @Test("--denied applies to records, and a row of a table can't be a record")
    func deniedRecords() throws {
        try Self.withRecords { folder, files in
            let leaf = try Lab.shared().leaf
            let (issuer, serial) = (Base64.encode(leaf.issuer.der), Base64.encode(leaf.serialNumber.bytes))
            let list = try folder.write(
                "denied.json", Data(#"{"data":[{"issuerName":"\#(issuer)","serialNumber":"\#(serial)"}]}"#.utf8)
            ).path
            let denied = try Self.answers(try Tool.run(["verify", "--batch", "--denied", list] + files))
            #expect(denied.map(\.verdict) == ["rejected", "rejected"])
            let rows = try Self.answers(try Tool.run(["verify", "--batch", "--input", "ndjson"] + files))
            #expect(rows.map(\.verdict) == ["unreadable", "unreadable"])
        }
    }

    @Test("Every reproducible record of the lab's demo leads to the recorded verdict, on another machine")
    func demo() throws {
        try TemporaryFolder.with { folder in
            let verdicts = folder.url.appendingPathComponent("verdicts")
            #expect(try Tool.run(["lab", "demo", "--record", verdicts.path]).status == 0)
            let names = try FileManager.default.contentsOfDirectory(atPath: verdicts.path)
            let files = names.filter { $0.hasSuffix(".ndjson") }.sorted().map { "\(verdicts.path)/\($0)" }
            let records = try Self.records(files)
            let answers = try Self.answers(try Tool.run(["verify", "--batch"] + files))
            #expect(records.count == answers.count)
            #expect(records.count > 100)
            #expect(records.count(where: { $0.unrecorded == nil }) > 95)
            for (record, answer) in zip(records, answers) {
                if let names = record.unrecorded {
                    #expect(answer.verdict == "unreadable", "\(names)")
                    continue
                }
                #expect(answer.verdict == record.recorded.verdict)
                #expect(answer.result == record.recorded.result)
                #expect(answer.failures.map(\.code) == record.recorded.codes)
                #expect(answer.path == record.recorded.path)
            }
        }
    }

    @Test("A last line that was cut off is skipped with a warning", arguments: [5, 12, 500])
    func incomplete(length: Int) throws {
        try Self.withRecords { folder, files in
            let line = try Data(contentsOf: URL(fileURLWithPath: files[0]))
            let file = try folder.write("cut.ndjson", line + line.prefix(length)).path
            let outcome = try Tool.run(["verify", "--batch", file])
            #expect(outcome.status == 0)
            #expect(outcome.lines.count == 1)
            #expect(outcome.errors.contains("incomplete"))
        }
    }

    @Test(
        "A record with an error is never trusted",
        arguments: [
            (#""record":1"#, #""record":2"#), (#""record":1"#, #""record":1,"more":1"#),
            (#""record":1"#, #""record":1,"record":1"#), (#""record":1"#, #""\u0072ecord":2"#),
            (#""client":"command""#, #""unrecorded":["x"]"#), (#""client":"command""#, #""client":1"#),
            (#""client":"command""#, #""count":0"#),
            (#""client":"command""#, #""crls":[{"sha256":"\#(String(repeating: "0", count: 64))","bytes":1}]"#),
            (#""recorded":"#, #""\u0072ecorded":1,"recorded":"#),
        ])
    func hostile(_ found: String, _ replacement: String) throws {
        try Self.withRecords { folder, files in
            let lines = try files.map {
                String(decoding: try Data(contentsOf: URL(fileURLWithPath: $0)), as: UTF8.self)
            }
            let changed = lines.map { $0.replacingOccurrences(of: found, with: replacement) }
            #expect(changed != lines)
            let file = try folder.write("hostile.ndjson", Data(changed.joined().utf8)).path
            for input in [[], ["--input", "ndjson"]] {
                let answers = try Self.answers(try Tool.run(["verify", "--batch", file] + input))
                #expect(answers.count == 2)
                #expect(answers.allSatisfy { $0.verdict == "unreadable" })
            }
        }
    }

    @Test("records list shows the files, and records delete deletes them")
    func files() throws {
        try Self.withRecords { folder, files in
            let verdicts = folder.url.appendingPathComponent("verdicts").path
            let list = try Tool.run(["records", "list", verdicts])
            #expect(list.lines.count == 3)
            #expect(files.allSatisfy { list.text.contains(URL(fileURLWithPath: $0).lastPathComponent) })
            #expect(try Tool.run(["records", "list", verdicts, "--format", "json"]).text.contains("\"inUse\": false"))
            #expect(try Tool.run(["records", "delete", verdicts, "--older-than", "1d"]).text == "nothing to delete\n")
            #expect(try Tool.run(["records", "delete", verdicts]).lines.count == 3)
            #expect(try Tool.run(["records", "list", verdicts]).text == "the folder has no records\n")
            #expect(try Tool.run(["records", "list", verdicts + "/missing"]).status == 2)
        }
    }

    @Test("records delete leaves other files and linked folders alone")
    func foreignFiles() throws {
        try TemporaryFolder.with { folder in
            let manager = FileManager.default
            let own = folder.url.appendingPathComponent("own/blobs")
            let linked = folder.url.appendingPathComponent("linked")
            let foreign = folder.url.appendingPathComponent("foreign")
            for url in [own, linked, foreign] {
                try manager.createDirectory(at: url, withIntermediateDirectories: true)
            }
            let digest = String(repeating: "a", count: 64)
            let record = "verdicts-20260101T000000Z-1-0.ndjson"
            try Data().write(to: own.deletingLastPathComponent().appendingPathComponent(record))
            try Data().write(to: linked.appendingPathComponent(record))
            for url in [own.appendingPathComponent("thesis"), foreign.appendingPathComponent(digest)] {
                try Data("x".utf8).write(to: url)
            }
            try manager.createSymbolicLink(at: linked.appendingPathComponent("blobs"), withDestinationURL: foreign)
            for url in [own.deletingLastPathComponent(), linked] {
                #expect(try Tool.run(["records", "delete", url.path]).status == 0)
            }
            #expect(manager.fileExists(atPath: own.appendingPathComponent("thesis").path))
            #expect(manager.fileExists(atPath: foreign.appendingPathComponent(digest).path))
        }
    }

    @Test("A folder that can't be written causes a warning, and the verdict stays")
    func unwritable() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate)).path
            let root = try folder.write("root.pem", pem(lab.root)).path
            let outcome = try Tool.run([
                "verify", chain, "--anchors", root, "--host", Lab.host, "--time", Lab.time, "--record", "\(chain)/x",
            ])
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("can't be written"))
        }
    }
}
