// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustLab

/// Every verb's JSON, key by key. Programs that read it keep working, because a release can add keys but removes none.
@Suite("JSON contracts", .serialized, .timeLimit(.minutes(10)))
struct GoldenLiveTests {
    // MARK: - Servers

    @Test("The JSON output of check keeps its keys for trusted, expiring, rejected and undecided servers")
    func check() async throws {
        let lab = try await LabServers([.good, .expired])
        let socket = try SilentSocket(isListening: false)
        defer { withExtendedLifetime(socket) {} }
        let closed = socket.port
        let outcome = try lab.check(
            lab.names + ["localhost:\(closed)", "--expires-within", "4000d", "--format", "json"])
        try Golden.expect(outcome, "check", status: 1)
        await lab.stop()
    }

    @Test("The JSON output of check keeps its keys for pin forecasts") func forecast() async throws {
        let lab = try await LabServers([.good])
        let pin = SPKIPin(lab.servers[0].certificates.chain[1])
        let outcome = try lab.check([lab.names[0], "--pins", "\(pin)", "--format", "json"])
        try Golden.expect(outcome, "check-forecast", status: 0, texts: ["text", "remedy"])
        await lab.stop()
    }

    @Test("The JSON output of check keeps its keys for redirects") func redirects() async throws {
        let server = try await LabServer.start(.redirectToAnotherAuthority)
        try TemporaryFolder.with { folder in
            let anchors = try folder.write("anchors.pem", Data(server.certificates.anchorsPEM.utf8)).path
            let outcome = try Tool.run([
                "check", server.url, "--connect", "127.0.0.1", "--anchors", anchors, "--follow", "--format", "json",
            ])
            try Golden.expect(outcome, "check-follow", status: 1)
        }
        await server.stop()
    }

    @Test("The JSON output of cache list keeps its keys after a fetch") func cache() async throws {
        let lab = try await LabServers([.servedIntermediate])
        let cache = ["--cache", lab.folder.url.appendingPathComponent("cache.sqlite").path]
        let fetched = try lab.check(
            [lab.names[0], "--fetch", "--fetch-from", "127.0.0.1", "--format", "json"] + cache)
        try Golden.expect(fetched, "check-fetch", status: 0)
        try Golden.expect(
            try Tool.run(["cache", "list", "--format", "json"] + cache), "cache-list", status: 0)
        try Golden.expect(
            try Tool.run(["cache", "clear", "--format", "json"] + cache), "cache-clear", status: 0)
        await lab.stop()
    }

    @Test("The JSON output of demo and lab keeps its keys") func demo() throws {
        try Golden.expect(try Tool.run(["lab", "demo", "--format", "json"]), "demo", status: 0, texts: ["reason"])
        try Golden.expect(try Tool.run(["lab", "--list", "--format", "json"]), "lab-list", status: 0)
    }

    // MARK: - Files

    @Test("The JSON output of verify keeps its keys for trusted, expiring and rejected chains and for revocation")
    func verify() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate)).path
            let root = try folder.write("root.pem", pem(lab.root)).path
            let verify = ["verify", chain, "--anchors", root, "--time", Lab.time, "--format", "json"]
            try Golden.expect(
                try Tool.run(verify + ["--host", Lab.host, "--expires-within", "4000d"]), "verify", status: 1)
            try Golden.expect(
                try Tool.run(verify + ["--host", "other.example", "--revocation", "required"]), "verify-rejected",
                status: 1)
            try Golden.expect(
                try Tool.run(verify + ["--host", Lab.host, "--revocation", "best-effort"]), "verify-revocation",
                status: 0)
        }
    }

    @Test("The JSON output of inspect keeps its keys for a chain, and for an intermediate with its CA")
    func inspect() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate)).path
            let intermediate = try folder.write("intermediate.pem", pem(lab.intermediate)).path
            let root = try folder.write("root.pem", pem(lab.root)).path
            let inspect = ["inspect", "--time", Lab.time, "--format", "json"]
            try Golden.expect(try Tool.run(inspect + [chain, "--long", "--der"]), "inspect", status: 0)
            try Golden.expect(try Tool.run(inspect + [intermediate, root]), "inspect-compare", status: 0)
        }
    }

    @Test("The JSON output of explain keeps its keys") func explain() throws {
        let texts: Set = [
            "meaning", "sign", "causes", "serverRemedies", "text", "swift", "noneBecause", "never", "note",
            "demonstration",
        ]
        let codes = ["pathLengthExceeded", "stapleMissing", "requestNotJSON"]
        try Golden.expect(try Tool.run(["explain"] + codes + ["--format", "json"]), "explain", status: 0, texts: texts)
        try Golden.expect(
            try Tool.run(["explain", "PathLenConstraintViolated", "--format", "json"]), "explain-message",
            status: 0, texts: texts)
    }

    @Test("The JSON output of lint keeps its keys for findings and for a missing file") func lint() throws {
        try TemporaryFolder.with { folder in
            let file = try folder.write("pins.txt", Data(LintTests.faulty.utf8)).path
            let missing = folder.url.appendingPathComponent("missing").path
            let accepted = "api.example.com \(LintTests.pins[0]) # servertrust:ignore pins/no-backup: moves soon"
            let other = try folder.write("accepted.txt", Data(accepted.utf8)).path
            try Golden.expect(
                try Tool.run(["pins", "lint", file, other, missing, "--format", "json"]), "lint", status: 1)
        }
    }

    @Test("The JSON output of pin and convert keeps its keys") func pin() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate)).path
            let root = try folder.write("root.pem", pem(lab.root)).path
            let pins = try Tool.run(["pins", "make", chain, "--anchors", root, "--time", Lab.time, "--format", "json"])
            try Golden.expect(pins, "pin", status: 0, texts: ["comment"])
            let converted = try Tool.run(["pins", "convert", "-", "--to", "json"], input: pins.output)
            try Golden.expect(converted, "convert", status: 0, texts: ["comment"])
        }
    }

    @Test("The JSON output of pins keygen, show and verify keeps its keys") func pins() throws {
        try PinsTests.Desk.with { desk in
            try Golden.expect(
                try desk.run("keygen", "--out", desk.path("third"), "--format", "json"), "pins-keygen", status: 0)
            #expect(try desk.first().status == 0)
            let list = desk.path("list.json")
            try Golden.expect(try desk.run("show", list, "--format", "json"), "pins-show", status: 0)
            try Golden.expect(
                try desk.run(
                    "verify", list, "--key", desk.path("office.pub"), "--audience", "com.example.app", "--format",
                    "json"),
                "pins-verify", status: 0)
        }
    }

    @Test("The JSON output of ca keeps its keys") func authority() throws {
        try CAFolder.with { folder in
            func expect(_ verb: String, _ arguments: [String] = []) throws {
                try Golden.expect(
                    try folder.run(verb, arguments + ["--format", "json"]), "ca-\(verb)", status: 0)
            }
            try expect("init", ["--name", "Golden Root"])
            try expect("issue", [Lab.host])
            try expect("revoke", [try folder.issue(["gone.example.com"]).chain])
            try expect("list")
            try expect("crl")
            try expect("install-hints")
        }
    }
}
