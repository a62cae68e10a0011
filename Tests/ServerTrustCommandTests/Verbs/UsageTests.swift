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
        Row("no file", ["verify"]),
        Row("an unknown option", ["verify", "x.pem", "--nonsense"]),
        Row("a host that is none", ["verify", "x.pem", "--host", "a b"]),
        Row("a host that looks like an address", ["verify", "x.pem", "--host", "1.2.3"]),
        Row("a time that is none", ["verify", "x.pem", "--time", "yesterday"]),
        Row("a day that does not exist", ["verify", "x.pem", "--time", "2026-02-30"]),
        Row("an unknown profile", ["verify", "x.pem", "--profile", "best"]),
        Row("an unknown purpose", ["verify", "x.pem", "--purpose", "best"]),
        Row("an unknown format", ["verify", "x.pem", "--format", "xml"]),
        Row("a pin that is too short", ["verify", "x.pem", "--pin", "sha256/AAAA"]),
        Row("a pin without its prefix", ["verify", "x.pem", "--pin", "AAAA"]),
        Row("a negative limit", ["verify", "x.pem", "--maximum-intermediates=-1"]),
        Row("standard input twice", ["verify", "-", "--anchors", "-"]),
        Row("jobs without batch", ["verify", "x.pem", "--jobs", "2"]),
        Row("a file beside --batch", ["verify", "--batch", "x.pem"]),
        Row("an option beside --batch", ["verify", "--batch", "--strict"]),
        Row("a cache without --fetch", ["verify", "x.pem", "--cache", "c"]),
        Row("a cache and none", ["verify", "x.pem", "--fetch", "--cache", "c", "--no-cache"]),
        Row("fetching beside --batch", ["verify", "--batch", "--fetch"]),
        Row("no job at all", ["verify", "--batch", "--jobs", "0"]),
        Row("nothing to explain", ["explain"]),
        Row("a code beside --list", ["explain", "--list", "hostMismatch"]),
        Row("an unknown code", ["explain", "hostMismatch", "nonsense"]),
    ]

    @Test("Wrong usage ends with 64", arguments: wrong) func wrongUsageEndsWith64(_ row: Row) throws {
        let outcome = try Tool.run(row.arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("servertrust: error: "))
    }

    static let pages: [Row] = [
        Row("the root", ["--help"]),
        Row("help", ["help"]),
        Row("verify", ["help", "verify"]),
        Row("verify by option", ["verify", "--help"]),
        Row("explain", ["help", "explain"]),
        Row("demo", ["help", "demo"]),
        Row("cache", ["help", "cache"]),
        Row("cache list", ["cache", "list", "--help"]),
        Row("exit codes", ["help", "exit-codes"]),
        Row("exit codes as a verb", ["exit-codes"]),
        Row("profiles", ["help", "profiles"]),
        Row("the batch format", ["help", "batch"]),
        Row("a completion script", ["--generate-completion-script", "bash"]),
        Row("the version", ["--version"]),
    ]

    @Test("Help goes to standard output", arguments: pages) func helpGoesToStandardOutput(_ row: Row) throws {
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
        "A report that can't be written ends with 2", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
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
