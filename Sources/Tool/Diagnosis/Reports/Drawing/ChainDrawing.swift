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
    init(_ report: TrustReport, id: HTMLIdentifier) {
        columns = report.columns
        self.id = id
    }

    /// Writes an image for each column, side by side if the page is wide enough. Writes nothing for a report without
    /// certificates.
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
            html.element(.desc, [.id(description)]) {
                $0.foreignInDrawing(ChainList.summary(of: column), maximum: 4000)
            }
            write(column, x: Size.margin, to: &html)
        }
    }

    private func write(_ column: ChainColumn, x: Double, to html: inout HTMLWriter) {
        let sign = column.tone.map { $0.sign + " " } ?? ""
        text(sign + column.title, x: x, y: 18, Self.classes("strong", column.tone), to: &html)
        text(DrawnText.cut(column.subtitle, to: Size.small + 3), x: x, y: 35, [.classes("small", "quiet")], to: &html)
        var y = Size.head
        for box in column.boxes {
            write(box, x: x, y: y, to: &html)
            y += Size.box.height
            if let link = box.link { write(link, x: x, y: y, to: &html) }
            y += Size.gap
        }
        y -= Size.gap - Size.foot
        let tone = column.tone ?? .bad
        for (index, code) in column.codes.prefix(3).enumerated() {
            let more = index == 2 && column.codes.count > 3 ? " and \(column.codes.count - 3) more" : ""
            text(
                DrawnText.cut("\(tone.sign) \(code)\(more)", to: Size.small + 3), x: x,
                y: y + Double(index) * Size.foot, Self.classes("small", tone), to: &html)
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
            frame(box, inset: 2, to: &html)
            if box.isAnchor { frame(box, inset: 5, isInner: true, to: &html) }
            let left = 2 + Size.padding
            let quiet: [HTMLAttribute] = [.classes("small", "quiet")]
            text(box.role, x: left, y: 20, quiet, to: &html)
            text(box.origin, x: Size.box.width + 2 - Size.padding, y: 20, quiet + [.anchor("end")], to: &html)
            text(
                DrawnText.cut(box.name, to: Size.name), x: left, y: 39,
                [box.isFaint ? .classes("quiet") : .classes("strong")], to: &html)
            text(box.end, x: left, y: 56, quiet, to: &html)
            guard let code = box.codes.first, let tone = box.tone else { return }
            let more = box.codes.count > 1 ? " +\(box.codes.count - 1)" : ""
            text(
                DrawnText.cut("\(tone.sign) \(code)\(more)", to: Size.small), x: left, y: 72,
                Self.classes("small", tone),
                to: &html)
        }
    }

    private func frame(_ box: ChainColumn.Box, inset: Double, isInner: Bool = false, to html: inout HTMLWriter) {
        let tone = isInner ? nil : box.tone
        let shape: HTMLAttribute
        switch (tone, box.isDashed, isInner) {
        case (let tone?, true, _): shape = .tone(tone, "box", "dashed")
        case (let tone?, false, _): shape = .tone(tone, "box")
        case (nil, _, true): shape = box.tone.map { .tone($0, "edge") } ?? .classes("edge")
        case (nil, true, false): shape = .classes("box", "dashed")
        case (nil, false, false): shape = .classes("box")
        }
        html.element(
            .rect,
            [
                shape, .number(.x, inset), .number(.y, inset), .number(.width, Size.box.width + 4 - 2 * inset),
                .number(.height, Size.box.height + 4 - 2 * inset), .number(.rx, isInner ? 5 : 7),
            ])
    }

    /// Writes the arrow below a box, or a sign for a missing arrow.
    private func write(_ link: ChainColumn.Link, x: Double, y: Double, to html: inout HTMLWriter) {
        let middle = x + 28
        let end = y + Size.gap - 2
        var classes = link.tone.map { HTMLAttribute.tone($0, "edge") } ?? .classes("edge")
        if link.isBroken { classes = link.tone.map { .tone($0, "edge", "dashed") } ?? .classes("edge", "dashed") }
        html.element(.path, [classes, .path([.move(middle, y + 2), .line(middle, link.isBroken ? end : end - 8)])])
        if !link.isBroken {
            let fill = link.tone.map { HTMLAttribute.tone($0, "fill") } ?? .classes("fill")
            html.element(
                .path,
                [fill, .path([.move(middle - 5, end - 9), .line(middle + 5, end - 9), .line(middle, end), .close])])
        }
        let sign = link.tone == .bad ? "✗ " : ""
        text(
            sign + link.words, x: middle + 14, y: y + 21,
            link.tone.map { Self.classes("small", $0) } ?? [.classes("small", "quiet")], to: &html)
    }

    private static func classes(_ name: StaticString, _ tone: HTMLTone?) -> [HTMLAttribute] {
        [tone.map { .tone($0, name) } ?? .classes(name)]
    }

    private func text(
        _ text: String, x: Double, y: Double, _ attributes: [HTMLAttribute], to html: inout HTMLWriter
    ) {
        guard !text.isEmpty else { return }
        html.element(.text, attributes + [.number(.x, x), .number(.y, y)]) { $0.foreignInDrawing(text, maximum: 80) }
    }
}
