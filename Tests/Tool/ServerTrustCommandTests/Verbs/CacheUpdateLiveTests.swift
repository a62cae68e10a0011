// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustLab
@testable import ServerTrustTesting

/// `servertrust cache update --filters`.
@Suite struct CacheUpdateLiveTests {
    private static let log = [UInt8](repeating: 7, count: 32)

    private static func filter(_ number: UInt8) -> [UInt8] {
        TestRevocationFilter(
            logs: [(log, 0, 1_800_000_000_000)], issuers: [([UInt8](repeating: number, count: 32), true)]
        ).bytes
    }

    private struct Report: Decodable {
        var filters: [String]
        var fetched: [String]
        var removed: [String]
        var unchanged: Bool
    }

    /// A server with filters, and a folder for them.
    private struct Scene {
        let server: LabRepository
        let folder: TemporaryFolder
        var filters: String { folder.url.path + "/filters" }

        init() async throws {
            server = try await LabRepository.start()
            folder = try .make()
        }

        func publish(_ manifest: TestFilterManifest, tag: String? = nil) {
            for file in manifest.files { server.publish(LabResource(file.bytes), at: "/\(file.name)") }
            var resource = LabResource(Array(manifest.json.utf8), mediaType: "application/json")
            resource.entityTag = tag
            server.publish(resource, at: "/manifest.json")
        }

        func run(_ format: String = "json") throws -> Tool.Outcome {
            try Tool.run(["cache", "update", "--filters", filters, "--from", server.url, "--format", format])
        }

        func report() throws -> Report? {
            let outcome = try run()
            return try outcome.json([Report].self).first
        }

        /// Returns the names in the folder except the lock and the tag.
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: filters).sorted()
                .filter { $0 != "filters.lock" && $0 != "manifest.json.tag" }
        }

        func stop() async {
            await server.stop()
            folder.remove()
        }
    }

    private static let first = TestFilterManifest(
        date: 1_000, files: [("a.filter", filter(1)), ("b.delta", filter(2))])
    private static let second = TestFilterManifest(
        date: 2_000, files: [("a.filter", filter(1)), ("c.delta", filter(3))])

    @Test("The update follows the manifest and doesn't refetch existing files")
    func update() async throws {
        let scene = try await Scene()
        scene.publish(Self.first, tag: "\"one\"")
        let made = try scene.report()
        #expect(made?.fetched == ["a.filter", "b.delta"] && made?.removed == [])
        #expect(try scene.names() == ["a.filter", "b.delta", "manifest.json"])
        #expect(try RevocationFilterFolder(contentsOfFolder: scene.filters).filters.count == 2)

        let again = try scene.report()
        #expect(again?.unchanged == true && again?.fetched == [])
        #expect(scene.server.requests(for: "/a.filter") == 1)
        #expect(scene.server.unmodifiedCount == 1)

        scene.publish(Self.second, tag: "\"two\"")
        let newer = try scene.report()
        #expect(newer?.fetched == ["c.delta"] && newer?.removed == ["b.delta"] && newer?.unchanged == false)
        #expect(try scene.names() == ["a.filter", "c.delta", "manifest.json"])

        // The update refetches a damaged file, even if the manifest is the same.
        try Data([4]).write(to: URL(fileURLWithPath: scene.filters + "/a.filter"))
        #expect(try scene.report()?.fetched == ["a.filter"])
        let text = try scene.run("text")
        #expect(text.text == "2 filters of 1970-01-01T00:33:20Z, 0 fetched, 0 removed\n")
        #expect(text.errors.contains("warning: ") && text.errors.contains("can replace the manifest"))
        await scene.stop()
    }

    @Test("With a faulty server, the existing set of filters stays in force, and the next run continues")
    func mistakes() async throws {
        let scene = try await Scene()
        scene.publish(Self.first)
        _ = try scene.report()
        func expectRefusal(_ text: String, _ place: SourceLocation = #_sourceLocation) throws {
            let outcome = try scene.run()
            #expect(outcome.status == 2 && outcome.output.isEmpty, sourceLocation: place)
            #expect(outcome.errors.contains(text), "\(outcome.errors)", sourceLocation: place)
            let kept = try RevocationFilterFolder(contentsOfFolder: scene.filters)
            #expect(kept.manifest.files.map(\.name) == ["a.filter", "b.delta"], sourceLocation: place)
        }
        scene.publish(Self.second)
        scene.server.publish(LabResource(Self.filter(9)), at: "/c.delta")
        try expectRefusal("downloadChecksumMismatch")
        scene.server.publish(LabResource(Self.filter(3)).with(.oversized(bytes: 1 << 20)), at: "/c.delta")
        try expectRefusal("downloadTooLarge")
        scene.server.publish(LabResource(Self.filter(3)).with(.truncated), at: "/c.delta")
        try expectRefusal("c.delta")
        scene.server.publish(LabResource(Self.filter(3)).with(.status(404)), at: "/c.delta")
        try expectRefusal("c.delta")
        scene.publish(TestFilterManifest(date: 3_000, files: [("a.filter", Self.filter(1)), ("n.filter", [1, 2, 3])]))
        try expectRefusal("n.filter.new: not a CRLite filter")
        let names = TestFilterManifest(date: 4_000, files: [("../x.filter", Self.filter(1))])
        scene.server.publish(LabResource(Array(names.json.utf8)), at: "/manifest.json")
        try expectRefusal("manifest.json: line 1: expected a name of letters")
        scene.publish(TestFilterManifest(date: 999, files: Self.first.files))
        try expectRefusal("dated 1970-01-01T00:16:39Z, but the manifest in force is dated 1970-01-01T00:16:40Z")
        scene.server.publish(LabResource([]).with(.status(500)), at: "/manifest.json")
        try expectRefusal("status 500, expected 200")

        scene.publish(Self.second)
        #expect(try scene.report()?.fetched == ["c.delta"])
        #expect(try scene.names() == ["a.filter", "c.delta", "manifest.json"])
        await scene.stop()
    }

    @Test("The update replaces a filter whose contents changed under the same name, together with the manifest")
    func sameName() async throws {
        let scene = try await Scene()
        scene.publish(Self.first)
        _ = try scene.report()
        scene.publish(
            TestFilterManifest(date: 2_000, files: [("a.filter", Self.filter(5)), ("b.delta", Self.filter(2))]))
        #expect(try scene.report()?.fetched == ["a.filter"])
        #expect(try RevocationFilterFolder(contentsOfFolder: scene.filters).manifest.date.secondsSinceEpoch == 2_000)
        await scene.stop()
    }

    @Test("The update doesn't change upki's folder or a folder with other files")
    func foreignFolders() async throws {
        let scene = try await Scene()
        scene.publish(Self.first)
        for (file, problem) in [("notes.txt", "contains other files"), ("index.bin", "contains other files")] {
            try FileManager.default.createDirectory(atPath: scene.filters, withIntermediateDirectories: false)
            try Data([1]).write(to: URL(fileURLWithPath: "\(scene.filters)/\(file)"))
            let outcome = try scene.run()
            #expect(outcome.status == 2 && outcome.errors.contains(problem))
            #expect(try scene.names() == [file])
            try FileManager.default.removeItem(atPath: scene.filters)
        }
        try FileManager.default.createDirectory(atPath: scene.filters, withIntermediateDirectories: false)
        for name in ["index.bin", "manifest.json"] {
            try Data([1]).write(to: URL(fileURLWithPath: "\(scene.filters)/\(name)"))
        }
        #expect(try scene.run().errors.contains("upki manages this folder"))
        #expect(try scene.names() == ["index.bin", "manifest.json"])
        await scene.stop()
    }

    @Test(
        "An unsupported kind of URL causes a usage error",
        arguments: ["ftp://a/", "filters", "https://", "https://u:p@a.example/", "https://a.example/?q", "file:///etc"])
    func urls(url: String) throws {
        let outcome = try Tool.run(["cache", "update", "--filters", "/nonexistent/x", "--from", url])
        #expect(outcome.status == 64 || outcome.status == 2)
        #expect(outcome.errors.contains("expected a URL"))
    }
}
