// SPDX-License-Identifier: Apache-2.0

import ServerTrust

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
        html.chart(
            "timeline", label: label, summary: summary, [.number(.width, width), .number(.height, Self.height)]
        ) { html in
            html.ground(y: Self.ground)
            for (index, column) in columns.enumerated() { self.column(&html, index, column, of: most) }
        }
    }

    private func column(_ html: inout HTMLWriter, _ index: Int, _ column: Column, of most: Int) {
        let isCut = column.count > most
        let height = most == 0 ? 0 : max(3, Self.tallest * Double(min(column.count, most)) / Double(most))
        // A nested drawing whose x is 0 in the middle of the column.
        html.element(.svg, [.percent(.x, 100 * (Double(index) + 0.5) / Double(columns.count))]) { html in
            if column.count > 0 {
                html.element(.title) { $0.foreignInDrawing(column.title, maximum: 400) }
                let top = Self.ground - height
                html.rectangle(
                    .tone(column.tone, "fill"), x: .units(-16), y: top, width: .units(32), height: height, radius: 2)
                if isCut {
                    // The gap that marks a column as cut.
                    let y = top + 14
                    html.outline(
                        .classes("gap"), [.move(-18, y + 4), .line(-6, y - 4), .line(6, y + 4), .line(18, y - 4)])
                }
                html.label(
                    column.countLabel, .tone(column.tone, "strong"), x: .units(0), y: top - 5, anchor: "middle")
            }
            html.label(column.label, x: .units(0), y: Self.ground + 16, anchor: "middle")
            html.label(column.year ?? "", x: .units(0), y: Self.ground + 31, anchor: "middle")
        }
    }
}

extension ColumnDrawing {
    /// Creates a timeline of the certificates' expiry dates, with a bar for each week or month.
    /// - Parameter names: the names of the hosts.
    init(_ calendar: ExpiryCalendar, _ names: [String]) {
        let shown = calendar.periods.filter { !$0.hosts.isEmpty }
        let count = shown.reduce(0) { $0 + $1.hosts.count }
        let parts = shown.prefix(8).map { "\($0.name): \($0.hosts.count)" }
        self.init(
            label: "Timeline of expiry dates",
            summary: "The earliest expiry dates of \(counted(count, "host")) by \(calendar.unit). "
                + parts.joined(separator: ", "),
            columns: calendar.periods.map { period in
                let shown = period.hosts.prefix(5).map { names[$0] }.joined(separator: ", ")
                return Column(
                    label: period.label, year: period.year, tone: period.urgency.tone, count: period.hosts.count,
                    title: "\(period.name): \(period.hosts.count), \(shown)\(period.hosts.count > 5 ? ", …" : "")",
                    isRest: period.isRest)
            })
    }
}

extension ExpiryCalendar.Urgency {
    fileprivate var tone: HTMLTone { self == .past ? .bad : self == .soon ? .caution : .note }
}
