// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

@testable import ServerTrustCommand

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("The audit page", .timeLimit(.minutes(10))) struct AuditPageTests {
    private func page(_ facts: [AuditFacts], _ run: AuditRun? = nil) -> String {
        let bytes = AuditSample.summary(facts).page(run ?? AuditSample.run(facts.count), version: "1.0")
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The number of each element and attribute of a page, and its identifiers and links.
    private final class Shape: NSObject, XMLParserDelegate {
        var parts: [String: Int] = [:]
        var identifiers: [String] = []
        var links: [String] = []

        init(_ page: String) {
            super.init()
            let parser = XMLParser(data: Data(page.utf8))
            parser.delegate = self
            #expect(parser.parse(), "\(String(describing: parser.parserError))")
        }

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            parts[name, default: 0] += 1
            for (key, value) in attributes {
                parts["\(name).\(key)", default: 0] += 1
                if key == "id" { identifiers.append(value) }
                if key == "href" { links.append(value) }
            }
        }
    }

    @Test("The page shows numbers, names and meanings, and links only within itself")
    func content() throws {
        let html = page(AuditSample.example)
        #expect(html.contains("<h1>3 answers: 1 trusted, 1 rejected, 1 unreadable</h1>"))
        for text in [
            "CN=Example Issuing 1", "CN=Example Root", "RSA 2048 bits", "up to 90 days", "week of 2026-12-14",
            "servertrust explain certificateExpired", "servertrust explain base64Malformed", "33.3%", "complies",
            "Rows without their own date were evaluated for",
        ] { #expect(html.contains(text), "\(text)") }
        let guide = try #require(FailureCodes.guide(to: "base64Malformed"))
        #expect(html.contains(guide.meaning.prefix(40)))
        #expect(!html.contains("The numbers don’t match"))
        let shape = Shape(html)
        #expect(Set(shape.identifiers).count == shape.identifiers.count)
        #expect(
            shape.links.allSatisfy {
                $0.hasPrefix("#") && shape.identifiers.contains(String($0.dropFirst())) || $0 == "#content"
            })
        #expect(shape.links.count > 8)
    }

    @Test("A page with hostile text has the same elements as a harmless one")
    func hostileTexts() {
        let texts = AuditSample.hostile.filter { !$0.isEmpty }
        let hostile = page(AuditSample.answers(500) { texts[$0 % texts.count] + "\($0)" })
        let harmless = page(AuditSample.answers(500) { "harmless \($0)" })
        #expect(Shape(hostile).parts == Shape(harmless).parts)
        for character in ["\u{202e}", "\u{2066}", "\u{200b}", "\u{0}", "\u{1b}"] {
            #expect(!hostile.contains(character))
        }
        #expect(hostile.contains("\\u{202e}"))
        #expect(!hostile.contains("<script>alert"))
        #expect(hostile.utf8.count < 512 << 10)
    }

    @Test("The page shows hostile names of inputs, formats and codes as text")
    func hostileRun() {
        for text in AuditSample.hostile {
            let facts = [AuditFacts(verdict: .rejected, codes: [text], transparency: text, revocation: text)]
            let run = AuditRun(inputs: [text, text], format: text, lines: 1, answers: 1, evaluationDate: nil)
            let html = page(facts, run)
            _ = Shape(html)
            #expect(!html.contains("<script>alert"))
            #expect(!html.contains("\u{202e}"))
        }
    }

    @Test(
        "The page warns about missing or extra rows",
        arguments: [
            (3, 4, "4 lines read, but 3 answers written"), (2, 2, "2 answers written, but 3 counted here"),
            (4, 3, "3 lines read, but 4 answers written"),
        ])
    func missingRows(_ answers: Int, _ lines: Int, _ words: String) {
        let html = page(AuditSample.example, AuditSample.run(answers, lines: lines))
        #expect(html.contains("The numbers don’t match"))
        #expect(html.contains(words))
    }

    @Test("The page shows a complete run of trusted answers as good, but not one with a missing row")
    func tone() {
        let facts = [AuditFacts(verdict: .trusted)]
        #expect(page(facts).contains("<div class=\"banner good\">"))
        #expect(page(facts, AuditSample.run(1, lines: 2)).contains("<div class=\"banner caution\">"))
        #expect(page(AuditSample.example).contains("<div class=\"banner bad\">"))
        #expect(page([AuditFacts(verdict: .unreadable)]).contains("<div class=\"banner caution\">"))
        // Most answers are trusted, so the heading has a percentage and no red cross.
        let mixed = [AuditFacts](repeating: AuditFacts(verdict: .trusted), count: 3) + [AuditFacts(verdict: .rejected)]
        #expect(page(mixed).contains("<div class=\"banner note\">"))
        #expect(page(mixed).contains("<h1>75.0% of 4 answers trusted, 1 rejected</h1>"))
        #expect(page(mixed, AuditSample.run(4, lines: 5)).contains("<div class=\"banner caution\">"))
        #expect(page(Array(mixed.suffix(2))).contains("<div class=\"banner bad\">"))
    }

    @Test("The page for a run without answers has no tables")
    func empty() {
        let html = page([])
        #expect(html.contains("<h1>No answers</h1>"))
        #expect(Shape(html).parts["table"] == nil)
        #expect(html.contains("<div class=\"banner caution\">"))
        // A table whose only name is empty has a row for that name.
        #expect(page([AuditFacts(verdict: .trusted, issuer: "")]).contains("empty</span>"))
    }

    @Test("The page shows the first rows of each table and the number of other rows")
    func others() {
        let facts = (0..<40).flatMap { number in
            [AuditFacts](repeating: AuditFacts(verdict: .trusted, issuer: "CN=name-\(number)-"), count: 40 - number)
        }
        let html = page(facts)
        #expect(html.contains("CN=name-24-"))
        #expect(!html.contains("CN=name-25-"))
        #expect(html.contains("and 15 others"))
        // 15 + 14 + … + 1
        #expect(html.contains("<td class=\"number\" data-label=\"Answers\">120</td>"))
        // The row of the others has no bar, and the longest remaining bar fills the width.
        let row = html.components(separatedBy: "and 15 others").last?.components(separatedBy: "</tr>").first
        #expect(row?.contains("<svg") == false)
        #expect(html.components(separatedBy: "class=\"fill good\" x=\"0\" width=\"1000\"").count > 2)
        #expect(!html.contains("and all that came after"))
    }

    @Test("The page formats numbers and percentages in a human-readable way")
    func words() {
        #expect(
            [0, 999, 1000, 1_234_567, -1000].map(AuditWords.number) == ["0", "999", "1,000", "1,234,567", "-1,000"])
        #expect(
            [999, 1000, 1234, 9999, 10_000, 999_999, 1_200_000, 3_000_000_000].map(AuditWords.short)
                == ["999", "1k", "1.2k", "9.9k", "10k", "999k", "1.2M", "3G"])
        #expect(
            [0, 1, 6, 333, 9995, 9999, 10_000].map { AuditWords.share($0, of: 10_000) }
                == ["0%", "<0.1%", "0.1%", "3.3%", ">99.9%", ">99.9%", "100%"])
        #expect(AuditWords.share(0, of: 0) == "0%")
    }

    /// Writes the pages only if SERVERTRUST_PAGES names a folder, for `Tests/External/report-pages`.
    @Test("The test writes well-formed pages for a browser into the folder of SERVERTRUST_PAGES") func write() throws {
        let texts = AuditSample.hostile.filter { !$0.isEmpty }
        let samples: [(String, [AuditFacts], AuditRun?)] = [
            ("audit", AuditSample.answers(50_000), nil), ("audit-empty", [], nil),
            ("audit-small", AuditSample.example, AuditSample.run(3, lines: 4, date: nil)),
            ("audit-hostile", AuditSample.answers(3000) { texts[$0 % texts.count] + "\($0)" }, nil),
            ("audit-harmless", AuditSample.answers(3000) { "harmless \($0)" }, nil),
        ]
        let pages = samples.map { (name: $0.0, text: page($0.1, $0.2)) }
        for (name, text) in pages {
            // Each page is one complete document. `Shape` expects that it parses.
            #expect(Shape(text).parts["main"] == 1, "\(name)")
        }
        guard let path = ProcessInfo.processInfo.environment["SERVERTRUST_PAGES"] else { return }
        let folder = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in pages {
            try text.write(to: folder.appendingPathComponent(name + ".html"), atomically: true, encoding: .utf8)
        }
    }
}
