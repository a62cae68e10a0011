// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustLab
import Testing

/// A store with the lab's root and another root, and root lists for the store.
struct RootsScene {
    let lab: Lab
    let folder: TemporaryFolder
    let store: URL

    init() throws {
        lab = try Lab.shared()
        folder = try TemporaryFolder.make()
        store = try folder.write("store.pem", pem(lab.root, lab.unrelated))
    }

    /// Writes a list of these roots, each with its sets of constraints.
    func list(
        _ roots: [(Certificate, String)], complete: Bool = true, distrusted: [Certificate] = [],
        _ name: String = "list.json"
    ) throws -> String {
        let members = roots.map { "\"\($0.0.hexDigest)\": [\($0.1)]" }.joined(separator: ",")
        let text = """
            { "schemaVersion": 1, "program": "Test", "date": "2026-11-01", "complete": \(complete),
              "roots": { \(members) }, "distrusted": [\(distrusted.map { "\"\($0.hexDigest)\"" }.joined(separator: ","))] }
            """
        return try folder.write(name, Data(text.utf8)).path
    }

    func run(_ arguments: [String], input: Data = Data()) throws -> Tool.Outcome {
        try Tool.run(arguments, input: input, anchors: store)
    }
}

@Suite("servertrust roots", .serialized, .timeLimit(.minutes(10)))
struct RootsLiveTests {
    struct Report: Decodable {
        struct Root: Decodable {
            var sha256: String
            var standing: String
        }
        struct Server: Decodable {
            var effect: String
            var codes: [String]
        }
        var roots: [Root]?
        var findings: [Root]?
        var servers: [Server]?
    }

    struct Difference: Decodable {
        struct Change: Decodable {
            var kind: String
            var sha256: String
        }
        var changes: [Change]
    }

    @Test("show lists every root in the store with its status in a root list")
    func show() throws {
        let scene = try RootsScene()
        defer { scene.folder.remove() }
        let bare = try scene.run(["roots", "show", "--format", "json"])
        #expect(bare.status == 0)
        #expect(try bare.json([Report].self)[0].roots?.map(\.standing) == ["trusted", "trusted"])
        let list = try scene.list([(scene.lab.root, #"{ "permittedDomains": ["example.org"] }"#)])
        let conditional = try scene.run(["roots", "show", "--against", list, "--format", "json"])
        #expect(try conditional.json([Report].self)[0].roots?.map(\.standing) == ["conditional", "notListed"])
        try Golden.expect(conditional, "roots-show", status: 0)
        let text = try scene.run(["roots", "show", "--against", list])
        #expect(text.text.contains("only names in example.org") && text.text.contains("not in the list"))
    }

    @Test("audit reports only roots that are unlisted, distrusted or constrained")
    func audit() throws {
        let scene = try RootsScene()
        defer { scene.folder.remove() }
        let (root, other) = (scene.lab.root, scene.lab.unrelated)
        let rows: [(String, Int32, [String])] = [
            (try scene.list([(root, ""), (other, "")], "all.json"), 0, []),
            (try scene.list([(root, "")], "one.json"), 1, ["notListed"]),
            (try scene.list([(root, "")], complete: false, "some.json"), 0, []),
            (try scene.list([(root, "")], distrusted: [other], "distrusted.json"), 1, ["notTrusted"]),
            (
                try scene.list([(root, #"{ "purposes": ["clientAuth"] }"#), (other, "")], "clients.json"), 1,
                ["notTrusted"]
            ),
            (
                try scene.list([(root, #"{ "issuedNotAfter": "2026-01-01" }"#)], distrusted: [other], "both.json"), 1,
                ["conditional", "notTrusted"]
            ),
        ]
        for (list, status, standings) in rows {
            let outcome = try scene.run(["roots", "report", "--against", list, "--format", "json"])
            #expect(outcome.status == status, "\(list)")
            #expect(try outcome.json([Report].self)[0].findings?.map(\.standing) == standings, "\(list)")
            #expect(try scene.run(["roots", "report", "--against", list]).status == status)
        }
        let outcome = try scene.run(["roots", "report", "--against", rows[5].0, "--format", "json"])
        try Golden.expect(outcome, "roots-audit", status: 1)
    }

    @Test("diff compares two lists, or the store with a list")
    func diff() throws {
        let scene = try RootsScene()
        defer { scene.folder.remove() }
        let (root, other) = (scene.lab.root, scene.lab.unrelated)
        let one = try scene.list([(root, "")], "one.json")
        let two = try scene.list([(root, #"{ "purposes": ["clientAuth"] }"#), (other, "")], "two.json")
        let same = try scene.run(["roots", "diff", one, "--against", one, "--format", "json"])
        #expect(same.status == 0)
        #expect(try same.json([Difference].self)[0].changes.isEmpty)
        let forward = try scene.run(["roots", "diff", one, "--against", two, "--format", "json"])
        #expect(forward.status == 1)
        let changes = try forward.json([Difference].self)[0].changes
        #expect(changes.map(\.kind) == ["added", "changed"])
        #expect(changes.map(\.sha256) == [other.hexDigest, root.hexDigest])
        try Golden.expect(forward, "roots-diff", status: 1)
        let store = try scene.run(["roots", "diff", "--against", one, "--format", "json"])
        #expect(try store.json([Difference].self)[0].changes.map(\.kind) == ["removed"])
    }

    @Test("audit reports which servers a list would break")
    func servers() async throws {
        let lab = try await LabServers([.good])
        let anchors = lab.folder.url.appendingPathComponent("anchors.pem")
        let scene = try RootsScene()
        let root = try #require(lab.servers[0].certificates.anchors.first)
        let closed = try SilentSocket(isListening: false)
        defer { withExtendedLifetime(closed) {} }
        let silent = closed.port
        func effects(_ list: String, _ servers: [String]) throws -> (Int32, [Report.Server]?) {
            let outcome = try Tool.run(
                ["roots", "report", "--against", list, "--connect", "127.0.0.1", "--format", "json"] + servers,
                anchors: anchors)
            return (outcome.status, try outcome.json([Report].self)[0].servers)
        }
        let (broken, effect) = try effects(scene.list([(scene.lab.root, "")]), lab.names)
        #expect(broken == 1)
        #expect(effect?.map(\.effect) == ["breaks"] && effect?.first?.codes == ["anchorNotInProgram"])
        let listed = try scene.list([(root, "")])
        let (kept, fine) = try effects(listed, lab.names)
        #expect(kept == 0 && fine?.map(\.effect) == ["trusted"])
        let (unknown, undecided) = try effects(listed, ["localhost:\(silent)"])
        #expect(unknown == 2 && undecided?.map(\.effect) == ["undecided"])
        scene.folder.remove()
        await lab.stop()
    }

    @Test("roots exits with 2 if a list or store is unreadable, and with 64 if the usage is incorrect")
    func errors() throws {
        let scene = try RootsScene()
        defer { scene.folder.remove() }
        let list = try scene.list([(scene.lab.root, "")])
        let broken = try scene.folder.write("broken", Data("CKA_CLASS CK_OBJECT_CLASS X\nCKA\n".utf8)).path
        for verb in ["show", "report", "diff"] {
            for file in ["/nonexistent", broken, scene.store.path] {
                #expect(try scene.run(["roots", verb, "--against", file]).status == 2, "\(verb) \(file)")
            }
            #expect(try Tool.run(["roots", verb, "--against", list]).status == 2, "\(verb)")
        }
        #expect(try scene.run(["roots", "report", "--against", broken]).errors.contains("\(broken): line 2: "))
        #expect(try scene.run(["roots", "report"]).status == 64)
        #expect(try scene.run(["roots", "report", "--against", list, "a b"]).status == 64)
        #expect(try scene.run(["roots", "diff", "-", "--against", "-"]).status == 64)
    }

    @Test("Text in a list or a certificate can't control the terminal")
    func hostileText() throws {
        let scene = try RootsScene()
        defer { scene.folder.remove() }
        let text = #"{ "schemaVersion": 1, "program": "\u001b[2J\nX", "distrusted": ["\#(scene.lab.root.hexDigest)"] }"#
        let list = try scene.folder.write("list", Data(text.utf8)).path
        for arguments in [["report"], ["show"], ["diff"]] {
            let outcome = try scene.run(["roots"] + arguments + ["--against", list])
            #expect(!outcome.text.contains("\u{1b}") && !outcome.text.contains("\nX"))
        }
    }
}

@Suite("--roots-overlay", .serialized, .timeLimit(.minutes(10)))
struct RootsOverlayLiveTests {
    struct Answer: Decodable {
        struct Failure: Decodable { var code: String }
        var verdict: String
        var failures: [Failure]
    }

    struct Verdict: Decodable {
        struct Failure: Decodable { var code: String }
        var failures: [Failure]
    }

    /// Returns the failure codes in a batch's answer to one request.
    func batch(_ scene: RootsScene, _ list: String, _ options: [String] = [], ownAnchors: Bool) throws -> [String] {
        let line = BatchLine(scene.lab, ownAnchors ? [:] : ["anchors": .absent])
        let outcome = try scene.run(["verify", "--batch", "--roots-overlay", list] + options, input: line.data())
        #expect(outcome.status == 0)
        return try outcome.json(Answer.self).failures.map(\.code)
    }

    @Test(
        "A batch applies the list to the system's anchors, and to a request's own anchors only if the list names them")
    func batchAnchors() throws {
        let scene = try RootsScene()
        defer { scene.folder.remove() }
        let absent = try scene.list([(scene.lab.unrelated, "")])
        #expect(try batch(scene, absent, ownAnchors: false) == ["anchorNotInProgram"])
        #expect(try batch(scene, absent, ["--roots-unlisted", "keep"], ownAnchors: false).isEmpty)
        #expect(try batch(scene, absent, ownAnchors: true).isEmpty)
        let distrusted = try scene.list([(scene.lab.unrelated, "")], distrusted: [scene.lab.root])
        #expect(try batch(scene, distrusted, ownAnchors: false) == ["certificateDenied"])
        #expect(try batch(scene, distrusted, ownAnchors: true) == ["certificateDenied"])
    }

    @Test("An unreadable list ends a batch before the first answer")
    func unreadable() throws {
        let scene = try RootsScene()
        defer { scene.folder.remove() }
        let outcome = try scene.run(
            ["verify", "--batch", "--roots-overlay", "/nonexistent"], input: BatchLine(scene.lab).data())
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        #expect(try scene.run(["verify", "--batch", "--roots-overlay", "-"]).status == 64)
        #expect(try scene.run(["verify", "--batch", "--roots-unlisted", "keep"]).status == 64)
    }

    @Test("verify and check apply the list")
    func verify() async throws {
        let scene = try RootsScene()
        let chain = try scene.folder.write("chain.pem", pem(scene.lab.leaf, scene.lab.intermediate)).path
        let list = try scene.list([(scene.lab.unrelated, "")])
        let arguments = ["verify", chain, "--host", Lab.host, "--time", Lab.time, "--format", "json"]
        #expect(try scene.run(arguments).status == 0)
        let refused = try scene.run(arguments + ["--roots-overlay", list])
        #expect(refused.status == 1)
        #expect(try refused.json([Verdict].self)[0].failures.map(\.code) == ["anchorNotInProgram"])
        // The list has no effect on named anchors that it doesn't contain.
        let named = arguments + ["--anchors", scene.store.path, "--roots-overlay", list]
        #expect(try scene.run(named).status == 0)
        let lab = try await LabServers([.good])
        let anchors = lab.folder.url.appendingPathComponent("anchors.pem")
        let check = ["check", lab.names[0], "--connect", "127.0.0.1"]
        #expect(try Tool.run(check, anchors: anchors).status == 0)
        #expect(try Tool.run(check + ["--roots-overlay", list], anchors: anchors).status == 1)
        await lab.stop()
        scene.folder.remove()
    }
}
