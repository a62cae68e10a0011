// SPDX-License-Identifier: Apache-2.0

/// The outcome of one benchmark: a table, and the result of its check.
struct Section {
    var benchmark: String
    var title: String
    /// Heads of the columns after the first, which names the row.
    var columns: [String]
    var rows: [Row] = []
    var claims: [Claim] = []

    struct Row {
        var name: String
        var cells: [Cell]
    }

    enum Cell {
        /// A measure with this many decimals.
        case number(Double, decimals: Int)
        case text(String)
        case none
    }

    /// A measure that has a limit. Being over it is said, and is no failure of the run.
    struct Claim {
        var what: String
        var value: Double
        var limit: Double
        var unit: String

        var holds: Bool { value <= limit }
    }
}

extension Section.Cell {
    static func microseconds(_ nanoseconds: Double) -> Self { .number(nanoseconds / 1000, decimals: 2) }
    static func instructions(_ count: Double?) -> Self { count.map { .number($0, decimals: 0) } ?? .none }
    static func allocations(_ count: Double?) -> Self { count.map { .number($0, decimals: 1) } ?? .none }
    static func ratio(_ value: Double) -> Self { .number(value, decimals: 3) }
}

extension Section {
    /// A section of one row a contender: median, fastest and slow microseconds, and ratios to the contender `base`.
    init(benchmark: String, title: String, timings: [Timing], base: String) {
        self.init(
            benchmark: benchmark, title: title,
            columns: Self.columns(base))
        let baseline = timings.first { $0.name == base }
        rows = timings.map { Row(name: $0.name, $0, base: baseline) }
    }

    private static func columns(_ base: String) -> [String] {
        ["median µs", "fastest µs", "90 % µs", "medians / \(base)", "by round", "fastest", "instructions"]
    }

    /// Claims that a contender's median is at most this many microseconds.
    mutating func claim(_ what: String, _ timing: Timing, microseconds limit: Double) {
        claims.append(Claim(what: what, value: timing.median / 1000, limit: limit, unit: "µs"))
    }

    /// Claims that `contender` takes at most `limit` times as long as `base`, round by round, if both were measured.
    mutating func claim(_ contender: String, over base: String, limit: Double, _ timings: [Timing]) {
        guard let first = timings.first(where: { $0.name == contender }),
            let second = timings.first(where: { $0.name == base })
        else { return }
        claims.append(
            Claim(what: "\(contender) / \(base)", value: first.ratio(to: second), limit: limit, unit: "x"))
    }
}

extension Section.Row {
    /// A row of a section whose rows are contenders.
    init(name: String, _ timing: Timing, base: Timing?) {
        self.init(
            name: name,
            cells: [
                .microseconds(timing.median), .microseconds(timing.fastest), .microseconds(timing.slow),
                base.map { .ratio(timing.median / $0.median) } ?? .none,
                base.map { .ratio(timing.ratio(to: $0)) } ?? .none,
                base.map { .ratio(timing.fastest / $0.fastest) } ?? .none,
                .instructions(timing.instructions),
            ])
    }
}

// MARK: - Text

extension Section: CustomStringConvertible {
    var description: String {
        let table = [[""] + columns] + rows.map { [$0.name] + $0.cells.map(\.description) }
        let count = columns.count + 1
        let widths = (0..<count).map { column in table.map { $0[column].count }.max() ?? 0 }
        let isText = (0..<columns.count).map { column in
            rows.contains { if case .text = $0.cells[column] { true } else { false } }
        }
        var text = "\(benchmark): \(title)\n"
        for line in table {
            var cells = ["  " + line[0].padded(to: widths[0])]
            for column in 1..<count {
                cells.append(line[column].padded(to: widths[column], atEnd: isText[column - 1]))
            }
            text += cells.joined(separator: "  ").trimmedAtEnd + "\n"
        }
        for claim in claims { text += "  \(claim)\n" }
        return text
    }
}

extension Section.Cell: CustomStringConvertible {
    var description: String {
        switch self {
        case .number(let value, let decimals): value.formatted(decimals: decimals)
        case .text(let text): text
        case .none: "-"
        }
    }
}

extension Section.Claim: CustomStringConvertible {
    var description: String {
        let decimals = unit == "x" ? 3 : 2
        return "\(holds ? "OK  " : "OVER")  \(what): \(value.formatted(decimals: decimals)) \(unit), "
            + "limit \(limit.formatted(decimals: decimals)) \(unit)"
    }
}

extension Double {
    func formatted(decimals: Int) -> String {
        guard isFinite else { return "-" }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let whole = (self * scale).rounded()
        guard decimals > 0 else { return String(Int(whole)) }
        let digits = String(Int(whole.magnitude))
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return (whole < 0 ? "-" : "") + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}

extension String {
    fileprivate func padded(to width: Int, atEnd: Bool = true) -> String {
        let space = String(repeating: " ", count: max(0, width - count))
        return atEnd ? self + space : space + self
    }

    fileprivate var trimmedAtEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}

// MARK: - JSON

extension Section.Claim: Encodable {
    private enum Key: String, CodingKey { case what, value, limit, unit, holds }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(what, forKey: .what)
        try container.encode(value, forKey: .value)
        try container.encode(limit, forKey: .limit)
        try container.encode(unit, forKey: .unit)
        try container.encode(holds, forKey: .holds)
    }
}

extension Section: Encodable {
    private enum Key: String, CodingKey { case schemaVersion, benchmark, title, rows, claims }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schemaVersion)
        try container.encode(benchmark, forKey: .benchmark)
        try container.encode(title, forKey: .title)
        var rows = container.nestedUnkeyedContainer(forKey: .rows)
        for row in self.rows { try rows.encode(NamedRow(name: row.name, columns: columns, cells: row.cells)) }
        try container.encode(claims, forKey: .claims)
    }

    private struct NamedRow: Encodable {
        var name: String
        var columns: [String]
        var cells: [Cell]

        struct Column: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Column.self)
            try container.encode(name, forKey: Column(stringValue: "name"))
            for (column, cell) in zip(columns, cells) {
                let key = Column(stringValue: column)
                switch cell {
                case .number(let value, _): try container.encode(value, forKey: key)
                case .text(let text): try container.encode(text, forKey: key)
                case .none: try container.encodeNil(forKey: key)
                }
            }
        }
    }
}
