// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrust

/// The page for a code, for people, in 80 columns: what fits on the first screen, or everything.
struct ExplainPage {
    let code: ExplainedCode
    let palette: Palette
    var isWhole = false

    private var guide: Book.Entry { code.guide }

    /// The width of lines, without their indentation.
    private static let width = 76

    /// The maximum number of other tools' messages to show.
    private static let maximumMessages = 6

    /// The lines of the page.
    var lines: [String] {
        guard isWhole else { return screen().lines }
        return code.failure.map(lines) ?? screen(limit: .max).lines
    }

    /// Returns the first screen: the meaning, the first remedy, the sign and the usual cause, and more as long as there
    /// is space.
    /// - Parameters:
    ///   - message: the lines above the page, about the message that led to the code.
    ///   - others: the lines below it, about other codes.
    func screen(
        limit: Int = FirstScreen.maximumLines, message: [String] = [], note: [String] = [], others: [String] = []
    ) -> FirstScreen {
        var screen = FirstScreen(limit: limit)
        screen.add(message, at: .message)
        screen.add(["\(palette.bold(guide.name)) (\(code.kind))"] + Self.paragraph(guide.meaning), at: .meaning)
        let remedies = guide.remedies.map(Self.item)
        let causes = guide.causes.map(Self.item)
        screen.add(remedies[0], at: .remedies, title: palette.bold("how to fix it"))
        if code.failure != nil {
            screen.add(["  everything: servertrust explain \(guide.name) --all"], at: .end)
        }
        screen.add(others, at: .others)
        screen.add(note, at: .message)
        if !guide.sign.isEmpty {
            screen.add(Self.item(guide.sign), at: .sign, title: palette.bold("how to recognize it"))
        }
        for place in 0..<max(causes.count, remedies.count) {
            if place < causes.count { screen.add(causes[place], at: .causes, title: palette.bold("usual causes")) }
            if place > 0, place < remedies.count { screen.add(remedies[place], at: .remedies) }
            if place == 0, code.failure != nil {
                screen.add(Self.paragraph("Example: \(guide.example)").map(palette.faint), at: .example)
            }
        }
        return screen
    }

    private func lines(_ code: TrustFailure.Code) -> [String] {
        var lines = ["\(palette.bold(code.name)) (\(code.severity.rawValue))"]
        lines += Self.paragraph("Example: \(guide.example)") + [""] + Self.paragraph(guide.meaning)
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
