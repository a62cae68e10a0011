// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustPins
import Testing

@testable import PinLint
@testable import ServerTrust
@testable import ServerTrustCommand
@testable import ServerTrustNIO
@testable import ServerTrustTesting

/// An output of the command in one format, from fields.
struct HostileOutput: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let grammar: OutputGrammar
    let write: @Sendable (inout HostileFields) throws -> [UInt8]

    init(
        _ name: String, _ grammar: OutputGrammar, _ write: @escaping @Sendable (inout HostileFields) throws -> [UInt8]
    ) {
        testDescription = name
        self.grammar = grammar
        self.write = write
    }
}

/// Every output of the command, with hostile text in every field that a server, a certificate or a file can fill.
@Suite("Hostile fields in every output", .timeLimit(.minutes(15)))
struct HostileOutputTests {
    static let rows: [HostileOutput] =
        [
            HostileOutput("answers in JSON lines", .lines) { try answers(.lines, &$0) },
            HostileOutput("answers in comma-separated values", .csv) { try answers(.columns, &$0) },
            HostileOutput("answers in tab-separated values", .tsv) { try answers(.short, &$0) },
            HostileOutput("the summary in JSON", .json) { summary(&$0).json(run(&$0)) },
            HostileOutput("a verdict in text", .text) { Array(VerifyReport(try verdict(&$0)).text(.plain).utf8) },
            HostileOutput("a verdict in long text", .text) {
                Array(VerifyReport(try verdict(&$0), isLong: true).text(.plain).utf8)
            },
            HostileOutput("a verdict in JSON", .json) { try VerifyReport(try verdict(&$0)).json() },
            HostileOutput("a check in text", .text) { Array(try check(&$0).text(.plain).utf8) },
            HostileOutput("a check in long text", .text) {
                Array(CheckReport(results: try check(&$0).results, isLong: true).text(.plain).utf8)
            },
            HostileOutput("a check in JSON", .json) { try check(&$0).json() },
            HostileOutput("a check's page", .html) { try check(&$0).html(at: TestAuthority.now, endingWithin: nil) },
            HostileOutput("a check in JUnit's form", .xml) { try check(&$0).junit().xml() },
            HostileOutput("a check for Nagios", .nagios) { fields in
                let results = try check(&fields).results
                var tally = CheckTally(total: results.count)
                for result in results { tally.count(result) }
                return Array((NagiosOutput.line(results.map { CheckRow($0) }, tally, warningDays: 30) + "\n").utf8)
            },
            HostileOutput("a failed check for Nagios", .text) { fields in
                Array(NagiosOutput.line(CommandFailure(errors: [fields.next(), fields.next()])).utf8)
            },
            HostileOutput("a check for Prometheus", .prometheus) {
                Array(PrometheusOutput.text(try check(&$0).results.map { CheckRow($0) }, start: TestAuthority.now).utf8)
            },
            HostileOutput("a label for Prometheus", .prometheus) {
                Array("name{code=\"\(PrometheusOutput.escaped($0.next()))\"} 1\n".utf8)
            },
            HostileOutput("a check's lines", .text) { fields in
                Array(try check(&fields).results.map { CheckRow($0).text(.plain, nameWidth: 20) + "\n" }.joined().utf8)
            },
        ]
        + LintFormat.allCases.map { format in
            let grammar: OutputGrammar =
                switch format {
                case .text: .text
                case .html: .html
                case .json, .sarif: .json
                case .junit: .xml
                }
            return HostileOutput("findings in \(format)", grammar) { lint(&$0).written(as: format) }
        }
        + ReplayFormat.allCases.map { format in
            let grammar: OutputGrammar =
                switch format {
                case .text: .text
                case .json: .json
                case .csv: .csv
                case .junit: .xml
                case .html: .html
                }
            return HostileOutput("a replay in \(format)", grammar) { replay(&$0).written(as: format) }
        }

    @Test("No field breaks an output, controls a terminal or runs in a spreadsheet", arguments: rows)
    func outputs(_ row: HostileOutput) throws {
        var harmless = HostileFields(seed: 0, isHarmless: true)
        let expected = try row.grammar.structure(of: row.write(&harmless))
        for seed in UInt64(1)...40 {
            var fields = HostileFields(seed: seed)
            let found = try row.grammar.structure(of: row.write(&fields))
            // A page leaves out repeated and empty parts.
            if row.grammar == .html {
                #expect(Set(found).subtracting(expected).isEmpty, "seed \(seed)")
            } else {
                #expect(found == expected, "seed \(seed)")
            }
        }
    }

    // MARK: - Samples

    /// Returns a chain of a root and a leaf with hostile names.
    private static func chain(_ fields: inout HostileFields) throws -> [Certificate] {
        let root = try TestAuthority.root(
            .authority(fields.next()).with {
                $0.organization = fields.next()
                $0.organizationalUnit = fields.next()
            })
        let leaf = try root.issue(
            .leaf(Lab.host).with {
                $0.commonName = fields.next()
                $0.organization = fields.next()
                $0.caIssuers = ["http://a.example/" + fields.nextASCII()]
                $0.ocspResponders = [fields.nextASCII()]
            })
        return [leaf.certificate, root.certificate]
    }

    /// Returns a verdict with hostile certificates, values and warnings.
    private static func verdict(_ fields: inout HostileFields) throws -> TrustVerdict {
        let chain = try chain(&fields)
        var trust = Trust(presentedChain: PresentedChain([chain[0]]), host: try Hostname("other.example.com"))
        trust.anchors = TrustAnchors(AnchorStore([chain[1]]))
        trust.verifyDate = .at(TestAuthority.now)
        var verdict = DefaultTrustEvaluator().evaluate(trust)
        verdict.failures += [
            TrustFailure(.requestValueInvalid, certificate: 0, role: .leaf, found: .text(fields.next())),
            TrustFailure(.evaluatorRefused, expected: .text(fields.next()), found: .text(fields.next())),
        ]
        verdict.warnings += [fields.next(), fields.next()]
        return verdict
    }

    private static func answers(_ form: AnswerForm, _ fields: inout HostileFields) throws -> [UInt8] {
        var answers = AnswerBuffer(form, hasSummary: false)
        for _ in 0..<2 {
            let verdict = try verdict(&fields)
            answers.append(
                .init(
                    id: fields.next(), host: verdict.host, verdict: .rejected,
                    result: verdict.result, path: verdict.path, leaf: verdict.path.first, root: verdict.path.last,
                    failures: verdict.failures, nameMismatch: verdict.nameMismatch, warnings: verdict.warnings))
        }
        return answers.bytes
    }

    private static func summary(_ fields: inout HostileFields) -> AuditSummary {
        AuditSample.summary(
            (0..<3).map { _ in
                AuditFacts(
                    verdict: .rejected, codes: [fields.next()], issuer: fields.next(), root: fields.next(),
                    key: fields.next(), signatureAlgorithm: fields.next(), validityDays: 90,
                    expires: AuditSample.date, transparency: fields.next(), revocation: fields.next())
            })
    }

    private static func run(_ fields: inout HostileFields) -> AuditRun {
        AuditRun(inputs: [fields.next()], format: fields.next(), lines: 3, answers: 3, evaluationDate: AuditSample.date)
    }

    /// Returns a check of a refused server and of one whose connection failed.
    private static func check(_ fields: inout HostileFields) throws -> CheckReport {
        let host = try Hostname(Lab.host)
        let verdict = try verdict(&fields)
        var report = TrustProbeReport(
            EvaluatedServer(host: host, presentedChain: PresentedChain(verdict.path), verdict: verdict), port: 443)
        report.attempts = [AddressAttempt(address: "192.0.2.1:443", outcome: .failed(fields.next()))]
        report.applicationProtocol = fields.next()
        let failure = ConnectionFailure(.connectionHandshakeFailed, host: host, exactly: fields.next())
        let endpoint = ServerEndpoint(host: host)
        let other = ServerEndpoint(host: try Hostname("b.example"))
        return CheckReport(results: [
            CheckResult(
                endpoint: endpoint,
                steps: [
                    CheckStep(
                        endpoint: endpoint, outcome: .success(report), remark: fields.next(), problem: fields.next())
                ]),
            CheckResult(endpoint: other, steps: [CheckStep(endpoint: other, outcome: .failure(failure))]),
        ])
    }

    private static func lint(_ fields: inout HostileFields) -> LintReport {
        var files: [String] = []
        let findings = PinLintRule.all.prefix(6).enumerated().map { index, rule in
            files.append(fields.next())
            var finding = PinFinding(
                rule, index == 5 ? .note : .error,
                at: PinFileLocation(file: files[index], line: index, keyPath: fields.next()), subject: fields.next(),
                fields.next(), fix: fields.next())
            if index == 4 { finding.acceptance = FindingAcceptance(.comment, reason: fields.next()) }
            return finding
        }
        let sources = files.flatMap { PinLintSource.sources(reading: Array("{}".utf8), as: nil, file: $0) }
        return LintReport(
            sources: sources, findings: findings, unread: [(file: fields.next(), error: fields.next())],
            date: TestAuthority.now)
    }

    private static func replay(_ fields: inout HostileFields) -> ReplayReport {
        var summary = ReplaySummary()
        for outcome in ReplayOutcome.allCases {
            let (host, rule, code) = (fields.next(), fields.next(), fields.next())
            var finding = ReplayFinding(
                result: ReplayResult(outcome: outcome), host: host, rule: rule, code: code, obstacle: fields.next(),
                used: [])
            finding.example = ReplayExample(
                result: outcome, file: fields.next(), line: 1, id: fields.next(), host: host, rule: rule,
                connections: 1, before: ReplayExample.Verdict(isTrusted: true, codes: []),
                after: ReplayExample.Verdict(isTrusted: false, codes: [code]),
                cause: ReplayCause(
                    code: code, reason: fields.next(), remedy: ReplayRemedy(party: .server, text: fields.next())))
            summary.add(finding)
        }
        var changes = ReplayChanges()
        changes.add("--pins", [fields.next()])
        return ReplayReport(inputs: [fields.next()], changes: changes, summary: summary)
    }

    // MARK: - Commands

    /// Commands with hostile names in their certificates, files and arguments.
    static let commandLines: [(arguments: [String], grammar: OutputGrammar)] = [
        (["verify", "chain.pem", "--host", Lab.host, "--time", Lab.time, "--anchors", "root.pem"], .text),
        (["verify", "chain.pem", "--host", Lab.host, "--time", Lab.time, "--format", "html"], .html),
        (["verify", "chain.pem", "--host", "b.example", "--anchors", "root.pem", "--time", Lab.time, "--long"], .text),
        (["inspect", "chain.pem", "--long"], .text), (["inspect", "chain.pem", "--format", "asn1"], .text),
        (["inspect", "chain.pem", "root.pem", "--format", "html"], .html), (["inspect", "FILE"], .text),
        (["pins", "lint", "FILE"], .text), (["pins", "lint", "FILE", "--format", "html"], .html),
        (["pins", "lint", "FILE", "--format", "junit"], .xml), (["pins", "lint", "FILE", "--format", "sarif"], .json),
        (["pins", "list", "show", "FILE"], .text), (["pins", "convert", "FILE", "--to", "trustkit"], .text),
        (["pins", "make", "chain.pem", "--anchors", "root.pem", "--time", Lab.time], .text),
        (["pins", "make", "chain.pem", "--anchors", "root.pem", "--time", Lab.time, "--format", "swift"], .text),
        (["verify", "--batch", "rows.jsonl", "--columns"], .csv),
        (["verify", "--batch", "rows.jsonl", "--short"], .tsv),
        (["audit", "rows.csv", "--anchors", "root.pem", "--time", Lab.time, "--format", "csv"], .csv),
        (["audit", "rows.csv", "--anchors", "root.pem", "--time", Lab.time, "--format", "tsv"], .tsv),
        (["audit", "FILE", "--input", "ndjson", "--host", Lab.host, "--format", "csv"], .csv),
        (["audit", "FILE", "--replay", "--format", "junit"], .xml), (["audit", "FILE", "--replay"], .text),
        (["roots", "show", "--anchors", "root.pem"], .text), (["explain", "FILE"], .text),
    ]

    @Test("Commands with hostile certificates, files and arguments write safe outputs", arguments: commandLines)
    func commands(_ arguments: [String], _ grammar: OutputGrammar) throws {
        for seed in UInt64(1)...3 {
            try TemporaryFolder.with { folder in
                var fields = HostileFields(seed: seed)
                let chain = try Self.chain(&fields)
                try folder.write("root.pem", pem(chain[1]))
                try folder.write("chain.pem", pem(chain[0], chain[1]))
                let rows = try (0..<3).map { _ in
                    try BatchLine(Lab.shared(), ["id": .string(fields.next()), "chain": .strings([chain[0].base64])])
                        .data()
                }
                try folder.write("rows.jsonl", rows.reduce(Data(), +))
                let table = (0..<3).map { _ in
                    let id = fields.next().replacing("\u{0}", with: "").utf8.flatMap { $0 == 0x22 ? [$0, $0] : [$0] }
                    return "\"\(String(decoding: id, as: UTF8.self))\",\(Lab.host),\(chain[0].base64)\n"
                }
                try folder.write("rows.csv", Data(("id,host,chain\n" + table.joined()).utf8))
                // A file name has no NUL and no slash.
                let file =
                    "pins " + String(fields.next().unicodeScalars.filter { $0 != "\u{0}" && $0 != "/" }.prefix(40))
                let hostile = ["pins": [fields.next()], "hosts": fields.next(), "id": fields.next()] as [String: Any]
                try folder.write(file, try JSONSerialization.data(withJSONObject: hostile))
                let outcome = try Tool.run(
                    arguments.map { $0 == "FILE" ? file : $0 }, in: folder.url)
                #expect(outcome.errors.steeringScalars.isEmpty, "\(outcome.errors)")
                guard !outcome.output.isEmpty else {
                    #expect(!outcome.errors.isEmpty)
                    return
                }
                _ = try grammar.structure(of: Array(outcome.output))
            }
        }
    }
}

extension VerifyReport {
    fileprivate init(_ verdict: TrustVerdict, isLong: Bool = false) {
        self.init(verdict: verdict, presented: PresentedChain(verdict.path), isLong: isLong)
    }
}
