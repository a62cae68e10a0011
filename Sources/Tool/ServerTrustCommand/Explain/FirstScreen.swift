// SPDX-License-Identifier: Apache-2.0

/// The parts of a page that fit on a screen. You add the most important part first.
struct FirstScreen {
    /// The number of lines that a person sees without scrolling.
    static let maximumLines = 20

    /// The places of the parts, from the top.
    enum Place: Int { case message, meaning, example, causes, sign, remedies, others, end }

    let limit: Int
    private var parts: [(place: Place, lines: [String])] = []

    init(limit: Int) { self.limit = limit }

    /// Adds a part below the parts at the same place, if all of its lines fit.
    /// - Parameter title: the line above the first part at the place.
    mutating func add(_ lines: [String], at place: Place, title: String? = nil) {
        let isFirst = !parts.contains { $0.place == place }
        let lines = (isFirst ? title.map { [$0] } ?? [] : []) + lines
        guard !lines.isEmpty, parts.reduce(lines.count, { $0 + $1.lines.count }) <= limit else { return }
        parts.append((place, lines))
    }

    var lines: [String] {
        // Sorting is stable.
        parts.sorted { $0.place.rawValue < $1.place.rawValue }.flatMap(\.lines)
    }
}
