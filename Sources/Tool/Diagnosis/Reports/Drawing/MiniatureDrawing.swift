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
        html.label(column.kind == .presented ? "sent" : "path", x: .units(0), y: y + 12)
        let middle = y + Self.box.height / 2
        for (place, box) in column.boxes.prefix(Self.maximum).enumerated() {
            let x = Self.left + Double(place) * Self.step.x
            write(box, x: x, y: y, &html)
            guard let link = box.link, place + 1 < column.boxes.count else { continue }
            let end = x + Self.step.x
            guard link.isBroken else {
                html.line(
                    .tone(link.tone, "edge"), from: (.units(x + Self.box.width), middle), to: (.units(end), middle))
                continue
            }
            // A cross in the gap.
            let center = (x + Self.box.width + end) / 2
            for slope in [4.0, -4.0] {
                html.line(
                    .tone(isTrusted ? nil : .bad, "edge"), from: (.units(center - 4), middle - slope),
                    to: (.units(center + 4), middle + slope))
            }
        }
        guard column.boxes.count > Self.maximum else { return }
        html.label("…", nil, x: .units(Self.left + Double(Self.maximum) * Self.step.x), y: y + 11)
    }

    private func write(_ box: ChainColumn.Box, x: Double, y: Double, _ html: inout HTMLWriter) {
        let shape = HTMLAttribute.shape("box", box.tone, isDashed: box.isDashed)
        for inset in box.isAnchor ? [0.0, 3] : [0] {
            html.rectangle(
                shape, x: .units(x + inset), y: y + inset, width: .units(Self.box.width - 2 * inset),
                height: Self.box.height - 2 * inset, radius: 2)
        }
        guard box.tone == .bad else { return }
        html.label("×", .tone(.bad, "strong"), x: .units(x + Self.box.width / 2), y: y + 12, anchor: "middle")
    }
}

extension TrustReport {
    /// Writes a small drawing of the presented chain and the paths. The report next to the drawing contains the same
    /// facts as text.
    package func writeMiniature(to html: inout HTMLWriter) {
        MiniatureDrawing(columns: Array(columns.prefix(3)), isTrusted: isTrusted).write(&html)
    }
}
