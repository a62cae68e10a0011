// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The old names of verbs.
@Suite struct OldNamesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var old: [String]
        var new: [String]
        /// The new name in the note.
        var shown: String
        var arguments: [String]
        var input: String
        var status: Int32

        init(
            _ old: String, _ new: String, _ arguments: [String] = ["--nonsense"], shown: String? = nil,
            input: String = "", status: Int32 = 64
        ) {
            testDescription = "servertrust \(old) is now servertrust \(new)"
            self.old = old.split(separator: " ").map(String.init)
            self.new = new.split(separator: " ").map(String.init)
            self.shown = shown ?? new
            self.arguments = arguments
            self.input = input
            self.status = status
        }
    }

    /// An OkHttp line with one pin, for which lint prints a warning.
    private static let pins = "api.example.com sha256/AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=\n"

    static let rows: [Row] = [
        Row("pin", "pins make", ["/nonexistent.pem"], status: 2),
        Row("lint", "pins lint", ["-", "--from", "okhttp"], input: pins, status: 1),
        Row("convert", "pins convert", ["-", "--from", "okhttp", "--to", "json"], input: pins, status: 0),
        Row(
            "effective", "pins why", ["-", "api.example.com", "--from", "okhttp", "--at", "2026-11-21"], input: pins,
            status: 0),
        Row("demo", "lab demo", ["--scenario", "nonsense"]),
        Row("pins keygen", "pins list keygen"),
        Row("pins sign", "pins list sign"),
        Row("pins prepare", "pins list prepare"),
        Row("pins attach", "pins list attach"),
        Row("pins verify", "pins list verify"),
        Row("pins show", "pins list show", ["/nonexistent.json"], status: 2),
        Row("roots audit", "roots report", ["--against", "/nonexistent.txt"], status: 2),
        Row("crl prefetch", "cache prefetch"),
        Row("crl", "cache", ["--help"], status: 0),
        Row("ct logs show", "roots logs show", ["/nonexistent.json"], shown: "roots logs", status: 2),
        Row("ct logs check", "roots logs check", ["/nonexistent.json"], shown: "roots logs", status: 2),
    ]

    @Test("An old name works like the new name and prints the new name once on standard error", arguments: rows)
    func oldAndNew(_ row: Row) throws {
        let old = try Tool.run(row.old + row.arguments, input: Data(row.input.utf8))
        let new = try Tool.run(row.new + row.arguments, input: Data(row.input.utf8))
        #expect(new.status == row.status)
        #expect(old.status == row.status)
        #expect(old.output == new.output)
        let lines = old.errors.split(separator: "\n", omittingEmptySubsequences: false)
        let note = try #require(lines.first)
        #expect(note.hasPrefix("servertrust: note: "))
        #expect(note.hasSuffix("\"servertrust \(row.shown)\""))
        #expect(lines.dropFirst().joined(separator: "\n") == new.errors)
    }

    @Test("`ct verify` still writes its report, and its note names verify") func transparency() throws {
        let outcome = try Tool.run(["ct", "verify", "/nonexistent.pem", "--logs", "/nonexistent.json"])
        #expect(outcome.status == 2)
        #expect(outcome.errors.split(separator: "\n").first?.contains("verify --ct-logs") == true)
    }

    @Test("An old name has a help page", arguments: [["help", "lint"], ["lint", "-h"]])
    func help(_ arguments: [String]) throws {
        let outcome = try Tool.run(arguments)
        #expect(outcome.status == 0)
        #expect(try outcome.output == Tool.run(["pins", "lint", "--help"]).output)
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test("Help and completions don't show old names") func hidden() throws {
        for arguments in [["--help"], ["--help-hidden"]] {
            let names = try Tool.run(arguments).lines.compactMap { $0.split(separator: " ").first.map(String.init) }
            #expect(names.contains("roots"))
            #expect(Set(names).isDisjoint(with: ["pin", "lint", "convert", "effective", "demo", "crl", "ct"]))
        }
        let script = try Tool.run(["--generate-completion-script", "fish"]).text
        #expect(script.contains("audit"))
        #expect(!script.contains("effective"))
    }
}
