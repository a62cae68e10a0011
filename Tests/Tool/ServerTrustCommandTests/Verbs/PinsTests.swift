// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

@testable import ServerTrustPins

@Suite("Signed lists on the command line") struct PinsTests {
    static let pin = "sha256/qSxxQj6iwxU0NfH7PTRqdilz9kmorIme2QB4t+SSj3Q="
    static let other = "sha256/dmufTFNcMsgKUGbzyO5v37XeWSyRW4KYzc8xYUvgUv4="

    /// A folder with two keys and a pin file.
    struct Desk {
        let folder: TemporaryFolder

        func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

        @discardableResult
        func run(_ arguments: String...) throws -> Tool.Outcome { try Tool.run(["pins", "list"] + arguments) }

        static func with(_ body: (Desk) throws -> Void) throws {
            try TemporaryFolder.with { folder in
                let desk = Desk(folder: folder)
                for (name, algorithm) in [("office", "ed25519"), ("safe", "es256")] {
                    let made = try desk.run("keygen", "--algorithm", algorithm, "--out", desk.path(name))
                    #expect(made.status == 0, "\(made.errors)")
                }
                try folder.write(
                    "pins.json",
                    Data(
                        """
                        {"schemaVersion":1,"selection":"mostSpecific","unlistedHosts":"evaluatedByDefault","rules":[{"mode":"enforced",\
                        "hosts":[{"name":"example.com","includesName":true,"below":"anyDepth"}],\
                        "pins":[{"key":"\(PinsTests.pin)","scope":"anywhere","role":"inUse"},\
                        {"key":"\(PinsTests.other)","scope":"anywhere","role":"backup"}]}]}
                        """.utf8))
                try body(desk)
            }
        }

        /// Signs the first list with both keys.
        func first(_ more: String...) throws -> Tool.Outcome {
            try Tool.run(
                [
                    "pins", "list", "sign", path("pins.json"), "--key", path("office"), "--key", path("safe"),
                    "--audience",
                    "com.example.app", "--sequence", "1", "--expires", "2126-01-01", "--output", path("list.json"),
                ] + more)
        }
    }

    @Test(
        "keygen creates a key that only its owner can read, in a format that OpenSSL reads, and never replaces a file")
    func keygen() throws {
        try Desk.with { desk in
            let mode = try FileManager.default.attributesOfItem(atPath: desk.path("office"))[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let before = try Data(contentsOf: URL(fileURLWithPath: desk.path("office")))
            let again = try desk.run("keygen", "--out", desk.path("office"))
            #expect(again.status == 2)
            #expect(try Data(contentsOf: URL(fileURLWithPath: desk.path("office"))) == before)
            // This applies even if only the public file exists.
            try FileManager.default.removeItem(atPath: desk.path("safe"))
            #expect(try desk.run("keygen", "--out", desk.path("safe")).status == 2)
            #expect(!FileManager.default.fileExists(atPath: desk.path("safe")))
            let pem = try String(contentsOfFile: desk.path("office.pub"), encoding: .utf8)
            let key = try PinSigningKey(pem: pem)
            struct Made: Decodable { let schemaVersion: Int, kid: String, algorithm: String }
            let json: [Made] = try desk.run("keygen", "--out", desk.path("third"), "--format", "json").json()
            #expect(json.first?.algorithm == "EdDSA")
            #expect(json.first?.kid != key.id)
        }
    }

    @Test(
        "OpenSSL derives the same public key from the private key",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")), arguments: ["office", "safe"])
    func openssl(_ name: String) throws {
        try Desk.with { desk in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            process.arguments = ["pkey", "-in", desk.path(name), "-pubout", "-out", desk.path("openssl.pub")]
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            let theirs = try PinSigningKey(pem: String(contentsOfFile: desk.path("openssl.pub"), encoding: .utf8))
            let ours = try PinSigningKey(pem: String(contentsOfFile: desk.path("\(name).pub"), encoding: .utf8))
            #expect(theirs == ours)
        }
    }

    @Test("A signed list verifies with either of its keys or with both, but with no other key")
    func signAndVerify() throws {
        try Desk.with { desk in
            #expect(try desk.first().status == 0)
            let list = desk.path("list.json")
            let audience = ["--audience", "com.example.app"]
            func verify(_ arguments: [String]) throws -> Tool.Outcome {
                try Tool.run(["pins", "list", "verify", list] + arguments)
            }
            for key in ["office.pub", "safe.pub"] {
                #expect(try verify(["--key", desk.path(key)] + audience).status == 0)
            }
            let both = ["--key", desk.path("office.pub"), "--key", desk.path("safe.pub")]
            let json = try verify(both + ["--threshold", "2", "--format", "json"] + audience)
            #expect(json.status == 0)
            struct Row: Decodable {
                let schemaVersion: Int, verified: Bool, audience: String, sequence: Int, nextThreshold: Int
                let signedBy: [String]
            }
            let rows: [Row] = try json.json()
            #expect(rows.count == 1)
            #expect(rows.first?.verified == true)
            #expect(rows.first?.audience == "com.example.app")
            #expect(rows.first?.sequence == 1)
            #expect(rows.first?.signedBy.count == 2)
            try desk.run("keygen", "--out", desk.path("unrelated"))
            let foreign = try verify(["--key", desk.path("unrelated.pub")] + audience)
            #expect(foreign.status == 1)
            #expect(foreign.errors.contains("[unknownSigner]"))
            #expect(foreign.output.isEmpty)
            let other = try verify(both + ["--audience", "com.example.other"])
            #expect(other.status == 1)
            #expect(other.errors.contains("[foreignAudience]"))
            let late = try verify(both + audience + ["--at", "2126-01-02"])
            #expect(late.errors.contains("[expired]"))
            #expect(try verify([]).status == 64)
            #expect(try verify(["--key", desk.path("office")] + audience).status == 2)
        }
    }

    @Test("A truncated, a changed and a missing list cause different errors")
    func broken() throws {
        try Desk.with { desk in
            #expect(try desk.first().status == 0)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: desk.path("list.json")))
            try desk.folder.write("cut.json", bytes.dropLast(10))
            let cut = try desk.run("verify", desk.path("cut.json"), "--key", desk.path("office.pub"))
            #expect(cut.status == 1)
            #expect(cut.errors.contains("[truncated]"))
            #expect(try desk.run("verify", desk.path("none.json"), "--key", desk.path("office.pub")).status == 2)
            #expect(try desk.run("show", desk.path("cut.json")).status == 2)
        }
    }

    @Test("A list keeps the threshold and denied keys of the previous list unless options change them")
    func staysAsItWas() throws {
        try Desk.with { desk in
            #expect(
                try desk.first(
                    "--next-key", desk.path("office.pub"), "--next-key", desk.path("safe.pub"), "--next-threshold", "2",
                    "--deny", Self.other
                ).status == 0)
            func next(_ output: String, _ more: String...) throws -> Tool.Outcome {
                try Tool.run(
                    [
                        "pins", "list", "sign", desk.path("pins.json"), "--previous", desk.path("list.json"),
                        "--expires",
                        "2126-01-01", "--key", desk.path("office"), "--key", desk.path("safe"), "--output",
                        desk.path(output),
                    ] + more)
            }
            try desk.run("keygen", "--out", desk.path("new"))
            let second = try next(
                "second.json", "--next-key", desk.path("office.pub"), "--next-key", desk.path("safe.pub"), "--next-key",
                desk.path("new.pub"), "--key", desk.path("new"))
            #expect(second.status == 0, "\(second.errors)")
            let shown = try desk.run("show", desk.path("second.json"), "--format", "json").text
            #expect(shown.contains("\"nextThreshold\": 2"))
            #expect(shown.contains(Self.other))
            let dropped = try next("third.json", "--drop-denied")
            #expect(dropped.status == 0, "\(dropped.errors)")
            #expect(try !desk.run("show", desk.path("third.json")).text.contains("denied"))
        }
    }

    @Test("The next list follows the previous one, and the command doesn't write a rollback")
    func previous() throws {
        try Desk.with { desk in
            #expect(try desk.first().status == 0)
            func next(_ output: String, _ more: String...) throws -> Tool.Outcome {
                try Tool.run(
                    [
                        "pins", "list", "sign", desk.path("pins.json"), "--previous", desk.path("list.json"),
                        "--expires",
                        "2126-01-01", "--output", desk.path(output),
                    ] + more)
            }
            let office = desk.path("office")
            #expect(try next("second.json", "--key", office, "--deny", Self.other).status == 0)
            let verified = try desk.run("verify", desk.path("second.json"), "--floor", desk.path("list.json"))
            #expect(verified.status == 0)
            #expect(verified.text.contains("list 2"))
            #expect(verified.text.contains("denied   \(Self.other)"))
            let back = try desk.run("verify", desk.path("list.json"), "--floor", desk.path("second.json"))
            #expect(back.status == 1)
            #expect(back.errors.contains("[rollback]"))
            // A list with the same contents, signed in the same second, would equal the first list.
            let older = try next("older.json", "--key", office, "--deny", Self.other, "--sequence", "1")
            #expect(older.status == 1)
            #expect(older.errors.contains("[sequenceReused]"))
            #expect(!FileManager.default.fileExists(atPath: desk.path("older.json")))
            try desk.run("keygen", "--out", desk.path("unrelated"))
            let unrelated = try next("unrelated.json", "--key", desk.path("unrelated"))
            #expect(unrelated.status == 1)
            #expect(unrelated.errors.contains("[unknownSigner]"))
            // The command replaces a file only with --force.
            #expect(try next("second.json", "--key", office).status == 2)
            #expect(try next("second.json", "--key", office, "--force").status == 0)
        }
    }

    @Test("Without --own-rules, the command neither signs nor verifies a list that a PinStore refuses")
    func unenforceable() throws {
        let host = #"[{"name":"example.com","includesName":true,"below":"anyDepth"}]"#
        let rows: [(text: String, replacement: String)] = [
            (host, #""any""#), (#""mode""#, #""anchors":[{"source":"resource","name":"raw/ca"}],"mode""#),
            (#""selection""#, #""anchors":[{"source":"system"}],"selection""#),
        ]
        for row in rows {
            try Desk.with { desk in
                let pins = try String(contentsOfFile: desk.path("pins.json"), encoding: .utf8)
                #expect(pins.contains(row.text))
                try desk.folder.write("pins.json", Data(pins.replacing(row.text, with: row.replacement).utf8))
                for flags in [[], ["--partial"]] {
                    let refused = try Tool.run(
                        [
                            "pins", "list", "sign", desk.path("pins.json"), "--key", desk.path("office"), "--audience",
                            "com.example.app", "--sequence", "1", "--expires", "2126-01-01", "--output",
                            desk.path("list.json"), "--next-key", desk.path("office.pub"), "--next-key",
                            desk.path("safe.pub"), "--next-threshold", "2",
                        ] + flags)
                    #expect(refused.status == 1)
                    #expect(refused.errors.contains("[pinsInvalid]"))
                    #expect(!FileManager.default.fileExists(atPath: desk.path("list.json")))
                }
                #expect(try desk.first("--own-rules").status == 0)
                let verify = ["pins", "list", "verify", desk.path("list.json"), "--key", desk.path("office.pub")]
                let verified = try Tool.run(verify)
                #expect(verified.status == 1)
                #expect(verified.errors.contains("[pinsInvalid]"))
                #expect(verified.output.isEmpty)
                #expect(try Tool.run(verify + ["--own-rules"]).status == 0)
            }
        }
    }

    @Test("The command doesn't sign a sequence number near the last one and warns if such a list is in force")
    func lastNumbers() throws {
        try Desk.with { desk in
            func sign(_ sequence: Int, _ more: String...) throws -> Tool.Outcome {
                try Tool.run(
                    [
                        "pins", "list", "sign", desk.path("pins.json"), "--key", desk.path("office"), "--expires",
                        "2126-01-01",
                        "--sequence", "\(sequence)", "--output", desk.path("list.json"), "--force",
                    ] + more)
            }
            let audience = ["--audience", "com.example.app"]
            let last = PinList.maximumSequence - PinList.sequenceReserve
            #expect(try sign(last + 1, audience[0], audience[1]).status == 2)
            #expect(try sign(PinList.maximumSequence, audience[0], audience[1]).status == 2)
            #expect(!FileManager.default.fileExists(atPath: desk.path("list.json")))
            let fine = try sign(last, audience[0], audience[1])
            #expect(fine.status == 0)
            #expect(fine.errors.isEmpty)
            // If such a list exists for another reason, its successors can be signed.
            let key = try PinSigningPrivateKey(pem: String(contentsOfFile: desk.path("office"), encoding: .utf8))
            var payload = try PinListPayload(
                audience: "com.example.app", sequence: last + 5, issued: Time(rfc3339: "2026-01-01"),
                expires: Time(rfc3339: "2126-01-01"),
                pins: [UInt8](Data(contentsOf: URL(fileURLWithPath: desk.path("pins.json")))),
                signers: PinSigners([key.publicKey]))
            payload.usesSequenceReserve = true
            try desk.folder.write("high.json", Data(SignedPinList.signed(payload.bytes(), by: [key]).bytes))
            let next = try sign(last + 6, "--previous", desk.path("high.json"))
            #expect(next.status == 0)
            #expect(next.errors.contains("servertrust: warning:"))
            let verified = try desk.run("verify", desk.path("high.json"), "--key", desk.path("office.pub"))
            #expect(verified.status == 0)
            #expect(verified.errors.contains("\(last + 5)"))
        }
    }

    @Test("Old and new keys together sign a key change, and rotations allow older clients to follow it")
    func rotation() throws {
        try Desk.with { desk in
            #expect(try desk.first().status == 0)
            try desk.run("keygen", "--out", desk.path("new"))
            func sign(_ previous: String, _ output: String, _ more: [String]) throws -> Tool.Outcome {
                try Tool.run(
                    [
                        "pins", "list", "sign", desk.path("pins.json"), "--previous", desk.path(previous), "--expires",
                        "2126-01-01", "--output", desk.path(output),
                    ] + more)
            }
            let toNew = ["--next-key", desk.path("new.pub")]
            let half = try sign("list.json", "second.json", ["--key", desk.path("office")] + toNew)
            #expect(half.status == 1)
            #expect(half.errors.contains("[unprovenSigners]"))
            #expect(!FileManager.default.fileExists(atPath: desk.path("second.json")))
            // In two steps on different machines.
            #expect(
                try sign("list.json", "part.json", ["--key", desk.path("office"), "--partial"] + toNew).status == 0)
            let added = try desk.run(
                "sign", "--add-to", desk.path("part.json"), "--key", desk.path("new"), "--previous",
                desk.path("list.json"),
                "--output", desk.path("second.json"))
            #expect(added.status == 0, "\(added.errors)")
            #expect(try sign("second.json", "third.json", ["--key", desk.path("new")]).status == 0)
            let missed = try desk.run(
                "verify", desk.path("third.json"), "--key", desk.path("office.pub"), "--audience", "com.example.app")
            #expect(missed.status == 0, "\(missed.errors)")
            let shown = try desk.run("show", desk.path("third.json"))
            #expect(shown.text.contains("after    lists 1, 2"))
            // The old key is no longer valid.
            let old = try sign("third.json", "fourth.json", ["--key", desk.path("office")])
            #expect(old.errors.contains("[unknownSigner]"))
        }
    }

    @Test("The command reports invalid pins with their line and writes no list")
    func badPins() throws {
        try Desk.with { desk in
            try desk.folder.write("pins.json", Data("{\"schemaVersion\":1,\n\"rules\":[]}".utf8))
            let outcome = try desk.first()
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("pins.json:2"))
            #expect(!FileManager.default.fileExists(atPath: desk.path("list.json")))
            #expect(try desk.first("--next-threshold", "3").status != 0)
        }
    }
}
