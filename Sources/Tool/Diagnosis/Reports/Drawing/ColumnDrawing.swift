// SPDX-License-Identifier: Apache-2.0

/// A bar chart that is as wide as its box, or wider in a box that scrolls. A table next to the chart contains the same
/// data as text.
package struct ColumnDrawing {
    /// A column with its texts.
    package struct Column {
        /// The words below the column.
        var label: String
        /// The year below the label, or nil if the previous column has the same year.
        var year: String?
        var tone: HTMLTone
        /// The number, shown as the column's height. A column of zero is empty.
        package var count: Int
        /// The number as written above the column.
        var countLabel: String
        /// The tooltip, which may contain text from servers.
        package var title: String
        /// Whether the column counts the entire time before or after the others. Such a column doesn't affect the
        /// scale, and is cut if it is too high.
        var isRest: Bool

        package init(
            label: String, year: String?, tone: HTMLTone, count: Int, countLabel: String? = nil, title: String,
            isRest: Bool = false
        ) {
            self.label = label
            self.year = year
            self.tone = tone
            self.count = count
            self.countLabel = countLabel ?? String(count)
            self.title = title
            self.isRest = isRest
        }
    }

    private let label: String
    private let summary: String
    private let columns: [Column]

    private static let columnWidth = 46.0
    private static let height = 170.0
    /// The y coordinate of the base line.
    private static let ground = 128.0
    private static let tallest = 100.0

    private var width: Double { max(200, Double(columns.count) * Self.columnWidth) }

    /// - Parameters:
    ///   - label: the name of the box.
    ///   - summary: a sentence that describes the content, for screen readers.
    package init(label: String, summary: String, columns: [Column]) {
        self.label = label
        self.summary = summary
        self.columns = columns
    }

    /// Writes the drawing.
    package func write(_ html: inout HTMLWriter) {
        let counts = columns.filter { !$0.isRest && $0.count > 0 }.map(\.count)
        let most = counts.max() ?? columns.map(\.count).max() ?? 0
        html.scroller(label: label) { html in
            html.element(
                .svg,
                [
                    .classes("timeline"), .role("img"), .label(summary), .number(.width, width),
                    .number(.height, Self.height),
                ]
            ) { html in
                html.element(
                    .line,
                    [
                        .classes("rule"), .percent(.x1, 0), .percent(.x2, 100), .number(.y1, Self.ground),
                        .number(.y2, Self.ground),
                    ])
                for (index, column) in columns.enumerated() { self.column(&html, index, column, of: most) }
            }
        }
    }

    private func column(_ html: inout HTMLWriter, _ index: Int, _ column: Column, of most: Int) {
        let isCut = column.count > most
        let height = most == 0 ? 0 : max(3, Self.tallest * Double(min(column.count, most)) / Double(most))
        // A nested drawing whose x is 0 in the middle of the column.
        html.element(.svg, [.percent(.x, 100 * (Double(index) + 0.5) / Double(columns.count))]) { html in
            if column.count > 0 {
                html.element(.title) { $0.foreignInDrawing(column.title, maximum: 400) }
                html.element(
                    .rect,
                    [
                        .tone(column.tone, "fill"), .number(.x, -16), .number(.y, Self.ground - height),
                        .number(.width, 32), .number(.height, height), .number(.rx, 2),
                    ])
                if isCut { cut(&html, Self.ground - height + 14) }
                html.element(
                    .text,
                    [
                        .tone(column.tone, "strong"), .anchor("middle"), .number(.x, 0),
                        .number(.y, Self.ground - height - 5),
                    ],
                    text: column.countLabel)
            }
            text(&html, column.label, Self.ground + 16)
            if let year = column.year { text(&html, year, Self.ground + 31) }
        }
    }

    /// Writes the gap that marks a column as cut.
    private func cut(_ html: inout HTMLWriter, _ y: Double) {
        html.element(
            .path,
            [
                .classes("gap"),
                .path([.move(-18, y + 4), .line(-6, y - 4), .line(6, y + 4), .line(18, y - 4)]),
            ])
    }

    private func text(_ html: inout HTMLWriter, _ text: String, _ y: Double) {
        html.element(
            .text, [.classes("small", "quiet"), .anchor("middle"), .number(.x, 0), .number(.y, y)], text: text)
    }
}
