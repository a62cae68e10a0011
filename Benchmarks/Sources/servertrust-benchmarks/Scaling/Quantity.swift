// SPDX-License-Identifier: Apache-2.0

/// The unit of an axis, with the words for its values.
enum Quantity {
    case count
    /// Bytes, in powers of ten.
    case bytes
    /// Nanoseconds.
    case time
    /// Events per second.
    case rate

    /// Returns a value in at most three digits where possible: "1.25 µs", "12.5 ms", "100 KB", "10,000".
    func text(_ value: Double) -> String {
        switch self {
        case .count: Self.grouped(value)
        case .bytes: Self.scaled(value, ["B", "KB", "MB", "GB"])
        case .time: Self.scaled(value, ["ns", "µs", "ms", "s"])
        case .rate: Self.grouped(value.roundedToThreeDigits)
        }
    }

    /// Returns a size for a row of a table. A CRL of 999 bytes is one of 1 KB.
    func name(_ value: Double) -> String { self == .bytes ? mark(value) : text(value) }

    /// Returns a value in few letters, for a mark of an axis: "10k", "1M".
    func mark(_ value: Double) -> String {
        switch self {
        case .bytes: Self.scaled(value.rounded(toDigits: 2), ["B", "KB", "MB", "GB"])
        case .time: text(value)
        case .count, .rate:
            switch value {
            case 1e6...: Self.digits(value / 1e6) + "M"
            case 1e4...: Self.digits(value / 1e3) + "k"
            default: Self.grouped(value)
            }
        }
    }

    private static func scaled(_ value: Double, _ units: [String]) -> String {
        var value = value.roundedToThreeDigits
        var index = 0
        while value >= 1000, index + 1 < units.count {
            value /= 1000
            index += 1
        }
        return "\(digits(value)) \(units[index])"
    }

    /// Returns three digits, without zeros at the end of the decimals.
    private static func digits(_ value: Double) -> String {
        let decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2
        var text = value.formatted(decimals: decimals)
        guard decimals > 0 else { return text }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }

    private static func grouped(_ value: Double) -> String {
        guard value.isFinite else { return "-" }
        guard value == value.rounded() else { return digits(value) }
        var text = ""
        for (index, digit) in String(Int(value)).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text = "," + text }
            text = String(digit) + text
        }
        return text
    }
}

extension Double {
    fileprivate var roundedToThreeDigits: Double { rounded(toDigits: 3) }

    fileprivate func rounded(toDigits digits: Int) -> Double {
        guard self > 0, isFinite else { return self }
        var factor = 1.0
        let limit = digits == 2 ? 100.0 : 1000.0
        while self / factor >= limit { factor *= 10 }
        while self / factor < limit / 10 { factor /= 10 }
        return (self / factor).rounded() * factor
    }
}
