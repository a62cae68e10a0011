// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A logarithmic axis from one position of a drawing to another.
struct LogAxis {
    private let low: Double
    private let high: Double
    private let start: Double
    private let end: Double
    /// The values with a line and a label.
    let marks: [Double]

    /// Creates an axis whose marks are the values themselves, except those that would touch another label.
    /// - Parameter space: the width of a label.
    init(marking values: [Double], from start: Double, to end: Double, space: Double) {
        let (low, high) = (values.first ?? 1, values.last ?? 10)
        let axis = LogAxis(low: low, high: high, from: start, to: end, marks: [])
        // The largest size counts most, then the smaller ones.
        var marks: [Double] = []
        for value in values.reversed() {
            if let last = marks.last, abs(axis.position(last) - axis.position(value)) < space { continue }
            marks.append(value)
        }
        self.init(low: low, high: high, from: start, to: end, marks: marks.reversed())
    }

    /// Creates an axis that contains the values, with marks at round values.
    init(containing values: [Double], from start: Double, to end: Double) {
        let low = (values.min() ?? 1) / 1.25
        let high = (values.max() ?? 10) * 1.25
        let decades = log10(high / low)
        let steps: [Double] = decades < 2.2 ? [1, 2, 5] : [1]
        var marks: [Double] = []
        var power = pow(10, floor(log10(low)) - 1)
        // More than six decades have a mark at every second one.
        let factor: Double = decades > 6 ? 100 : 10
        while power <= high * 10 {
            marks += steps.map { $0 * power }
            power *= factor
        }
        let below = marks.last { $0 <= low } ?? low
        let above = marks.first { $0 >= high } ?? high
        // An axis ends at a mark unless more than half a decade would be empty.
        self.init(
            low: low / below < 3.2 ? below : low, high: above / high < 3.2 ? above : high, from: start, to: end,
            marks: marks)
    }

    private init(low: Double, high: Double, from start: Double, to end: Double, marks: [Double]) {
        self.low = log10(low)
        self.high = high > low ? log10(high) : log10(low) + 1
        (self.start, self.end) = (start, end)
        self.marks = marks.filter { $0 >= low * 0.999 && $0 <= high * 1.001 }
    }

    func position(_ value: Double) -> Double { start + (end - start) * (log10(value) - low) / (high - low) }
}
