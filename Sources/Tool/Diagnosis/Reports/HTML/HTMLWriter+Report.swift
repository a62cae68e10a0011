// SPDX-License-Identifier: Apache-2.0

extension HTMLWriter {
    /// Writes a whole report.
    package mutating func write(_ report: Report) {
        banner(report.tone, title: { $0.words(report.headline) }, { $0.write(report.lead) })
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
        case .facts(let rows): facts { html in for row in rows { html.row(row.name) { $0.words(row.value) } } }
        case .fields(let fields): facts { html in for field in fields { html.row(field, depth: 0) } }
        case .table(let table): write(table)
        case .tally(let counts): write(counts)
        case .lines(let text, let maximum): lines(text, maximum: maximum)
        case .section(let title, let id, let blocks):
            section(title, id: id, level: level) { $0.write(blocks, level: level + 1) }
        case .card(let card):
            self.card(id: card.id, tone: card.tone, isOpen: card.isOpen) {
                $0.words(card.summary)
            } _: {
                $0.write(card.blocks, level: level)
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

    private mutating func write(_ table: Report.Table) {
        let numbers = table.columns.indices.filter { table.columns[$0].kind == .number }
        self.table(
            label: table.label, columns: table.columns.map(\.title), numbers: Set(numbers),
            classes: .classes(table.style)
        ) { html in
            for row in table.rows {
                html.element(.tr) { html in
                    for (column, cell) in zip(table.columns, row) {
                        html.element(column.kind.tag, cell.attributes(column.kind)) { $0.words(cell.words) }
                    }
                }
            }
        }
    }
}

extension Report.Column.Kind {
    fileprivate var tag: HTMLTag { self == .head || self == .title ? .th : .td }
}

extension Report.Cell {
    fileprivate func attributes(_ kind: Report.Column.Kind) -> [HTMLAttribute] {
        guard width == 1 else { return [.columns(width), .classes("words", "quiet")] }
        return switch kind {
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

// MARK: - Values

extension HTMLWriter {
    /// Writes a field and its nested fields.
    /// - Parameter depth: the number of enclosing fields. Fields deeper than 8 are omitted. The descriptions of this
    ///   package are never that deep, but a decoded report may be.
    private mutating func row(_ field: TrustReport.Field, depth: Int) {
        row(field.label.isEmpty ? "•" : field.label) { html in
            if let value = field.value { html.sentence(value, maximum: 2048) }
            guard depth < 8, !field.fields.isEmpty else { return }
            let members = field.fields.prefix(512)
            guard field.fields.allSatisfy({ $0.label.isEmpty && $0.fields.isEmpty }) else {
                return html.facts { html in for member in members { html.row(member, depth: depth + 1) } }
            }
            html.list(members.map { [.foreign($0.value ?? "", maximum: 2048)] }, .ul)
        }
    }

    /// Writes sentences that enclose commands in backquotes.
    package mutating func prose(_ text: String) {
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
