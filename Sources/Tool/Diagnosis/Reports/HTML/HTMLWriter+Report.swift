// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension HTMLWriter {
    /// Writes a whole report: a banner with the headline and the paragraphs below it, and the blocks.
    package mutating func write(_ report: Report) {
        element(.div, [.tone(report.tone, "banner")]) { html in
            html.sign(report.tone)
            html.element(.div) { html in
                html.element(.h1) { $0.words(report.headline) }
                html.write(report.lead)
            }
        }
        write(report.blocks)
    }

    /// Writes the blocks of a report that aren't empty.
    /// - Parameter level: the level of the headings of sections.
    package mutating func write(_ blocks: [Report.Block], level: Int = 2) {
        for block in blocks where !block.isEmpty { write(block, level) }
    }

    private mutating func write(_ block: Report.Block, _ level: Int) {
        switch block {
        case .paragraph(let words): element(.p) { $0.words(words) }
        case .lead(let words): element(.p, [.classes("lead")]) { $0.words(words) }
        case .quiet(let words): element(.p, [.classes("quiet")]) { $0.words(words) }
        case .heading(let text): element(.heading(level)) { $0.words(text) }
        case .list(let items, let isNumbered): list(items, isNumbered ? .ol : .ul)
        case .facts(let rows): facts(rows) { html, row in html.row(row.name) { $0.words(row.value) } }
        case .fields(let fields): facts(fields) { $0.row($1, depth: 0) }
        case .table(let label, let columns, let style, let rows): write(rows, columns, label: label, style)
        case .tally(let counts): write(counts)
        case .lines(let text, let maximum): lines(text, maximum: maximum)
        case .section(let title, let id, let blocks):
            section(title, id: id, level: level) { $0.write(blocks, level: level + 1) }
        case .card(let summary, let id, let tone, let isOpen, let blocks):
            let attributes: [HTMLAttribute?] = [.tone(tone, "card"), id.map { .id($0) }, isOpen ? .open : nil]
            element(.details, attributes.compactMap(\.self)) { html in
                html.element(.summary) { $0.words(summary) }
                html.element(.div, [.classes("inside")]) { $0.write(blocks, level: level) }
            }
        case .contents(let label, let links):
            element(.nav, [.classes("contents"), .label(label)]) { html in
                let items = links.map { link in
                    let count = link.count.map { Report.Span.quiet(" \($0)") }
                    return Report.Words([.link(link.id, link.title), count].compactMap(\.self))
                }
                html.list(items, .ul)
            }
        case .box(let name, let blocks): element(.div, [.classes(name)]) { $0.write(blocks, level: level) }
        case .drawing(let write): write(&self)
        }
    }

    package mutating func words(_ words: Report.Words) {
        for span in words.spans { write(span) }
    }

    private mutating func write(_ span: Report.Span) {
        switch span {
        case .text(let text): self.text(text)
        case .foreign(let text, let maximum): foreign(text, maximum: maximum)
        case .sentence(let text, let maximum): sentence(text, maximum: maximum)
        case .prose(let text): prose(text)
        case .code(let text): element(.code) { $0.foreign(text, maximum: 256) }
        case .mono(let text): element(.span, [.classes("mono")]) { $0.foreign(text, maximum: 1024) }
        case .command(let text): code(text, maximum: 600)
        case .strong(let text): element(.strong) { $0.foreign(text, maximum: 200) }
        case .badge(let tone, let words): badge(tone, words)
        case .time(let time): self.time(time)
        case .link(let place, let words): element(.a, [.link(.place(place))]) { $0.words(words) }
        case .quiet(let words): element(.span, [.classes("quiet")]) { $0.words(words) }
        case .line(let words): element(.div) { $0.words(words) }
        case .note(let words): element(.div, [.classes("quiet")]) { $0.words(words) }
        case .items(let items): list(items, .ul)
        case .lines(let text): lines(text, maximum: 8000)
        case .sign(let tone): sign(tone)
        case .drawing(let write): write(&self)
        }
    }

    private mutating func list(_ items: [Report.Words], _ tag: HTMLTag) {
        element(tag) { html in for item in items { html.element(.li) { $0.words(item) } } }
    }

    private mutating func write(_ counts: [Report.Count]) {
        element(.ul, [.classes("tally")]) { html in
            for count in counts {
                html.element(.li, count.number == "0" ? [.classes("zero")] : [.tone(count.tone)]) { html in
                    html.element(.strong, text: count.number)
                    html.words(count.words)
                }
            }
        }
    }

    /// Writes a table in its own box. On a narrow page the box scrolls, also with the keyboard.
    private mutating func write(
        _ rows: [[Report.Cell]], _ columns: [Report.Column], label: String, _ style: StaticString
    ) {
        scroller(label: label) { html in
            html.element(.table, [.classes(style), .label(label)]) { html in
                html.element(.thead) { html in
                    html.element(.tr) { html in
                        for column in columns {
                            let isNumber = column.kind == .number
                            html.element(
                                .th, isNumber ? [.columnScope, .classes("number")] : [.columnScope], text: column.title)
                        }
                    }
                }
                html.rows(of: columns.map(\.title)) { html in
                    for row in rows { html.element(.tr) { html in html.write(row, columns) } }
                }
            }
        }
    }

    private mutating func write(_ row: [Report.Cell], _ columns: [Report.Column]) {
        for (place, (column, words)) in zip(columns, row).enumerated() {
            let width = place + 1 == row.count ? columns.count - place : 1
            element(
                column.kind.tag, width > 1 ? [.columns(width), .classes("words", "quiet")] : column.kind.attributes
            ) {
                $0.words(words)
            }
        }
    }
}

extension Report.Column.Kind {
    fileprivate var tag: HTMLTag { self == .head || self == .title ? .th : .td }

    fileprivate var attributes: [HTMLAttribute] {
        switch self {
        case .head: [.rowScope]
        case .title: [.rowScope, .classes("name")]
        case .plain: []
        case .name: [.classes("name")]
        case .words: [.classes("words")]
        case .date: [.classes("date")]
        case .number: [.classes("number")]
        case .bar: [.classes("bar")]
        }
    }
}

// MARK: - Parts that the style sheet formats

extension HTMLWriter {
    /// Writes a date that is also machine-readable: `2026-11-22 23:45:10 UTC`.
    mutating func time(_ time: Time) {
        let text = time.description
        let words = text.hasSuffix("Z") ? text.dropLast().replacing("T", with: " ") + " UTC" : text
        element(.time, [.dateTime(text)], text: words)
    }

    /// Writes a word or two with a sign, in the tone's colors.
    package mutating func badge(_ tone: HTMLTone, _ words: String) {
        element(.span, [.tone(tone, "badge")]) { html in
            html.sign(tone)
            html.text(words)
        }
    }

    /// Writes a tone's sign, which screen readers skip. The words next to the sign say the same.
    private mutating func sign(_ tone: HTMLTone) {
        element(.span, [.classes("sign"), .decorative], text: tone.sign)
    }

    /// Writes a section that its heading names. Only sections of level 2 are landmarks, because too many landmarks
    /// would be useless.
    /// - Parameters:
    ///   - title: the heading, which may contain text from files.
    ///   - level: the heading's level, 2 to 5.
    package mutating func section(
        _ title: Report.Words, id: HTMLIdentifier, level: Int = 2, _ content: (inout HTMLWriter) -> Void
    ) {
        let heading = id.part("title")
        element(level == 2 ? .section : .div, level == 2 ? [.id(id), .labelled(by: heading)] : [.id(id)]) { html in
            html.element(.heading(level), [.id(heading)]) { $0.words(title) }
            content(&html)
        }
    }

    /// Writes a box around a table or drawing. The box scrolls within the page and is reachable with the keyboard.
    mutating func scroller(label: String, _ content: (inout HTMLWriter) -> Void) {
        element(.div, [.classes("scroll"), .focusable, .role("group"), .label(label)], content)
    }

    /// Writes names with their values.
    private mutating func facts<Row>(_ rows: some Sequence<Row>, _ write: (inout HTMLWriter, Row) -> Void) {
        element(.dl, [.classes("facts")]) { html in for row in rows { write(&html, row) } }
    }

    private mutating func row(_ name: String, _ value: (inout HTMLWriter) -> Void) {
        element(.div) { html in
            html.element(.dt, text: name)
            html.element(.dd, [], value)
        }
    }

    /// Writes a field and its nested fields.
    /// - Parameter depth: the number of enclosing fields. Fields deeper than 8 are omitted. The descriptions of this
    ///   package are never that deep, but a decoded report may be.
    private mutating func row(_ field: TrustReport.Field, depth: Int) {
        row(field.label.isEmpty ? "•" : field.label) { html in
            if let value = field.value { html.sentence(value, maximum: 2048) }
            guard depth < 8, !field.fields.isEmpty else { return }
            let members = field.fields.prefix(512)
            guard field.fields.allSatisfy({ $0.label.isEmpty && $0.fields.isEmpty }) else {
                return html.facts(members) { $0.row($1, depth: depth + 1) }
            }
            html.list(members.map { [.foreign($0.value ?? "", maximum: 2048)] }, .ul)
        }
    }

    /// Writes sentences that enclose commands in backquotes.
    private mutating func prose(_ text: String) {
        for (index, part) in text.split(separator: "`", omittingEmptySubsequences: false).prefix(64).enumerated()
        where !part.isEmpty {
            if index.isMultiple(of: 2) {
                sentence(String(part), maximum: 2048)
            } else {
                code(String(part), maximum: 1024)
            }
        }
    }
}

extension HTMLTag {
    /// The heading tag for a level, 1 to 5.
    fileprivate static func heading(_ level: Int) -> HTMLTag { HTMLTag(rawValue: "h\(max(1, min(level, 5)))") ?? .h5 }
}
