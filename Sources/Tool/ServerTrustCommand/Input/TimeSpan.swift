// SPDX-License-Identifier: Apache-2.0

/// A time span on the command line: `5s`, `500ms`, `2m`, `30d`.
///
/// A number without a unit means seconds for `--timeout` (as in curl), for `--watch` (as in watch), and for
/// `--revocation-max-age`. Options that count days, such as `--expires-within`, require a unit, because 90 would be
/// meant as days there.
struct TimeSpan: Hashable, Sendable {
    let milliseconds: Int

    var duration: Duration { .milliseconds(milliseconds) }

    static let fiveSeconds = TimeSpan(milliseconds: 5_000)

    init(milliseconds: Int) { self.milliseconds = milliseconds }

    /// Returns the time span of a text that has a unit.
    /// - Throws: ``TimeSpanError`` like the initializer, and also for a number without a unit.
    static func withUnit(_ text: String) throws(TimeSpanError) -> TimeSpan {
        let span = try TimeSpan(text)
        guard text.last?.isLetter == true else { throw TimeSpanError(text: text, lacksUnit: true) }
        return span
    }

    /// Creates a time span from its text. A number without a unit means seconds.
    /// - Throws: ``TimeSpanError`` for anything else, for zero, and for more than 100 years.
    init(_ text: String) throws(TimeSpanError) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let units = ["ms": 1, "s": 1_000, "": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        guard let unit = units[String(text[digits.endIndex...])], let number = Int(digits), number > 0,
            number <= 3_153_600_000_000 / unit
        else { throw TimeSpanError(text: text) }
        milliseconds = number * unit
    }
}

extension TimeSpan: CustomStringConvertible {
    /// The time span in the largest unit that doesn't need a fraction.
    var description: String {
        for (name, size) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000)]
        where milliseconds.isMultiple(of: size) {
            return "\(milliseconds / size)\(name)"
        }
        return "\(milliseconds)ms"
    }
}

struct TimeSpanError: Error, CustomStringConvertible {
    let text: String
    /// Whether the text is a number that needs a unit.
    var lacksUnit = false

    var description: String {
        guard !lacksUnit else { return "\"\(text)\" has no unit, expected \(text)d for days or \(text)h for hours" }
        return "\"\(text)\" isn't a time span, expected a whole number above 0 with ms, s, m, h or d, such as 5s"
    }
}
