// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinLint
import ServerTrust

/// Findings in the Static Analysis Results Interchange Format (OASIS), version 2.1.0, for code scanning services.
struct SARIFLog {
    let report: LintReport
    private let regions: SARIFRegions
    /// The fingerprint of each finding, and its number among the equal fingerprints of a file.
    private let fingerprints: [(hash: String, number: Int)]

    init(report: LintReport) {
        self.report = report
        regions = SARIFRegions(report.sources, report.findings)
        var counts: [String: Int] = [:]
        fingerprints = report.findings.map { finding in
            let hash = FindingFingerprint(finding).description
            counts[finding.location.file + hash, default: 0] += 1
            return (hash, counts[finding.location.file + hash] ?? 1)
        }
    }

    func json() -> [UInt8] {
        var json = JSONWriter(isIndented: true)
        json.object { json in
            json.member(
                "$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json")
            json.member("version", "2.1.0")
            json.objects("runs", of: [report]) { json, report in
                json.object("tool") { $0.object("driver", writeDriver) }
                json.member("columnKind", "unicodeCodePoints")
                json.objects("invocations", of: [report]) { json, _ in writeInvocation(&json) }
                json.objects("results", of: report.findings.indices) { write($1, to: &$0) }
            }
        }
        json.lineFeed()
        return json.bytes
    }

    /// Writes all rules, so that a service can also show rules without findings.
    private func writeDriver(_ json: inout JSONWriter) {
        json.member("name", "servertrust")
        json.member("version", ToolVersion.current)
        json.member("semanticVersion", ToolVersion.current)
        json.objects("rules", of: PinLintRule.all) { json, rule in
            json.member("id", rule.id)
            Self.text("shortDescription", rule.title, to: &json)
            Self.text("fullDescription", rule.why, to: &json)
            json.object("help") { json in
                json.member("text", printable("Fix: \(rule.fix)"))
                json.member("markdown", SARIFRuleProperties(rule: rule).help)
            }
            json.object("defaultConfiguration") { $0.member("level", rule.severity.rawValue) }
            json.object("properties") { SARIFRuleProperties(rule: rule).write(to: &$0) }
        }
    }

    private func writeInvocation(_ json: inout JSONWriter) {
        json.member("executionSuccessful", report.unread.isEmpty && !report.findings.contains(where: \.isUndecided))
        let skips = report.searches.flatMap(\.skips).compactMap { skip in skip.fix.map { "\(skip.words). Fix: \($0)" } }
        let notifications = report.unread.map { ("error", $0.error) } + skips.map { ("note", $0) }
        guard !notifications.isEmpty else { return }
        json.objects("toolExecutionNotifications", of: notifications) { json, notification in
            json.member("level", notification.0)
            Self.text("message", notification.1, to: &json)
        }
    }

    private func write(_ index: Int, to json: inout JSONWriter) {
        let finding = report.findings[index]
        json.member("ruleId", finding.rule.id)
        if let index = Self.indices[finding.rule.id] { json.member("ruleIndex", index) }
        json.member("level", finding.severity.rawValue)
        Self.text("message", "\(finding.message). \(finding.rule.why) Fix: \(finding.fix)", to: &json)
        json.objects("locations", of: [finding.location]) { writeLocation($1, to: &$0) }
        json.object("partialFingerprints") { json in
            let (hash, number) = fingerprints[index]
            // The only fingerprint that GitHub's code scanning reads, in the same form that its own action writes.
            json.member("primaryLocationLineHash", "\(hash.prefix(16)):\(number)")
            json.member("servertrustFinding/v1", hash)
        }
        json.objects("suppressions", of: [finding.acceptance].compactMap(\.self)) { Self.write($1, to: &$0) }
    }

    /// Writes a suppression (§ 3.35). All results have the array, because a result without it would be undetermined
    /// next to others (§ 3.27.23).
    private static func write(_ acceptance: FindingAcceptance, to json: inout JSONWriter) {
        json.member("kind", acceptance.source == .comment ? "inSource" : "external")
        json.member("status", "accepted")
        json.member(
            "justification",
            printable(acceptance.reason ?? "accepted by \(acceptance.source.rawValue), without a reason"))
    }

    private func writeLocation(_ place: PinFileLocation, to json: inout JSONWriter) {
        json.object("physicalLocation") { json in
            json.object("artifactLocation") { $0.member("uri", Self.uri(place.file)) }
            // No service shows a result without a line, so the first line represents the whole file.
            json.object("region") { json in
                let line = max(1, place.line ?? 1)
                let columns = regions.columns(place.file, line)
                json.member("startLine", line)
                json.member("startColumn", columns.start)
                json.member("endLine", line)
                json.member("endColumn", columns.end)
            }
        }
        guard !place.keyPath.isEmpty else { return }
        json.objects("logicalLocations", of: [place.keyPath]) { $0.member("fullyQualifiedName", $1) }
    }

    private static let indices = Dictionary(
        uniqueKeysWithValues: PinLintRule.all.enumerated().map { ($0.element.id, $0.offset) })

    private static func text(_ name: StaticString, _ text: String, to json: inout JSONWriter) {
        json.object(name) { $0.member("text", printable(text)) }
    }

    /// Returns the URI of a file. A relative path stays relative to the working directory, because services resolve it
    /// in the checkout.
    static func uri(_ file: String) -> String {
        let path = file.addingPercentEncoding(withAllowedCharacters: allowed) ?? file
        return file.hasPrefix("/") ? "file://" + path : path
    }

    /// RFC 3986 § 3.3 without the colon, which would end a scheme.
    private static let allowed = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=@/")
}

/// The properties of a rule that GitHub's code scanning uses to sort and filter.
///
/// Source: GitHub's documentation, "SARIF support for code scanning", `reportingDescriptor` object. A rule with
/// `security-severity` is about security: over 9.0 is critical, 7.0 to 8.9 high, 4.0 to 6.9 medium, 0.1 to 3.9 low.
/// Other rules have `problem.severity`. `precision` is `very-high`, `high`, `medium` or `low`.
struct SARIFRuleProperties {
    let rule: PinLintRule

    /// The texts of the rule, or nil for the rule of an error code.
    private var entry: Book.Entry? { PinLintBook.rules[rule.id] }

    /// The score from 0.1 to 10.0 of a rule whose findings accept a server that the pins should reject. The findings of
    /// all other rules lock users out, or warn that this may happen. Files that can't be used pin nothing.
    var securitySeverity: String? { rule.id.hasPrefix("file/") ? "7.0" : entry?.all("security").first }

    var precision: String {
        if let precision = entry?.all("precision").first { return precision }
        if rule.id.hasPrefix("forecast/") { return "medium" }
        return rule.id.hasPrefix("odd/") || rule.id.hasPrefix("live/") ? "high" : "very-high"
    }

    /// The tags: CWE-295 is improper certificate validation, CWE-319 the transmission of sensitive information in cleartext.
    var tags: [String] {
        if securitySeverity == nil { return ["certificate-pinning", "reliability"] }
        let weakness = rule.id.hasPrefix("cleartext/") ? "cwe-319" : "cwe-295"
        return ["certificate-pinning", "external/cwe/\(weakness)", "security"]
    }

    func write(to json: inout JSONWriter) {
        json.member("precision", precision)
        if let securitySeverity {
            json.member("security-severity", securitySeverity)
        } else {
            json.member("problem.severity", rule.severity == .note ? "recommendation" : rule.severity.rawValue)
        }
        json.member("tags", tags)
    }

    /// The documentation of the rule in Markdown.
    var help: String {
        """
        **\(rule.title)** (`\(rule.id)`)

        \(rule.why)

        **Fix:** \(rule.fix)

        \(rule.isAcceptable ? "To accept a finding, write `servertrust:ignore \(rule.id)` and the reason in a comment before its place, or use a baseline." : "A finding of this rule can't be accepted.")
        """
    }
}
