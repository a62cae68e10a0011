// SPDX-License-Identifier: Apache-2.0

/// A line chart with logarithmic axes as an SVG file. It follows the reader's light or dark mode, and is readable at a
/// width of 400 pixels. The page beside it has the same figures as a table.
struct CurveChart {
    let curve: Curve

    private static let width = 600.0
    private static let left = 88.0
    private static let right = 572.0
    private static let top = 78.0
    private static let bottom = 348.0
    private static let lineHeight = 25.0
    /// The estimated width of a letter.
    private static let letter = 9.3

    /// The text of the file.
    var svg: String {
        let legend = legend
        let height = legend.bottom + 14
        var svg = SVGText()
        svg.open(
            "svg",
            [
                ("xmlns", "http://www.w3.org/2000/svg"), ("viewBox", "0 0 \(n(Self.width)) \(n(height))"),
                ("width", n(Self.width)), ("height", n(height)), ("role", "img"), ("aria-labelledby", "title summary"),
            ])
        svg.leaf("title", [("id", "title")], text: curve.title)
        svg.leaf("desc", [("id", "summary")], text: curve.finding)
        svg.leaf("style", [], text: Self.style)
        svg.leaf("rect", [("class", "back"), ("width", n(Self.width)), ("height", n(height)), ("rx", "6")])
        svg.leaf("text", [("class", "head"), ("x", "20"), ("y", "32")], text: curve.title)
        svg.leaf("text", [("class", "label"), ("x", "20"), ("y", "58")], text: curve.cost.label)
        let x = LogAxis(marking: curve.sizes, from: Self.left + 14, to: Self.right - 22, space: xSpace)
        let y = LogAxis(
            containing: curve.lines.flatMap { $0.points.map(\.cost) }, from: Self.bottom, to: Self.top)
        grid(&svg, x, y)
        // This package's lines are above the others.
        for line in curve.lines.reversed() { draw(&svg, line, x, y) }
        for entry in legend.entries { draw(&svg, entry) }
        svg.close("svg")
        return svg.text
    }

    private var xSpace: Double {
        let longest = curve.sizes.map { curve.size.quantity.mark($0).count }.max() ?? 1
        return Double(longest) * Self.letter + 10
    }

    private func grid(_ svg: inout SVGText, _ x: LogAxis, _ y: LogAxis) {
        for mark in y.marks {
            let position = n(y.position(mark))
            svg.leaf(
                "line",
                [("class", "grid"), ("x1", n(Self.left)), ("x2", n(Self.right)), ("y1", position), ("y2", position)])
            svg.leaf(
                "text",
                [("class", "mark"), ("text-anchor", "end"), ("x", n(Self.left - 8)), ("y", n(y.position(mark) + 5))],
                text: curve.cost.quantity.mark(mark))
        }
        for mark in x.marks {
            let position = n(x.position(mark))
            svg.leaf(
                "line",
                [("class", "grid"), ("x1", position), ("x2", position), ("y1", n(Self.top)), ("y2", n(Self.bottom))])
            svg.leaf(
                "text", [("class", "mark"), ("text-anchor", "middle"), ("x", position), ("y", n(Self.bottom + 21))],
                text: curve.size.quantity.mark(mark))
        }
        svg.leaf(
            "text",
            [("class", "label"), ("text-anchor", "end"), ("x", n(Self.right)), ("y", n(Self.bottom + 45))],
            text: curve.size.label)
    }

    private func draw(_ svg: inout SVGText, _ line: Curve.Line, _ x: LogAxis, _ y: LogAxis) {
        let places = line.points.map { (x: x.position($0.size), y: y.position($0.cost)) }
        svg.leaf(
            "polyline",
            [
                ("class", "line \(line.style.rawValue)"),
                ("points", places.map { "\(n($0.x)),\(n($0.y))" }.joined(separator: " ")),
            ])
        for place in places { mark(&svg, line.style, place.x, place.y) }
    }

    /// Draws a mark with a shape for each style, so that the lines differ without colors.
    private func mark(_ svg: inout SVGText, _ style: Curve.Style, _ x: Double, _ y: Double) {
        let name = ("class", "dot \(style.rawValue)")
        func polygon(_ offsets: [(Double, Double)]) {
            svg.leaf(
                "polygon", [name, ("points", offsets.map { "\(n(x + $0.0)),\(n(y + $0.1))" }.joined(separator: " "))])
        }
        switch style {
        case .ours, .oursSecond, .oursThird: svg.leaf("circle", [name, ("cx", n(x)), ("cy", n(y)), ("r", "5")])
        case .certificates: polygon([(-5, -5), (5, -5), (5, 5), (-5, 5)])
        case .openSSL, .openSSLSecond: polygon([(0, -6), (6, 5), (-6, 5)])
        case .raw: polygon([(0, -6), (6, 0), (0, 6), (-6, 0)])
        }
    }

    // MARK: - Legend

    private struct Entry {
        var name: String
        var style: Curve.Style
        var x: Double
        var y: Double
    }

    /// The entries in two columns. A long entry has a row for itself.
    private var legend: (entries: [Entry], bottom: Double) {
        let columns = [20.0, 310.0]
        var entries: [Entry] = []
        var column = 0
        var y = Self.bottom + 78
        for line in curve.lines {
            let isLong = columns[0] + 44 + Double(line.name.count) * Self.letter > columns[1]
            if column == columns.count || isLong && column > 0 {
                column = 0
                y += Self.lineHeight
            }
            entries.append(Entry(name: line.name, style: line.style, x: columns[column], y: y))
            column = isLong ? columns.count : column + 1
        }
        return (entries, y)
    }

    private func draw(_ svg: inout SVGText, _ entry: Entry) {
        svg.leaf(
            "polyline",
            [
                ("class", "line \(entry.style.rawValue)"),
                ("points", "\(n(entry.x)),\(n(entry.y - 5)) \(n(entry.x + 36)),\(n(entry.y - 5))"),
            ])
        mark(&svg, entry.style, entry.x + 18, entry.y - 5)
        svg.leaf("text", [("class", "legend"), ("x", n(entry.x + 44)), ("y", n(entry.y))], text: entry.name)
    }

    /// Returns a coordinate with at most one decimal.
    private func n(_ value: Double) -> String {
        let text = value.formatted(decimals: 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static let style = """

        svg { font-family: system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; font-size: 17px; \
        --back: #ffffff; --text: #1f2328; --quiet: #59636e; --grid: #d8dee4; --blue: #0a5bbf; --violet: #7a3fd0; \
        --teal: #0b7a75; --orange: #c2410c; --green: #1a7f37; --gray: #6e7781 }
        @media (prefers-color-scheme: dark) { svg { --back: #0d1117; --text: #e6edf3; --quiet: #a3adb8; \
        --grid: #2f363e; --blue: #6cb2ff; --violet: #c9a6ff; --teal: #5fd6cf; --orange: #ff9e64; --green: #63d188; \
        --gray: #9aa4af } }
        .back { fill: var(--back) } text { fill: var(--text) } .head { font-size: 20px; font-weight: 600 }
        .mark, .label { fill: var(--quiet) } .grid { stroke: var(--grid); stroke-width: 1 }
        .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round }
        .dot { stroke: var(--back); stroke-width: 1.5 }
        .line.ours { stroke: var(--blue); stroke-width: 3.5 } .dot.ours { fill: var(--blue) }
        .line.oursSecond { stroke: var(--teal); stroke-dasharray: 8 5 } .dot.oursSecond { fill: var(--teal) }
        .line.oursThird { stroke: var(--violet); stroke-dasharray: 2 5 } .dot.oursThird { fill: var(--violet) }
        .line.certificates { stroke: var(--orange) } .dot.certificates { fill: var(--orange) }
        .line.openSSL { stroke: var(--green) } .dot.openSSL { fill: var(--green) }
        .line.openSSLSecond { stroke: var(--green); stroke-dasharray: 8 5 } .dot.openSSLSecond { fill: var(--back); \
        stroke: var(--green); stroke-width: 2 }
        .line.raw { stroke: var(--gray); stroke-dasharray: 3 4 } .dot.raw { fill: var(--gray) }

        """
}

/// Writes elements of an SVG file.
private struct SVGText {
    private(set) var text = ""

    mutating func open(_ name: String, _ attributes: [(String, String)]) {
        text += start(name, attributes) + ">\n"
    }

    mutating func close(_ name: String) { text += "</\(name)>\n" }

    mutating func leaf(_ name: String, _ attributes: [(String, String)], text contents: String? = nil) {
        text += start(name, attributes)
        text += contents.map { ">\(Self.escaped($0))</\(name)>\n" } ?? "/>\n"
    }

    private func start(_ name: String, _ attributes: [(String, String)]) -> String {
        "<" + ([name] + attributes.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }).joined(separator: " ")
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
