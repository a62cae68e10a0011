// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct UsageTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var arguments: [String]

        init(_ name: String, _ arguments: [String]) {
            self.testDescription = name
            self.arguments = arguments
        }
    }

    static let wrong: [Row] = [
        Row("an unknown verb", ["nonsense"]),
        Row("an unknown help topic", ["help", "nonsense"]),
        Row("help for an unknown nested verb", ["help", "ca", "nonsense"]),
        Row("help below a verb without nested verbs", ["help", "check", "nonsense"]),
        Row("help for an unknown word of a verb", ["ca", "help", "nonsense"]),
        Row("an unknown nested verb", ["ca", "nonsense"]),
        Row("no file", ["verify"]),
        Row("an unknown option", ["verify", "x.pem", "--nonsense"]),
        Row("an invalid host", ["verify", "x.pem", "--host", "a b"]),
        Row("a host that looks like an address", ["verify", "x.pem", "--host", "1.2.3"]),
        Row("an invalid time", ["verify", "x.pem", "--time", "yesterday"]),
        Row("a day that doesn't exist", ["verify", "x.pem", "--time", "2026-02-30"]),
        Row("an unknown profile", ["verify", "x.pem", "--profile", "best"]),
        Row("an unknown purpose", ["verify", "x.pem", "--purpose", "best"]),
        Row("an unknown format", ["verify", "x.pem", "--format", "xml"]),
        Row("a pin that is too short", ["verify", "x.pem", "--pin", "sha256/AAAA"]),
        Row("a pin without its prefix", ["verify", "x.pem", "--pin", "AAAA"]),
        Row("a negative limit", ["verify", "x.pem", "--maximum-intermediates=-1"]),
        Row("standard input twice", ["verify", "-", "--anchors", "-"]),
        Row("jobs without batch", ["verify", "x.pem", "--jobs", "2"]),
        Row("pins together with --batch", ["verify", "--batch", "--pins", "x.plist"]),
        Row("an option together with --batch", ["verify", "--batch", "--ev"]),
        Row("Apple's rules together with --batch", ["verify", "--batch", "--apple"]),
        Row("a cache without --fetch", ["verify", "x.pem", "--cache", "c"]),
        Row("a cache together with --no-cache", ["verify", "x.pem", "--fetch", "--cache", "c", "--no-cache"]),
        Row("fetching together with --batch", ["verify", "--batch", "--fetch"]),
        Row("zero jobs", ["verify", "--batch", "--jobs", "0"]),
        Row("zero chains", ["lab", "--requests", "0"]),
        Row("more chains than hosts", ["lab", "--requests", "1000000001"]),
        Row("an invalid number of chains", ["lab", "--requests", "many"]),
        Row("chains and servers' ports", ["lab", "--requests", "1", "--port-base", "9000"]),
        Row("chains and the server list", ["lab", "--requests", "1", "--list"]),
        Row("chains and a folder", ["lab", "--requests", "1", "--folder", "f"]),
        Row("chains and a report format", ["lab", "--requests", "1", "--json"]),
        Row("a chain format without chains", ["lab", "--requests-format", "csv"]),
        Row("a seed without chains", ["lab", "--seed", "1"]),
        Row("anchors without chains", ["lab", "--write-anchors", "f"]),
        Row("--force without a file to replace", ["lab", "--requests", "1", "--force"]),
        Row("an unknown chain format", ["lab", "--requests", "1", "--requests-format", "der"]),
        Row("a chain for a scenario that needs a handshake", ["lab", "--requests", "1", "--scenario", "no-tls"]),
        Row(
            "settings that the format can't contain",
            ["lab", "--requests", "1", "--requests-format", "csv", "--scenario", "intercepted"]),
        Row("no code to explain", ["explain"]),
        Row("a code together with --list", ["explain", "--list", "hostMismatch"]),
        Row("a code together with --errors", ["explain", "--errors", "hostEmpty"]),
        Row("two lists of codes", ["explain", "--list", "--errors"]),
        Row("an unknown code", ["explain", "hostMismatch", "nonsense"]),
    ]

    @Test("The command exits with 64 for incorrect usage", arguments: wrong)
    func wrongUsageEndsWith64(_ row: Row) throws {
        let outcome = try Tool.run(row.arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("servertrust: error: "))
    }

    struct Slip: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var arguments: [String]
        var meant: String
    }

    static let slips: [Slip] = [
        Slip(testDescription: "a verb", arguments: ["chekc", "a.example"], meant: "check"),
        Slip(testDescription: "a nested verb", arguments: ["ca", "lits"], meant: "list"),
        Slip(testDescription: "a help page", arguments: ["help", "exit-code"], meant: "exit-codes"),
        Slip(
            testDescription: "a help page for a nested verb", arguments: ["help", "pins", "list", "shw"], meant: "show"),
    ]

    @Test("If a verb is misspelled, the command suggests the closest verbs", arguments: slips) func theClosestVerbs(
        _ slip: Slip
    ) throws {
        let outcome = try Tool.run(slip.arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("did you mean \(slip.meant)"))
    }

    @Test(
        "The error names a misspelled option, not its value or a missing argument",
        arguments: [["check", "a.example", "--tmieout", "3"], ["verify", "--tmieout"], ["audit", "--tmieout=3"]])
    func misspelledOption(_ arguments: [String]) throws {
        let outcome = try Tool.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("'--tmieout'"))
    }

    static let hostile = "a\u{1b}]0;x\u{07}\u{202e}\r\nservertrust: hint: run this\u{9b}2J"

    @Test(
        "Control characters in an argument don't reach the terminal",
        arguments: [
            [hostile], ["help", hostile], ["check", hostile], ["check", "--\(hostile)"],
            ["check", "--format", hostile],
            ["check", "--format=\(hostile)"], ["verify", "x.pem", "--host", hostile],
            ["verify", "x.pem", "--time", hostile],
            ["verify", hostile], ["explain", hostile], ["pins", "lint", hostile], ["pins", "make", "x/\(hostile)"],
            ["pins", "convert", hostile],
            // The quotation mark before the argument and its first character are one character for Swift.
            ["verify", "x.pem", "--time", "\u{301}\(hostile)"], ["verify", "x.pem", "--host=\u{301}\(hostile)"],
            ["lab", "--scenario", hostile], ["check", "a.example", "--hosts", hostile], ["check", "a", "b", hostile],
            ["ca", hostile], ["ca", "list", "--folder", hostile], ["pins", "list", "show", hostile],
        ])
    func hostileArguments(_ arguments: [String]) throws {
        let outcome = try Tool.run(arguments)
        #expect(outcome.status != 0)
        let shown = outcome.errors + outcome.text
        #expect(
            shown.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && $0.value < 0x7f) || $0.value >= 0xa0 })
        #expect(!shown.contains("\u{202e}"))
        #expect(!outcome.errors.split(separator: "\n").contains { $0.hasPrefix("servertrust: hint: run this") })
    }

    @Test("Help shows every option's default, unless the option is required or can be repeated") func defaults() throws
    {
        let outcome = try Tool.run(["--experimental-dump-help"])
        let help = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        var silent: [String] = []
        var count = 0
        func walk(_ command: [String: Any], _ path: String) {
            for argument in command["arguments"] as? [[String: Any]] ?? [] where argument["kind"] as? String == "option"
            {
                count += 1
                let text = argument["abstract"] as? String ?? ""
                let isRequired = argument["isOptional"] as? Bool == false
                let isStated = argument["defaultValue"] != nil || text.contains("(default: ")
                guard !isRequired, !isStated, !text.contains("May be repeated.") else { continue }
                silent.append("\(path) \(argument["valueName"] ?? "")")
            }
            for verb in command["subcommands"] as? [[String: Any]] ?? [] {
                walk(verb, "\(path) \(verb["commandName"] ?? "")")
            }
        }
        walk(try #require(help["command"] as? [String: Any]), "servertrust")
        #expect(count > 50)
        #expect(silent.isEmpty)
    }

    @Test("Help topics fit in 80 columns", arguments: ["exit-codes", "profiles", "batch"])
    func width(_ page: String) throws {
        for line in try Tool.run(["help", page]).lines { #expect(line.count <= 80, "\(line)") }
    }

    static let pages: [Row] = [
        Row("the root", ["--help"]),
        Row("help", ["help"]),
        Row("verify", ["help", "verify"]),
        Row("verify by option", ["verify", "--help"]),
        Row("explain", ["help", "explain"]),
        Row("demo", ["help", "lab", "demo"]),
        Row("cache", ["help", "cache"]),
        Row("cache list", ["cache", "list", "--help"]),
        Row("exit codes", ["help", "exit-codes"]),
        Row("exit codes as a verb", ["exit-codes"]),
        Row("profiles", ["help", "profiles"]),
        Row("the batch format", ["help", "batch"]),
        Row("a completion script", ["--generate-completion-script", "bash"]),
        Row("the version", ["--version"]),
    ]

    @Test("The command prints help on standard output", arguments: pages) func helpGoesToStandardOutput(_ row: Row)
        throws
    {
        let outcome = try Tool.run(row.arguments)
        #expect(outcome.status == 0)
        #expect(!outcome.output.isEmpty)
        #expect(outcome.errors.isEmpty)
    }

    @Test("The help topic documents all exit codes") func theExitCodesAreDocumented() throws {
        let page = try Tool.run(["help", "exit-codes"]).lines
        for code in ["0 ", "1 ", "2 ", "64 "] { #expect(page.contains { $0.hasPrefix(code) }) }
    }

    @Test(
        "If a report can't be written, the command exits with 2",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"))
    )
    func aFullDeviceEndsWith2() throws {
        let process = Process()
        process.executableURL = Tool.url
        process.arguments = ["explain", "--list"]
        process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 2)
    }
}
