// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `servertrust audit`, which is `verify --batch` with other defaults.
@Suite struct AuditVerbTests {
    private static func audit(_ scene: InputFormatTests.Scene, _ arguments: [String]) throws -> Tool.Outcome {
        try Tool.run(["audit", "--anchors", "root.pem", "--time", Lab.time] + arguments, in: scene.folder.url)
    }

    @Test("An audit gives the same answers as the batch and recognizes CSV from its name")
    func answers()
        throws
    {
        try InputFormatTests.Scene.with { scene in
            let row = "\"\(scene.chain)\",\(Lab.host)\n"
            _ = try scene.file("rows.csv", Data("chain,host\n\(row)\(row)nonsense,\(Lab.host)\n".utf8))
            for (format, option) in [
                ([], []), (["--format", "csv"], ["--columns"]), (["--format", "tsv"], ["--short"]),
            ] {
                let audit = try Self.audit(scene, ["rows.csv"] + format)
                let batch = try scene.run(["--input", "csv", "rows.csv"] + option)
                #expect(audit.status == 0, "\(audit.errors)")
                #expect(audit.text.contains("trusted"))
                #expect(audit.output == batch.output)
                #expect(audit.errors == batch.errors)
            }
        }
    }

    @Test("An audit resumes from a checkpoint and writes a summary") func checkpoint() throws {
        try InputFormatTests.Scene.with { scene in
            _ = try scene.file("rows.csv", Data("chain,host\n\"\(scene.chain)\",\(Lab.host)\n".utf8))
            let arguments = [
                "rows.csv", "--output", "answers.jsonl", "--checkpoint", "state", "--summary", "summary.json",
            ]
            #expect(try Self.audit(scene, arguments).status == 0)
            let answers = try Data(contentsOf: scene.folder.url.appendingPathComponent("answers.jsonl"))
            #expect(try Self.audit(scene, arguments).status == 0)
            #expect(try Data(contentsOf: scene.folder.url.appendingPathComponent("answers.jsonl")) == answers)
            #expect(!answers.isEmpty)
        }
    }

    @Test("An audit requires the format if the file name doesn't show it") func unclear() throws {
        try InputFormatTests.Scene.with { scene in
            let line = try BatchLine(scene.lab, [:]).data()
            _ = try scene.file("rows.jsonl", line)
            _ = try scene.file("rows.csv", Data("chain,host\n".utf8))
            for files in [["rows.jsonl"], ["-"], ["rows.csv", "root.pem"], ["root.pem"], []] {
                let outcome = try Self.audit(scene, files)
                #expect(outcome.status == 64, "\(files)")
                #expect(outcome.output.isEmpty)
            }
            let requests = try Self.audit(scene, ["rows.jsonl", "--input", "requests"])
            #expect(requests.status == 0)
            #expect(try requests.output == scene.run(["rows.jsonl"]).output)
        }
    }

    @Test("An audit reports a missing file and warns about a file without rows") func noRows() throws {
        try InputFormatTests.Scene.with { scene in
            let missing = try Self.audit(scene, ["rows.jsonl"])
            #expect(missing.status == 2)
            #expect(missing.errors.contains("[fileMissing]"))
            _ = try scene.file("rows.csv", Data("chain,host\n".utf8))
            let text = try Self.audit(scene, ["rows.csv"])
            #expect(text.status == 0)
            #expect(text.output.isEmpty)
            #expect(text.errors.contains("servertrust: warning: the input contains no rows"))
        }
    }

    @Test(
        "An audit has no option that requires a single chain", arguments: [["--pin", "x"], ["--fetch"], ["--batch"]])
    func single(_ option: [String]) throws {
        #expect(try Tool.run(["audit", "rows.csv"] + option).status == 64)
    }
}
