// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

@testable import ServerTrustLab
@testable import ServerTrustTesting

/// Filters whose manifest is in a signed list, with `pins list sign --filters` and `cache update --list`.
@Suite("Signed filter manifests", .timeLimit(.minutes(10)))
struct SignedFiltersLiveTests {
    /// The entry of one list in `pins list show --format json`.
    private struct Shown: Decodable {
        let filters: Int?
        let filtersDate: String?
    }

    private static func filter(_ number: UInt8) -> [UInt8] {
        TestRevocationFilter(
            logs: [([UInt8](repeating: 7, count: 32), 0, 1_800_000_000_000)],
            issuers: [([UInt8](repeating: number, count: 32), true)]
        ).bytes
    }

    private static let honest = TestFilterManifest(date: 1_000, files: [("a.filter", filter(1))])

    private func write(_ manifest: TestFilterManifest, to folder: TemporaryFolder, _ name: String) throws -> String {
        let path = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        for file in manifest.files { try Data(file.bytes).write(to: path.appendingPathComponent(file.name)) }
        try Data(manifest.json.utf8).write(to: path.appendingPathComponent("manifest.json"))
        return path.path
    }

    @Test(
        "A list contains a manifest, its successor keeps the manifest, and the command doesn't sign a manifest that doesn't match its folder"
    )
    func sign() throws {
        try PinsTests.Desk.with { desk in
            func shown(_ name: String) throws -> Shown? {
                try desk.run("show", desk.path(name), "--format", "json").json([Shown].self).first
            }
            func next(_ name: String, _ more: String...) throws -> Tool.Outcome {
                try Tool.run(
                    [
                        "pins", "list", "sign", desk.path("pins.json"), "--key", desk.path("office"), "--previous",
                        desk.path("list.json"), "--expires", "2126-01-01", "--output", desk.path(name),
                    ] + more)
            }
            let filters = try write(Self.honest, to: desk.folder, "filters")
            try Data([1]).write(to: URL(fileURLWithPath: filters + "/a.filter"))
            let refused = try desk.first("--filters", filters)
            #expect(refused.status == 2 && refused.errors.contains("a.filter: 1 bytes, expected"))
            #expect(!FileManager.default.fileExists(atPath: desk.path("list.json")))
            _ = try write(Self.honest, to: desk.folder, "filters")
            #expect(try desk.first("--filters", filters).status == 0)
            #expect(try shown("list.json")?.filters == 1)
            #expect(try shown("list.json")?.filtersDate == "1970-01-01T00:16:40Z")
            #expect(try next("kept.json").status == 0)
            #expect(try shown("kept.json")?.filters == 1)
            #expect(try next("dropped.json", "--drop-filters").status == 0)
            #expect(try shown("dropped.json")?.filters == nil)
            let manifest = try desk.folder.write("bad.json", Data(#"{"generated_at":1,"filters":[]}"#.utf8)).path
            let bad = try next("bad-list.json", "--filters", manifest)
            #expect(bad.status == 2 && bad.errors.contains("bad.json") && bad.errors.contains("1 to"))
            let older = TestFilterManifest(date: 999, files: [("a.filter", Self.filter(1))])
            let rollback = try next("older.json", "--filters", write(older, to: desk.folder, "older"))
            #expect(rollback.status == 1 && rollback.errors.contains("rollback"), "\(rollback.errors)")
            #expect(!FileManager.default.fileExists(atPath: desk.path("older.json")))
        }
    }

    @Test("cache update uses the signed manifest instead of the server's, and refuses other keys, apps and files")
    func fetch() async throws {
        let server = try await LabRepository.start()
        for file in Self.honest.files { server.publish(LabResource(file.bytes), at: "/\(file.name)") }
        // The server's own manifest names another file, as an attacker's would.
        let forged = TestFilterManifest(date: 2_000, files: [("b.filter", Self.filter(2))])
        server.publish(LabResource(forged.files[0].bytes), at: "/b.filter")
        server.publish(LabResource(Array(forged.json.utf8), mediaType: "application/json"), at: "/manifest.json")
        try PinsTests.Desk.with { desk in
            let filters = try write(Self.honest, to: desk.folder, "filters")
            #expect(try desk.first("--filters", filters).status == 0)
            let target = desk.path("fetched")
            func update(_ key: String, _ audience: String = "com.example.app") throws -> Tool.Outcome {
                try Tool.run([
                    "cache", "update", "--filters", target, "--from", server.url, "--list", desk.path("list.json"),
                    "--key", desk.path(key), "--audience", audience,
                ])
            }
            let stranger = try desk.run("keygen", "--out", desk.path("stranger"))
            #expect(stranger.status == 0)
            let unknown = try update("stranger.pub")
            #expect(unknown.status == 2 && unknown.errors.contains("list.json"), "\(unknown.errors)")
            #expect(try update("office.pub", "com.example.other").status == 2)
            #expect(!FileManager.default.fileExists(atPath: target))
            #expect(server.requests == 0)

            let good = try update("office.pub")
            #expect(good.status == 0 && good.text == "1 filter of 1970-01-01T00:16:40Z, 1 fetched, 0 removed\n")
            #expect(FileManager.default.fileExists(atPath: target + "/a.filter"))
            #expect(!FileManager.default.fileExists(atPath: target + "/b.filter"))
            #expect(server.requests(for: "/manifest.json") == 0)

            server.publish(LabResource(Self.filter(3)), at: "/a.filter")
            try FileManager.default.removeItem(atPath: target + "/a.filter")
            let changed = try update("office.pub")
            #expect(changed.status == 2 && changed.errors.contains("a.filter"), "\(changed.errors)")
            #expect(!FileManager.default.fileExists(atPath: target + "/a.filter"))
        }
        await server.stop()
    }

    @Test("cache update requires the list, its keys and its app together")
    func usage() throws {
        for options in [["--list", "x"], ["--list", "x", "--key", "y"], ["--key", "y"], ["--audience", "z"]] {
            let outcome = try Tool.run(["cache", "update", "--filters", "d", "--from", "http://localhost/"] + options)
            #expect(outcome.status == 64, "\(options)")
        }
    }
}
