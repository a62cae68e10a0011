// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrust

/// The page for a search for another tool's message.
///
/// It shows the message, the first code behind it, and the names of the others. The whole page shows the tools with this
/// message, the signs of all codes, and the whole guide to the first.
struct ExplainSearchPage {
    let search: MessageSearch
    let palette: Palette
    var isWhole = false

    private static let maximumMatches = 8

    var lines: [String] {
        guard let first = search.names.first.flatMap(ExplainedCode.named) else { return [] }
        let page = ExplainPage(code: first, palette: palette, isWhole: isWhole)
        guard !isWhole else { return matches(Self.maximumMatches) + codes + [""] + page.lines }
        var others = search.isCut ? cut : []
        let names = search.names.dropFirst().prefix(4).joined(separator: ", ")
        if !names.isEmpty {
            others += ExplainPage.paragraph("Or \(names): servertrust check HOST tells you which.")
        }
        let match = search.matches[0]
        return page.screen(message: [line(match)], note: note(match), others: others).lines
    }

    /// The line with the tool and the form of the message that the text contains.
    private func line(_ match: MessageSearch.Match) -> String {
        let isNumber = match.form.first.map { $0 == "-" || $0.isNumber } == true
        let name = isNumber && match.message.forms[0] != match.form ? " (\(match.message.forms[0]))" : ""
        return clipped("\(match.message.tool): \(match.form)\(name)", to: 78)
    }

    private func note(_ match: MessageSearch.Match) -> [String] {
        match.message.note.map { wrapped($0, to: 76).map { palette.faint("  \($0)") } } ?? []
    }

    private var cut: [String] {
        ExplainPage.paragraph(
            "The text is long, so only its first and last \(MessageSearch.maximumLength / 2) characters were searched.")
    }

    private func matches(_ limit: Int) -> [String] {
        var lines = [palette.bold("this message comes from")]
        for match in search.matches.prefix(limit) {
            let text = match.message.forms[0]
            lines += ExplainPage.item(
                "\(match.message.tool): \(match.form)" + (match.form == text ? "" : ", which is \(text)"))
            lines += note(match).map { "  \($0)" }
        }
        let more = search.matches.count - limit
        if more > 0 { lines.append("  - and \(more) more: --format json") }
        return lines + (search.isCut ? cut : [])
    }

    private var codes: [String] {
        let codes = search.names.compactMap(ExplainedCode.named)
        return ["", palette.bold(codes.count == 1 ? "the code" : "the codes, most likely first")]
            + codes.flatMap { code in
                ExplainPage.item(
                    "\(code.guide.name): \(code.guide.sign.isEmpty ? code.guide.meaning : code.guide.sign)")
            } + (codes.count > 1 ? ["", "  To find out which one applies, run servertrust check HOST."] : [])
    }
}

extension ExplainSearchPage {
    /// Returns the failure for a text without a known message: one line, and the nearest messages, if any are near.
    static func notFound(_ text: String) -> CommandFailure {
        let codes = text.utf8.count <= 64 ? ExplainedCode.closest(to: text) : []
        let messages = MessageSearch.nearest(to: text).map { "\"\($0.forms[0])\" (\($0.tool))" }
        return .rejected(
            "\"\(clipped(text, to: 120))\" isn't a known code or message"
                + (codes.isEmpty
                    ? "; servertrust check HOST finds the code itself"
                    : "; did you mean \(codes.joined(separator: ", "))?"),
            hint: messages.isEmpty ? nil : "nearest: \(messages.joined(separator: ", "))", status: .validationFailure)
    }
}
