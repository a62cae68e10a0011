// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `servertrust cache` and `--cache` with the paths of other files.
@Suite("Other files passed as the cache") struct CacheTests {
    private static let key = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n"

    @Test("A private key that is passed as the cache stays unchanged, and the command creates no file next to it")
    func privateKey() throws {
        try TemporaryFolder.with { folder in
            let file = try folder.write("k.key", Data(Self.key.utf8))
            let leaf = try folder.write("leaf.pem", Data(try Lab.shared().leaf.pem.utf8)).path
            let calls = [
                ["cache", "list", "--cache", file.path], ["cache", "clear", "--cache", file.path],
                ["cache", "list", "--cache", file.path, "--format", "json"],
                ["verify", leaf, "--anchors", leaf, "--fetch", "--cache", file.path],
                ["check", "127.0.0.1:1", "--fetch", "--cache", file.path],
            ]
            for call in calls {
                let outcome = try Tool.run(call)
                #expect(outcome.status == 2, "\(call)")
                #expect(outcome.output.isEmpty)
                #expect(outcome.errors.contains("k.key"))
                #expect(try Data(contentsOf: file) == Data(Self.key.utf8))
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
                        "k.key", "leaf.pem",
                    ])
            }
        }
    }

    @Test("The command moves a damaged database aside only at the default path")
    func damaged() throws {
        try TemporaryFolder.with { folder in
            let damaged = Data(("SQLite format 3\0" + String(repeating: "x", count: 5000)).utf8)
            let leaf = try folder.write("leaf.pem", Data(try Lab.shared().leaf.pem.utf8)).path
            let named = try folder.write("named.sqlite", damaged)
            chmod(named.path, 0o600)
            let outcome = try Tool.run(["verify", leaf, "--anchors", leaf, "--fetch", "--cache", named.path])
            #expect(outcome.status == 2)
            #expect(try Data(contentsOf: named) == damaged)
            #expect(!FileManager.default.fileExists(atPath: named.path + ".damaged"))

            let caches = folder.url.appendingPathComponent("servertrust")
            try FileManager.default.createDirectory(at: caches, withIntermediateDirectories: true)
            let standard = caches.appendingPathComponent("fetched.sqlite")
            try damaged.write(to: standard)
            chmod(standard.path, 0o600)
            var environment = Tool.environment(anchors: nil)
            environment["XDG_CACHE_HOME"] = folder.url.path
            // Listing changes nothing, not even at the default path.
            #expect(try run(["cache", "list"], environment) == 2)
            #expect(try FileManager.default.contentsOfDirectory(atPath: caches.path) == ["fetched.sqlite"])
            #expect(try run(["cache", "clear"], environment) == 0)
            #expect(try Data(contentsOf: URL(fileURLWithPath: standard.path + ".damaged")) == damaged)
            #expect(try run(["cache", "list"], environment) == 0)
        }
    }

    /// - Returns: the exit code.
    private func run(_ arguments: [String], _ environment: [String: String]) throws -> Int32 {
        let process = Process()
        process.executableURL = Tool.url
        process.arguments = arguments
        process.environment = environment
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
