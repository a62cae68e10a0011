// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The options that accept findings, and accepted findings in each report format.
@Suite struct LintAcceptanceTests {
    private static let single = "api.example.com \(LintTests.pins[0])\n"
    private static let accepted =
        "api.example.com \(LintTests.pins[0]) # servertrust:ignore pins/no-backup: moves soon\n"

    private struct Answer: Decodable {
        struct Finding: Decodable {
            let id: String
            let fingerprint: String
            let acceptedBy: String?
            let reason: String?
        }
        let outcome: String
        let findings: [Finding]
        let accepted: [Finding]
    }

    private func lint(_ text: String, _ arguments: [String], in check: (Tool.Outcome) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let file = try folder.write("pins.txt", Data(text.utf8)).path
            try check(try Tool.run(["pins", "lint", file] + arguments))
        }
    }

    @Test("--ignore accepts the findings of a rule, for one host or for all") func ignore() throws {
        try lint(Self.single, []) { #expect($0.status == 1) }
        for option in ["pins/no-backup", "pins/*", "pins/no-backup:api.example.com"] {
            try lint(Self.single, ["--ignore", option]) { (outcome: Tool.Outcome) throws in
                #expect(outcome.status == 0)
                #expect(outcome.lines.last == "1 accepted")
                #expect(!outcome.errors.contains("--ignore"))
            }
        }
        try lint(Self.single, ["--ignore", "pins/no-backup:other.example.com"]) { (outcome: Tool.Outcome) throws in
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("--ignore pins/no-backup:other.example.com"))
        }
        for option in ["pins/no-bakup", "file/*", "*", "live/unreachable"] {
            try lint(Self.single, ["--ignore", option]) { #expect($0.status == 64) }
        }
    }

    @Test("The JSON lists accepted findings separately") func json() throws {
        try lint(Self.accepted, ["--format", "json"]) { (outcome: Tool.Outcome) throws in
            #expect(outcome.status == 0)
            let answer = try #require(try outcome.json([Answer].self).first)
            #expect(answer.outcome == "clean")
            #expect(answer.findings.isEmpty)
            #expect(answer.accepted.map(\.id) == ["pins/no-backup"])
            #expect(answer.accepted.map(\.acceptedBy) == ["comment"])
            #expect(answer.accepted.map(\.reason) == ["moves soon"])
        }
    }

    @Test(
        "A baseline accepts earlier findings from any working directory, and lint reports entries whose finding is gone"
    )
    func baseline() throws {
        try TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(
                at: folder.url.appendingPathComponent("app"), withIntermediateDirectories: true)
            let file = try folder.write("app/pins.txt", Data(Self.single.utf8)).path
            let baseline = folder.url.appendingPathComponent("lint-baseline.json").path
            #expect(try Tool.run(["pins", "lint", file, "--write-baseline", baseline]).status == 0)
            let first = try Data(contentsOf: URL(fileURLWithPath: baseline))
            #expect(try Tool.run(["pins", "lint", file, "--baseline", baseline]).status == 0)
            #expect(
                try Tool.run(["pins", "lint", file, "--baseline", baseline, "--write-baseline", baseline]).status == 0)
            #expect(try Data(contentsOf: URL(fileURLWithPath: baseline)) == first)
            struct Written: Decodable {
                struct Entry: Decodable { let file: String }
                let findings: [Entry]
            }
            #expect(try JSONDecoder().decode(Written.self, from: first).findings.map(\.file) == ["app/pins.txt"])

            let more = "other.example.com \(LintTests.pins[0])\n"
            _ = try folder.write("app/pins.txt", Data((Self.single + more).utf8))
            #expect(try Tool.run(["pins", "lint", file, "--baseline", baseline]).status == 1)
            _ = try folder.write("app/pins.txt", Data(LintTests.clean.utf8))
            let gone = try Tool.run(["pins", "lint", file, "--baseline", baseline])
            #expect(gone.status == 0)
            #expect(gone.errors.contains("app/pins.txt"))
            // An entry isn't gone just because its file isn't part of the run.
            let elsewhere = try folder.write("other.txt", Data(LintTests.clean.utf8)).path
            #expect(try !Tool.run(["pins", "lint", elsewhere, "--baseline", baseline]).errors.contains("app/pins.txt"))
        }
    }

    private struct Baseline: Decodable {
        struct Entry: Decodable, Equatable {
            let file: String
            let id: String
            let reason: String?
        }
        let findings: [Entry]
    }

    private func entries(_ file: URL) throws -> [Baseline.Entry] {
        let data = try Data(contentsOf: file)
        return try JSONDecoder().decode(Baseline.self, from: data).findings
    }

    @Test("A renewed baseline keeps the entries that the run can't check") func renewal() throws {
        try TemporaryFolder.with { folder in
            let names = ["a.txt", "b.txt", "c.txt", "d.txt"]
            let files = try names.map { try folder.write($0, Data(Self.single.utf8)).path }
            let url = folder.url.appendingPathComponent("lint-baseline.json")
            #expect(try Tool.run(["pins", "lint"] + files + ["--write-baseline", url.path]).status == 0)
            #expect(try entries(url).map(\.file) == names)
            // A reason, and an entry for a rule that needs servers.
            let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
                .replacing("\"reason\": null", with: "\"reason\": \"moves soon\"")
            let live = """
                {"file": "a.txt", "id": "pins/not-in-path", "hosts": null, "severity": "error", "count": 1,
                 "fingerprint": "1", "message": "m", "reason": "known"},
                """
            try Data(text.replacing("\"findings\": [", with: "\"findings\": [" + live, maxReplacements: 1).utf8)
                .write(to: url)
            // One file is fixed, one is missing, one is unusable, and one isn't part of the run.
            _ = try folder.write("a.txt", Data(LintTests.clean.utf8))
            try FileManager.default.removeItem(atPath: files[1])
            _ = try folder.write("c.txt", Data("a.example.com sha256/AAAA\n".utf8))
            let expected = [
                Baseline.Entry(file: "a.txt", id: "pins/not-in-path", reason: "known"),
                Baseline.Entry(file: "c.txt", id: "pins/no-backup", reason: "moves soon"),
                Baseline.Entry(file: "d.txt", id: "pins/no-backup", reason: "moves soon"),
            ]
            #expect(try Tool.run(["pins", "lint", files[0], files[2], "--write-baseline", url.path]).status == 1)
            #expect(try entries(url) == expected)
            // lint can't open a file, so it writes nothing.
            let before = try Data(contentsOf: url)
            let outcome = try Tool.run(["pins", "lint", files[0], files[1], "--write-baseline", url.path])
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("lint-baseline.json"))
            #expect(try Data(contentsOf: url) == before)
            // In another folder, the baseline has names relative to that folder.
            let other = folder.url.appendingPathComponent("other/b.json")
            try FileManager.default.createDirectory(
                at: other.deletingLastPathComponent(), withIntermediateDirectories: true)
            let arguments = ["pins", "lint", files[0], "--baseline", url.path, "--write-baseline", other.path]
            #expect(try Tool.run(arguments).status == 0)
            #expect(try entries(other).map(\.file) == expected.map { "../" + $0.file })
        }
    }

    @Test("lint doesn't overwrite a file that isn't a baseline, and reports an error") func noBaseline() throws {
        try TemporaryFolder.with { folder in
            let file = try folder.write("pins.txt", Data(Self.single.utf8)).path
            #expect(try Tool.run(["pins", "lint", file, "--baseline", file]).status == 2)
            #expect(try Tool.run(["pins", "lint", file, "--write-baseline", file]).status == 2)
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(Self.single.utf8))
            #expect(try Tool.run(["pins", "lint", file, "--baseline", file + ".missing"]).status == 2)
        }
    }

    @Test("A baseline doesn't include an unusable file") func unusable() throws {
        try TemporaryFolder.with { folder in
            let file = try folder.write("pins.txt", Data("a.example.com sha256/AAAA".utf8)).path
            let baseline = folder.url.appendingPathComponent("b.json").path
            #expect(try Tool.run(["pins", "lint", file, "--from", "okhttp", "--write-baseline", baseline]).status == 1)
            #expect(try Tool.run(["pins", "lint", file, "--from", "okhttp", "--baseline", baseline]).status == 1)
        }
    }

    // MARK: - Formats

    private struct Log: Decodable {
        struct Run: Decodable {
            let tool: Tool
            let results: [Result]
        }
        struct Tool: Decodable { let driver: Driver }
        struct Driver: Decodable { let rules: [Rule] }
        struct Rule: Decodable {
            struct Help: Decodable { let markdown: String }
            struct Properties: Decodable {
                let precision: String
                let tags: [String]
                let securitySeverity: String?
                let problemSeverity: String?
                enum CodingKeys: String, CodingKey {
                    case precision, tags
                    case securitySeverity = "security-severity"
                    case problemSeverity = "problem.severity"
                }
            }
            let id: String
            let help: Help
            let properties: Properties
        }
        struct Result: Decodable {
            struct Suppression: Decodable {
                let kind: String
                let justification: String
            }
            struct Location: Decodable { let physicalLocation: Physical }
            struct Physical: Decodable { let region: Region }
            let ruleId: String
            let partialFingerprints: [String: String]
            let suppressions: [Suppression]
            let locations: [Location]
        }
        let runs: [Run]
    }

    struct Region: Decodable, Equatable {
        let startLine: Int
        let startColumn: Int
        let endLine: Int
        let endColumn: Int
    }

    @Test("SARIF contains suppressions, complete regions, and fingerprints that don't change when a line moves")
    func sarif() throws {
        func result(_ text: String, _ arguments: [String] = []) throws -> Log.Result {
            var found: Log.Result?
            try lint(text, arguments + ["--format", "sarif"]) {
                found = try $0.json(Log.self).runs.first?.results.first
            }
            return try #require(found)
        }
        let open = try result(Self.single)
        #expect(open.suppressions.isEmpty)
        #expect(
            open.locations.map(\.physicalLocation.region) == [
                Region(startLine: 1, startColumn: 1, endLine: 1, endColumn: Self.single.count)
            ])
        let moved = try result("\n\n  " + Self.single.dropLast() + "  # \u{e9}\n")
        #expect(
            moved.locations.map(\.physicalLocation.region) == [
                Region(startLine: 3, startColumn: 3, endLine: 3, endColumn: Self.single.count + 7)
            ])
        #expect(moved.partialFingerprints == open.partialFingerprints)
        #expect(open.partialFingerprints["primaryLocationLineHash"]?.hasSuffix(":1") == true)
        #expect(try result(Self.single.replacing("api", with: "www")).partialFingerprints != open.partialFingerprints)
        let comment = try result(Self.accepted)
        #expect(comment.suppressions.map(\.kind) == ["inSource"])
        #expect(comment.suppressions.map(\.justification) == ["moves soon"])
        #expect(try result(Self.single, ["--ignore", "pins/*"]).suppressions.map(\.kind) == ["external"])
    }

    @Test("Each SARIF rule has the properties that GitHub documents") func sarifRules() throws {
        try lint(Self.single, ["--format", "sarif"]) { (outcome: Tool.Outcome) throws in
            let rules = try #require(try outcome.json(Log.self).runs.first?.tool.driver.rules)
            for rule in rules {
                #expect(["very-high", "high", "medium", "low"].contains(rule.properties.precision), "\(rule.id)")
                #expect(rule.help.markdown.contains("`\(rule.id)`"))
                let score = rule.properties.securitySeverity
                #expect((score == nil) != (rule.properties.problemSeverity == nil), "\(rule.id)")
                #expect(rule.properties.tags.contains("security") == (score != nil), "\(rule.id)")
                if let score { #expect(Double(score).map { $0 > 0 && $0 <= 10 } == true, "\(rule.id)") }
            }
            #expect(rules.contains { $0.properties.securitySeverity != nil })
        }
    }

    @Test("JUnit names contain no line numbers, and accepted findings are skipped tests") func junit() throws {
        func names(_ text: String) throws -> [Substring] {
            var found: [Substring] = []
            try lint(text, ["--format", "junit"]) { outcome in
                found = outcome.text.split(separator: "\n").filter { $0.contains("<testcase ") }.compactMap { line in
                    line.split(separator: "/").last
                }
            }
            return found
        }
        #expect(try names(Self.single) == names("\n\n" + Self.single))
        #expect(
            try names(Self.single).allSatisfy { $0.contains("pins.txt pins/no-backup") || $0.contains("no-backup") })
        try lint(Self.accepted, ["--format", "junit"]) { (outcome: Tool.Outcome) throws in
            #expect(outcome.text.contains("<skipped "))
            #expect(outcome.text.contains("skipped=\"1\""))
            #expect(!outcome.text.contains("<failure "))
        }
    }
}
