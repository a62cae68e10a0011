// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Verbs whose output is a device, a pipe or a symbolic link.
@Suite("Output to devices, pipes and links", .timeLimit(.minutes(5)))
struct OutputPlaceTests {
    /// A folder with rows, a device, a link to a file, and the file.
    private struct Scene {
        let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder.make()
            try folder.write("precious", Data("precious".utf8))
            for (name, target) in [("link", "precious"), ("null", "/dev/null")] {
                try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
            }
            let lab = try Lab.shared()
            try folder.write("root.pem", pem(lab.root))
            try folder.write("rows.jsonl", try BatchLine(lab).data())
        }

        func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }
        func run(_ arguments: [String], input: String = "") throws -> Tool.Outcome {
            try Tool.run(arguments, input: Data(input.utf8), in: folder.url)
        }

        /// Expects that the link is still a link, that its target is unchanged, and that no other file remains.
        func expectUnchanged() throws {
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link")) == "precious")
            #expect(try Data(contentsOf: folder.url.appendingPathComponent("precious")) == Data("precious".utf8))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            #expect(!names.contains { $0.hasSuffix(".partial") })
        }
    }

    private static let batch = ["verify", "--batch", "rows.jsonl", "--anchors", "root.pem"]

    @Test("A batch writes answers to a device, a pipe or standard output, and doesn't replace a link")
    func batch() throws {
        let scene = try Scene()
        defer { scene.folder.remove() }
        let whole = try scene.run(Self.batch)
        #expect(whole.status == 0 && !whole.output.isEmpty)
        for name in ["/dev/stdout", "/dev/fd/1"] {
            let outcome = try scene.run(Self.batch + ["--output", name])
            #expect(outcome.status == 0 && outcome.output == whole.output, "\(outcome.errors)")
        }
        #expect(try scene.run(Self.batch + ["--output", "null"]).status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scene.path("null")) == "/dev/null")
        let linked = try scene.run(Self.batch + ["--output", "link"])
        #expect(linked.status == 2 && linked.output.isEmpty)
        try scene.expectUnchanged()
        let resumable = try scene.run(Self.batch + ["--output", "/dev/stdout", "--checkpoint", "state"])
        #expect(resumable.status == 2 && resumable.output.isEmpty)
        let state = try scene.run(Self.batch + ["--output", "answers", "--checkpoint", "link"])
        #expect(state.status == 2)
        try scene.expectUnchanged()
    }

    @Test("A summary replaces a file, but the batch refuses a link before it answers the first row")
    func summary() throws {
        let scene = try Scene()
        defer { scene.folder.remove() }
        try FileManager.default.createSymbolicLink(atPath: scene.path("counts.json"), withDestinationPath: "precious")
        let linked = try scene.run(Self.batch + ["--summary", "counts.json"])
        #expect(linked.status == 2 && linked.output.isEmpty)
        try scene.expectUnchanged()
        try scene.folder.write("others.json", Data("old".utf8))
        #expect(try scene.run(Self.batch + ["--summary", "others.json"]).status == 0)
        #expect(try Data(contentsOf: scene.folder.url.appendingPathComponent("others.json")) != Data("old".utf8))
    }

    @Test("convert writes to standard output or a device, with and without --force, and doesn't replace a link")
    func convert() throws {
        let scene = try Scene()
        defer { scene.folder.remove() }
        func convert(_ more: [String]) throws -> Tool.Outcome {
            try scene.run(["pins", "convert", "-", "--to", "android"] + more, input: ConvertTests.okHttp)
        }
        let whole = try convert([])
        #expect(whole.status == 0 && !whole.output.isEmpty, "\(whole.errors)")
        for force in [[], ["--force"]] {
            let through = try convert(["--output", "/dev/stdout"] + force)
            #expect(through.status == 0 && through.output == whole.output, "\(through.errors)")
            #expect(try convert(["--output", "null"] + force).status == 0)
            let linked = try convert(["--output", "link"] + force)
            #expect(linked.status == 2 && linked.output.isEmpty)
            try scene.expectUnchanged()
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scene.path("null")) == "/dev/null")
        #expect(try convert(["--output", "precious"]).status == 2)
        #expect(try convert(["--output", "precious", "--force"]).status == 0)
        #expect(try Data(contentsOf: scene.folder.url.appendingPathComponent("precious")) == whole.output)
    }
}
