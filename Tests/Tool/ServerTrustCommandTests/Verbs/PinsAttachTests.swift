// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

@testable import ServerTrustPins

/// `pins list prepare` and `pins list attach`, with openssl as the external signer.
@Suite("Lists that an external program signs") struct PinsAttachTests {
    typealias Desk = PinsTests.Desk

    private static let content = [
        "--audience", "com.example.app", "--sequence", "1", "--expires", "2126-01-01",
    ]

    /// Writes `part.json`, an unsigned list that the office and safe keys can sign.
    private func draft(_ desk: Desk, _ more: String...) throws {
        let outcome = try Tool.run(
            ["pins", "list", "sign", desk.path("pins.json"), "--partial", "--output", desk.path("part.json")]
                + Self.content
                + ["--next-key", desk.path("office.pub"), "--next-key", desk.path("safe.pub")] + more)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("[unknownSigner]"))
    }

    private func prepare(_ desk: Desk, _ key: String, _ more: String...) throws -> String {
        let path = desk.path("\(key).input")
        let outcome = try Tool.run(
            [
                "pins", "list", "prepare", desk.path("part.json"), "--key", desk.path("\(key).pub"), "--output", path,
                "--force",
            ]
                + more)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        return path
    }

    private func attach(
        _ desk: Desk, _ signature: String, by key: String = "office", to list: String = "part.json", _ more: String...
    ) throws -> Tool.Outcome {
        try Tool.run(
            [
                "pins", "list", "attach", desk.path(list), "--key", desk.path("\(key).pub"), "--signature", signature,
                "--output", desk.path("list.json"), "--force",
            ] + more)
    }

    private static let hasOpenssl = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

    @Test(
        "openssl can sign the output of prepare with either type of key, and clients accept the list",
        .enabled(if: hasOpenssl), arguments: ["office", "safe"])
    func openssl(_ key: String) throws {
        try Desk.with { desk in
            try draft(desk)
            let input = try prepare(desk, key)
            let signature = desk.path("signature")
            try Openssl.expectSuccess([
                "pkeyutl", "-sign", "-inkey", desk.path(key), "-rawin", "-in", input, "-out", signature,
            ])
            let attached = try attach(desk, signature, by: key)
            #expect(attached.status == 0, "\(attached.errors)")
            let verified = try desk.run(
                "verify", desk.path("list.json"), "--key", desk.path("\(key).pub"), "--audience", "com.example.app")
            #expect(verified.status == 0, "\(verified.errors)")
            // The signature isn't valid for another list or another key.
            let other = try attach(desk, signature, by: key == "office" ? "safe" : "office")
            #expect(other.status == 1)
            #expect(other.errors.contains("[signatureInvalid]"))
            try FileManager.default.removeItem(atPath: desk.path("part.json"))
            try draft(desk, "--deny", PinsTests.other)
            let foreign = try attach(desk, signature, by: key)
            #expect(foreign.status == 1)
            #expect(foreign.errors.contains("[signatureInvalid]"))
        }
    }

    @Test("A P-256 key that signs only digests can sign the output of --digest", .enabled(if: hasOpenssl))
    func digest() throws {
        try Desk.with { desk in
            try draft(desk)
            let digest = try prepare(desk, "safe", "--digest")
            #expect(try Data(contentsOf: URL(fileURLWithPath: digest)).count == 32)
            let signature = desk.path("signature")
            try Openssl.expectSuccess([
                "pkeyutl", "-sign", "-inkey", desk.path("safe"), "-in", digest, "-out", signature, "-pkeyopt",
                "digest:sha256",
            ])
            #expect(try attach(desk, signature, by: "safe").status == 0)
            // If the signer treats the digest as a message, it hashes the digest again.
            try Openssl.expectSuccess([
                "dgst", "-sha256", "-sign", desk.path("safe"), "-out", signature, digest,
            ])
            let twice = try attach(desk, signature, by: "safe")
            #expect(twice.status == 1)
            #expect(twice.errors.contains("[signatureInvalid]"))
            let ed25519 = try desk.run(
                "prepare", desk.path("part.json"), "--key", desk.path("office.pub"), "--digest")
            #expect(ed25519.status == 2)
            #expect(ed25519.output.isEmpty)
        }
    }

    @Test("If two keys must sign, one can sign here and the other externally", .enabled(if: hasOpenssl))
    func both() throws {
        try Desk.with { desk in
            try draft(desk, "--next-threshold", "2")
            #expect(
                try desk.run(
                    "sign", "--add-to", desk.path("part.json"), "--key", desk.path("office"), "--partial", "--output",
                    desk.path("half.json")
                ).status == 0)
            let input = try prepare(desk, "safe")
            let signature = desk.path("signature")
            try Openssl.expectSuccess([
                "pkeyutl", "-sign", "-inkey", desk.path("safe"), "-rawin", "-in", input, "-out", signature,
            ])
            // One signature isn't enough.
            let alone = try attach(desk, signature, by: "safe")
            #expect(alone.status == 1)
            #expect(alone.errors.contains("[belowThreshold]") || alone.errors.contains("[unprovenSigners]"))
            #expect(!FileManager.default.fileExists(atPath: desk.path("list.json")))
            #expect(try attach(desk, signature, by: "safe", to: "half.json").status == 0)
            #expect(try attach(desk, signature, by: "safe", to: "part.json", "--partial").status == 0)
        }
    }

    @Test("A private key, another kind of document, and text instead of a signature cause errors")
    func slips() throws {
        try Desk.with { desk in
            try draft(desk)
            try desk.folder.write("text", Data("MEUCIQDT\n".utf8))
            let text = try attach(desk, desk.path("text"))
            #expect(text.status == 1)
            #expect(text.errors.contains("base64 -d"))
            #expect(
                try desk.run("prepare", desk.path("part.json"), "--key", desk.path("office")).status == 2)
            #expect(
                try desk.run("prepare", desk.path("pins.json"), "--key", desk.path("office.pub")).status == 2)
            #expect(try attach(desk, desk.path("none")).status == 2)
            // Without a key, the command can only write a list for an external signer.
            let keyless = try Tool.run(["pins", "list", "sign", desk.path("pins.json")] + Self.content)
            #expect(keyless.status == 64)
            let unnamed = try Tool.run(["pins", "list", "sign", desk.path("pins.json"), "--partial"] + Self.content)
            #expect(unnamed.status == 64)
            let shown = try desk.run("show", desk.path("part.json"))
            #expect(shown.status == 0)
            #expect(shown.text.contains("list 1"))
            // No client accepts it.
            let verified = try desk.run("verify", desk.path("part.json"), "--key", desk.path("office.pub"))
            #expect(verified.status == 1)
            #expect(verified.errors.contains("[malformed]"))
        }
    }

    @Test(
        "The command warns about a large step in sequence numbers and signs one of the last sequence numbers only with --use-reserve"
    )
    func steps() throws {
        try Desk.with { desk in
            #expect(try desk.first().status == 0)
            func next(_ sequence: Int, _ more: String...) throws -> Tool.Outcome {
                try Tool.run(
                    [
                        "pins", "list", "sign", desk.path("pins.json"), "--key", desk.path("office"), "--previous",
                        desk.path("list.json"), "--expires", "2126-01-01", "--sequence", "\(sequence)", "--output",
                        desk.path("next.json"), "--force",
                    ] + more)
            }
            let usual = try next(1 + PinList.maximumUsualStep)
            #expect(usual.status == 0)
            #expect(usual.errors.isEmpty)
            let step = try next(2 + PinList.maximumUsualStep)
            #expect(step.status == 0)
            #expect(step.errors.contains("servertrust: warning:"))
            try FileManager.default.removeItem(atPath: desk.path("next.json"))
            let last = PinList.maximumSequence - PinList.sequenceReserve
            #expect(try next(last).status == 0)
            try FileManager.default.removeItem(atPath: desk.path("next.json"))
            for sequence in [last + 1, PinList.maximumSequence] {
                let refused = try next(sequence)
                #expect(refused.status == 2)
                #expect(refused.errors.contains("--use-reserve"))
                #expect(!FileManager.default.fileExists(atPath: desk.path("next.json")))
            }
            let told = try next(PinList.maximumSequence, "--use-reserve")
            #expect(told.status == 0)
            #expect(told.errors.contains("servertrust: warning:"))
            // Adding a signature to such a list requires the option, too.
            func add(_ more: String...) throws -> Tool.Outcome {
                try Tool.run(
                    [
                        "pins", "list", "sign", "--add-to", desk.path("next.json"), "--key", desk.path("safe"),
                        "--previous",
                        desk.path("list.json"), "--output", desk.path("both.json"),
                    ] + more)
            }
            #expect(try add().status == 2)
            #expect(try add("--use-reserve").status == 0)
            #expect(try next(PinList.maximumSequence + 1, "--use-reserve").status == 2)
        }
    }
}
