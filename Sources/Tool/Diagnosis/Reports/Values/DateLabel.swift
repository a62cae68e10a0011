// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The short names of a day in UTC, for the labels below the columns of a drawing.
package struct DateLabel: Sendable, Hashable {
    /// The year: `2026`.
    package let year: String
    /// The month: `Nov`.
    package let month: String
    /// The month and the day: `Nov 23`.
    package let day: String

    static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    package init(_ time: Time) {
        // Years before 1 and after 9999 have another format. They don't occur in certificates.
        let parts = time.description.prefix(10).split(separator: "-")
        let place = parts.count == 3 ? (Int(parts[1]) ?? 1) - 1 : 0
        year = parts.first.map(String.init) ?? ""
        month = Self.monthNames.indices.contains(place) ? Self.monthNames[place] : ""
        day = "\(month) \(parts.last ?? "")"
    }

    /// Whether a word begins with a date, as in `2026-11-23T17:09:41Z,` and `(2026-11-23`.
    static func isDate(_ word: Substring.UnicodeScalarView) -> Bool {
        let word = word.first == "(" ? word.dropFirst() : word
        guard (10...40).contains(word.count) else { return false }
        return zip(word, "0000-00-00".unicodeScalars).allSatisfy { scalar, form in
            form == "-" ? scalar == "-" : ("0"..."9").contains(scalar)
        }
    }
}
