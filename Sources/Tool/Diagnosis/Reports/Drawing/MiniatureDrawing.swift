// SPDX-License-Identifier: Apache-2.0

/// A small drawing of a report with only the words `sent` and `path`. It has a row of boxes for the presented chain and
/// for each path, leaf first.
struct MiniatureDrawing {
    let columns: [ChainColumn]
    /// Whether the peer is trusted. The wrong order of a presented chain then does no harm.
    let isTrusted: Bool

    private static let box = (width: 26.0, height: 15.0)
    private static let step = (x: 38.0, y: 25.0)
    private static let left = 36.0
    /// The maximum number of certificates drawn in a row. An ellipsis replaces the rest.
    private static let maximum = 5

    func write(_ html: inout HTMLWriter) {
        guard !columns.isEmpty else { return }
        let width = Self.left + Double(Self.maximum) * Self.step.x + 14
        let height = Double(columns.count) * Self.step.y
        html.element(
            .svg,
            [
                .classes("miniature"), .decorative, .viewBox(width: width, height: height), .number(.width, width),
                .number(.height, height),
            ]
        ) { html in
            for (row, column) in columns.enumerated() { write(column, y: Double(row) * Self.step.y + 4, &html) }
        }
    }

    private func write(_ column: ChainColumn, y: Double, _ html: inout HTMLWriter) {
        let words = column.kind == .presented ? "sent" : "path"
        html.element(.text, [.classes("small", "quiet"), .number(.x, 0), .number(.y, y + 12)], text: words)
        let middle = y + Self.box.height / 2
        for (place, box) in column.boxes.prefix(Self.maximum).enumerated() {
            let x = Self.left + Double(place) * Self.step.x
            write(box, x: x, y: y, &html)
            guard let link = box.link, place + 1 < column.boxes.count else { continue }
            let end = x + Self.step.x
            guard link.isBroken else {
                html.line(link.tone, from: (x + Self.box.width, middle), to: (end, middle))
                continue
            }
            // A cross in the gap.
            let center = (x + Self.box.width + end) / 2
            let tone: HTMLTone? = isTrusted ? nil : .bad
            html.line(tone, from: (center - 4, middle - 4), to: (center + 4, middle + 4))
            html.line(tone, from: (center - 4, middle + 4), to: (center + 4, middle - 4))
        }
        guard column.boxes.count > Self.maximum else { return }
        html.element(
            .text, [.number(.x, Self.left + Double(Self.maximum) * Self.step.x), .number(.y, y + 11)], text: "…")
    }

    private func write(_ box: ChainColumn.Box, x: Double, y: Double, _ html: inout HTMLWriter) {
        let shape: HTMLAttribute =
            switch (box.tone, box.isDashed) {
            case (let tone?, true): .tone(tone, "box", "dashed")
            case (let tone?, false): .tone(tone, "box")
            case (nil, true): .classes("box", "dashed")
            case (nil, false): .classes("box")
            }
        html.rectangle(shape, x: x, y: y, width: Self.box.width, height: Self.box.height)
        if box.isAnchor {
            html.rectangle(shape, x: x + 3, y: y + 3, width: Self.box.width - 6, height: Self.box.height - 6)
        }
        guard box.tone == .bad else { return }
        html.element(
            .text,
            [.tone(.bad, "strong"), .anchor("middle"), .number(.x, x + Self.box.width / 2), .number(.y, y + 12)],
            text: "×")
    }
}

extension HTMLWriter {
    fileprivate mutating func line(_ tone: HTMLTone?, from start: (Double, Double), to end: (Double, Double)) {
        element(
            .line,
            [
                tone.map { .tone($0, "edge") } ?? .classes("edge"), .number(.x1, start.0), .number(.y1, start.1),
                .number(.x2, end.0), .number(.y2, end.1),
            ])
    }

    fileprivate mutating func rectangle(
        _ shape: HTMLAttribute, x: Double, y: Double, width: Double, height: Double
    ) {
        element(
            .rect,
            [shape, .number(.x, x), .number(.y, y), .number(.width, width), .number(.height, height), .number(.rx, 2)])
    }
}

extension TrustReport {
    /// Writes a small drawing of the presented chain and the paths. The report next to the drawing contains the same
    /// facts as text.
    package func writeMiniature(to html: inout HTMLWriter) {
        MiniatureDrawing(columns: Array(columns.prefix(3)), isTrusted: isTrusted).write(&html)
    }
}
