// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis
import ServerTrust

/// `servertrust explain`: explains codes and their remedies, and finds the codes behind other tools' messages.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "explain", abstract: "Explain a code or another tool's message.")

    // Numbers such as -1202 begin with a dash, and so do some log lines.
    @Argument(
        parsing: .allUnrecognized,
        help: "Codes, or another tool's message, constant or number; - reads it from standard input.",
        completion: .list(FailureCodes.all.map(\.name) + Guides.errors.entries.map(\.name)))
    var codes: [String] = []

    @Flag(help: "List all failure codes, most specific first.")
    var list = false

    @Flag(help: "List all other error codes.")
    var errors = false

    @Flag(help: "Show the whole guide: all causes and remedies, and the change of the client's trust.")
    var all = false

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    /// The subject of the pages.
    private enum Subject {
        case codes([ExplainedCode])
        /// The meanings of a name in findings about revocation, and the errors that are reported under this name.
        case terms([RevocationTerm], [ExplainedCode])
        case text(String)
    }

    mutating func validate() throws {
        // The argument parser puts everything that it doesn't recognize here, including the `--` terminator.
        let terminator = codes.firstIndex(of: "--")
        let beforeTerminator = codes[..<(terminator ?? codes.endIndex)]
        if let option = beforeTerminator.first(where: Self.isOption) {
            throw ValidationError("Unknown option '\(clipped(option, to: 64))'")
        }
        if let terminator { codes.remove(at: terminator) }
        try OptionRule.check(
            .that(list || errors || !codes.isEmpty, "expected a code, a message, --list, or --errors"),
            .that(!list || !errors, "expected --list or --errors, found both"),
            .that(!list && !errors || codes.isEmpty, "\(list ? "--list" : "--errors") accepts no codes"))
        _ = try subject()
    }

    func run() throws {
        let palette = Palette.forStandardOutput()
        switch try subject() {
        case .codes(let codes) where list || errors: try write([table(codes)], json: ExplainJSON.bytes(codes))
        case .codes(let codes):
            // The first screen of a failure has a line about each error that is reported under its name.
            let isOne = !all && self.codes.count == 1 && codes[0].failure != nil
            let others =
                isOne
                ? codes.dropFirst().flatMap {
                    ExplainPage.paragraph("Or \($0.guide.name) (error): \($0.guide.meaning)")
                } : []
            let pages = codes.prefix(isOne ? 1 : codes.count).map {
                all
                    ? ExplainPage(code: $0, palette: palette, isWhole: true).lines
                    : ExplainPage(code: $0, palette: palette).screen(others: others).lines
            }
            try write(pages + [otherCodes()], json: ExplainJSON.bytes(codes))
        case .terms(let terms, let errors):
            let page = ExplainTermPage(terms: terms, palette: palette)
            let others = errors.map { ExplainPage(code: $0, palette: palette, isWhole: all).lines }
            try write([page.lines] + others, json: page.json)
        case .text(let text):
            let search = try search(text)
            let codes = search.names.compactMap(ExplainedCode.named)
            try write(
                [ExplainSearchPage(search: search, palette: palette, isWhole: all).lines],
                json: ExplainJSON.bytes(codes, matches: search.matches))
        }
    }

    /// Whether an argument is an unknown option, and not a number or a log line.
    private static func isOption(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), argument != "-" else { return false }
        return argument.dropFirst().contains { $0.isLetter } && !argument.contains { $0.isWhitespace }
    }

    private func subject() throws -> Subject {
        guard !list else { return .codes(FailureCodes.all.compactMap(ExplainedCode.init)) }
        guard !errors else { return .codes(ExplainedCode.errors) }
        let named = codes.map { ExplainedCode.named($0) }
        if codes.count == 1 {
            // A code's name may also be the short name of other codes, such as `signatureInvalid`.
            let known = named.compactMap { $0 } + ExplainedCode.reported(as: codes[0])
            let terms = named[0] == nil ? RevocationTerm.all.filter { $0.name == codes[0] } : []
            guard terms.isEmpty else { return .terms(terms, known) }
            return known.isEmpty ? .text(codes[0]) : .codes(known)
        }
        let known = zip(codes, named).map { name, code in code.map { [$0] } ?? ExplainedCode.reported(as: name) }
        guard known.contains(where: \.isEmpty) else { return .codes(known.flatMap { $0 }) }
        // If one of the words is a code, the others are probably meant as codes, too. A short name, such as `expired`,
        // may be part of a message.
        guard named.allSatisfy({ $0 == nil }) else { throw ValidationError(unknown().joined(separator: "\n")) }
        return .text(codes.joined(separator: " "))
    }

    private func unknown() -> [String] {
        codes.filter { ExplainedCode.named($0) == nil && ExplainedCode.reported(as: $0).isEmpty }.map { name in
            let closest = ExplainedCode.closest(to: name)
            return "unknown code \"\(clipped(name, to: 120))\""
                + (closest.isEmpty ? "" : "; did you mean \(closest.joined(separator: ", "))?")
        }
    }

    // MARK: - Output

    /// Writes pages with a blank line between them, or JSON.
    private func write(_ pages: [[String]], json: @autoclosure () -> [UInt8]) throws {
        let texts = pages.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
        try format.write { _ in
            texts.joined(separator: "\n\n") + "\n"
        } json: {
            json()
        }
    }

    /// Returns a line with failures whose codes resemble a name that only errors are reported under. Empty for the name
    /// of a code.
    private func otherCodes() -> [String] {
        guard codes.count == 1, ExplainedCode.named(codes[0]) == nil else { return [] }
        let similar = FailureCodes.closest(to: codes[0])
        return similar.isEmpty ? [] : ["Failures with a similar code: \(similar.joined(separator: ", "))"]
    }

    /// Returns the search for a message, or for those in standard input.
    private func search(_ text: String) throws -> MessageSearch {
        let isInput = codes == ["-"]
        let search = MessageSearch(isInput ? String(decoding: try InputFile.read("-"), as: UTF8.self) : text)
        guard !search.names.isEmpty else {
            guard isInput else { throw ExplainSearchPage.notFound(text) }
            throw CommandFailure(
                "standard input contains no known message",
                hint: "expected another tool's message or number; servertrust check HOST finds the code itself")
        }
        return search
    }

    private func table(_ codes: [ExplainedCode]) -> [String] {
        let rows = codes.map { code -> (name: String, text: String) in
            let message = code.failure.map { $0.severity.rawValue.padded(to: 12) + code.guide.example }
            return (name: code.guide.name, text: message ?? code.guide.meaning)
        }
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { $0.name.padded(to: width + 1) + $0.text }
    }
}
