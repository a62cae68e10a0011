// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Foundation

/// The blocks of a report as lines for a terminal. Drawings and links have no text.
struct ReportLines {
    private(set) var lines: [String] = []
    private let palette: Palette

    /// The width of sentences.
    private static let width = 76
    private static let labelWidth = 10

    init(_ blocks: [Report.Block], _ palette: Palette) {
        self.palette = palette
        for block in blocks where !block.isEmpty { write(block) }
    }

    private mutating func write(_ block: Report.Block) {
        switch block {
        case .paragraph(let words), .lead(let words), .quiet(let words):
            lines += words.lines.flatMap { wrapped($0, to: Self.width) }
        case .heading(let words): lines += words.lines.map(palette.bold)
        case .list(let items, _): for item in items { write("", item.lines) }
        case .facts(let facts): for fact in facts { write(fact.name, fact.value.lines) }
        case .section(let title, _, let blocks):
            let inner = ReportLines(blocks, palette).lines
            if !inner.isEmpty { lines += [""] + title.lines.map(palette.bold) + inner }
        case .card(let summary, _, _, _, let blocks): lines += summary.lines + ReportLines(blocks, palette).lines
        case .box(_, let blocks): lines += ReportLines(blocks, palette).lines
        case .table(_, let columns, _, let rows): write(rows, columns)
        case .tally(let counts):
            for count in counts { lines.append(Self.right(count.number, 11) + "  " + count.words.lines.joined()) }
        case .lines(let text, _): lines += text.components(separatedBy: "\n").map(printable)
        case .fields, .contents, .drawing: break
        }
    }

    /// Writes sentences after a label, and below each other.
    private mutating func write(_ label: String, _ sentences: [String]) {
        for (index, line) in sentences.flatMap({ wrapped($0, to: Self.width) }).enumerated() {
            lines.append("  " + (index == 0 ? label.lowercased() : "").padded(to: Self.labelWidth) + line)
        }
    }

    /// Writes a table. The sentences of a row follow below its other cells. Rows with the same sentences share them.
    private mutating func write(_ rows: [[Report.Cell]], _ columns: [Report.Column]) {
        let sentences = columns.indices.filter { columns[$0].kind == .words }
        guard !sentences.isEmpty else { return align(rows, columns) }
        for (place, row) in rows.enumerated() {
            let facts = columns.indices.filter { !sentences.contains($0) }.map { column -> String in
                let text = row[column].lines.joined(separator: " ")
                guard columns[column].kind == .number, !text.isEmpty else { return text }
                let noun = columns[column].title.lowercased()
                return "\(text) \(text == "1" && noun.hasSuffix("s") ? String(noun.dropLast()) : noun)"
            }
            lines.append(facts.filter { !$0.isEmpty }.joined(separator: "  "))
            let texts = sentences.map { row[$0].lines }
            guard place + 1 == rows.count || texts != sentences.map({ rows[place + 1][$0].lines }) else { continue }
            for (column, text) in zip(sentences, texts) { write(columns[column].title, text) }
        }
    }

    private mutating func align(_ cells: [[Report.Cell]], _ columns: [Report.Column]) {
        let rows = [columns.map(\.title)] + cells.map { $0.map { $0.lines.joined(separator: " ") } }
        let widths = columns.indices.map { column in min(60, rows.map { $0[column].count }.max() ?? 0) }
        for (place, row) in rows.enumerated() {
            let cells = row.indices.map { column -> String in
                if columns[column].kind == .number { return Self.right(row[column], widths[column]) }
                return column + 1 == row.count ? row[column] : row[column].padded(to: widths[column])
            }
            let line = cells.joined(separator: "  ")
            lines.append(place == 0 ? palette.bold(line) : line)
        }
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
