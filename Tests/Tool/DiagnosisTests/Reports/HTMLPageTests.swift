// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

@testable import Diagnosis

@Suite("HTML pages")
struct HTMLPageTests {
    private func page(title: String = "A page", _ content: @escaping (inout HTMLWriter) -> Void) -> String {
        let page = HTMLPage(
            title: title, kind: "Test", version: "1.2.3", date: Time(secondsSinceEpoch: 1_763_800_000), content: content
        )
        return String(decoding: page.bytes(), as: UTF8.self)
    }

    @Test("The content security policy allows only the page's own style and script, identified by their digests")
    func policy() throws {
        let text = page { _ in }
        let policies = text.components(separatedBy: "http-equiv=\"Content-Security-Policy\"")
        #expect(policies.count == 2)
        #expect(HTMLPage.policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
        #expect(!HTMLPage.policy.contains("unsafe"))
        for (tag, source) in [("style", HTMLFiles.style), ("script", HTMLFiles.script)] {
            #expect(text.components(separatedBy: "<\(tag)>").count == 2)
            #expect(text.contains("<\(tag)>\(source)</\(tag)>"))
            let digest = Base64.encode(Digests.sha256(Array(source.utf8)))
            #expect(HTMLPage.policy.contains("\(tag)-src 'sha256-\(digest)'"))
        }
    }

    @Test("The style sheet and the script need no XML escaping and load nothing")
    func fixedTexts() {
        for text in [HTMLFiles.style, HTMLFiles.script] {
            #expect(!text.contains("<"))
            #expect(!text.contains("&"))
            #expect(!text.contains("]]>"))
            for word in ["http:", "https:", "url(", "@import", "innerHTML", "eval(", "fetch(", "XMLHttpRequest"] {
                #expect(!text.contains(word), "\(word)")
            }
        }
    }

    @Test("No style rule depends on a descendant of the body, which would take browsers minutes on a large page")
    func filters() {
        for word in ["body:has(", "html:has(", ":root:has(", "main:has(", "section:has("] {
            #expect(!HTMLFiles.style.contains(word), "\(word)")
        }
    }

    @Test("The page escapes a title with markup")
    func title() {
        let text = page(title: "</title><script>alert(1)</script>\u{202e}") { _ in }
        #expect(text.contains("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;\\u{202e}</title>"))
    }

    @Test("The writer escapes and closes elements, attributes and code")
    func elements() {
        var html = HTMLWriter()
        html.element(.p, [.label("\"><script>")]) { $0.foreign("<i>\u{202e}") }
        html.lines("one\r\n<two>\n\u{1b}")
        html.element(.input, [.radioType, .checked])
        #expect(
            String(decoding: html.bytes, as: UTF8.self) == """
                <p aria-label="&quot;&gt;&lt;script&gt;"><bdi>&lt;i&gt;\\u{202e}</bdi></p>
                <pre tabindex="0" role="group" aria-label="Code"><code>one\\u{d}
                &lt;two&gt;
                \\u{1b}</code></pre>
                <input type="radio" checked=""/>
                """)
    }

    @Test("Cells repeat their column's heading, except for row headings and cells that span several columns")
    func labels() {
        var html = HTMLWriter()
        html.rows(of: ["Name", "Number", "Words"]) { html in
            html.element(.tr) { html in
                html.element(.th, [.rowScope], text: "a")
                html.element(.td, text: "1")
                html.element(.td, text: "b")
            }
            html.element(.tr) { html in
                html.element(.th, [.rowScope], text: "c")
                html.element(.td, [.columns(2)], text: "d")
            }
        }
        html.element(.td, text: "behind")
        #expect(
            String(decoding: html.bytes, as: UTF8.self) == """
                <tbody><tr><th scope="row">a</th><td data-label="Number">1</td><td data-label="Words">b</td></tr>
                <tr><th scope="row">c</th><td colspan="2">d</td></tr>
                </tbody>
                <td>behind</td>
                """)
    }

    @Test(
        "Dates and options in a sentence don't wrap, and markup becomes text",
        arguments: [
            ("ended 2026-11-23T17:09:41Z, <b>", "ended <span class=\"whole\">2026-11-23T17:09:41Z,</span> &lt;b&gt;"),
            ("(2026-11-23)", "<span class=\"whole\">(2026-11-23)</span>"), ("2026-11-2 a", "2026-11-2 a"),
            ("a --b-c", "a <span class=\"whole\">--b-c</span>"),
            ("2026-11-23<i>", "<span class=\"whole\">2026-11-23&lt;i&gt;</span>"), ("", ""),
            ("  a  ", "  a  "), ("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrst…"),
        ])
    func dates(_ text: String, _ content: String) {
        var html = HTMLWriter()
        html.sentence(text, maximum: text.contains("2026") ? 100 : 20)
        #expect(String(decoding: html.bytes, as: UTF8.self) == "<bdi>\(content)</bdi>")
    }

    @Test("Words in code don't wrap unless they are long")
    func code() {
        var html = HTMLWriter()
        html.code("a -b <c> \(String(repeating: "d", count: 29))")
        #expect(
            String(decoding: html.bytes, as: UTF8.self)
                == "<code><bdi><span class=\"whole\">a</span> <span class=\"whole\">-b</span> "
                + "<span class=\"whole\">&lt;c&gt;</span> \(String(repeating: "d", count: 29))</bdi></code>")
    }

    @Test("A column for all earlier or later hosts doesn't determine the scale and can be cut off")
    func rest() {
        func drawing(past: Int, weeks: [Int]) -> String {
            var html = HTMLWriter()
            let date = Time(secondsSinceEpoch: 1_795_996_800)
            let counts = [(day: -1, count: past)] + weeks.enumerated().map { (day: $0.offset * 7, count: $0.element) }
            let days = counts.flatMap { Array(repeating: Int64($0.day), count: $0.count) }
            let ends = days.enumerated().map { (host: $0.offset, end: date.advanced(by: $0.element * 86_400)) }
            ColumnDrawing(calendar: ExpiryCalendar(ends, from: date), names: days.map(\.description)).write(&html)
            return String(decoding: html.bytes, as: UTF8.self)
        }
        let cut = drawing(past: 1000, weeks: [10])
        #expect(cut.components(separatedBy: "height=\"100\"").count == 3)
        #expect(cut.contains("class=\"gap\""))
        #expect(drawing(past: 0, weeks: [1000, 10]).components(separatedBy: "height=\"100\"").count == 2)
        // Without other columns, this column is the highest.
        let only = drawing(past: 1000, weeks: [])
        #expect(only.contains("height=\"100\""))
        #expect(!only.contains("class=\"gap\""))
    }

    @Test(
        "A file name contains only characters that never need escaping",
        arguments: [
            ("expired", true), ("rsa-1024", true), ("", false), ("../x", false), ("a b", false), ("A", false),
            ("-a", false),
            ("é", false), ("a.b", false),
        ])
    func fileNames(_ name: String, _ isUsable: Bool) {
        #expect((HTMLFileName(name) != nil) == isUsable)
    }
}
