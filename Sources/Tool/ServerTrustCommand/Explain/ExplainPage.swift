// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrust

/// The page for a code, for people, in 80 columns.
struct ExplainPage {
    let code: ExplainedCode
    let palette: Palette

    private var guide: Book.Entry { code.guide }

    /// The width of lines, without their indentation.
    private static let width = 76

    /// The maximum number of other tools' messages to show.
    private static let maximumMessages = 6

    /// The lines of the page.
    var lines: [String] {
        guard let failure = code.failure else {
            return ["\(palette.bold(guide.name)) (error)"] + Self.paragraph(guide.meaning)
                + section("how to fix it", guide.remedies)
        }
        return lines(failure)
    }

    private func lines(_ code: TrustFailure.Code) -> [String] {
        var lines = ["\(palette.bold(code.name)) (\(code.severity.rawValue))"]
        lines += Self.paragraph(code.message) + [""] + Self.paragraph(guide.meaning)
        lines += section("how to recognize it", [guide.sign])
        if let demonstration = CodeDemonstration.of(code) {
            lines += [palette.bold("how to see it"), "    \(demonstration.commandLine)"]
        }
        lines += section("usual causes", guide.causes)
        lines += section("how to fix the server", guide.remedies) + customization
        return lines + section("what never to do", guide.never) + messages(code) + facts(code)
    }

    private func section(_ title: String, _ texts: [String]) -> [String] {
        [palette.bold(title)] + texts.flatMap { Self.item($0) }
    }

    private var customization: [String] {
        switch guide.customization {
        case .change(let text, let snippet):
            let code = snippet.code.split(separator: "\n", omittingEmptySubsequences: false).map { "      \($0)" }
            return section("how to customize trust, if you can't fix the server", [text]) + code
        case .none(let reason): return section("no customization of trust", [reason])
        }
    }

    private func messages(_ code: TrustFailure.Code) -> [String] {
        let messages = ForeignMessages.of(code).filter { $0.codes.prefix(2).contains(code) }
        guard !messages.isEmpty else { return [] }
        let shown = messages.prefix(Self.maximumMessages).flatMap { Self.item("\($0.tool): \($0.forms[0])") }
        let more = messages.count - Self.maximumMessages
        return [palette.bold("what other tools say")] + shown
            + (more > 0 ? ["  - and \(more) more: servertrust explain \(code.name) --format json"] : [])
    }

    /// Apple's numbers for the code, and its source.
    private func facts(_ code: TrustFailure.Code) -> [String] {
        let numbers = code.appleErrorNumbers
        let apple =
            "on Apple: \(numbers.urlErrorCode) \(numbers.urlErrorName), \(numbers.secureTransportStatus) "
            + "\(numbers.secureTransportName), \(numbers.securityStatus) \(numbers.securityName)"
        return (Self.paragraph(apple) + Self.paragraph("source: \(guide.source)")).map(palette.faint)
    }

    /// Returns a text as lines with an indent of two spaces.
    static func paragraph(_ text: String) -> [String] { wrapped(text, to: width).map { "  \($0)" } }

    /// Returns a text as the lines of a list item.
    static func item(_ text: String) -> [String] {
        wrapped(text, to: width - 2).enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }
    }
}
