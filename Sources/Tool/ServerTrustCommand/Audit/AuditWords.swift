// SPDX-License-Identifier: Apache-2.0

/// A formatter for the numbers on an audit's page.
enum AuditWords {
    /// Returns a number with commas between the thousands: `1,234,567`.
    static func number(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        let grouped = digits.enumerated().map { place, digit in
            place > 0 && (digits.count - place).isMultiple(of: 3) ? ",\(digit)" : "\(digit)"
        }
        return (number < 0 ? "-" : "") + grouped.joined()
    }

    /// Returns a number in at most four characters: `999`, `12k`, `1.2M`. It drops digits that don't fit.
    static func short(_ number: Int) -> String {
        for (size, letter) in [(1_000_000_000, "G"), (1_000_000, "M"), (1000, "k")] where number >= size {
            let tenths = number / (size / 10)
            return tenths < 100 && !tenths.isMultiple(of: 10)
                ? "\(tenths / 10).\(tenths % 10)\(letter)" : "\(tenths / 10)\(letter)"
        }
        return String(number)
    }

    /// Returns a count with its noun: `1 answer`, `1,000 answers`.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(Self.number(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Returns a percentage with one decimal place. It only returns 0 % and 100 % if they are exact.
    static func share(_ part: Int, of whole: Int) -> String {
        guard whole > 0, part > 0 else { return "0%" }
        guard part < whole else { return "100%" }
        let tenths = (Double(part) / Double(whole) * 1000).rounded()
        if tenths < 1 { return "<0.1%" }
        if tenths > 999 { return ">99.9%" }
        return "\(Int(tenths) / 10).\(Int(tenths) % 10)%"
    }
}
