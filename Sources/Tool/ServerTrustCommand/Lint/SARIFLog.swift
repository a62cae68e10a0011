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
            json.key("$schema")
            json.string("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json")
            json.key("version")
            json.string("2.1.0")
            json.key("runs")
            json.array { json in
                json.object { json in
                    json.key("tool")
                    json.object { json in
                        json.key("driver")
                        json.object(writeDriver)
                    }
                    json.key("columnKind")
                    json.string("unicodeCodePoints")
                    json.key("invocations")
                    json.array { $0.object(writeInvocation) }
                    json.key("results")
                    json.array(of: report.findings.indices) { write($1, to: &$0) }
                }
            }
        }
        json.lineFeed()
        return json.bytes
    }

    /// Writes all rules, so that a service can also show rules without findings.
    private func writeDriver(_ json: inout JSONWriter) {
        json.key("name")
        json.string("servertrust")
        json.key("version")
        json.string(ToolVersion.current)
        json.key("semanticVersion")
        json.string(ToolVersion.current)
        json.key("rules")
        json.array(of: PinLintRule.all) { json, rule in
            json.object { json in
                json.key("id")
                json.string(rule.id)
                json.key("shortDescription")
                Self.text(rule.title, to: &json)
                json.key("fullDescription")
                Self.text(rule.why, to: &json)
                json.key("help")
                json.object { json in
                    json.key("text")
                    json.string(printable("Fix: \(rule.fix)"))
                    json.key("markdown")
                    json.string(SARIFRuleProperties(rule: rule).help)
                }
                json.key("defaultConfiguration")
                json.object { json in
                    json.key("level")
                    json.string(rule.severity.rawValue)
                }
                json.key("properties")
                json.object { SARIFRuleProperties(rule: rule).write(to: &$0) }
            }
        }
    }

    private func writeInvocation(_ json: inout JSONWriter) {
        json.key("executionSuccessful")
        json.boolean(report.unread.isEmpty && !report.findings.contains(where: \.isUndecided))
        guard !report.unread.isEmpty else { return }
        json.key("toolExecutionNotifications")
        json.array(of: report.unread.map(\.error)) { json, error in
            json.object { json in
                json.key("level")
                json.string("error")
                json.key("message")
                Self.text(error, to: &json)
            }
        }
    }

    private func write(_ index: Int, to json: inout JSONWriter) {
        let finding = report.findings[index]
        json.object { json in
            json.key("ruleId")
            json.string(finding.rule.id)
            if let index = Self.indices[finding.rule.id] {
                json.key("ruleIndex")
                json.number(index)
            }
            json.key("level")
            json.string(finding.severity.rawValue)
            json.key("message")
            Self.text("\(finding.message). \(finding.rule.why) Fix: \(finding.fix)", to: &json)
            json.key("locations")
            json.array { json in
                json.object { writeLocation(finding.location, to: &$0) }
            }
            json.key("partialFingerprints")
            json.object { json in
                let (hash, number) = fingerprints[index]
                // The only fingerprint that GitHub's code scanning reads, in the same form that its own action writes.
                json.key("primaryLocationLineHash")
                json.string("\(hash.prefix(16)):\(number)")
                json.key("servertrustFinding/v1")
                json.string(hash)
            }
            json.key("suppressions")
            json.array(of: [finding.acceptance].compactMap { $0 }) { json, acceptance in
                json.object { Self.write(acceptance, to: &$0) }
            }
        }
    }

    /// Writes a suppression (§ 3.35). All results have the array, because a result without it would be undetermined
    /// next to others (§ 3.27.23).
    private static func write(_ acceptance: FindingAcceptance, to json: inout JSONWriter) {
        json.key("kind")
        json.string(acceptance.source == .comment ? "inSource" : "external")
        json.key("status")
        json.string("accepted")
        json.key("justification")
        json.string(printable(acceptance.reason ?? "accepted by \(acceptance.source.rawValue), without a reason"))
    }

    private func writeLocation(_ place: PinFileLocation, to json: inout JSONWriter) {
        json.key("physicalLocation")
        json.object { json in
            json.key("artifactLocation")
            json.object { json in
                json.key("uri")
                json.string(Self.uri(place.file))
            }
            // No service shows a result without a line, so the first line represents the whole file.
            json.key("region")
            json.object { json in
                let line = max(1, place.line ?? 1)
                let columns = regions.columns(place.file, line)
                json.key("startLine")
                json.number(line)
                json.key("startColumn")
                json.number(columns.start)
                json.key("endLine")
                json.number(line)
                json.key("endColumn")
                json.number(columns.end)
            }
        }
        guard !place.keyPath.isEmpty else { return }
        json.key("logicalLocations")
        json.array { json in
            json.object { json in
                json.key("fullyQualifiedName")
                json.string(place.keyPath)
            }
        }
    }

    private static let indices = Dictionary(
        uniqueKeysWithValues: PinLintRule.all.enumerated().map { ($0.element.id, $0.offset) })

    private static func text(_ text: String, to json: inout JSONWriter) {
        json.object { json in
            json.key("text")
            json.string(printable(text))
        }
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
