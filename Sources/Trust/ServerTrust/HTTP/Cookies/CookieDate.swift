// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A parser for the dates of cookies, which servers write in many formats (RFC 6265 § 5.1.1). `HTTPDate` is stricter.
enum CookieDate {
    /// Parses day, month, year and time in any order, with any text between them. Years from 0 to 69 mean 2000 to 2069,
    /// and years from 70 to 99 mean 1970 to 1999.
    /// - Returns: the time, or nil if a part is missing or the day or time doesn't exist.
    static func parse(_ text: some StringProtocol) -> Time? {
        var (clock, day, month, year): ([Int]?, Int?, Int?, Int?)
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            // The first token of each format counts, in this order.
            if clock == nil, let found = self.clock(token) {
                clock = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
            }
        }
        guard let clock, let day, let month, let year, year >= 1601, clock[2] <= 59 else { return nil }
        let time = clock.map { padded($0, 2) }.joined(separator: ":")
        // Rejects days and times that don't exist.
        return try? Time(rfc3339: "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(time)Z")
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2f, 0x3b...0x40, 0x5b...0x60, 0x7b...0x7e: true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Returns the number at the start of a token, or nil if its count of digits isn't in the range. Anything except a
    /// digit may follow.
    private static func number(_ token: some Collection<UInt8>, digits: ClosedRange<Int>) -> Int? {
        let found = token.prefix(while: isDigit)
        guard digits.contains(found.count) else { return nil }
        return found.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Returns hours, minutes and seconds of one or two digits each.
    private static func clock(_ token: some Collection<UInt8>) -> [Int]? {
        let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0].allSatisfy(isDigit), fields[1].allSatisfy(isDigit) else { return nil }
        let numbers = fields.compactMap { number($0, digits: 1...2) }
        return numbers.count == 3 ? numbers : nil
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static func month(_ token: some Collection<UInt8>) -> Int? {
        months.firstIndex(of: String(decoding: token.prefix(3), as: UTF8.self).asciiLowercased).map { $0 + 1 }
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
