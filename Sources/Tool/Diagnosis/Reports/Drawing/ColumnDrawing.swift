// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A timeline of certificates' expiry dates with a bar for each week or month. It is as wide as its box. In a narrow
/// one, the style sheet hides labels, so that the last period is always visible. A table next to the chart contains the
/// same data as text.
struct ColumnDrawing {
    let calendar: ExpiryCalendar
    /// The names of the hosts, for tooltips. They may come from servers.
    let names: [String]

    private static let columnWidth = 46.0
    /// The maximum number of labels on the narrowest page.
    private static let maximumLabels = 6
    private static let height = 170.0
    /// The y coordinate of the base line.
    private static let ground = 128.0
    private static let tallest = 100.0

    /// Writes the drawing.
    func write(_ html: inout HTMLWriter) {
        let periods = calendar.periods
        // The entire time before or after the others doesn't affect the scale. Its column is cut if it is too high.
        let counts = periods.filter { !$0.isRest && !$0.hosts.isEmpty }.map(\.hosts.count)
        let most = counts.max() ?? periods.map(\.hosts.count).max() ?? 0
        let width = max(200, Double(periods.count) * Self.columnWidth)
        html.chart(
            periods.count > Self.maximumLabels ? "timeline dense" : "timeline", label: "Timeline of expiry dates",
            summary: summary,
            [.number(.width, width), .number(.height, Self.height)]
        ) { html in
            html.ground(y: Self.ground)
            let labelled = labelled
            for (index, period) in periods.enumerated() {
                // A nested drawing whose x is 0 in the middle of the column.
                let middle = 100 * (Double(index) + 0.5) / Double(periods.count)
                html.element(.svg, [.percent(.x, middle)] + (labelled.contains(index) ? [] : [.classes("other")])) {
                    column(&$0, period, of: most)
                }
            }
        }
    }

    /// The columns whose labels a narrow page shows: the last one, the first of each year, and others in between.
    private var labelled: Set<Int> {
        let periods = calendar.periods
        let years = periods.indices.dropFirst().filter { periods[$0].year != nil }
        return ([periods.count - 1] + years + stride(from: 0, to: periods.count, by: 4)).reduce(into: []) {
            chosen, index in
            if chosen.allSatisfy({ abs($0 - index) >= 4 }) { chosen.insert(index) }
        }
    }

    /// A sentence for screen readers.
    private var summary: String {
        let shown = calendar.periods.filter { !$0.hosts.isEmpty }
        let count = shown.reduce(0) { $0 + $1.hosts.count }
        let parts = shown.prefix(8).map { "\($0.name): \($0.hosts.count)" }
        return "The earliest expiry dates of \(counted(count, "host")) by \(calendar.unit). "
            + parts.joined(separator: ", ")
    }

    private func column(_ html: inout HTMLWriter, _ period: ExpiryCalendar.Period, of most: Int) {
        let count = period.hosts.count
        if count > 0 {
            let height = max(3, Self.tallest * Double(min(count, most)) / Double(most))
            let tone = period.urgency.tone
            let shown = period.hosts.prefix(5).map { names[$0] }.joined(separator: ", ")
            html.element(.title) {
                $0.foreignInDrawing("\(period.name): \(count), \(shown)\(count > 5 ? ", …" : "")", maximum: 400)
            }
            let top = Self.ground - height
            html.rectangle(.tone(tone, "fill"), x: .units(-16), y: top, width: .units(32), height: height, radius: 2)
            if count > most {
                // The gap that marks a column as cut.
                let y = top + 14
                html.outline(.classes("gap"), [.move(-18, y + 4), .line(-6, y - 4), .line(6, y + 4), .line(18, y - 4)])
            }
            html.label(String(count), .tone(tone, "strong"), x: .units(0), y: top - 5, anchor: "middle")
        }
        html.label(period.label, x: .units(0), y: Self.ground + 16, anchor: "middle")
        html.label(period.year ?? "", x: .units(0), y: Self.ground + 31, anchor: "middle")
    }
}

extension ExpiryCalendar.Urgency {
    fileprivate var tone: HTMLTone { self == .past ? .bad : self == .soon ? .caution : .note }
}
