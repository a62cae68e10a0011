// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

/// The report and the exit code of `pins lint` without a server.
@Suite struct LintTests {
    struct Answer: Decodable {
        struct Finding: Decodable {
            let id: String
            let severity: String
            let line: Int?
            let hosts: String?
            let message: String
            let fix: String
        }
        let schemaVersion: Int
        let file: String
        let formats: [String]
        let outcome: String
        let findings: [Finding]
        let error: String?
    }

    // Consecutive bytes, because lint would report a pin of one repeated byte as a placeholder.
    static let pins = (1...3).map { first in "sha256/" + Base64.encode((0..<32).map { UInt8(first + $0) }) }
    static let clean = "api.example.com \(pins[0]) \(pins[1])\n"
    static let faulty = "api.example.com \(pins[0]) \(pins[1])\n**.co.uk \(pins[0]) \(pins[2])\n"

    private func lint(
        _ files: [(name: String, text: String)], _ arguments: [String] = [], in check: (Tool.Outcome) throws -> Void
    ) throws {
        try TemporaryFolder.with { folder in
            let paths = try files.map { try folder.write($0.name, Data($0.text.utf8)).path }
            try check(try Tool.run(["pins", "lint"] + paths + arguments))
        }
    }

    @Test("If a file is clean or has only notes, lint exits with 0") func clean() throws {
        try lint([("pins.txt", Self.clean)], ["--format", "json"]) { (outcome: Tool.Outcome) throws in
            #expect(outcome.status == 0)
            let answer = try #require(try outcome.json([Answer].self).first)
            #expect(answer.schemaVersion == 1)
            #expect(answer.outcome == "clean")
            #expect(answer.formats == ["okhttp"])
            #expect(answer.findings.allSatisfy { $0.severity == "note" })
        }
        try lint([("pins.txt", "example.com \(Self.pins[0]) \(Self.pins[1])")], ["--format", "json"]) {
            (outcome: Tool.Outcome) throws in
            #expect(outcome.status == 0)
            #expect(try outcome.json([Answer].self).first?.findings.map(\.id) == ["hosts/www-uncovered"])
        }
    }

    @Test("lint reports a finding with its location and exits with 1") func findings() throws {
        try lint([("a.txt", Self.clean), ("b.txt", Self.faulty)], ["--format", "json"]) {
            (outcome: Tool.Outcome) throws in
            #expect(outcome.status == 1)
            let answers = try outcome.json([Answer].self)
            #expect(answers.map(\.outcome) == ["clean", "findings"])
            let finding = try #require(answers.last?.findings.first)
            #expect(finding.id == "hosts/public-suffix")
            #expect(finding.line == 2)
            #expect(finding.severity == "error")
        }
    }

    @Test("A problem in parsing a file causes a finding") func malformed() throws {
        try lint([("a.txt", "a.example.com sha256/AAAA")], ["--format", "json", "--from", "okhttp"]) {
            (outcome: Tool.Outcome) throws in
            #expect(outcome.status == 1)
            #expect(try outcome.json([Answer].self).first?.findings.map(\.id) == ["file/wrong-length"])
        }
    }

    @Test("If a file is unreadable and there are no other findings, lint exits with 2") func unreadable() throws {
        try lint([("a.txt", Self.clean)], ["/nonexistent/pins.json"]) { #expect($0.status == 2) }
        try lint([("a.txt", Self.faulty)], ["/nonexistent/pins.json"]) { #expect($0.status == 1) }
        try lint([("a.bin", "nothing of any format")]) { #expect($0.status == 2) }
        try lint([("a.plist", "<plist version=\"1.0\"><dict>")]) { #expect($0.status == 2) }
    }

    @Test("The JSON contains the error for a file that lint can't open") func missing() throws {
        let outcome = try Tool.run(["pins", "lint", "/nonexistent/pins.json", "--format", "json"])
        #expect(outcome.status == 2)
        let answers = try outcome.json([Answer].self)
        #expect(answers.map(\.file) == ["/nonexistent/pins.json"])
        #expect(answers.map(\.outcome) == ["undecided"])
        #expect(answers.first?.error?.isEmpty == false)
        try lint([("a.txt", Self.clean)], ["/nonexistent/pins.json", "--format", "json"]) {
            (outcome: Tool.Outcome) throws in
            #expect(try outcome.json([Answer].self).map(\.outcome) == ["clean", "undecided"])
        }
    }

    @Test("The command exits with 64 for incorrect usage") func usage() throws {
        #expect(try Tool.run(["pins", "lint"]).status == 64)
        #expect(try Tool.run(["pins", "lint", "a", "--fail-within", "soon"]).status == 64)
        #expect(try Tool.run(["pins", "lint", "a", "--connect", "127.0.0.1"]).status == 64)
        #expect(try Tool.run(["pins", "lint", "a", "--list"]).status == 64)
        #expect(try Tool.run(["pins", "lint", "-", "-"]).status == 64)
    }

    @Test("--list shows every rule with its reason and fix") func list() throws {
        let outcome = try Tool.run(["pins", "lint", "--list"])
        #expect(outcome.status == 0)
        for id in [
            "pins/no-backup", "expiry/near", "hosts/public-suffix", "files/disagree", "live/redirect-uncovered",
            "file/bad-date",
        ] {
            #expect(outcome.lines.contains { $0.hasPrefix(id + " ") })
        }
        #expect(outcome.lines.count { $0.hasPrefix("  why: ") } == outcome.lines.count { !$0.hasPrefix(" ") })
    }

    @Test("Files with contradictory pins for a host cause a finding") func disagreement() throws {
        let other = "api.example.com \(Self.pins[0]) \(Self.pins[2])\n"
        try lint([("a.txt", Self.clean), ("b.txt", other)], ["--format", "json"]) { (outcome: Tool.Outcome) throws in
            #expect(outcome.status == 1)
            #expect(try outcome.json([Answer].self).flatMap(\.findings).map(\.id) == ["files/disagree"])
        }
    }

    @Test("With --fail-within, pins that expire soon cause a finding") func failWithin() throws {
        let text = """
            <network-security-config><domain-config><domain>a.example.com</domain><pin-set expiration="2026-12-30">
            <pin digest="SHA-256">\(Self.pins[0].dropFirst(7))</pin><pin digest="SHA-256">\(Self.pins[1].dropFirst(7))</pin>
            </pin-set></domain-config></network-security-config>
            """
        try lint([("n.xml", text)], ["--time", "2026-11-18"]) { #expect($0.status == 0) }
        try lint([("n.xml", text)], ["--time", "2026-11-18", "--fail-within", "60d"]) { #expect($0.status == 1) }
        try lint([("n.xml", text)], ["--time", "2026-12-31"]) { #expect($0.status == 1) }
    }

    @Test("A denied key causes a finding") func deny() throws {
        try TemporaryFolder.with { folder in
            let file = try folder.write("pins.txt", Data(Self.clean.utf8)).path
            let deny = try folder.write("deny.txt", Data("# stolen\n\(Self.pins[1])\n".utf8)).path
            let harmless = try folder.write("other.txt", Data("\(Self.pins[2])\n".utf8)).path
            #expect(try Tool.run(["pins", "lint", file, "--deny", harmless]).status == 0)
            let outcome = try Tool.run(["pins", "lint", file, "--deny", deny, "--format", "json"])
            #expect(outcome.status == 1)
            #expect(try outcome.json([Answer].self).first?.findings.map(\.id) == ["pins/denied-key"])
        }
    }

    @Test("--certs reports which pins match the certificates") func certificates() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let anchors = try folder.write("root.pem", Data(lab.root.pem.utf8)).path
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate)).path
            let options = ["--certs", chain, "--anchors", anchors, "--time", Lab.time, "--format", "json"]
            let good = "api.example.com \(SPKIPin(lab.intermediate)) \(Self.pins[0])\n"
            let file = try folder.write("good.txt", Data(good.utf8)).path
            let outcome = try Tool.run(["pins", "lint", file] + options)
            #expect(outcome.status == 0)
            #expect(
                try outcome.json([Answer].self).first?.findings.map(\.id) == [
                    "pins/renewal", "forecast/survives", "forecast/issuer", "forecast/root",
                ])
            let bad = try folder.write("bad.txt", Data(Self.clean.utf8)).path
            let refused = try Tool.run(["pins", "lint", bad] + options)
            #expect(refused.status == 1)
            #expect(try refused.json([Answer].self).first?.findings.map(\.id) == ["pins/not-in-path"])
        }
    }

    @Test("lint reads standard input for a dash") func standardInput() throws {
        #expect(try Tool.run(["pins", "lint", "-"], input: Data(Self.clean.utf8)).status == 0)
        #expect(try Tool.run(["pins", "lint", "-"], input: Data(Self.faulty.utf8)).status == 1)
    }

    // MARK: - Validity

    static let files = [
        ("pins \u{e9}&<1>.txt", faulty), ("clean.txt", clean), ("bad.txt", "a.example.com sha256/AAAA"),
        ("disagreeing.txt", "api.example.com \(pins[0])"),
        ("accepted.txt", "api.example.com \(pins[0]) # servertrust:ignore pins/no-backup: <moves> & \"soon\""),
    ]

    @Test("The SARIF log conforms to its schema", .enabled(if: Validator.sarif != nil)) func sarifSchema() throws {
        let validator = try #require(Validator.sarif)
        try lint(Self.files, ["/nonexistent", "--from", "okhttp", "--format", "sarif"]) {
            (outcome: Tool.Outcome) throws in
            #expect(outcome.status == 1)
            #expect(try validator.accepts(outcome.output))
            // The validator itself must reject an invalid log.
            let broken = outcome.text.replacing("\"level\": \"error\"", with: "\"level\": \"fatal\"")
            #expect(try !validator.accepts(Data(broken.utf8)))
        }
        try lint([("clean.txt", Self.clean)], ["--format", "sarif"]) { (outcome: Tool.Outcome) throws in
            #expect(try validator.accepts(outcome.output))
        }
    }

    @Test("The SARIF log contains each result's rule, level, file and line") func sarif() throws {
        struct Log: Decodable {
            struct Run: Decodable {
                struct Tool: Decodable { let driver: Driver }
                struct Driver: Decodable { let rules: [Rule] }
                struct Rule: Decodable { let id: String }
                struct Result: Decodable {
                    let ruleId: String
                    let ruleIndex: Int
                    let level: String
                    let locations: [Location]
                }
                struct Location: Decodable { let physicalLocation: Physical }
                struct Physical: Decodable {
                    struct Artifact: Decodable { let uri: String }
                    struct Region: Decodable { let startLine: Int }
                    let artifactLocation: Artifact
                    let region: Region
                }
                let tool: Tool
                let results: [Result]
            }
            let version: String
            let runs: [Run]
        }
        try lint([("pins \u{e9}.txt", Self.faulty)], ["--format", "sarif"]) { (outcome: Tool.Outcome) throws in
            let run = try #require(try outcome.json(Log.self).runs.first)
            let result = try #require(run.results.first)
            #expect(result.ruleId == "hosts/public-suffix")
            #expect(run.tool.driver.rules[result.ruleIndex].id == result.ruleId)
            #expect(result.level == "error")
            #expect(result.locations.first?.physicalLocation.region.startLine == 2)
            let uri = result.locations.first?.physicalLocation.artifactLocation.uri
            #expect(uri?.hasPrefix("file:///") == true)
            #expect(uri?.hasSuffix("/pins%20%C3%A9.txt") == true)
        }
    }

    @Test("The JUnit XML conforms to Jenkins' schema", .enabled(if: Validator.junit != nil)) func junitSchema() throws {
        let validator = try #require(Validator.junit)
        try lint(Self.files, ["/nonexistent", "--from", "okhttp", "--format", "junit"]) {
            (outcome: Tool.Outcome) throws in
            #expect(outcome.status == 1)
            #expect(try validator.accepts(outcome.output))
            let broken = outcome.text.replacing("<testcase ", with: "<testcas ")
            #expect(try !validator.accepts(Data(broken.utf8)))
        }
    }
}

/// Validates a document with Python's `jsonschema` or `lxml`.
///
/// This package can't ship the schemas. `SERVERTRUST_SCHEMAS` names a folder with `sarif-schema-2.1.0.json` (OASIS) and
/// `junit-10.xsd` (Jenkins' xUnit plugin).
private struct Validator {
    let schema: String
    let script: String

    static let sarif = Validator(
        "sarif-schema-2.1.0.json",
        """
        import json, sys, jsonschema
        schema = json.load(open(sys.argv[1]))
        validator = jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker())
        sys.exit(0 if validator.is_valid(json.load(open(sys.argv[2]))) else 1)
        """, module: "jsonschema")

    static let junit = Validator(
        "junit-10.xsd",
        """
        import sys
        from lxml import etree
        schema = etree.XMLSchema(etree.parse(sys.argv[1]))
        sys.exit(0 if schema.validate(etree.parse(sys.argv[2])) else 1)
        """, module: "lxml")

    /// The initializer fails if the schema or the module is missing.
    private init?(_ name: String, _ script: String, module: String) {
        guard let folder = ProcessInfo.processInfo.environment["SERVERTRUST_SCHEMAS"] else { return nil }
        let schema = folder + "/" + name
        guard FileManager.default.fileExists(atPath: schema) else { return nil }
        guard (try? Self.python(["-c", "import \(module)"])) == 0 else { return nil }
        self.schema = schema
        self.script = script
    }

    func accepts(_ document: Data) throws -> Bool {
        try TemporaryFolder.with { folder in
            let file = try folder.write("document", document)
            let status = try Self.python(["-c", script, schema, file.path])
            #expect(status == 0 || status == 1)
            return status == 0
        }
    }

    private static func python(_ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
