// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustLab
import ServerTrustTesting
import Testing

@Suite struct LabVerbLiveTests {
    private struct Row: Decodable {
        var schemaVersion: Int
        var scenario: String
        var summary: String
        var expected: String
        var group: String?
        var dependsOnClient: Bool
        var isForProbes: Bool
        var url: String?
        var port: Int
        var anchors: String?
        var allAnchors: String?
        var pins: [String]?
        var redirectsTo: String?
        var repository: String?
    }

    /// Starts a lab on ports that are probably free.
    private func start(_ arguments: [String], in folder: TemporaryFolder) throws -> (tool: RunningTool, base: Int) {
        for _ in 0..<20 {
            let base = RunningTool.portBase()
            let tool = try RunningTool(["lab", "--json", "--port-base", "\(base)"] + arguments, in: folder) {
                $0.hasSuffix("]\n")
            }
            if tool.process.isRunning { return (tool, base) }
            try #require(tool.errors.contains("in use"), "\(tool.errors)")
        }
        throw CancellationError()
    }

    @Test("The list shows every scenario with its port") func theListHasEveryScenarioWithItsPort() throws {
        let rows = try Tool.run(["lab", "--list", "--json"]).json([Row].self)
        #expect(rows.map(\.scenario) == LabScenario.all.map(\.name))
        #expect(rows.map(\.expected) == LabScenario.all.map(\.expected.description))
        // The two skipped ports belong to the redirect's target and to the repository.
        #expect(rows.map(\.port) == (8440...).prefix(LabScenario.all.count + 2).filter { ![8538, 8539].contains($0) })
        #expect(rows.map(\.group) == LabScenario.all.map { $0.group?.rawValue })
        #expect(rows.map(\.dependsOnClient) == LabScenario.all.map(\.dependsOnClient))
        #expect(rows.filter(\.isForProbes).map(\.scenario) == LabScenario.all.filter(\.isForProbes).map(\.name))
        let text = try Tool.run(["lab", "--list"]).lines
        #expect(
            text.filter { $0.hasPrefix("  ") }.map { String($0.dropFirst(2).prefix { $0 != " " }) }
                == LabScenario.Group.allCases.flatMap(\.scenarios).map(\.name))
        #expect(text.filter { !$0.hasPrefix("  ") } == LabScenario.Group.allCases.map(\.title))
        #expect(text.allSatisfy { $0.count <= 120 })
        let some = try Tool.run(["lab", "--list", "--scenario", "intercepted", "good", "--format", "json"])
        #expect(try some.json([Row].self).map(\.scenario) == ["good", "intercepted"])
    }

    @Test("The lab runs until a signal arrives and then removes its roots", arguments: [SIGINT, SIGTERM, SIGHUP])
    func itRunsUntilASignalAndRemovesTheRoots(_ signal: Int32) throws {
        // Under nohup, this process and its child processes ignore SIGHUP, and the lab doesn't change that.
        let before = Foundation.signal(SIGHUP, SIG_DFL)
        defer { _ = Foundation.signal(SIGHUP, before) }
        try TemporaryFolder.with { folder in
            let (tool, _) = try start(["--scenario", "good", "redirect-to-another-authority"], in: folder)
            let rows = try JSONDecoder().decode([Row].self, from: Data(tool.text.utf8))
            #expect(rows.map(\.scenario) == ["good", "redirect-to-another-authority"])
            let roots = try #require(rows[0].allAnchors)
            #expect(roots.hasPrefix(folder.url.path + "/servertrust-lab-"))
            #expect(FileManager.default.fileExists(atPath: roots))
            #expect(rows.allSatisfy { FileManager.default.fileExists(atPath: $0.anchors ?? "") })
            #expect(rows[1].redirectsTo?.hasPrefix("https://elsewhere.lab.test:") == true)
            #expect(tool.stop(signal) == 0)
            #expect(!FileManager.default.fileExists(atPath: (roots as NSString).deletingLastPathComponent))
            #expect(tool.errors.isEmpty)
        }
    }

    @Test(
        "curl verifies all servers with one root file",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")))
    func oneFileOfRootsIsEnoughForCurl() throws {
        try TemporaryFolder.with { folder in
            let (tool, base) = try start([], in: folder)
            let rows = try JSONDecoder().decode([Row].self, from: Data(tool.text.utf8))
            #expect(rows.count == LabScenario.all.count)
            let expected: [String: Int32] = [
                "good": 0, "good-rsa": 0, "good-ed25519": 0, "wrong-order": 0, "strangers": 0, "intercepted": 0,
                "expired": 60, "wrong-host": 60, "self-signed": 60, "untrusted-root": 60, "served-intermediate": 60,
                "no-tls": 35, "handshake-cut-off": 35,
            ]
            for row in rows {
                #expect(
                    row.port
                        == LabScenario.named(row.scenario).flatMap { ServerTrustLab.Lab.port(of: $0, from: base) })
                guard let status = expected[row.scenario] else { continue }
                let outcome = try Process.run(
                    "/usr/bin/curl",
                    [
                        "--silent", "--show-error", "--max-time", "30", "--noproxy", "*", "--cacert",
                        row.allAnchors ?? "", "--capath", folder.url.path, "--connect-to", "::127.0.0.1:",
                        row.url ?? "",
                    ])
                #expect(outcome.status == status, "\(row.scenario): \(outcome.text)")
            }
            #expect(tool.stop() == 0)
        }
    }

    @Test("If a port is in use, the lab reports an error and starts no server") func aPortInUseIsAnErrorAndNothingRuns()
        throws
    {
        try TemporaryFolder.with { folder in
            let (tool, base) = try start(["--scenario", "good"], in: folder)
            let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            let second = try Tool.run(["lab", "--scenario", "expired", "--port-base", "\(base)"])
            #expect(second.status == 2)
            #expect(second.output.isEmpty)
            #expect(second.errors.hasPrefix("servertrust: error: port \(base + 99) of 127.0.0.1 is in use\n"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == before)
            #expect(tool.stop() == 0)
        }
    }

    @Test("If a folder is read-only, the lab reports an error and replaces no file")
    func aFolderThatCanNotBeWrittenIsAnErrorAndNothingIsOverwritten() throws {
        try TemporaryFolder.with { folder in
            let base = "\(RunningTool.portBase())"
            let missing = try Tool.run(["lab", "--scenario", "good", "--port-base", base, "--folder", "/proc/lab"])
            #expect(missing.status == 2)
            try folder.write("good.pem", Data("mine".utf8))
            let taken = try Tool.run([
                "lab", "--scenario", "good", "--port-base", base, "--folder", folder.url.path,
            ])
            #expect(taken.status == 2)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["good.pem"])
            #expect(try Data(contentsOf: folder.url.appendingPathComponent("good.pem")) == Data("mine".utf8))
        }
    }

    @Test("The lab keeps a user's folder and the other files in it") func aFolderOfOnesOwnStaysWithWhatElseIsInIt()
        throws
    {
        try TemporaryFolder.with { folder in
            let own = folder.url.appendingPathComponent("own")
            let (tool, _) = try start(["--scenario", "good", "--folder", own.path], in: folder)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: own.path).sorted() == ["good.pem", "roots.pem"])
            try Data().write(to: own.appendingPathComponent("mine"))
            #expect(tool.stop() == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: own.path) == ["mine"])
        }
    }

    @Test(
        "The command exits with 64 for incorrect usage",
        arguments: [
            ["--scenario", "nonsense"], ["--port-base", "0"], ["--port-base", "65437"], ["--folder", ""],
            ["--list", "--folder", "x"],
        ])
    func wrongUsageEndsWith64(_ arguments: [String]) throws {
        let outcome = try Tool.run(["lab"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
    }
}
