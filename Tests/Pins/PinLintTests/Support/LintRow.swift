// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinLint
import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

/// A file, and the lines where one rule reports findings.
struct LintRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rule: PinLintRule
    let format: PinFormat
    let text: String
    /// The lines, empty if there are no findings.
    let lines: [Int]
    /// The expected severity, or nil for the rule's own.
    let severity: PinFinding.Severity?

    /// - Parameter text: the file, with `$1` to `$9` as placeholders for pins.
    init(
        _ sentence: String, _ rule: PinLintRule, at lines: [Int], as severity: PinFinding.Severity? = nil,
        _ format: PinFormat, _ text: String
    ) {
        self.testDescription = sentence
        self.rule = rule
        self.format = format
        self.text = text
        self.lines = lines
        self.severity = severity
    }

    var source: [PinLintSource] {
        var text = text
        for number in 1...9 { text = text.replacing("$\(number)", with: TestPins.pin(number).description) }
        return PinLintSource.sources(reading: Array(text.utf8), as: format, file: "pins")
    }

    /// Checks the rule's findings and their locations.
    func check(_ linter: PinLinter = PinLinter(at: TestAuthority.now)) {
        let all = linter.findings(in: source)
        let found = all.filter { $0.rule == rule }
        // An unreadable file has no other findings.
        #expect(rule.id.hasPrefix("file/") || source.allSatisfy { $0.configuration != nil }, "\(all)")
        #expect(found.map(\.location.line) == lines.map { Optional($0) }, "\(all)")
        #expect(found.allSatisfy { $0.severity == severity ?? rule.severity }, "\(found)")
        #expect(found.allSatisfy { $0.location.file == "pins" && !$0.message.isEmpty && !$0.fix.isEmpty })
    }

    /// Returns an Android file with one line for each pattern and its pins.
    static func android(_ domains: String..., base: String = "") -> String {
        "<network-security-config>\(base)\n" + domains.joined(separator: "\n") + "\n</network-security-config>\n"
    }

    /// Returns a `domain-config` on one line.
    static func domain(_ name: String, below: Bool = true, expires: String? = nil, _ pins: Int..., other: String = "")
        -> String
    {
        let list = pins.map { number in
            "<pin digest=\"SHA-256\">\(TestPins.pin(number).description.dropFirst(7))</pin>"
        }
        let expiration = expires.map { " expiration=\"\($0)\"" } ?? ""
        let set = pins.isEmpty ? "" : "<pin-set\(expiration)>\(list.joined())</pin-set>"
        return "<domain-config><domain includeSubdomains=\"\(below)\">\(name)</domain>\(set)\(other)</domain-config>"
    }

    /// Returns a file in the package's own format, with one line per rule. Rules start at line 2.
    static func json(_ rules: String...) -> String {
        "{\"schemaVersion\": 1, \"selection\": \"mostSpecific\", \"unlistedHosts\": \"evaluatedByDefault\", \"rules\": [\n"
            + rules.joined(separator: ",\n") + "\n]}\n"
    }

    /// Returns a JSON rule for one host with these pins.
    static func rule(_ host: String, _ pins: String..., mode: String = "enforced", other: String = "") -> String {
        let list = pins.isEmpty ? "" : ", \"pins\": [\(pins.joined(separator: ", "))]"
        return "{\"hosts\": [\"\(host)\"], \"mode\": \"\(mode)\"\(list)\(other)}"
    }

    static func pin(_ number: Int, scope: String = "anywhere", role: String? = nil) -> String {
        let role = role.map { ", \"role\": \"\($0)\"" } ?? ""
        return "{\"key\": \"\(TestPins.pin(number))\", \"scope\": \"\(scope)\"\(role)}"
    }

    static func pin(_ certificate: Certificate, scope: String = "anywhere", role: String? = nil) -> String {
        let role = role.map { ", \"role\": \"\($0)\"" } ?? ""
        return "{\"certificate\": \"\(Base64.encode(certificate.der))\", \"scope\": \"\(scope)\"\(role)}"
    }
}
