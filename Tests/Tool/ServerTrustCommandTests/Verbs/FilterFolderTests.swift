// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustTesting

/// `--filter` with folders and with upki's filters.
@Suite struct FilterFolderTests {
    private struct Report: Decodable {
        struct Finding: Decodable {
            var status: String
            var source: String?
        }
        var revocation: [Finding]
    }

    /// A leaf with a timestamp, and a folder of filters that cover it.
    private struct Scene {
        let folder: TemporaryFolder
        let arguments: [String]
        private let issuer: [UInt8]
        private let log: [UInt8]

        init() throws {
            folder = try .make()
            let root = try TestAuthority.root(.authority("Filter Root"))
            let authority = try root.intermediate(.authority("Filter CA"))
            let testLog = try TestLog("Log", operatedBy: "Operator")
            let issued = TestAuthority.now.advanced(by: -86_400)
            let leaf = try authority.issue(
                .leaf(Lab.host).with { $0.timestamps = [testLog.timestamp(at: issued)] })
            try folder.write("chain.pem", pem(leaf.certificate, authority.certificate))
            try folder.write("root.pem", pem(root.certificate))
            arguments = [
                "verify", "\(folder.url.path)/chain.pem", "--host", Lab.host, "--anchors",
                "\(folder.url.path)/root.pem", "--time", Lab.time, "--format", "json",
            ]
            (issuer, log) = (authority.certificate.subjectPublicKeyInfoSHA256, testLog.logID)
        }

        /// Writes a folder with a complete filter and, optionally, a delta that revokes the leaf.
        func writeFilters(_ name: String, isRevoking: Bool) throws -> String {
            let path = "\(folder.url.path)/\(name)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let last = UInt64(TestAuthority.now.secondsSinceEpoch) * 1_000
            func filter(_ isRevoked: Bool) -> [UInt8] {
                TestRevocationFilter(logs: [(log, 0, last)], issuers: [(issuer, isRevoked)]).bytes
            }
            let manifest = TestFilterManifest(
                files: [("a.filter", filter(false))] + (isRevoking ? [("b.filter.delta", filter(true))] : []))
            for file in manifest.files { try Data(file.bytes).write(to: URL(fileURLWithPath: "\(path)/\(file.name)")) }
            try Data(manifest.json.utf8).write(to: URL(fileURLWithPath: "\(path)/manifest.json"))
            return path
        }

        /// Returns the status and source of the leaf's finding, and the outcome of the run.
        func run(
            _ options: [String], upki: String? = nil
        ) throws -> (leaf: String?, outcome: Tool.Outcome) {
            let outcome = try Tool.run(
                arguments + options, environment: upki.map { ["SERVERTRUST_UPKI_CONFIG": $0] } ?? [:])
            let finding = try? outcome.json([Report].self).first?.revocation.first
            return (finding.map { [$0.status, $0.source].compactMap(\.self).joined(separator: " ") }, outcome)
        }
    }

    @Test(
        "verify uses the filters in a folder, and a file that differs from the manifest ends the run with 2 and no verdict"
    )
    func folders() throws {
        let scene = try Scene()
        defer { scene.folder.remove() }
        #expect(try scene.run(["--filter", scene.writeFilters("good", isRevoking: false)]).leaf == "good filter")
        let revoking = try scene.writeFilters("revoking", isRevoking: true)
        let revoked = try scene.run(["--filter", revoking])
        #expect(revoked.leaf == "revoked filter" && revoked.outcome.status == 1)
        try FileManager.default.removeItem(atPath: "\(revoking)/b.filter.delta")
        let missing = try scene.run(["--filter", revoking])
        #expect(missing.outcome.status == 2 && missing.outcome.output.isEmpty)
        #expect(missing.outcome.errors.contains("b.filter.delta: No such file or directory"))
        #expect(try scene.run(["--filter", scene.folder.url.path]).outcome.errors.contains("manifest.json"))
    }

    @Test(
        "verify uses upki's filters automatically and by name, and damage causes a warning, or an error if the user named them"
    )
    func upki() throws {
        let scene = try Scene()
        defer { scene.folder.remove() }
        let path = try scene.writeFilters("cache/revocation", isRevoking: true)
        let configuration = try scene.folder.write(
            "upki.toml", Data("cache-dir = \"\(scene.folder.url.path)/cache\"\n".utf8)
        ).path
        let mode = ["--revocation", "best-effort"]
        let unasked = try scene.run(mode, upki: configuration)
        #expect(unasked.leaf == "revoked filter" && unasked.outcome.status == 1)
        #expect(unasked.outcome.errors.contains("note: revocation: using upki's filters in \(path), dated "))
        // verify doesn't use upki's filters if revocation checks are off, another filter is named, or the variable is
        // empty.
        #expect(try scene.run([], upki: configuration).outcome.errors.isEmpty)
        let named = try scene.run(
            mode + ["--filter", scene.writeFilters("good", isRevoking: false)], upki: configuration)
        #expect(named.leaf == "good filter" && named.outcome.errors.isEmpty)
        #expect(try scene.run(mode).leaf == "unobtainable")
        let asked = try scene.run(["--filter", "upki"], upki: configuration)
        #expect(asked.leaf == "revoked filter" && asked.outcome.errors.isEmpty)
        #expect(try scene.run(["--filter", "upki"], upki: "/nonexistent/upki.toml").outcome.status == 2)

        try FileManager.default.removeItem(atPath: "\(path)/b.filter.delta")
        let damaged = try scene.run(mode, upki: configuration)
        #expect(damaged.leaf == "unobtainable" && damaged.outcome.status == 0)
        #expect(damaged.outcome.errors.contains("warning: upki's filters are left out: "))
        #expect(damaged.outcome.errors.contains("b.filter.delta: No such file or directory"))
        let refused = try scene.run(["--filter", "upki"], upki: configuration)
        #expect(refused.outcome.status == 2 && refused.outcome.output.isEmpty)
    }

    @Test("A batch reads the machine's filters only if they are named")
    func batch() throws {
        let scene = try Scene()
        defer { scene.folder.remove() }
        let configuration = try scene.folder.write("upki.toml", Data("nonsense".utf8)).path
        let line = try BatchLine(Lab.shared(), ["revocation": .string("bestEffort")]).data()
        let variables = ["SERVERTRUST_UPKI_CONFIG": configuration]
        let outcome = try Tool.run(["verify", "--batch"], input: line, environment: variables)
        #expect(outcome.status == 0 && outcome.errors.hasPrefix("servertrust: 1 line read") && !outcome.output.isEmpty)
        let named = try Tool.run(["verify", "--batch", "--filter", "upki"], input: line, environment: variables)
        #expect(named.status == 2 && named.errors.contains("upki.toml: expected the key cache-dir"))
    }
}
