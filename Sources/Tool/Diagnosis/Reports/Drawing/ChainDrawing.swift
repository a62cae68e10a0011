// SPDX-License-Identifier: Apache-2.0

/// The drawing of a report: one image each for the presented chain, the path and the other paths, side by side or
/// stacked.
struct ChainDrawing {
    private let columns: [ChainColumn]
    private let id: HTMLIdentifier

    private enum Size {
        static let box = (width: 232.0, height: 78.0)
        static let gap = 34.0
        static let head = 50.0
        static let margin = 4.0
        static let foot = 18.0
        static let padding = 10.0
        /// The pixels per unit. One column fits into a page that is 360 pixels wide.
        static let scale = 1.12
        /// The width of a line in ``DrawnText`` units, for each text size.
        static let name = 27.0
        static let small = 33.0
    }

    /// - Parameter id: the prefix for the identifiers of the drawing's parts.
    init(_ columns: [ChainColumn], id: HTMLIdentifier) {
        self.columns = columns
        self.id = id
    }

    /// Writes an image for each column, side by side if the page is wide enough.
    func write(to html: inout HTMLWriter) {
        for (index, column) in columns.enumerated() { write(column, id: id.part("column", index + 1), to: &html) }
    }

    private func write(_ column: ChainColumn, id: HTMLIdentifier, to html: inout HTMLWriter) {
        let codes = min(3, column.codes.count)
        let width = Size.box.width + 2 * Size.margin
        let boxes = Double(column.boxes.count) * (Size.box.height + Size.gap) - Size.gap
        let height = Size.head + boxes + Double(codes) * Size.foot + 2 * Size.margin + (codes > 0 ? 8 : 0)
        let title = id.part("title")
        let description = id.part("text")
        html.element(
            .svg,
            [
                .role("img"), .labelled(by: title), .described(by: description), .number(.width, width * Size.scale),
                .number(.height, height * Size.scale), .viewBox(width: width, height: height),
            ]
        ) { html in
            html.element(.title, [.id(title)], text: "Drawing: \(column.title)")
            html.element(.desc, [.id(description)]) { $0.foreignInDrawing(column.summary, maximum: 4000) }
            write(column, x: Size.margin, to: &html)
        }
    }

    private func write(_ column: ChainColumn, x: Double, to html: inout HTMLWriter) {
        let sign = column.tone.map { $0.sign + " " } ?? ""
        html.label(sign + column.title, .tone(column.tone, "strong"), x: .units(x), y: 18)
        html.label(DrawnText.cut(column.subtitle, to: Size.small + 3), x: .units(x), y: 35)
        var y = Size.head
        for box in column.boxes {
            write(box, x: x, y: y, to: &html)
            y += Size.box.height
            if let link = box.link { write(link, x: x + 28, y: y, to: &html) }
            y += Size.gap
        }
        y -= Size.gap - Size.foot
        let tone = column.tone ?? .bad
        for (index, code) in column.codes.prefix(3).enumerated() {
            let more = index == 2 && column.codes.count > 3 ? " and \(column.codes.count - 3) more" : ""
            html.label(
                DrawnText.cut("\(tone.sign) \(code)\(more)", to: Size.small + 3), .tone(tone, "small"), x: .units(x),
                y: y + Double(index) * Size.foot)
        }
    }

    private func write(_ box: ChainColumn.Box, x: Double, y: Double, to html: inout HTMLWriter) {
        // A nested drawing clips text that is wider than estimated.
        html.element(
            .svg,
            [
                .number(.x, x - 2), .number(.y, y - 2), .number(.width, Size.box.width + 4),
                .number(.height, Size.box.height + 4),
            ]
        ) { html in
            frame(.shape("box", box.tone, isDashed: box.isDashed), inset: 2, radius: 7, to: &html)
            if box.isAnchor { frame(.tone(box.tone, "edge"), inset: 5, radius: 5, to: &html) }
            let left = HTMLWriter.Length.units(2 + Size.padding)
            html.label(box.role, x: left, y: 20)
            html.label(box.origin, x: .units(Size.box.width + 2 - Size.padding), y: 20, anchor: "end")
            let name = DrawnText.cut(box.name, to: Size.name)
            html.label(name, box.isFaint ? .classes("quiet") : .classes("strong"), x: left, y: 39)
            html.label(box.end, x: left, y: 56)
            guard let code = box.codes.first, let tone = box.tone else { return }
            let more = box.codes.count > 1 ? " +\(box.codes.count - 1)" : ""
            let text = DrawnText.cut("\(tone.sign) \(code)\(more)", to: Size.small)
            html.label(text, .tone(tone, "small"), x: left, y: 72)
        }
    }

    private func frame(_ shape: HTMLAttribute, inset: Double, radius: Double, to html: inout HTMLWriter) {
        html.rectangle(
            shape, x: .units(inset), y: inset, width: .units(Size.box.width + 4 - 2 * inset),
            height: Size.box.height + 4 - 2 * inset, radius: radius)
    }

    /// Writes the arrow below a box, or a sign for a missing arrow.
    private func write(_ link: ChainColumn.Link, x: Double, y: Double, to html: inout HTMLWriter) {
        let end = y + Size.gap - 2
        html.outline(
            .shape("edge", link.tone, isDashed: link.isBroken),
            [.move(x, y + 2), .line(x, link.isBroken ? end : end - 8)])
        if !link.isBroken {
            html.outline(
                .tone(link.tone, "fill"), [.move(x - 5, end - 9), .line(x + 5, end - 9), .line(x, end), .close])
        }
        html.label(
            (link.tone == .bad ? "✗ " : "") + link.words,
            link.tone.map { .tone($0, "small") } ?? .classes("small", "quiet"), x: .units(x + 14), y: y + 21)
    }
}
