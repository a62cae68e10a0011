// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Other tools' option names, and arguments instead of a verb.
@Suite struct OptionAliasesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var typed: [String]
        var meant: [String]

        init(_ typed: String..., means meant: [String]) {
            self.testDescription = "\(typed.joined(separator: " ")) means \(meant.joined(separator: " "))"
            self.typed = typed
            self.meant = meant
        }
    }

    static let anchors: [Row] = [
        Row("--cacert", "/nonexistent.pem", means: ["--anchors", "/nonexistent.pem"]),
        Row("--cafile", "/nonexistent.pem", means: ["--anchors", "/nonexistent.pem"]),
        Row("--CAfile", "/nonexistent.pem", means: ["--anchors", "/nonexistent.pem"]),
        Row("-CAfile", "/nonexistent.pem", means: ["--anchors", "/nonexistent.pem"]),
        Row("--cacert=/nonexistent.pem", means: ["--anchors=/nonexistent.pem"]),
        Row("-showcerts", "--anchors", "/nonexistent.pem", means: ["--showcerts", "--anchors", "/nonexistent.pem"]),
        Row(
            "-starttls", "smtp", "--anchors", "/nonexistent.pem",
            means: ["--starttls", "smtp", "--anchors", "/nonexistent.pem"]),
        Row(
            "-servername", "b.example", "--anchors", "/nonexistent.pem",
            means: ["--servername", "b.example", "--anchors", "/nonexistent.pem"]),
    ]

    @Test("The command accepts an option under its curl or openssl name", arguments: anchors) func options(_ row: Row)
        throws
    {
        // The command reads the anchors before it connects, and the file doesn't exist.
        let typed = try Tool.run(["check", "a.example"] + row.typed)
        let meant = try Tool.run(["check", "a.example"] + row.meant)
        #expect(meant.status == 2)
        #expect(typed.status == 2)
        #expect(typed.errors == meant.errors)
    }

    @Test("--json means --format json, and arguments after -- keep their meaning") func json() throws {
        let json = try Tool.run(["explain", "certificateExpired", "--json"])
        #expect(json.status == 0)
        #expect(try json.output == Tool.run(["explain", "certificateExpired", "--format", "json"]).output)
        #expect(try Tool.run(["lab", "--list", "--json"]).text.hasPrefix("["))
        #expect(try Tool.run(["inspect", "--", "--json"]).errors.contains("--json"))
    }

    @Test(
        "-servername means verify's --host, and the error for an option that the verb lacks names the alias that the user typed"
    )
    func verbs() throws {
        let typed = try Tool.run(["verify", "/nonexistent.pem", "-servername", "a.example"])
        #expect(typed.status == 2)
        #expect(try typed.errors == Tool.run(["verify", "/nonexistent.pem", "--host", "a.example"]).errors)
        for (arguments, named) in [(["--json"], "'--json'"), (["explain", "x", "--cacert=y"], "'--cacert=y'")] {
            let outcome = try Tool.run(arguments)
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains(named))
        }
    }

    @Test("Help doesn't show aliases") func hidden() throws {
        let page = try Tool.run(["check", "--help-hidden"]).text
        #expect(!page.contains("cacert") && !page.contains("CAfile") && !page.contains("--json"))
    }

    struct Slip: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var argument: String
        var meant: String
    }

    static let slips: [Slip] = [
        Slip(testDescription: "a host", argument: "api.example.com", meant: "servertrust check api.example.com?"),
        Slip(testDescription: "a port", argument: "localhost:8443", meant: "servertrust check localhost:8443?"),
        Slip(
            testDescription: "a URL", argument: "https://a.example/x", meant: "servertrust check https://a.example/x?"),
        Slip(testDescription: "this machine", argument: "localhost", meant: "servertrust check localhost?"),
        Slip(testDescription: "a file", argument: "/dev/null", meant: "servertrust inspect /dev/null?"),
        Slip(testDescription: "a misspelled verb", argument: "verfiy", meant: "did you mean verify?"),
        Slip(testDescription: "the version", argument: "version", meant: "servertrust --version?"),
        Slip(testDescription: "a verb without its group", argument: "lint", meant: "did you mean pins lint"),
        Slip(testDescription: "a misspelled verb without its group", argument: "lnit", meant: "pins lint"),
        Slip(testDescription: "a verb without its two groups", argument: "keygen", meant: "pins list keygen"),
    ]

    @Test("If the first argument is wrong, the command makes a suggestion", arguments: slips)
    func suggestions(_ slip: Slip) throws {
        let outcome = try Tool.run([slip.argument])
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains(slip.meant))
    }

    @Test("A time in days needs a unit, but a time for a curl option doesn't") func units() throws {
        for option in [
            ["check", "a.example", "--expires-within"], ["verify", "x.pem", "--expires-within"],
            ["pins", "lint", "x", "--fail-within"],
        ] {
            let bare = try Tool.run(option + ["90"])
            #expect(bare.status == 64)
            #expect(bare.errors.contains("90d"))
            #expect(try Tool.run(option + ["90d", "--anchors", "/nonexistent.pem"]).status == 2)
        }
        #expect(try Tool.run(["check", "a.example", "--timeout", "5", "--anchors", "/nonexistent.pem"]).status == 2)
    }
}
