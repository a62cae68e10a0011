// SPDX-License-Identifier: Apache-2.0

/// A time span on a command line: `5s`, `500ms`, `2m`, `30d`; a number alone is seconds.
struct TimeSpan: Hashable, Sendable {
    let milliseconds: Int

    var duration: Duration { .milliseconds(milliseconds) }

    static let fiveSeconds = TimeSpan(milliseconds: 5_000)

    init(milliseconds: Int) { self.milliseconds = milliseconds }

    /// Creates a time span from its text.
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
    /// The time span in the largest unit that needs no fraction.
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

    var description: String { "\"\(text)\" is no time span, expected a number with ms, s, m, h or d, such as 5s" }
}
