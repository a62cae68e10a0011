// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinLint
import PinTestSupport
import ServerTrust
import Testing

@testable import ServerTrustPins

/// Compares the published JSON Schema with the reader. It uses an independent JSON Schema implementation: Python's
/// `jsonschema`.
@Suite(.enabled(if: SchemaJudge.hasPython, "python3 with jsonschema is missing")) struct SchemaTests {
    @Test("Written files are valid under the schema") func writtenFilesAreValid() throws {
        var random = SystemRandomNumberGenerator()
        var documents: [String] = []
        for _ in 0..<100 {
            documents.append(
                String(decoding: try RandomPins.configuration(&random).written(as: .json).bytes, as: UTF8.self))
        }
        let rows = [
            (ATSSemanticsTests.rows, PinFormat.ats), (TrustKitSemanticsTests.rows, .trustKit),
            (AndroidSemanticsTests.rows, .android), (OtherSemanticsTests.okHttp, .okHttp),
            (OtherSemanticsTests.isp, .isp),
        ]
        for (rows, format) in rows {
            for row in rows {
                let configuration = try PinFixture.shared().configuration(row.file, format)
                documents.append(String(decoding: try configuration.written(as: .json).bytes, as: UTF8.self))
            }
        }
        let pin = Array(try PinFixture.shared().filled("sha256//{LEAF}").utf8)
        let curl = try PinConfiguration(importing: pin, as: .curl, file: "pins").written(as: .json)
        documents.append(String(decoding: curl.bytes, as: UTF8.self))
        let verdicts = try SchemaJudge.verdicts(documents)
        #expect(verdicts.count == documents.count)
        for (verdict, document) in zip(verdicts, documents) { #expect(verdict, "\(document)") }
    }

    /// The schema also refuses files that the reader refuses for their structure.
    @Test("The reader and the schema both refuse files with another structure") func otherShapesAreRefused() throws {
        let good = OwnText.own(
            OwnText.rule("example.com", "CA", OwnText.expires("refused")))
        let changes = [
            ("\"schemaVersion\": 1", "\"schemaVersion\": 2"), ("\"mostSpecific\"", "\"some\""),
            ("\"refused\",", "\"open\","),
            ("\"hosts\"", "\"host\""), ("\"example.com\"", "\"exa mple.com\""), ("[\"example.com\"]", "[]"),
            ("\"enforced\"", "\"unpinned\""), ("\"enforced\"", "\"on\""),
            ("\"key\"", "\"certificate\": \"AAAA\", \"key\""),
            ("sha256/", "sha1/"), ("\"anywhere\"", "\"everywhere\""),
            ("\"afterwards\": \"refused\"", "\"then\": \"refused\""),
            ("2026-11-18T11:06:39Z", "soon"), ("\"mode\"", "\"anchors\": [{\"source\": \"resource\"}], \"mode\""),
        ]
        let documents = [good] + changes.map { good.replacing($0.0, with: $0.1) }
        let filled = try documents.map { try PinFixture.shared().filled($0) }
        let verdicts = try SchemaJudge.verdicts(filled)
        for (index, document) in filled.enumerated() {
            let isRead = (try? PinConfiguration(reading: Array(document.utf8), as: .json, file: "file")) != nil
            #expect(isRead == (index == 0), "\(document)")
            #expect(verdicts[index] == (index == 0), "\(document)")
        }
    }
}

/// Python's `jsonschema`.
private enum SchemaJudge {
    static let schema = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Documentation/pins.schema.json")

    static let hasPython = (try? python("import jsonschema", [])) == 0

    @discardableResult
    static func python(_ program: String, _ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-W", "ignore", "-c", program] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Returns whether the schema accepts each document, one document per line.
    static func verdicts(_ documents: [String]) throws -> [Bool] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("schema-\(UUID().uuidString)")
        defer {
            try? FileManager.default.removeItem(at: file)
            try? FileManager.default.removeItem(at: file.appendingPathExtension("out"))
        }
        let lines = documents.map { $0.replacing("\n", with: " ") }
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        let program = """
            import json, sys, jsonschema
            schema = json.load(open(sys.argv[1]))
            jsonschema.Draft202012Validator.check_schema(schema)
            validator = jsonschema.Draft202012Validator(schema)
            with open(sys.argv[2] + ".out", "w") as out:
                for line in open(sys.argv[2]):
                    out.write("1" if validator.is_valid(json.loads(line)) else "0")
            """
        #expect(try python(program, [schema.path, file.path]) == 0)
        return try String(contentsOf: file.appendingPathExtension("out"), encoding: .utf8).map { $0 == "1" }
    }
}
