// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import ServerTrustLab
import Testing

/// The formats of `check` for monitoring systems.
@Suite("servertrust check for monitoring", .serialized, .timeLimit(.minutes(10)))
struct CheckFormatLiveTests {
    // MARK: - Text

    @Test("A report fits on a screen and names each certificate once, and --long adds digests and the sent order")
    func text() async throws {
        let lab = try await LabServers([.good, .expired])
        let good = try lab.check([lab.names[0]])
        #expect(good.lines.count <= 24)
        let named = good.lines.filter {
            $0.contains(#/ (leaf|intermediate|anchor), (sent as number [12]|trusted here), /#)
        }
        #expect(named.count == 3)
        #expect(!good.text.contains("sha256"))
        let refused = try lab.check([lab.names[1]])
        let labels = refused.lines.compactMap { $0.firstMatch(of: /^(FAIL|error:|fix:)/).map { String($0.1) } }
        #expect(labels == ["FAIL", "error:", "fix:"])
        let long = try lab.check([lab.names[0], "--long"])
        #expect(long.lines.count { $0.contains("sha256") } == 3)
        #expect(long.lines.contains("presented"))
        await lab.stop()
    }

    @Test("A report shows an unreachable server's error once") func unreachableText() throws {
        let outcome = try Tool.run(["check", "127.0.0.1:1"])
        #expect(outcome.status == 2)
        #expect(outcome.errors.isEmpty)
        #expect(outcome.lines.count { $0.contains("[unreachable]") } == 1)
        let json = try Tool.run(["check", "127.0.0.1:1", "--format", "json"])
        #expect(json.errors.split(separator: "\n").count == 1)
        #expect(json.errors.components(separatedBy: "127.0.0.1").count == 2)
    }

    // MARK: - Nagios

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var scenarios: [LabScenario]
        var arguments: [String] = []
        var status: Int32
        var word: String
    }

    static let rows: [Row] = [
        Row(testDescription: "a trusted server", scenarios: [.good], status: 0, word: "OK"),
        Row(
            testDescription: "a certificate that expires soon", scenarios: [.good, .good],
            arguments: ["--expires-within", "4000d"], status: 1, word: "WARNING"),
        Row(testDescription: "a refused server", scenarios: [.good, .expired], status: 2, word: "CRITICAL"),
        Row(testDescription: "a server without TLS", scenarios: [.good, .noTLS], status: 3, word: "UNKNOWN"),
        Row(
            testDescription: "several problems", scenarios: [.good, .noTLS, .expired],
            arguments: ["--expires-within", "4000d"], status: 2, word: "CRITICAL"),
    ]

    @Test("The plugin format prints one line with performance data and exits with the matching code", arguments: rows)
    func nagios(_ row: Row) async throws {
        let lab = try await LabServers(row.scenarios)
        let outcome = try lab.check(lab.names + ["--format", "nagios"] + row.arguments)
        #expect(outcome.status == row.status)
        #expect(outcome.lines.count == 1)
        let parts = try #require(outcome.lines.first).split(separator: "|", omittingEmptySubsequences: false)
        #expect(parts.count == 2)
        #expect(parts[0].hasPrefix("SERVERTRUST \(row.word) - "))
        let values = parts[1].split(separator: " ")
        let pattern = /('[^'=]+'|[a-z_]+)=-?[0-9]+;[0-9:]*;[0-9:]*(;[0-9]*;[0-9]*)?/
        #expect(values.allSatisfy { $0.wholeMatch(of: pattern) != nil }, "\(values)")
        #expect(values.contains { $0.hasPrefix("trusted=\(row.scenarios.count { $0 == .good });") })
        await lab.stop()
    }

    @Test("Without a result, the plugin format reports the problem on standard output and exits with 3")
    func nagiosFailure()
        throws
    {
        let outcome = try Tool.run(
            ["check", "a.example", "--anchors", "/nonexistent|a\u{1b}\n", "--format", "nagios"])
        #expect(outcome.status == 3)
        #expect(outcome.lines.count == 1)
        #expect(outcome.text.hasPrefix("SERVERTRUST UNKNOWN - "))
        #expect(!outcome.text.contains("|") && !outcome.text.contains("\u{1b}"))
    }

    // MARK: - Prometheus

    @Test("Each metric has one sample per server, and each server occurs once") func prometheus() async throws {
        let lab = try await LabServers([.good, .expired, .noTLS])
        let outcome = try lab.check(lab.names + [lab.names[0], "--format", "prometheus"])
        #expect(outcome.status == 1)
        let samples = outcome.lines.filter { !$0.hasPrefix("#") }
        let pattern = /servertrust_check_[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[0-9]+(\.[0-9]+)?/
        #expect(samples.allSatisfy { $0.wholeMatch(of: pattern) != nil })
        #expect(Set(samples.map { $0.prefix { $0 != " " } }).count == samples.count)
        let success = samples.filter { $0.hasPrefix("servertrust_check_success") }
        #expect(success.map { $0.suffix(2) } == [" 1", " 0", " 0"])
        #expect(samples.contains { $0.contains("code=\"certificateExpired\"") })
        #expect(samples.count { $0.hasPrefix("servertrust_check_not_after_timestamp_seconds") } == 2)
        // Every sample follows the type of its metric.
        var family = ""
        for line in outcome.lines {
            if line.hasPrefix("# TYPE ") { family = String(line.split(separator: " ")[2]) }
            if !line.hasPrefix("#") { #expect(line.prefix { $0 != "{" && $0 != " " } == family) }
        }
        await lab.stop()
    }

    static let promtool = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map { "\($0)/promtool" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test("promtool accepts the metrics", .enabled(if: promtool != nil, "promtool is not installed"))
    func promtoolAgrees() async throws {
        let lab = try await LabServers([.good, .expired, .noTLS])
        let metrics = try lab.check(lab.names + ["--format", "prometheus"])
        let file = try lab.folder.write("metrics", metrics.output).path
        let outcome = try Process.run(
            "/bin/sh", ["-c", "exec \"$0\" check metrics < \"$1\"", try #require(Self.promtool), file])
        #expect(outcome.status == 0, "\(outcome.text)")
        await lab.stop()
    }

    // MARK: - Ends that are near

    private struct Answer: Decodable {
        struct Step: Decodable { let findings: [Finding]? }
        struct Finding: Decodable {
            let code: String
            let certificate: Int
            let notAfter: String
            let daysLeft: Int
        }
        let outcome: String
        let steps: [Step]
    }

    @Test("A certificate that expires within the given time causes a finding, but the server stays trusted")
    func expiresWithin() async throws {
        let lab = try await LabServers([.good])
        let server = lab.servers[0]
        func answer(_ time: String, status: Int32) throws -> Answer {
            let outcome = try lab.check([lab.names[0], "--expires-within", time, "--format", "json"])
            #expect(outcome.status == status)
            return try #require(try outcome.json([Answer].self).first)
        }
        let far = try answer("1d", status: 0)
        #expect(far.outcome == "trusted")
        #expect(far.steps.first?.findings?.isEmpty == true)
        let near = try answer("4000d", status: 1)
        #expect(near.outcome == "expiring")
        let findings = try #require(near.steps.first?.findings)
        #expect(findings.map(\.code).allSatisfy { $0 == "certificateExpiresSoon" })
        #expect(findings.first?.certificate == 0)
        #expect(findings.first?.notAfter == server.certificates.chain[0].notAfter.description)
        let junit = try lab.check([lab.names[0], "--expires-within", "4000d", "--format", "junit"])
        #expect(junit.text.contains("type=\"certificateExpiresSoon\""))
        await lab.stop()
    }

    @Test("Without --expires-within, check reports no findings") func noFindings() async throws {
        let lab = try await LabServers([.good])
        let outcome = try lab.check([lab.names[0], "--format", "json"])
        #expect(try outcome.json([Answer].self).first?.steps.first?.findings == nil)
        await lab.stop()
    }
}
