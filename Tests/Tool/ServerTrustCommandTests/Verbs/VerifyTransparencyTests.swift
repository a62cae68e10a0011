// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

/// The reports of `verify --ct-logs` on one chain.
@Suite("Certificate Transparency timestamps in verify")
struct VerifyTransparencyTests {
    /// A folder that contains a chain with one timestamp, its root as the system's anchor, and a list of two logs.
    private struct Site {
        let folder: TemporaryFolder
        let chain: URL
        let root: URL
        let list: URL

        init(_ folder: TemporaryFolder) throws {
            let logs = try [TestLog("One log", operatedBy: "One"), TestLog("Two log", operatedBy: "Two")]
            let unknown = try TestLog("Other log", operatedBy: "Other")
            let root = try TestAuthority.root(.authority("Root"))
            let leaf = try root.issue(
                .leaf(Lab.host).with { $0.timestamps = [logs[0].timestamp(), unknown.timestamp()] }
            ).certificate
            self.folder = folder
            self.chain = try folder.write("chain.pem", pem(leaf))
            self.root = try folder.write("root.pem", pem(root.certificate))
            self.list = try folder.write("logs.json", Data(try TestLog.list(logs)))
        }

        func verify(_ options: String..., anchors: [String] = []) throws -> Tool.Outcome {
            try Tool.run(
                ["verify", chain.path, "--host", Lab.host, "--time", Lab.time, "--ct-logs", list.path] + anchors
                    + options, anchors: root)
        }
    }

    private struct Verdict: Decodable {
        struct Failure: Decodable { var code: String }
        var notChecked: [String]
        var failures: [Failure]
        var reported: [Failure]?
    }

    private static func with(_ body: (Site) throws -> Void) throws {
        try TemporaryFolder.with { try body(Site($0)) }
    }

    @Test("verify reports too few timestamps without refusing the chain") func report() throws {
        try Self.with { site in
            let outcome = try site.verify("--format", "json")
            #expect(outcome.status == 0)
            let verdict = try #require(try outcome.json([Verdict].self).first)
            #expect(verdict.reported?.map(\.code) == ["transparencyNotMet"])
            #expect(!verdict.notChecked.contains("certificateTransparency"))
            #expect(try site.verify().text.contains("[transparencyNotMet]"))
        }
    }

    @Test("verify refuses too few timestamps if they are required") func require() throws {
        try Self.with { site in
            let outcome = try site.verify("--ct", "require", "--format", "json")
            #expect(outcome.status == 1)
            let verdict = try #require(try outcome.json([Verdict].self).first)
            #expect(verdict.failures.map(\.code) == ["transparencyNotMet"])
            #expect(verdict.reported?.isEmpty != false)
        }
    }

    @Test("verify doesn't treat anchors from the command line as public anchors") func ownAnchors() throws {
        try Self.with { site in
            let outcome = try site.verify(
                "--ct", "require", "--format", "json", anchors: ["--anchors", site.root.path])
            #expect(outcome.status == 0)
            let verdict = try #require(try outcome.json([Verdict].self).first)
            #expect(verdict.notChecked.contains("certificateTransparency"))
        }
    }

    @Test("The page shows the timestamps") func page() throws {
        try Self.with { site in
            let outcome = try site.verify("--format", "html")
            #expect(outcome.status == 0)
            #expect(outcome.text.contains("One log"))
        }
    }

    @Test(
        "Options without a list, and unreadable lists, cause errors",
        arguments: [
            (["--ct", "require"], Int32(64)), (["--ct-any-age"], 64), (["--ct-logs", "/nonexistent"], 2),
        ] as [([String], Int32)])
    func wrongUse(_ options: [String], _ status: Int32) throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(lab.leaf))
            let outcome = try Tool.run(["verify", chain.path, "--host", Lab.host] + options)
            #expect(outcome.status == status)
            #expect(outcome.output.isEmpty)
        }
    }
}
