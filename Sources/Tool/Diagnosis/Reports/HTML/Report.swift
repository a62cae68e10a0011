// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A report for people: a headline, and blocks of text, facts, tables and drawings.
///
/// A verb creates a report from verdicts and findings. ``HTMLWriter/write(_:level:)`` writes the blocks. No part of a
/// report contains markup, and ``HTMLText`` limits and escapes all texts.
///
/// ```swift
/// let rows: [[Report.Cell]] = findings.map { [[.code($0.rule)], [.sentence($0.message)]] }
/// let report = Report(
///     tone: .bad, headline: ["Problems in ", .foreign(file)],
///     blocks: [
///         .section("Findings", id: HTMLIdentifier("findings"), [
///             .table("Findings", [.head("Rule"), .words("Finding")], rows)
///         ])
///     ])
/// let bytes = report.page(title: "Problems", kind: "Lint", date: .now()).bytes()
/// ```
package struct Report {
    /// The tone of the headline.
    package var tone: HTMLTone
    /// The result in one sentence.
    package var headline: Words
    /// The paragraphs below the headline.
    package var lead: [Block]
    /// The rest. Empty blocks aren't written.
    package var blocks: [Block]

    package init(tone: HTMLTone, headline: Words, lead: [Block] = [], blocks: [Block] = []) {
        self.tone = tone
        self.headline = headline
        self.lead = lead
        self.blocks = blocks
    }

    /// Returns the report as a page.
    /// - Parameters:
    ///   - title: the title of the window.
    ///   - kind: the words next to the program's name, such as `Lint`.
    ///   - version: the version of the program, or nil to omit it.
    ///   - date: the date of the report, or nil for a page that is the same in every run.
    package func page(
        title: String, kind: String, version: String? = nil, date: Time?
    ) -> HTMLPage {
        HTMLPage(title: title, kind: kind, version: version, date: date) { $0.write(self) }
    }
}

// MARK: - Text

extension Report {
    /// A part of a text, with the kind of its content.
    package enum Span: ExpressibleByStringInterpolation {
        /// Text of this package.
        case text(String)
        /// A value from a server, a certificate or a file.
        case foreign(String, maximum: Int = 400)
        /// A sentence that contains such values.
        case sentence(String, maximum: Int = 1200)
        /// Sentences that enclose commands in backquotes.
        case prose(String)
        /// A code or name in a fixed-width font.
        case code(String)
        /// A value in a fixed-width font, such as a digest.
        case mono(String)
        /// A command, whose words don't wrap.
        case command(String)
        /// A value in bold.
        case strong(String)
        /// A word or two with a sign.
        case badge(HTMLTone, String)
        case time(Time)
        /// A link to a place in the page.
        case link(HTMLIdentifier, Words)
        case quiet(Words)
        /// A separate line.
        case line(Words)
        /// A separate line of lesser importance, below a value.
        case note(Words)
        case items([Words])
        /// Lines of code.
        case lines(String)
        /// A tone's sign, which screen readers skip.
        case sign(HTMLTone)
        /// A small drawing next to its numbers.
        case drawing((inout HTMLWriter) -> Void)

        package init(stringLiteral text: String) { self = .text(text) }

        /// One side of a comparison, or a dash if the value is missing.
        package static func value(_ text: String?) -> Span {
            guard let text, !text.isEmpty else { return .quiet("–") }
            return .sentence(text)
        }
    }

    /// A text, written as a string of this package or as an array of spans.
    package struct Words: ExpressibleByStringInterpolation, ExpressibleByArrayLiteral {
        var spans: [Span]

        package init(stringLiteral text: String) { spans = [.text(text)] }
        package init(arrayLiteral spans: Span...) { self.spans = spans }
        package init(_ spans: [Span]) { self.spans = spans }
        /// Creates a list with commas.
        package init(listing spans: [Span]) {
            self.spans = Array(spans.map { [$0] }.joined(separator: [Span.text(", ")]))
        }

        package static func + (words: Words, more: Words) -> Words { Words(words.spans + more.spans) }

        /// The text without markup, in its lines. Characters that control a terminal or reorder text are escaped.
        package var lines: [String] {
            var lines: [String] = []
            var isOpen = false
            for span in spans {
                let parts = span.lines
                guard span.isBlock || !isOpen, let first = parts.first else {
                    if !parts.isEmpty { lines[lines.count - 1] += parts.joined(separator: " ") }
                    continue
                }
                lines.append(first)
                lines += parts.dropFirst()
                isOpen = !span.isBlock
            }
            return lines
        }
    }
}

extension Report.Span {
    fileprivate var lines: [String] {
        switch self {
        case .text(let text), .foreign(let text, _), .sentence(let text, _), .prose(let text), .code(let text),
            .mono(let text), .command(let text), .strong(let text), .badge(_, let text):
            [text.escapingUnprintable]
        case .time(let time): [time.description]
        case .link(_, let words), .quiet(let words), .line(let words), .note(let words): words.lines
        case .items(let items): items.flatMap(\.lines)
        case .lines(let text): text.split(separator: "\n").map { String($0).escapingUnprintable }
        case .sign, .drawing: []
        }
    }

    /// Whether the span has its own lines.
    fileprivate var isBlock: Bool {
        switch self {
        case .line, .note, .items, .lines: true
        default: false
        }
    }
}

// MARK: - Blocks

extension Report {
    /// A part of a report.
    package enum Block {
        case paragraph(Words)
        /// A paragraph in the size of an introduction.
        case lead(Words)
        /// A paragraph of lesser importance.
        case quiet(Words)
        /// A heading one level below the enclosing section's.
        case heading(Words)
        case list([Words], isNumbered: Bool = false)
        /// Names with their values.
        case facts([(name: String, value: Words)])
        /// Names with values that may be nested.
        case fields([TrustReport.Field])
        case table(String, [Column], style: StaticString = "grid", [[Cell]])
        /// Counts, each in a tile.
        case tally([Count])
        /// Lines of code or PEM, up to a number of characters.
        case lines(String, maximum: Int = 20_000)
        /// A section that its title names. The title may contain text from files.
        case section(Words, id: HTMLIdentifier, [Block])
        /// A section that the reader can expand. The summary is always visible. It can't contain a link.
        case card(Words, id: HTMLIdentifier? = nil, tone: HTMLTone? = nil, isOpen: Bool = false, [Block])
        /// Links to sections, each with a number of entries or nil.
        case contents(String, [(title: Words, id: HTMLIdentifier, count: Int?)])
        /// Blocks in a box of the style sheet: `panel`, `extra` or `never`.
        case box(StaticString, [Block])
        case drawing((inout HTMLWriter) -> Void)

        /// Whether the block has nothing to write.
        package var isEmpty: Bool {
            switch self {
            case .list(let items, _): items.isEmpty
            case .facts(let facts): facts.isEmpty
            case .fields(let fields): fields.isEmpty
            case .table(_, _, _, let rows): rows.isEmpty
            case .tally(let counts): counts.isEmpty
            case .contents(_, let links): links.isEmpty
            case .section(_, _, let blocks), .box(_, let blocks): blocks.allSatisfy(\.isEmpty)
            case .paragraph, .lead, .quiet, .heading, .lines, .card, .drawing: false
            }
        }
    }

    /// A number with its meaning. A count of zero isn't highlighted.
    package struct Count {
        let tone: HTMLTone
        package let number: String
        package let words: Words

        package init(_ tone: HTMLTone, _ number: String, _ words: Words) {
            self.tone = tone
            self.number = number
            self.words = words
        }
    }

    /// A column of a table: its heading, and the kind of its cells.
    package struct Column {
        package enum Kind: String { case head, title, plain, name, words, date, number, bar }

        package let title: String
        package let kind: Kind

        /// The headings of rows, such as numbers.
        package static func head(_ title: String) -> Column { Column(title: title, kind: .head) }
        /// The headings of rows, which are names and may wrap anywhere.
        package static func title(_ title: String) -> Column { Column(title: title, kind: .title) }
        package static func plain(_ title: String) -> Column { Column(title: title, kind: .plain) }
        /// Names that may wrap anywhere.
        package static func name(_ title: String) -> Column { Column(title: title, kind: .name) }
        /// Sentences.
        package static func words(_ title: String) -> Column { Column(title: title, kind: .words) }
        package static func date(_ title: String) -> Column { Column(title: title, kind: .date) }
        /// Numbers, aligned on the right.
        package static func number(_ title: String) -> Column { Column(title: title, kind: .number) }
        /// Bars that compare numbers.
        package static func bar(_ title: String) -> Column { Column(title: title, kind: .bar) }
    }

    /// A cell of a table. The last cell of a row with fewer cells than columns spans the remaining columns.
    package typealias Cell = Words
}
