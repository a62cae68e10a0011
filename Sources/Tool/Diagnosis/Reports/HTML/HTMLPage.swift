// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A complete page: the head with a content security policy, a header, the body and a footer.
///
/// The policy (`default-src 'none'`) allows only the style sheet and the script of this module, by their digests. It
/// allows no other script, style, font, image, frame, form or address, even if markup from a certificate got into the
/// page.
package struct HTMLPage {
    /// The title of the window, which may contain text from servers.
    package var title: String
    /// The words next to the program's name in the header, such as `Trust report`.
    var kind: String
    /// The version of the program, or nil to omit it.
    var version: String?
    /// The date of the report, or nil for a page that is the same in every run.
    var date: Time?
    /// A link in the header, or nil to omit it.
    var home: (words: String, target: HTMLLink)?
    /// The body.
    var content: (inout HTMLWriter) -> Void

    package init(
        title: String, kind: String, version: String? = nil, date: Time?,
        home: (words: String, target: HTMLLink)? = nil, content: @escaping (inout HTMLWriter) -> Void
    ) {
        self.title = title
        self.kind = kind
        self.version = version
        self.date = date
        self.home = home
        self.content = content
    }

    /// The content security policy of the page.
    static let policy =
        "default-src 'none'; style-src '\(digest(HTMLFiles.style))'; script-src '\(digest(HTMLFiles.script))'; "
        + "base-uri 'none'; form-action 'none'"

    private static func digest(_ text: String) -> String { "sha256-" + Base64.encode(Digests.sha256(Array(text.utf8))) }

    /// Returns the page in UTF-8.
    package func bytes() -> [UInt8] {
        var html = HTMLWriter()
        writeHead(&html)
        html.markup("<body>\n<a class=\"skip\" href=\"#content\">Skip to the content</a>\n")
        html.element(.header, [.classes("top")]) { html in
            html.element(.p) { html in
                html.element(.strong, text: "servertrust")
                html.text(" ")
                html.element(.span, text: kind)
            }
            if let home {
                html.element(.nav, [.label("Pages")]) { html in
                    html.element(.a, [.link(home.target)], text: home.words)
                }
            }
        }
        html.markup("<main id=\"content\">\n")
        content(&html)
        html.markup("</main>\n")
        writeFooter(&html)
        html.markup("<script>")
        html.fixed(HTMLFiles.script)
        html.markup("</script>\n</body>\n</html>\n")
        return html.bytes
    }

    private func writeHead(_ html: inout HTMLWriter) {
        html.markup(
            """
            <!DOCTYPE html>
            <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
            <head>
            <meta charset="utf-8"/>
            <meta http-equiv="Content-Security-Policy" content="
            """)
        html.fixed(Self.policy)
        html.markup(
            """
            "/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <meta name="color-scheme" content="light dark"/>
            <meta name="referrer" content="no-referrer"/>
            <title>
            """)
        html.text(String(title.unicodeScalars.prefix(HTMLText.maximumLength)))
        html.markup("</title>\n<style>")
        html.fixed(HTMLFiles.style)
        html.markup("</style>\n</head>\n")
    }

    private func writeFooter(_ html: inout HTMLWriter) {
        html.element(.footer) { html in
            html.element(.p) { html in
                html.text("Written by servertrust\(version.map { " " + $0 } ?? "")")
                if let date {
                    html.text(" on ")
                    html.time(date)
                }
                html.text(". This page is complete: it loads nothing and sends nothing.")
            }
        }
    }
}
