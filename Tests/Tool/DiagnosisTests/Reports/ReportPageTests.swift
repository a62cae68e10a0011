// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

@testable import Diagnosis

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("Report pages")
struct ReportPageTests {
    @Test("A page is well-formed, loads nothing and links only within itself", arguments: ReportScene.all)
    func wellFormed(_ scene: ReportScene) throws {
        let page = try PageOutline(scene.report.html())
        #expect(page.links.allSatisfy { $0.hasPrefix("#") })
        #expect(
            page.elements.isDisjoint(with: [
                "img", "iframe", "object", "embed", "form", "link", "image", "foreignObject",
            ]))
        #expect(page.count["script"] == 1)
        #expect(page.count["style"] == 1)
        #expect(page.attributes.allSatisfy { !$0.hasPrefix("on") && $0 != "style" && $0 != "src" })
        // Every link and every label points to an element of the page.
        for link in page.links { #expect(page.ids.contains(String(link.dropFirst())), "\(link)") }
        for reference in page.references { #expect(page.ids.contains(reference), "\(reference)") }
        #expect(Set(page.ids).count == page.ids.count)
    }

    @Test("Headings start at the first level and skip no level", arguments: ReportScene.all)
    func headings(_ scene: ReportScene) throws {
        let levels = try PageOutline(scene.report.html()).headings
        #expect(levels.first == 1)
        #expect(levels.count { $0 == 1 } == 1)
        for (level, next) in zip(levels, levels.dropFirst()) { #expect(next <= level + 1) }
    }

    @Test("Table headers have a scope, and images have a title and a description", arguments: ReportScene.all)
    func alternatives(_ scene: ReportScene) throws {
        let page = try PageOutline(scene.report.html())
        #expect(page.headersWithoutScope == 0)
        #expect(page.count["title", default: 0] == 1 + page.images)
        #expect(page.count["desc", default: 0] == page.images)
    }

    @Test("The page doesn't show a server that was accepted without validation as good")
    func disabled() throws {
        let report = try ReportScene.disabled.get().report
        #expect(report.isTrusted)
        #expect(
            report.columns.allSatisfy { column in column.tone != .good && column.boxes.allSatisfy { $0.tone != .good } }
        )
        #expect(!report.html().contains("class=\"banner good\""))
        #expect(try ReportScene.good.get().report.html().contains("class=\"banner good\""))
    }

    @Test("The page shows markup and direction marks in names as visible text")
    func hostileNames() throws {
        let html = try ReportScene.hostile.get().report.html()
        #expect(!html.contains("<script>alert"))
        #expect(!html.contains("<img"))
        #expect(!html.contains("href=\"https"))
        #expect(!html.contains("href=\"javascript"))
        for mark in ["\u{202e}", "\u{2066}", "\u{3164}", "\u{0}"] { #expect(!html.contains(mark)) }
        #expect(html.contains("&lt;script&gt;"))
        #expect(html.contains("\\u{202e}"))
    }

    /// A report that only an attacker would create, with indices out of range, markup in text, and nested fields.
    @Test(
        "A decoded report with wrong indices and markup everywhere produces a well-formed page",
        arguments: [-1, 0, 7, Int.max, Int.min])
    func decoded(_ index: Int) throws {
        let text = "<b>\"'&\u{202e}</b>]]>-->"
        var object = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(try ReportScene.revoked.get().report))
                as? [String: Any])
        var field: [String: Any] = ["label": text, "value": text, "fields": []]
        for _ in 0..<200 { field = ["label": text, "value": text, "fields": [field]] }
        object["facts"] = [field]
        object["name"] = text
        object["presented"] = [index, 0, index]
        object["pins"] = [
            "matched": ["kind": "key", "pin": text, "certificate": index, "isBackup": false], "expected": [text],
            "found": [text],
        ]
        let failure: [String: Any] = ["code": text, "message": text, "place": index, "expected": text]
        let path: [String: Any] = ["certificates": [index, 1, index, 1], "reachesAnchor": true, "failures": [failure]]
        object["path"] = path
        object["otherPaths"] = [path, path]
        object["revocation"] = [["place": index, "status": text, "detail": text, "notes": [text]]]
        object["warnings"] = [text]
        object["omitted"] = ["presented": index, "otherPaths": index]
        let report = try JSONDecoder().decode(TrustReport.self, from: JSONSerialization.data(withJSONObject: object))
        let html = report.html()
        let page = try PageOutline(html)
        #expect(!page.elements.contains("b"))
        #expect(!html.contains("\u{202e}"))
        #expect(page.links.allSatisfy { $0.hasPrefix("#") })
        #expect(!PathTree(report, usesLines: true).lines().isEmpty)
    }
}

/// The elements and attributes of a well-formed XML page.
final class PageOutline: NSObject, XMLParserDelegate {
    private(set) var count: [String: Int] = [:]
    private(set) var ids: [String] = []
    private(set) var links: [String] = []
    private(set) var references: [String] = []
    private(set) var attributes: Set<String> = []
    private(set) var headings: [Int] = []
    private(set) var headersWithoutScope = 0
    private(set) var images = 0

    var elements: Set<String> { Set(count.keys) }

    /// - Throws: the parser's error if the page isn't well-formed.
    init(_ html: String) throws {
        super.init()
        let parser = XMLParser(data: Data(html.utf8))
        parser.delegate = self
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.propertyListReadCorrupt) }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        count[name, default: 0] += 1
        self.attributes.formUnion(attributes.keys)
        if let id = attributes["id"] { ids.append(id) }
        if let link = attributes["href"] { links.append(link) }
        for key in ["aria-labelledby", "aria-describedby"] { references += attributes[key].map { [$0] } ?? [] }
        if name.count == 2, name.hasPrefix("h"), let level = Int(name.dropFirst()) { headings.append(level) }
        if name == "th", attributes["scope"] == nil { headersWithoutScope += 1 }
        if name == "svg", attributes["role"] == "img" { images += 1 }
    }
}
