// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Explanations
import ServerTrust
import TrustSupport

/// `servertrust explain`: the meaning of failure codes and their remedies, and the codes behind other tools' messages.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain a failure code, or another tool's message.",
        usage: """
            servertrust explain <code> ... [--format <format>]
            servertrust explain <message> | - [--format <format>]
            servertrust explain --list [--format <format>]
            """,
        discussion: """
            Codes are stable: programs may decide on them. Messages are not.

            $ servertrust explain certificateExpired
            certificateExpired (recoverable)
              {subject} expired {expected}, verify date {found}
              ...
            The meaning, how to see it, why servers get into it, how to mend them, how
            to customise trust narrowly where they can't be mended, and what never to do.

            $ servertrust explain crlExpired
            The names of findings about revocation: sources, exemptions, obstacles, notes.

            $ servertrust explain "unable to get local issuer certificate"
            $ servertrust explain ERR_CERT_DATE_INVALID
            $ servertrust explain x509: certificate signed by unknown authority
            $ servertrust explain -9843
            $ servertrust explain "curl: (60)"
            $ servertrust explain - < build.log
            Messages, constants and numbers of OpenSSL, GnuTLS, Go, Java, Python, Node,
            .NET, rustls, curl, browsers, Apple and others, with a log around them, lead
            to the codes behind them.

            $ servertrust explain --list
            pinNotMatched         fatal        {subject} holds none of the pinned ...
            signatureInvalid      fatal        {subject} is not signed by its issu...
            ...
            """)

    // Numbers such as -1202 begin with a dash, and so do lines of logs.
    @Argument(
        parsing: .allUnrecognized,
        help: "Names of codes, or a message, constant or number of another tool; - reads it from standard input.",
        completion: .list(FailureCodes.all.map(\.name)))
    var codes: [String] = []

    @Flag(help: "All codes, most specific first.")
    var list = false

    @Option(help: "The format of the report.")
    var format: OutputFormat = .text

    /// The subject of the pages.
    private enum Subject {
        case codes([TrustFailure.Code])
        /// The meanings of a name in findings about revocation.
        case terms([RevocationTerm])
        case text(String)
    }

    mutating func validate() throws {
        // All that is not recognised comes here, the terminator of options as well.
        let terminator = codes.firstIndex(of: "--")
        let beforeTerminator = codes[..<(terminator ?? codes.endIndex)]
        if let option = beforeTerminator.first(where: Self.isOption) {
            throw ValidationError("Unknown option '\(clipped(option, to: 64))'")
        }
        if let terminator { codes.remove(at: terminator) }
        guard list || !codes.isEmpty else { throw ValidationError("expected a code, a message, or --list") }
        guard !list || codes.isEmpty else { throw ValidationError("--list takes no code") }
        guard case .text(let text) = try subject(), codes != ["-"] else { return }
        guard !MessageSearch(text).codes.isEmpty else { throw ValidationError(ExplainSearchPage.notFound(text)) }
    }

    func run() throws {
        switch try subject() {
        case .codes(let codes): try write(codes)
        case .terms(let terms): try write(terms)
        case .text(let text): try write(text)
        }
    }

    /// Whether an argument is an option that doesn't exist, and no number and no line of a log.
    private static func isOption(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), argument != "-" else { return false }
        return argument.dropFirst().contains { $0.isLetter } && !argument.contains { $0.isWhitespace }
    }

    private func subject() throws -> Subject {
        guard !list else { return .codes(FailureCodes.all) }
        let named = codes.map { FailureCodes.named($0) }
        let known = named.compactMap { $0 }
        guard known.count < codes.count else { return .codes(known) }
        // A code among the words: the others are meant as codes, too.
        let terms = codes.count == 1 ? RevocationTerm.all.filter { $0.name == codes[0] } : []
        guard terms.isEmpty else { return .terms(terms) }
        guard known.isEmpty else { throw ValidationError(unknown().joined(separator: "\n")) }
        return .text(codes.joined(separator: " "))
    }

    private func unknown() -> [String] {
        codes.filter { FailureCodes.named($0) == nil }.map { name in
            let closest = FailureCodes.closest(to: name)
            return "unknown code \"\(clipped(name, to: 120))\""
                + (closest.isEmpty ? "" : "; did you mean \(closest.joined(separator: ", "))?")
        }
    }

    // MARK: - Output

    private func write(_ codes: [TrustFailure.Code]) throws {
        let palette = Palette.forStandardOutput()
        switch (format, list) {
        case (.json, _): try StandardStream.output.write(ExplainJSON.bytes(codes))
        case (.text, true): try StandardStream.output.writeLine(table(codes).joined(separator: "\n"))
        case (.text, false):
            let pages = codes.map { ExplainPage(code: $0, palette: palette).lines.joined(separator: "\n") }
            try StandardStream.output.writeLine(pages.joined(separator: "\n\n"))
        }
    }

    private func write(_ terms: [RevocationTerm]) throws {
        let page = ExplainTermPage(terms: terms, palette: .forStandardOutput())
        switch format {
        case .json: try StandardStream.output.write(page.json)
        case .text: try StandardStream.output.writeLine(page.lines.joined(separator: "\n"))
        }
    }

    private func write(_ text: String) throws {
        let text = codes == ["-"] ? String(decoding: try InputFile.read("-"), as: UTF8.self) : text
        let search = MessageSearch(text)
        guard !search.codes.isEmpty else {
            throw CommandFailure(
                "standard input has no message that is known",
                hint: "expected a message or number of another tool; servertrust check HOST finds the code itself")
        }
        switch format {
        case .json: try StandardStream.output.write(ExplainJSON.bytes(search.codes, matches: search.matches))
        case .text:
            let page = ExplainSearchPage(search: search, palette: .forStandardOutput())
            try StandardStream.output.writeLine(page.lines.joined(separator: "\n"))
        }
    }

    private func table(_ codes: [TrustFailure.Code]) -> [String] {
        let width = codes.map(\.name.count).max() ?? 0
        return codes.map { $0.name.padded(to: width + 1) + $0.severity.rawValue.padded(to: 12) + $0.message }
    }
}
