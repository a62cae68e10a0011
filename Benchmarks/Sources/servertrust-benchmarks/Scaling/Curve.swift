// SPDX-License-Identifier: Apache-2.0

/// The measured cost of some work at several sizes: one chart.
struct Curve {
    /// The name of the chart's file, without its ending.
    var file: String
    var title: String
    var size: Axis
    var cost: Axis
    var lines: [Line]
    /// One sentence with measured figures.
    var finding: String
    /// The stated growth of this package's work, and the test that counts the work.
    var growth: String
    /// The contenders, and the reason why a peer is missing.
    var peers: String
    /// Further measured figures of the same run. Empty for none.
    var remark = ""

    struct Axis {
        var label: String
        var quantity: Quantity
    }

    struct Line {
        var name: String
        var style: Style
        var points: [Point]

        /// Returns the cost at the smallest and at the largest size.
        var ends: (first: Double, last: Double) { (points.first?.cost ?? .nan, points.last?.cost ?? .nan) }
        /// The cost at the largest size, divided by that at the smallest size.
        var factor: Double { ends.last / ends.first }
    }

    struct Point {
        var size: Double
        var cost: Double
    }

    /// The color and mark of a line. A contender has the same style in every chart.
    enum Style: String, CaseIterable {
        case ours
        case oursSecond
        case oursThird
        case certificates
        case openSSL
        case raw
        /// A second line of a peer.
        case openSSLSecond
    }
}

extension Curve {
    /// The sizes of all lines, in ascending order.
    var sizes: [Double] { Set(lines.flatMap { $0.points.map(\.size) }).sorted() }

    func line(_ name: String) -> Line? { lines.first { $0.name == name } }

    /// Returns a factor in words: "4.1 times".
    static func times(_ factor: Double) -> String {
        "\(factor.formatted(decimals: factor < 10 ? 1 : 0)) times"
    }
}

/// Collects the lines of a curve, which is measured size by size: for each contender, the time of its fastest round.
struct CurveLines {
    private var styles: [(name: String, style: Curve.Style)]
    private var points: [String: [Curve.Point]] = [:]

    init(_ styles: [(String, Curve.Style)]) { self.styles = styles.map { (name: $0.0, style: $0.1) } }

    mutating func add(size: Double, _ timings: [Timing]) {
        for timing in timings {
            points[timing.name, default: []].append(Curve.Point(size: size, cost: timing.fastest))
        }
    }

    mutating func add(size: Double, cost: Double, name: String) {
        points[name, default: []].append(Curve.Point(size: size, cost: cost))
    }

    var lines: [Curve.Line] {
        styles.map { Curve.Line(name: $0.name, style: $0.style, points: points[$0.name] ?? []) }
    }
}
