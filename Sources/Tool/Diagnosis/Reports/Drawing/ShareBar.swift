// SPDX-License-Identifier: Apache-2.0

/// A bar whose parts are colored by tone, as wide as its container. Screen readers skip the bar because its numbers are
/// next to it as text.
package struct ShareBar {
    private let parts: [(tone: HTMLTone, count: Int)]
    private let whole: Int
    private let isTall: Bool

    private static let width = 1000.0
    /// The minimum width of a part that isn't zero, to keep the part visible.
    private static let least = 4.0

    /// - Parameters:
    ///   - parts: the parts from left to right.
    ///   - whole: the sum of parts that fills the bar.
    ///   - isTall: whether the bar has the height for a whole page instead of a row.
    package init(_ parts: [(tone: HTMLTone, count: Int)], of whole: Int, isTall: Bool = false) {
        self.parts = parts
        self.whole = whole
        self.isTall = isTall
    }

    /// Writes the bar.
    package func write(to html: inout HTMLWriter) {
        html.element(
            .svg,
            [
                isTall ? .classes("bar", "tall") : .classes("bar"), .decorative,
                .viewBox(width: Self.width, height: 10), .stretches,
            ]
        ) { html in
            html.rectangle(.classes("back"), x: .units(0), y: 0, width: .units(Self.width), height: 10)
            var x = 0.0
            for part in parts where part.count > 0 && whole > 0 {
                let width = max(Self.least, Self.width * Double(part.count) / Double(whole))
                html.rectangle(.tone(part.tone, "fill"), x: .units(x), y: 0, width: .units(width), height: 10)
                x += width
            }
        }
    }
}
