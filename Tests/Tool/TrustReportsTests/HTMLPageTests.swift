// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

@testable import TrustReports

@Suite("Pages")
struct HTMLPageTests {
    private func page(title: String = "A page", _ content: @escaping (inout HTMLWriter) -> Void) -> String {
        let page = HTMLPage(
            title: title, kind: "Test", version: "1.2.3", date: Time(secondsSinceEpoch: 1_763_800_000), content: content
        )
        return String(decoding: page.bytes(), as: UTF8.self)
    }

    @Test("The policy allows the one style and the one script by their digests, and nothing else")
    func policy() throws {
        let text = page { _ in }
        let policies = text.components(separatedBy: "http-equiv=\"Content-Security-Policy\"")
        #expect(policies.count == 2)
        #expect(HTMLPage.policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
        #expect(!HTMLPage.policy.contains("unsafe"))
        for (tag, source) in [("style", HTMLStyleSheet.text), ("script", HTMLScript.text)] {
            #expect(text.components(separatedBy: "<\(tag)>").count == 2)
            #expect(text.contains("<\(tag)>\(source)</\(tag)>"))
            let digest = Base64.encode(Digests.sha256(Array(source.utf8)))
            #expect(HTMLPage.policy.contains("\(tag)-src 'sha256-\(digest)'"))
        }
    }

    @Test("The style sheet and the script are text of XML as they stand, and load nothing")
    func fixedTexts() {
        for text in [HTMLStyleSheet.text, HTMLScript.text] {
            #expect(!text.contains("<"))
            #expect(!text.contains("&"))
            #expect(!text.contains("]]>"))
            for word in ["http:", "https:", "url(", "@import", "innerHTML", "eval(", "fetch(", "XMLHttpRequest"] {
                #expect(!text.contains(word), "\(word)")
            }
        }
    }

    @Test("No rule depends on a descendant of the body, which takes browsers minutes on a large page")
    func filters() {
        for word in ["body:has(", "html:has(", ":root:has(", "main:has(", "section:has("] {
            #expect(!HTMLStyleSheet.text.contains(word), "\(word)")
        }
    }

    @Test("A title with markup stays a title")
    func title() {
        let text = page(title: "</title><script>alert(1)</script>\u{202e}") { _ in }
        #expect(text.contains("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;\\u{202e}</title>"))
    }

    @Test("Elements, attributes and code are escaped, and closed")
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

    @Test(
        "Names of files are those that need no escape anywhere",
        arguments: [
            ("expired", true), ("rsa-1024", true), ("", false), ("../x", false), ("a b", false), ("A", false),
            ("-a", false),
            ("é", false), ("a.b", false),
        ])
    func fileNames(_ name: String, _ isUsable: Bool) {
        #expect((HTMLFileName(name) != nil) == isUsable)
    }
}
