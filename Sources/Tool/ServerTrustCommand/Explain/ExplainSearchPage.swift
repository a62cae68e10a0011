// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrust

/// The page for a search for another tool's message.
///
/// It shows the tools with this message, the codes behind it, and the guide to the first code.
struct ExplainSearchPage {
    let search: MessageSearch
    let palette: Palette

    private static let maximumMatches = 8

    var lines: [String] {
        var lines = [palette.bold("this message comes from")]
        for match in search.matches.prefix(Self.maximumMatches) {
            let text = match.message.forms[0]
            lines += ExplainPage.item(
                "\(match.message.tool): \(match.form)" + (match.form == text ? "" : ", which is \(text)"))
            if let note = match.message.note { lines += wrapped(note, to: 74).map { palette.faint("    \($0)") } }
        }
        let more = search.matches.count - Self.maximumMatches
        if more > 0 { lines.append("  - and \(more) more: --format json") }
        if search.isCut {
            lines += ExplainPage.paragraph(
                "The text is long, so only its first and last \(MessageSearch.maximumLength / 2) characters were searched."
            )
        }
        lines += ["", palette.bold(search.codes.count == 1 ? "the code" : "the codes, most likely first")]
        for code in search.codes {
            guard let guide = Guides.of(code) else { continue }
            lines += ExplainPage.item("\(code.name): \(guide.sign)")
        }
        if search.codes.count > 1 { lines += ["", "  To find out which one applies, run servertrust check HOST."] }
        guard let first = search.codes.first.flatMap(ExplainedCode.init) else { return lines }
        return lines + [""] + ExplainPage(code: first, palette: palette).lines
    }
}

extension ExplainSearchPage {
    /// Returns the message for a text without a match: the expected forms, and the nearest names and messages.
    static func notFound(_ text: String) -> String {
        let codes = text.utf8.count <= 64 ? ExplainedCode.closest(to: text) : []
        let messages = MessageSearch.nearest(to: text)
        var lines = ["\"\(clipped(text, to: 120))\" isn't a known code or message"]
        if !codes.isEmpty { lines[0] += "; did you mean \(codes.joined(separator: ", "))?" }
        if !messages.isEmpty {
            lines.append("nearest: " + messages.map { "\"\($0.forms[0])\" (\($0.tool))" }.joined(separator: ", "))
        }
        lines.append(
            "expected a code of --list, or another tool's message or number; servertrust check HOST finds the code itself"
        )
        return lines.joined(separator: "\n")
    }
}
