// SPDX-License-Identifier: Apache-2.0

/// A timeline of the ends of certificates: a bar for each week or month. The table beside it has the same content as text.
struct ExpiryDrawing {
    let calendar: ExpiryCalendar
    let hosts: [ReportedHost]

    private static let barWidth = 46.0
    private static let height = 170.0
    /// The y of the line that bars stand on.
    private static let ground = 128.0
    private static let tallest = 100.0

    private var width: Double { max(320, Double(calendar.periods.count) * Self.barWidth + 16) }

    /// Writes the drawing in a box that scrolls.
    func write(_ html: inout HTMLWriter) {
        let most = calendar.periods.map(\.hosts.count).max() ?? 0
        html.scroller(label: "Timeline of the ends of certificates") { html in
            html.element(
                .svg,
                [
                    .classes("timeline"), .role("img"), .label(summary), .viewBox(width: width, height: Self.height),
                    .number(.width, width), .number(.height, Self.height),
                ]
            ) { html in
                html.element(
                    .line,
                    [
                        .classes("rule"), .number(.x1, 8), .number(.x2, width - 8), .number(.y1, Self.ground),
                        .number(.y2, Self.ground),
                    ])
                for (index, period) in calendar.periods.enumerated() { bar(&html, index, period, of: most) }
            }
        }
    }

    /// The content in a sentence.
    private var summary: String {
        let count = calendar.periods.map(\.hosts.count).reduce(0, +)
        let parts = calendar.periods.filter { !$0.hosts.isEmpty }.prefix(8).map { "\($0.name): \($0.hosts.count)" }
        return "The first ends of certificates of \(count) hosts by \(calendar.unit). " + parts.joined(separator: ", ")
    }

    private func bar(_ html: inout HTMLWriter, _ index: Int, _ period: ExpiryCalendar.Period, of most: Int) {
        let middle = 8 + (Double(index) + 0.5) * Self.barWidth
        let height = most == 0 ? 0 : max(3, Self.tallest * Double(period.hosts.count) / Double(most))
        html.element(.g) { html in
            if !period.hosts.isEmpty {
                html.element(.title) { html in
                    html.text("\(period.name): \(period.hosts.count), ")
                    let names = period.hosts.prefix(5).map { hosts[$0].name }.joined(separator: ", ")
                    html.foreignInDrawing(names + (period.hosts.count > 5 ? ", …" : ""), maximum: 300)
                }
                html.element(
                    .rect,
                    [
                        .tone(period.tone, "fill"), .number(.x, middle - 15), .number(.y, Self.ground - height),
                        .number(.width, 30), .number(.height, height), .number(.rx, 2),
                    ])
                html.element(
                    .text,
                    [
                        .tone(period.tone, "strong"), .anchor("middle"), .number(.x, middle),
                        .number(.y, Self.ground - height - 5),
                    ],
                    text: "\(period.hosts.count)")
            }
            label(&html, period.label, middle, Self.ground + 16)
            if let year = period.year { label(&html, year, middle, Self.ground + 31) }
        }
    }

    private func label(_ html: inout HTMLWriter, _ text: String, _ x: Double, _ y: Double) {
        html.element(
            .text, [.classes("small", "quiet"), .anchor("middle"), .number(.x, x), .number(.y, y)], text: text)
    }
}

extension ExpiryCalendar.Period {
    fileprivate var tone: HTMLTone {
        switch urgency {
        case .past: .bad
        case .soon: .caution
        case .later: .note
        }
    }
}
