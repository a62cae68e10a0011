// SPDX-License-Identifier: Apache-2.0

/// A chart of a number over time, as steps. The page next to the chart contains the changes as text.
package struct StepDrawing {
    private let label: String
    /// The numbers in equal parts of the time.
    private let counts: [Int]
    private let start: String
    private let end: String
    private let words: (Int) -> String

    /// The minimum width. The drawing is as wide as its box.
    private static let width = 300.0
    private static let height = 160.0
    /// The y coordinate of the base line.
    private static let ground = 132.0
    private static let tallest = 110.0

    /// - Parameters:
    ///   - label: the name of the box.
    ///   - counts: the numbers in equal parts of the time.
    ///   - start: the date of the first part.
    ///   - end: the date after the last part.
    ///   - words: formats a number in at most four characters.
    package init(label: String, counts: [Int], start: String, end: String, words: @escaping (Int) -> String) {
        self.label = label
        self.counts = counts
        self.start = start
        self.end = end
        self.words = words
    }

    private var most: Int { counts.max() ?? 0 }

    /// Writes the drawing.
    package func write(_ html: inout HTMLWriter) {
        html.chart(
            "timeline", label: label, summary: "From \(start) to \(end), at most \(words(most)) at a time.",
            [.number(.width, Self.width), .number(.height, Self.height)]
        ) { html in
            let step = 100 / Double(counts.count)
            for run in runs {
                let height = max(2, Self.tallest * Double(run.count) / Double(most))
                html.rectangle(
                    .tone(.bad, "fill"), x: .percent(step * Double(run.parts.lowerBound)), y: Self.ground - height,
                    width: .percent(step * Double(run.parts.count)), height: height)
            }
            html.ground(y: Self.ground)
            html.label(start, x: .percent(0), y: Self.ground + 18)
            html.label(end, x: .percent(100), y: Self.ground + 18, anchor: "end")
            if most > 0 { html.label("\(words(most)) at most", x: .percent(0), y: 12) }
        }
    }

    /// The parts with equal numbers that aren't zero.
    private var runs: [(parts: Range<Int>, count: Int)] {
        var runs: [(parts: Range<Int>, count: Int)] = []
        for (place, count) in counts.enumerated() where count > 0 {
            if let last = runs.last, last.parts.upperBound == place, last.count == count {
                runs[runs.count - 1].parts = last.parts.lowerBound..<place + 1
            } else {
                runs.append((place..<place + 1, count))
            }
        }
        return runs
    }
}
