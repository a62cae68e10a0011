// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

@testable import ServerTrustCommand

/// The row formats of `verify --batch --input` other than requests.
@Suite struct InputFormatTests {
    /// A folder with the lab's root, and files of rows.
    struct Scene {
        let lab: Lab
        let folder: TemporaryFolder

        static func with(_ body: (Scene) throws -> Void) throws {
            let lab = try Lab.shared()
            try TemporaryFolder.with { folder in
                try folder.write("root.pem", pem(lab.root))
                try body(Scene(lab: lab, folder: folder))
            }
        }

        /// Writes bytes to a file and returns its name.
        func file(_ name: String, _ data: Data) throws -> String { try folder.write(name, data).path }

        func run(_ arguments: [String], input: Data = Data()) throws -> Tool.Outcome {
            let root = folder.url.appendingPathComponent("root.pem").path
            return try Tool.run(
                ["verify", "--batch", "--anchors", root, "--time", Lab.time] + arguments, input: input, in: folder.url)
        }

        /// Returns the name, verdict and first code of each row. A name that begins with a hyphen, as of rows of
        /// standard input, comes after an apostrophe, so that no spreadsheet runs it.
        func rows(_ arguments: [String], input: Data = Data()) throws -> [String] {
            let outcome = try run(arguments + ["--short"], input: input)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.lines.map {
                $0.dropFirst($0.hasPrefix("'-") ? 1 : 0).split(separator: "\t", omittingEmptySubsequences: false)
                    .prefix(3).joined(separator: " ")
            }
        }

        var chain: String { lab.leaf.pem + lab.intermediate.pem }
    }

    @Test("CSV input can have common column names, quoted PEM over several lines, base64 and unreadable rows")
    func csv() throws {
        try Scene.with { scene in
            let base64 = "\(scene.lab.leaf.base64) \(scene.lab.intermediate.base64)"
            let text = [
                "note,Hostname,ID,pem\r", "\"a, b\",\(Lab.host),quoted,\"\(scene.chain)\"\r",
                ",www.example.com,\"other \"\"host\"\"\",\(base64)", "too,few", ",,no host,\(base64)", "",
                "x,bad host!,bad host,\(base64)", "x,\(Lab.host),no pem,nonsense!", "x,\(Lab.host),empty,",
                "x,\(Lab.host),stray,a\"b", "x,\(Lab.host),last,\(base64)",
            ].joined(separator: "\n")
            let lines = scene.chain.split(separator: "\n", omittingEmptySubsequences: false).count - 1
            let expected = [
                "quoted trusted ", "other \"host\" rejected hostMismatch",
                "rows.csv:\(3 + lines + 1) unreadable requestValueInvalid", "no host unreadable requestValueInvalid",
                "bad host unreadable requestValueInvalid", "no pem unreadable base64Malformed",
                "empty unreadable requestValueInvalid",
                "rows.csv:\(3 + lines + 7) unreadable requestValueInvalid", "last trusted ",
            ]
            _ = try scene.file("rows.csv", Data(text.utf8))
            #expect(try scene.rows(["--input", "csv", "rows.csv"]) == expected)
            // The order of blocks and the type of input don't matter.
            #expect(
                try scene.rows(["--input", "csv", "--jobs", "1"], input: Data(text.utf8))
                    == expected.map { $0.replacing("rows.csv:", with: "-:") })
            let errors = try scene.run(["--input", "csv", "rows.csv"]).errors
            #expect(errors == "servertrust: 9 records read, 9 answers: 2 trusted, 1 rejected, 6 unreadable\n")
        }
    }

    @Test("In CSV input, an unclosed quote spoils only its own line, not the following rows")
    func unclosedQuote() throws {
        try Scene.with { scene in
            let base64 = "\(scene.lab.leaf.base64) \(scene.lab.intermediate.base64)"
            let text =
                "id,host,chain\na,\(Lab.host),\(base64)\nb,\"x,y\n"
                + (0..<50).map { "r\($0),\(Lab.host),\(base64)\n" }.joined()
            let rows = try scene.rows(["--input", "csv"], input: Data(text.utf8))
            #expect(rows.count == 52)
            #expect(rows[0] == "a trusted " && rows[1] == "-:3 unreadable requestValueInvalid")
            #expect(rows.dropFirst(2).elementsEqual((0..<50).map { "r\($0) trusted " }))
        }
    }

    @Test("In CSV input, a quote after a carriage return within a line doesn't open a field")
    func carriageReturns() throws {
        try Scene.with { scene in
            let base64 = "\(scene.lab.leaf.base64) \(scene.lab.intermediate.base64)"
            let text =
                "id,host,pem\n1,\(Lab.host),\"x\"\r\"\n2,\(Lab.host),\(base64)\n3,\(Lab.host),\"\(scene.chain)\"\r\n4,\(Lab.host),\(base64)\n"
            let rows = try scene.rows(["--input", "csv"], input: Data(text.utf8))
            #expect(rows == ["-:2 unreadable requestValueInvalid", "2 trusted ", "3 trusted ", "4 trusted "])
        }
    }

    @Test("CSV input without a chain column, or with an unknown header, ends the run before the first answer")
    func headers() throws {
        try Scene.with { scene in
            for (text, expected) in [
                ("id,host,cert\n", "no column with the chain"), ("id,pem,PEM\n", "two columns"), ("", "empty"),
                ("\"id\n", "never closed"), ("\n\n", "empty"),
            ] {
                let outcome = try scene.run(["--input", "csv"], input: Data(text.utf8))
                #expect(
                    outcome.status == 2 && outcome.errors.contains(expected) && outcome.output.isEmpty,
                    "\(outcome.errors)")
            }
            let named = try scene.run(["--input", "csv", "--chain-column", "x"], input: Data("id,pem\n".utf8))
            #expect(named.status == 2 && named.errors.contains("no column \"x\""))
            #expect(
                try scene.rows(
                    ["--input", "csv", "--chain-column", "cert", "--host-column", "sni", "--id-column", "n"],
                    input: Data("cert,host,n,sni\n\"\(scene.chain)\",x,7,\(Lab.host)\n".utf8)) == ["7 trusted "])
        }
    }

    @Test("NDJSON input can have PEM or base64, a string or an array, numbers as names, and the keys of requests")
    func ndjson() throws {
        try Scene.with { scene in
            let objects: [[String: Any]] = [
                ["id": 1, "domain": Lab.host, "pem": scene.chain],
                [
                    "id": "b", "host": "www.example.com",
                    "chain": [scene.lab.leaf.base64, scene.lab.intermediate.base64],
                ],
                ["hostname": Lab.host, "certificates": [scene.lab.leaf.pem, scene.lab.intermediate.pem]],
                ["id": "old", "host": Lab.host, "pem": scene.chain, "time": "2001-01-01T00:00:00Z"],
                ["id": "no anchors", "host": Lab.host, "pem": scene.chain, "anchors": [String]()],
                ["id": "none", "host": Lab.host], ["id": "number", "host": Lab.host, "pem": 5],
                ["id": ["x"], "host": Lab.host, "pem": scene.chain],
                ["id": "null", "host": Lab.host, "pem": scene.chain, "anchors": NSNull()],
            ]
            var data = Data()
            for object in objects { data += try JSONSerialization.data(withJSONObject: object) + Data("\n".utf8) }
            #expect(
                try scene.rows(["--input", "ndjson"], input: data) == [
                    "1 trusted ", "b rejected hostMismatch", "-:3 trusted ", "old rejected certificateNotYetValid",
                    "no anchors rejected unknownIssuer", "none unreadable requestKeyMissing",
                    "number unreadable requestKeyWrongType", "-:8 unreadable requestKeyWrongType",
                    "null unreadable requestKeyWrongType",
                ])
        }
    }

    @Test("A host from the command line applies to rows without a host, and --without-host compares no host")
    func hosts() throws {
        try Scene.with { scene in
            let rows = Data("host,pem\n,\"\(scene.chain)\"\nother.example,\"\(scene.chain)\"\n".utf8)
            #expect(
                try scene.rows(["--input", "csv", "--host", "www.example.com"], input: rows).map {
                    $0.hasSuffix("hostMismatch")
                } == [true, true])
            #expect(
                try scene.rows(["--input", "csv"], input: rows).map { $0.hasSuffix("hostMismatch") } == [false, true])
            #expect(
                try scene.rows(["--input", "csv", "--without-host"], input: rows).map { $0.hasSuffix("trusted ") } == [
                    true, true,
                ])
            let request = try BatchLine(scene.lab, ["host": .string("other.example")]).data()
            #expect(try scene.rows(["--without-host"], input: request) == ["row trusted "])
        }
    }

    @Test("A row without a host doesn't switch off the name check if other rows have hosts")
    func missingHosts() throws {
        try Scene.with { scene in
            let pem = scene.chain.replacing("\n", with: "\\n")
            let lines = Data("{\"host\":null,\"pem\":\"\(pem)\"}\n{\"host\":\"\",\"pem\":\"\(pem)\"}\n".utf8)
            let unreadable = ["-:1 unreadable requestKeyWrongType", "-:2 unreadable requestValueInvalid"]
            #expect(try scene.rows(["--input", "ndjson"], input: lines) == unreadable)
            // No host, or one under another name.
            let absent = Data("{\"pem\":\"\(pem)\"}\n{\"Host\":\"x.example\",\"pem\":\"\(pem)\"}\n".utf8)
            #expect(
                try scene.rows(["--input", "ndjson"], input: absent) == [
                    "-:1 unreadable requestKeyMissing", "-:2 unreadable requestKeyMissing",
                ])
            for more in [["--host", Lab.host], ["--without-host"]] {
                #expect(
                    try scene.rows(["--input", "ndjson"] + more, input: absent) == ["-:1 trusted ", "-:2 trusted "])
            }
            // The purpose "any" includes servers.
            let anyPurpose = Data("{\"purpose\":\"any\",\"pem\":\"\(pem)\"}\n".utf8)
            #expect(
                try scene.rows(["--input", "ndjson"], input: anyPurpose) == ["-:1 unreadable requestKeyMissing"])
            let anyTable = try scene.run(["--input", "csv", "--purpose", "any"], input: Data("pem\nx\n".utf8))
            #expect(anyTable.status == 2 && anyTable.errors.contains("1: no column host"))
            // Both formats treat an empty and an invalid host the same way.
            let odd = Data("{\"host\":\"\",\"pem\":\"\(pem)\"}\n{\"host\":\"bad host\",\"pem\":\"\(pem)\"}\n".utf8)
            let oddTable = Data("host,pem\n,\"\(scene.chain)\"\nbad host,\"\(scene.chain)\"\n".utf8)
            for (more, expected) in [
                (["--host", Lab.host], ["trusted ", "unreadable requestValueInvalid"]),
                (["--without-host"], ["trusted ", "trusted "]),
            ] {
                for (format, input) in [("ndjson", odd), ("csv", oddTable)] {
                    let rows = try scene.rows(["--input", format] + more, input: input)
                    #expect(rows.map { $0.drop { $0 != " " }.dropFirst() } == expected.map { $0[...] }, "\(format)")
                }
            }
            // Client certificates have no host.
            #expect(
                try scene.rows(["--input", "ndjson", "--purpose", "clientAuth"], input: absent).allSatisfy {
                    $0.contains("rejected ") && !$0.contains("requestKeyMissing")
                })
            let table = Data("pem\n\"\(scene.chain)\"\n".utf8)
            let refused = try scene.run(["--input", "csv"], input: table)
            #expect(refused.status == 2 && refused.errors.contains("1: no column host, hostname, domain"))
            #expect(try scene.rows(["--input", "csv", "--without-host"], input: table) == ["-:2 trusted "])
            #expect(try scene.rows(["--input", "csv", "--host", Lab.host], input: table) == ["-:2 trusted "])
        }
    }

    @Test("Options set the values of keys that a request lacks")
    func defaults() throws {
        try Scene.with { scene in
            let bare = try BatchLine(scene.lab, ["anchors": .absent, "time": .absent]).data()
            #expect(try scene.rows([], input: bare) == ["row trusted "])
            #expect(try scene.rows(["--purpose", "clientAuth"], input: bare)[0].hasPrefix("row rejected "))
            let own = try BatchLine(scene.lab, ["anchors": .strings([]), "time": .absent]).data()
            #expect(try scene.rows([], input: own) == ["row rejected unknownIssuer"])
            #expect(
                try scene.rows(["--revocation", "required"], input: bare) == ["row rejected revocationUnavailable"])
            let off = try BatchLine(scene.lab, ["revocation": .string("off")]).data()
            #expect(try scene.rows(["--revocation", "required"], input: off) == ["row trusted "])
        }
    }

    static let wrong: [[String]] = [
        ["--input", "xml"], ["--columns", "--short"], ["--checkpoint", "c"], ["--checkpoint", "c", "--output", "o"],
        ["--checkpoint", "c", "--output", "c", "in"], ["--summary", "s.txt"], ["--summary", "-"],
        ["--host-column", "h"],
        ["--input", "zgrab2"], ["--input", "requests", "--id-column", "h"], ["-", "-"],
        ["--input", "ndjson", "--chain-column", "anchors"], ["--output", "s", "--denied", "s"],
        ["--summary", "s.json", "--denied", "./s.json"],
        ["--output", "in", "in"], ["--output", "./in", "in"], ["--output", "o", "--summary", "./o.json", "o.json"],
        ["--host", "a.example", "--without-host"], ["--output", "-"], ["--jobs", "0"],
        ["--pin", "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="], ["--format", "json"], ["--fetch"],
    ]

    @Test("Mutually exclusive options cause a usage error", arguments: wrong)
    func usage(_ arguments: [String]) throws {
        #expect(try Tool.run(["verify", "--batch"] + arguments).status == 64)
    }

    @Test(
        "Batch options require --batch",
        arguments: [["--input", "csv"], ["--columns"], ["--output", "o"], ["--without-host"]])
    func needsBatch(_ arguments: [String]) throws {
        #expect(try Tool.run(["verify", "chain.pem"] + arguments).status == 64)
    }

    @Test("A chain in an unusual order gets a warning if the input doesn't consist of requests")
    func otherOrder() throws {
        try Scene.with { scene in
            let chain = "\(scene.lab.intermediate.base64) \(scene.lab.leaf.base64)"
            let table = Data("id,pem\n,\(chain)\nx,\(chain)\n".utf8)
            let outcome = try scene.run(["--input", "csv", "--without-host"], input: table)
            #expect(outcome.lines.count == 2 && outcome.lines.allSatisfy { $0.contains("[leafNotFirst]") })
            // An empty name counts as no name, because a table has no null.
            #expect(outcome.lines[0].contains("\"id\":\"-:2\"") && outcome.lines[1].contains("\"id\":\"x\""))
        }
    }

    @Test("A file that is truncated during reading, or that is also the output, causes an error")
    func changingFiles() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write("rows", Data(repeating: 0x0a, count: 300_000)).path
            let stream = try ByteStream(path)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 1)
            defer { buffer.deallocate() }
            #expect(try stream.read(into: buffer) == 1000)
            #expect(truncate(path, 100_000) == 0)
            #expect(throws: CommandFailure.self) { while try stream.read(into: buffer) > 0 {} }
            // The batch doesn't join a partially written last line with its other half.
            try folder.write("rows", Data("one\ntw".utf8))
            let lines = LineBlockReader(
                StreamWindow(try ByteStream(path), name: path, at: InputPosition()), maximumLineSize: 100)
            #expect(try lines.next()?.size == 4)
            #expect(try lines.next()?.size == 2)
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("o\n".utf8))
            try handle.close()
            #expect(try lines.next() == nil)
            // Answers that are appended to the rows would become rows.
            let appending = Process()
            appending.executableURL = URL(fileURLWithPath: "/bin/sh")
            appending.arguments = [
                "-c", "exec \"$0\" verify --batch \"$1\" >> \"$1\" 2> \"$1.errors\"", Tool.url.path, path,
            ]
            try appending.run()
            appending.waitUntilExit()
            let errors = try String(contentsOfFile: path + ".errors", encoding: .utf8)
            #expect(appending.terminationStatus == 2 && errors.contains("is both read and written"), "\(errors)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("one\ntwo\n".utf8))
        }
    }

    @Test("The batch reads files in order, and a missing file ends the run after the answers for the preceding files")
    func files() throws {
        try Scene.with { scene in
            _ = try scene.file("a", try BatchLine(scene.lab, ["id": .string("a")]).data())
            _ = try scene.file("b", try BatchLine(scene.lab, ["id": .string("b")]).data().dropLast())
            #expect(try scene.rows(["b", "a", "b"]) == ["b trusted ", "a trusted ", "b trusted "])
            let outcome = try scene.run(["a", "missing", "b", "--short"])
            #expect(outcome.status == 2 && outcome.lines.count == 1 && outcome.errors.contains("missing: No such file"))
        }
    }

    @Test(
        "In every format, the batch skips rows over the limit and reports them as unreadable",
        .timeLimit(.minutes(10)))
    func giants() throws {
        try Scene.with { scene in
            let giant = String(repeating: "y", count: 17 << 20)
            let object = "{\"id\":\"ok\",\"pem\":\"\(scene.chain.replacing("\n", with: "\\n"))\"}\n"
            let lines = "\(object){\"pem\":\"\(giant)\"}\n\(object)"
            #expect(
                try scene.rows(["--input", "ndjson", "--without-host"], input: Data(lines.utf8)) == [
                    "ok trusted ", "-:2 unreadable requestTooLong", "ok trusted ",
                ])
            let record = "ok,\"\(scene.chain)\"\n"
            for field in [giant, "\"\(giant)\"", "\"a\n\(giant)\n\""] {
                let rows = try scene.rows(
                    ["--input", "csv", "--without-host"], input: Data("id,pem\n\(record)x,\(field)\n\(record)".utf8))
                #expect(rows.first == "ok trusted " && rows.last == "ok trusted " && rows.count >= 3)
                #expect(rows.dropFirst().dropLast().allSatisfy { $0.contains("unreadable") })
            }
            // The result doesn't depend on read sizes, which differ for compressed input.
            let lengthy = Data("id,pem\n\(record)x,\"a\n\(giant)\n\"\n\(record)".utf8)
            let plain = try scene.rows(["--input", "csv", "--without-host"], input: lengthy)
            #expect(
                plain == [
                    "ok trusted ", "-:\(2 + record.split(separator: "\n").count) unreadable requestTooLong",
                    "ok trusted ",
                ])
            let compressed = Data(try CompressedInputTests.gzip(Array(lengthy)))
            let expanding = ["--maximum-expansion", "2000"]
            #expect(try scene.rows(["--input", "csv", "--without-host"] + expanding, input: compressed) == plain)
            let blank = Data("\(object)\(String(repeating: " ", count: 17 << 20))\n\(object)".utf8)
            #expect(
                try scene.rows(["--input", "ndjson", "--without-host"], input: blank) == [
                    "ok trusted ", "-:2 unreadable requestTooLong", "ok trusted ",
                ])
        }
    }
}
