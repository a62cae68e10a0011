// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import PinLint
import Testing

@testable import ServerTrustCommand

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("The page for a lint report") struct LintPageTests {
    /// The number of each element of a page, its identifiers and links, and its text.
    private final class Shape: NSObject, XMLParserDelegate {
        var elements: [String: Int] = [:]
        var attributes: Set<String> = []
        var identifiers: [String] = []
        var links: [String] = []
        var text = ""

        init(_ page: [UInt8]) {
            super.init()
            let parser = XMLParser(data: Data(page))
            parser.delegate = self
            #expect(parser.parse(), "\(String(describing: parser.parserError))")
        }

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            elements[name, default: 0] += 1
            self.attributes.formUnion(attributes.keys)
            if let id = attributes["id"] { identifiers.append(id) }
            if let link = attributes["href"] { links.append(link) }
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
    }

    private static let date = Time(secondsSinceEpoch: 1_795_000_000)

    private func report(_ files: [(name: String, text: String)]) -> LintReport {
        let sources = files.flatMap { file in
            PinLintSource.sources(reading: Array(file.text.utf8), as: nil, file: file.name)
        }
        var report = LintReport(sources: sources, findings: PinLinter(at: Self.date).findings(in: sources))
        report.date = Self.date
        return report
    }

    private func html(_ report: LintReport) -> String { String(decoding: report.written(as: .html), as: UTF8.self) }

    @Test("Each finding has its file, severity, rule, position, message and fix") func findings() {
        let report = report([("a.txt", LintTests.clean), ("b.txt", LintTests.faulty)])
        let shape = Shape(report.written(as: .html))
        #expect(!report.findings.isEmpty)
        for finding in report.findings {
            let line = finding.location.line.map { "line \($0)" } ?? ""
            let words = [
                finding.location.file, finding.severity.rawValue, finding.rule.id, line, finding.message,
                finding.fix.replacing("`", with: ""),
            ]
            for text in words { #expect(shape.text.contains(text), "\(text)") }
        }
        #expect(shape.text.contains("a.txt"))
        #expect(shape.elements["h1"] == 1)
        #expect(shape.elements["title"] == 1)
        #expect(Set(shape.identifiers).count == shape.identifiers.count)
        for link in shape.links {
            #expect(link.hasPrefix("#") && shape.identifiers.contains(String(link.dropFirst())), "\(link)")
        }
    }

    @Test(
        "The heading is red for files with errors, even if most files have none, and green if there are no problems")
    func tone() {
        let clean = (1...3).map { (name: "clean\($0).txt", text: LintTests.clean) }
        let faulty = (name: "faulty.txt", text: LintTests.faulty)
        let rows: [(files: [(name: String, text: String)], tone: String, title: String)] = [
            (clean, "good", "3 files without a problem"), (clean + [faulty], "bad", "Problems in 1 of 4 files"),
            ([faulty], "bad", "Problems in 1 of 1 file"),
            ([clean[0], faulty], "bad", "Problems in 1 of 2 files"), ([], "caution", "No file was read"),
        ]
        for row in rows {
            let html = html(report(row.files))
            #expect(html.contains("<div class=\"banner \(row.tone)\">"), "\(row.title)")
            #expect(html.contains("<h1>\(row.title)</h1>"), "\(row.title)")
            #expect(html.contains("<title>\(row.title) · lint</title>"))
        }
    }

    @Test("The page has an index of the rules by severity, and the reason and remedy of each rule once") func index() {
        let zero = "sha256/" + String(repeating: "A", count: 43) + "="
        let files = (1...21).map { number in
            (name: "file\(number).txt", text: "api\(number).example.com \(LintTests.pins[0]) \(zero)\n")
        }
        let report = report(files + [(name: "other.txt", text: "example.com \(LintTests.pins[1])\n")])
        let shape = Shape(report.written(as: .html))
        #expect(
            shape.links.filter { $0.hasPrefix("#rule-") }.count == Set(report.findings.map(\.rule.id)).count)
        #expect(shape.elements["details"] == Set(report.findings.map(\.rule.id)).count)
        let rules = ["pins/placeholder", "pins/no-backup", "hosts/www-uncovered"]
        let places = rules.map { shape.text.range(of: $0)?.lowerBound }
        #expect(places == places.compactMap(\.self).sorted())
        for finding in report.findings {
            for text in [finding.rule.why, finding.fix] {
                #expect(shape.text.components(separatedBy: text).count == 2, "\(text)")
            }
        }
        let text = String(decoding: report.written(as: .text), as: UTF8.self)
        #expect(text.components(separatedBy: "fix: ").count == Set(report.findings.map(\.fix)).count + 1)
    }

    @Test("The page shows an unreadable file and then isn't green") func unread() {
        var report = report([("a.txt", LintTests.clean)])
        report.unread = [(file: "gone.json", error: "gone.json: no <such> file")]
        let html = html(report)
        #expect(html.contains("gone.json: no &lt;such&gt; file"))
        #expect(html.contains("<div class=\"banner caution\">"))
    }

    @Test("The page lists accepted findings with their reason and doesn't count them as problems") func accepted() {
        var report = report([("b.txt", LintTests.faulty)])
        for index in report.findings.indices {
            report.findings[index].acceptance = FindingAcceptance(.baseline, reason: "until <2027>")
        }
        let html = html(report)
        #expect(html.contains("Accepted by the baseline: <bdi>until &lt;2027&gt;</bdi>"))
        #expect(html.contains("<div class=\"banner good\">"))
    }

    @Test("The page shows hostile file and host names as text") func hostile() throws {
        for text in AuditSample.hostile where !text.isEmpty {
            let name = text.replacing("\u{0}", with: "0")
            // A host name with any text, escaped as JSON.
            let json = try JSONEncoder().encode([text])
            let host = String(decoding: json, as: UTF8.self).dropFirst().dropLast()
            let list = "{\"format\": \"servertrust-pins\", \"version\": 1, \"hosts\": [{\"host\": \(host)}]}"
            let script = "new CertificatePinner.Builder().add(\"\(text)\", \"\(LintTests.pins[0])\")"
            var report = report([(name, LintTests.faulty), (name + ".json", list), (name + ".kt", script)])
            report.unread = [(file: name, error: text)]
            let bytes = report.written(as: .html)
            let shape = Shape(bytes)
            #expect(shape.elements["script"] == 1)
            #expect(shape.elements["style"] == 1)
            #expect(shape.elements["img"] == nil)
            #expect(shape.attributes.allSatisfy { !$0.hasPrefix("on") && $0 != "style" && $0 != "src" })
            #expect(shape.links.allSatisfy { $0.hasPrefix("#") })
            let html = String(decoding: bytes, as: UTF8.self)
            for character in ["\u{202e}", "\u{2066}", "\u{200b}", "\u{0}", "\u{1b}"] {
                #expect(!html.contains(character))
            }
        }
    }

    @Test("lint --format html writes the page and exits with the code for its findings") func verb() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write("pins.txt", Data(LintTests.faulty.utf8)).path
            let outcome = try Tool.run(["pins", "lint", path, "--format", "html"])
            #expect(outcome.status == 1)
            #expect(outcome.text.hasPrefix("<!DOCTYPE html>"))
            #expect(outcome.text.contains("hosts/public-suffix"))
        }
    }
}
