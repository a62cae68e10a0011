// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import ServerTrustPins
import Testing

@Suite("Root keys and always-pinned hosts on the command line") struct PinsRootTests {
    typealias Desk = PinsTests.Desk

    /// Creates more keys and `list.json`, the first list, with `root` as its root key.
    private static func with(_ body: (Desk) throws -> Void) throws {
        try Desk.with { desk in
            for key in ["root", "new"] { #expect(try desk.run("keygen", "--out", desk.path(key)).status == 0) }
            let unproven = try desk.first("--root-key", desk.path("root.pub"))
            #expect(unproven.status == 1)
            #expect(unproven.errors.contains("[unprovenSigners]"))
            let first = try desk.first("--root-key", desk.path("root.pub"), "--key", desk.path("root"))
            #expect(first.status == 0, "\(first.errors)")
            try body(desk)
        }
    }

    private static func next(
        _ desk: Desk, _ output: String, after previous: String = "list.json", by keys: String..., more: [String] = []
    ) throws -> Tool.Outcome {
        try Tool.run(
            [
                "pins", "list", "sign", desk.path("pins.json"), "--previous", desk.path(previous), "--expires",
                "2126-01-01",
                "--output", desk.path(output),
            ] + keys.flatMap { ["--key", desk.path($0)] } + more)
    }

    @Test("The next list keeps the root keys, show prints them, and a root key can't also be a signer")
    func stay() throws {
        try Self.with { desk in
            #expect(try Self.next(desk, "second.json", by: "office").status == 0)
            struct Row: Decodable {
                let rootThreshold: Int, rootKeys: [String], nextKeys: [String]
            }
            for list in ["list.json", "second.json"] {
                let rows: [Row] = try desk.run("show", desk.path(list), "--format", "json").json()
                #expect(rows.first?.rootThreshold == 1)
                #expect(rows.first?.rootKeys.count == 1)
                // By default, the next list has the current signing keys, without the root key.
                #expect(rows.first?.nextKeys.count == 2)
                #expect(try desk.run("show", desk.path(list)).text.contains("root     1 of"))
            }
            // How an app without the root key sees the list: it uses the list that introduced the root key.
            let audience = ["--audience", "com.example.app"]
            let verify =
                ["pins", "list", "verify", desk.path("second.json"), "--key", desk.path("office.pub")] + audience
            #expect(try Tool.run(verify).status == 0)
            #expect(try Tool.run(verify + ["--root-key", desk.path("root.pub")]).status == 0)
            let other = try Tool.run(verify + ["--root-key", desk.path("new.pub")])
            #expect(other.status == 1)
            #expect(other.errors.contains("[rootRequired]"))
            #expect(
                try Tool.run([
                    "pins", "list", "verify", desk.path("second.json"), "--floor", desk.path("list.json"), "--root-key",
                    desk.path("root.pub"),
                ]).status == 64)
            let both = try Self.next(
                desk, "both.json", by: "office", "root", more: ["--next-key", desk.path("root.pub")])
            #expect(both.status == 2)
            #expect(both.errors.contains("[listInvalid]"))
        }
    }

    @Test("Only an app with the root keys accepts a list without the list that introduced them")
    func withoutRotations() throws {
        try Self.with { desk in
            #expect(try Self.next(desk, "second.json", by: "office").status == 0)
            let text = try String(contentsOfFile: desk.path("second.json"), encoding: .utf8)
            let start = try #require(text.range(of: #","rotations":"#))
            try desk.folder.write("short.json", Data((text[..<start.lowerBound] + "}").utf8))
            let verify = ["pins", "list", "verify", desk.path("short.json"), "--key", desk.path("office.pub")]
            let unproven = try Tool.run(verify)
            #expect(unproven.status == 1)
            #expect(unproven.errors.contains("[unprovenSigners]"))
            #expect(unproven.errors.contains("--root-key"))
            let root = ["--root-key", desk.path("root.pub")]
            // The list keeps the keys of an app that has both keys.
            let one = try Tool.run(verify + root)
            #expect(one.status == 1)
            #expect(one.errors.contains("[rootRequired]"))
            #expect(try Tool.run(verify + root + ["--key", desk.path("safe.pub")]).status == 0)
            #expect(try desk.run("verify", desk.path("short.json"), "--floor", desk.path("list.json")).status == 0)
        }
    }

    @Test(
        "Adding a signature can't change anything else",
        arguments: [
            ["--next-threshold", "1"], ["--root-threshold", "1"], ["--not-before", "2126-01-01"], ["--sequence", "9"],
        ])
    func additions(_ option: [String]) throws {
        try Self.with { desk in
            let outcome = try Tool.run(
                ["pins", "list", "sign", "--add-to", desk.path("list.json"), "--key", desk.path("new")] + option)
            #expect(outcome.status == 64)
            #expect(outcome.output.isEmpty)
        }
    }

    @Test("The next list can name other keys only with the root key's signature, which another tool can create")
    func change() throws {
        try Self.with { desk in
            let toNew = ["--next-key", desk.path("new.pub")]
            let thief = try Self.next(desk, "second.json", by: "office", "safe", "new", more: toNew)
            #expect(thief.status == 1)
            #expect(thief.errors.contains("[rootRequired]"))
            #expect(!FileManager.default.fileExists(atPath: desk.path("second.json")))
            let part = try Self.next(desk, "part.json", by: "new", more: toNew + ["--partial"])
            #expect(part.status == 0, "\(part.errors)")
            #expect(
                try desk.run(
                    "sign", "--add-to", desk.path("part.json"), "--key", desk.path("root"), "--previous",
                    desk.path("list.json"), "--output", desk.path("second.json")
                ).status == 0)
            let verified = try desk.run("verify", desk.path("second.json"), "--floor", desk.path("list.json"))
            #expect(verified.status == 0, "\(verified.errors)")
            #expect(try Self.next(desk, "third.json", after: "second.json", by: "new").status == 0)
            let old = try Self.next(desk, "fourth.json", after: "second.json", by: "office")
            #expect(old.errors.contains("[unknownSigner]"))
            let missed = try desk.run("verify", desk.path("third.json"), "--floor", desk.path("list.json"))
            #expect(missed.status == 0, "\(missed.errors)")
        }
    }

    @Test("The command refuses a successor without root keys if the previous list has root keys")
    func dropped() throws {
        try Self.with { desk in
            let other = try Tool.run([
                "pins", "list", "sign", desk.path("pins.json"), "--key", desk.path("office"), "--key",
                desk.path("safe"),
                "--audience", "com.example.app", "--sequence", "2", "--expires", "2126-01-01", "--output",
                desk.path("bare.json"),
            ])
            #expect(other.status == 0)
            let verified = try desk.run("verify", desk.path("bare.json"), "--floor", desk.path("list.json"))
            #expect(verified.status == 1)
            #expect(verified.errors.contains("[rootDropped]"))
            let added = try desk.run(
                "sign", "--add-to", desk.path("bare.json"), "--key", desk.path("root"), "--previous",
                desk.path("list.json"), "--output", desk.path("second.json"))
            #expect(added.status == 1)
            #expect(added.errors.contains("[rootDropped]"))
        }
    }

    @Test("For an app that always pins a host, the command neither signs nor verifies a list that loosens it")
    func alwaysPinned() throws {
        try Desk.with { desk in
            let pinned = ["--always-pinned", "**.example.com"]
            #expect(try desk.first(pinned[0], pinned[1]).status == 0)
            let verify = ["pins", "list", "verify", desk.path("list.json"), "--key", desk.path("office.pub")]
            #expect(try Tool.run(verify + pinned).status == 0)
            let wide = try Tool.run(verify + ["--always-pinned", "example.org"])
            #expect(wide.status == 1)
            #expect(wide.errors.contains("[hostUnpinned]"))
            #expect(wide.output.isEmpty)
            #expect(try Tool.run(verify + ["--always-pinned", "https://example.com"]).status == 64)
            let pins = try String(contentsOfFile: desk.path("pins.json"), encoding: .utf8)
            for (text, replacement) in [
                (#""below":"anyDepth""#, #""below":"nothing""#), (#""mode":"enforced""#, #""mode":"reportOnly""#),
            ] {
                #expect(pins.contains(text))
                try desk.folder.write("pins.json", Data(pins.replacing(text, with: replacement).utf8))
                for flags in [[], ["--partial"]] {
                    let refused = try Self.next(desk, "second.json", by: "office", more: pinned + flags)
                    #expect(refused.status == 1)
                    #expect(refused.errors.contains("[hostUnpinned]"))
                    #expect(!FileManager.default.fileExists(atPath: desk.path("second.json")))
                }
                #expect(try Self.next(desk, "loose.json", by: "office", more: ["--force"]).status == 0)
                let loose = ["pins", "list", "verify", desk.path("loose.json"), "--floor", desk.path("list.json")]
                #expect(try Tool.run(loose).status == 0)
                let refused = try Tool.run(loose + pinned)
                #expect(refused.status == 1)
                #expect(refused.errors.contains("[hostUnpinned]"))
                // An app that was built with this list doesn't start.
                let floor = try Tool.run(
                    ["pins", "list", "verify", desk.path("list.json"), "--floor", desk.path("loose.json")] + pinned)
                #expect(floor.status == 2)
            }
        }
    }
}
