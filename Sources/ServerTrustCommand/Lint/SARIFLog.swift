// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinLint
import TrustSupport

/// Findings in the Static Analysis Results Interchange Format, version 2.1.0 (OASIS), which code scanning services read.
struct SARIFLog {
    let report: LintReport

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
                    json.array(of: report.findings) { write($1, to: &$0) }
                }
            }
        }
        json.lineFeed()
        return json.bytes
    }

    /// Writes all rules, so that a service can show the rules without findings.
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
                Self.text("Fix: \(rule.fix)", to: &json)
                json.key("defaultConfiguration")
                json.object { json in
                    json.key("level")
                    json.string(rule.severity.rawValue)
                }
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

    private func write(_ finding: PinFinding, to json: inout JSONWriter) {
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
        }
    }

    private func writeLocation(_ place: SourceLocation, to json: inout JSONWriter) {
        json.key("physicalLocation")
        json.object { json in
            json.key("artifactLocation")
            json.object { json in
                json.key("uri")
                json.string(Self.uri(place.file))
            }
            // A result without a line is shown by no service; the first one stands for the file.
            json.key("region")
            json.object { json in
                json.key("startLine")
                json.number(max(1, place.line ?? 1))
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

    /// Returns the URI of a file. A relative path stays relative to the working directory: services resolve it in the checkout.
    static func uri(_ file: String) -> String {
        let path = file.addingPercentEncoding(withAllowedCharacters: allowed) ?? file
        return file.hasPrefix("/") ? "file://" + path : path
    }

    /// RFC 3986 § 3.3 without the colon, which would end a scheme.
    private static let allowed = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=@/")
}
