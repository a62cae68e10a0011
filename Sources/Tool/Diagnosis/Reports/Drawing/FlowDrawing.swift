// SPDX-License-Identifier: Apache-2.0

/// A chart of verdicts before and after a change: two columns, and bands between them. The page next to the chart
/// contains the numbers as text.
package struct FlowDrawing {
    private let label: String
    /// The bands from top to bottom of the left column.
    private let bands: [Band]
    private let words: (Int) -> String

    private struct Band {
        let wasTrusted: Bool
        let isTrusted: Bool
        let count: Int

        var tone: HTMLTone? { wasTrusted == isTrusted ? nil : isTrusted ? .caution : .bad }
    }

    private static let width = 480.0
    private static let height = 250.0
    /// The y coordinate of the columns.
    private static let top = 26.0
    /// The height of all bands together.
    private static let tallest = 190.0
    private static let columnWidth = 18.0
    /// The space between trusted and refused connections.
    private static let gap = 14.0
    private static let left = 110.0
    private static let right = 352.0
    /// The minimum height of a band that isn't zero, to keep the band visible.
    private static let least = 2.0

    /// - Parameters:
    ///   - label: the name of the box.
    ///   - words: formats a number in at most four characters.
    package init(
        label: String, stillTrusted: Int, newlyRefused: Int, newlyTrusted: Int, stillRefused: Int,
        words: @escaping (Int) -> String
    ) {
        self.label = label
        self.words = words
        bands = [
            Band(wasTrusted: true, isTrusted: true, count: stillTrusted),
            Band(wasTrusted: true, isTrusted: false, count: newlyRefused),
            Band(wasTrusted: false, isTrusted: true, count: newlyTrusted),
            Band(wasTrusted: false, isTrusted: false, count: stillRefused),
        ]
    }

    private var total: Int { bands.reduce(0) { $0 + $1.count } }

    private func height(of count: Int) -> Double {
        guard count > 0, total > 0 else { return 0 }
        return max(Self.least, Self.tallest * Double(count) / Double(total))
    }

    /// The sentence for screen readers.
    private var summary: String {
        let counts = bands.map { words($0.count) }
        return
            "Still trusted: \(counts[0]). Newly refused: \(counts[1]). Newly trusted: \(counts[2]). Still refused: \(counts[3])."
    }

    /// Writes the drawing.
    package func write(_ html: inout HTMLWriter) {
        html.chart(
            "flow", label: label, summary: summary, [.viewBox(width: Self.width, height: Self.height)]
        ) { html in
            html.label("before", x: .units(Self.left + Self.columnWidth), y: 14, anchor: "end")
            html.label("after", x: .units(Self.right), y: 14)
            writeBands(&html)
            column(&html, x: Self.left, \.wasTrusted)
            column(&html, x: Self.right, \.isTrusted)
        }
    }

    /// Returns the y coordinate of each band in a column, in the order of `bands`.
    private func places(_ side: (Band) -> Bool) -> [Double] {
        let trusted = bands.filter(side).reduce(0) { $0 + height(of: $1.count) }
        var (upper, lower) = (Self.top, Self.top + trusted + Self.gap)
        // In the right column, newly trusted connections are below those that stay trusted.
        return bands.map { band in
            let height = height(of: band.count)
            if side(band) {
                defer { upper += height }
                return upper
            }
            defer { lower += height }
            return lower
        }
    }

    private func writeBands(_ html: inout HTMLWriter) {
        let (start, end) = (places(\.wasTrusted), places(\.isTrusted))
        let (from, to) = (Self.left + Self.columnWidth, Self.right)
        let middle = (from + to) / 2
        for (index, band) in bands.enumerated() where band.count > 0 {
            let height = height(of: band.count)
            let (y1, y2) = (start[index], end[index])
            html.outline(
                band.tone.map { .tone($0, "fill") } ?? .classes("back"),
                [
                    .move(from, y1), .curve(middle, y1, middle, y2, to, y2), .line(to, y2 + height),
                    .curve(middle, y2 + height, middle, y1 + height, from, y1 + height), .close,
                ])
        }
    }

    private func column(_ html: inout HTMLWriter, x: Double, _ side: (Band) -> Bool) {
        let places = places(side)
        for isTrusted in [true, false] {
            let members = bands.indices.filter { side(bands[$0]) == isTrusted }
            let count = members.reduce(0) { $0 + bands[$1].count }
            guard count > 0, let y = members.filter({ bands[$0].count > 0 }).map({ places[$0] }).min() else { continue }
            let height = members.reduce(0) { $0 + self.height(of: bands[$1].count) }
            html.rectangle(
                .tone(isTrusted ? .good : .bad, "fill"), x: .units(x), y: y, width: .units(Self.columnWidth),
                height: height)
            let isLeft = x == Self.left
            html.label(
                "\(words(count)) \(isTrusted ? "trusted" : "refused")", nil,
                x: .units(isLeft ? x - 8 : x + Self.columnWidth + 8), y: y + min(height / 2, Self.tallest) + 4,
                anchor: isLeft ? "end" : "start")
        }
    }
}
