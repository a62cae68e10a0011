// SPDX-License-Identifier: Apache-2.0

/// A moment in UTC with a precision of one second, as in RFC 5280 § 4.1.2.5.
///
/// As everywhere in X.509, leap seconds don't count.
public struct Time: Sendable, Hashable, Comparable {
    /// The seconds since 1970-01-01T00:00:00Z. Negative for earlier moments.
    public var secondsSinceEpoch: Int64

    /// Creates a moment. Use a negative number for a moment before 1970.
    public init(secondsSinceEpoch: Int64) { self.secondsSinceEpoch = secondsSinceEpoch }

    public static func < (left: Time, right: Time) -> Bool { left.secondsSinceEpoch < right.secondsSinceEpoch }

    /// Returns the moment after a duration. The duration is rounded down to whole seconds, and the result is clamped to
    /// the range of `Int64`.
    public func advanced(by duration: Duration) -> Time { advanced(by: duration.wholeSeconds) }

    /// Returns the moment after a number of seconds, clamped to the range of `Int64`.
    package func advanced(by seconds: Int64) -> Time {
        let (sum, overflow) = secondsSinceEpoch.addingReportingOverflow(seconds)
        return Time(secondsSinceEpoch: overflow ? (seconds < 0 ? .min : .max) : sum)
    }
}

// MARK: - RFC 3339

/// The error for a text that isn't a date-time of RFC 3339.
public struct TimeFormatError: TrustError, Hashable {
    /// The text that isn't a date and time.
    public let text: String
    /// Whether the only fault is second 60 at a time without leap seconds.
    let isLeapSecond: Bool

    init(text: String, isLeapSecond: Bool = false) {
        self.text = text
        self.isLeapSecond = isLeapSecond
    }

    /// `ErrorCode.timeMalformed`.
    public var code: ErrorCode { .timeMalformed }
    public var message: String {
        isLeapSecond
            ? "\"\(text)\" has second 60, expected only after 23:59:59 UTC on 30 June or 31 December"
            : "\"\(text)\" isn't a time, expected RFC 3339 such as 2026-11-21T09:30:00Z or a date such as 2026-11-21"
    }
}

extension ErrorCode {
    /// The text isn't a date and time of RFC 3339.
    static let timeMalformed = ErrorCode("timeMalformed")
}

extension Time: CustomStringConvertible {
    /// The moment in RFC 3339 form, always in UTC: `2026-11-21T09:30:00Z`.
    public var description: String {
        let (days, seconds) = secondsSinceEpoch.quotientAndRemainderFloored(dividingBy: 86_400)
        let (year, month, day) = Self.civil(daysSinceEpoch: days)
        let sign = year < 0 ? "-" : ""
        return sign + Self.padded(abs(year), 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2) + "T"
            + Self.padded(seconds / 3600, 2) + ":" + Self.padded(seconds / 60 % 60, 2) + ":"
            + Self.padded(seconds % 60, 2) + "Z"
    }

    /// Parses an RFC 3339 time with any offset: `2026-11-21T09:30:00Z`, `2026-11-21t10:30:00.5+01:00`. A date without a
    /// time is midnight UTC.
    ///
    /// Drops a fraction of a second, because certificates are valid until the end of their last second. A leap second,
    /// 23:59:60 UTC on 30 June or 31 December, is the first second of the next day.
    /// - Throws: ``TimeFormatError`` for any other text, including days that don't exist, hour 24 and any other second
    ///   60.
    public init(rfc3339 text: String) throws(TimeFormatError) {
        var scanner = DigitScanner(Array(text.utf8))
        guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
            let day = scanner.number(2)
        else { throw TimeFormatError(text: text) }
        var hour: Int64 = 0
        var minute: Int64 = 0
        var second: Int64 = 0
        var offset: Int64 = 0
        if !scanner.isAtEnd {
            guard scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
                let h = scanner.number(2), scanner.skip(":"), let m = scanner.number(2), scanner.skip(":"),
                let s = scanner.number(2)
            else { throw TimeFormatError(text: text) }
            (hour, minute, second) = (h, m, s)
            if scanner.skip("."), !scanner.skipDigits() { throw TimeFormatError(text: text) }
            if !(scanner.skip("Z") || scanner.skip("z")) {
                let negative = scanner.skip("-")
                guard negative || scanner.skip("+"), let h = scanner.number(2), scanner.skip(":"),
                    let m = scanner.number(2), h < 24, m < 60
                else { throw TimeFormatError(text: text) }
                offset = (h * 3600 + m * 60) * (negative ? -1 : 1)
            }
        }
        guard scanner.isAtEnd, second <= 60,
            let time = Time(year: year, month: month, day: day, hour: hour, minute: minute, second: min(second, 59))
        else { throw TimeFormatError(text: text) }
        self = time.advanced(by: (second == 60 ? 1 : 0) - offset)
        guard second < 60 || startsHalfYear else { throw TimeFormatError(text: text, isLeapSecond: true) }
    }

    /// Whether the moment is midnight UTC on 1 January or 1 July. Leap seconds only come before one of these (RFC 3339
    /// § 5.7).
    private var startsHalfYear: Bool {
        let (days, seconds) = secondsSinceEpoch.quotientAndRemainderFloored(dividingBy: 86_400)
        let (_, month, day) = Self.civil(daysSinceEpoch: days)
        return seconds == 0 && day == 1 && (month == 1 || month == 7)
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

private struct DigitScanner {
    let bytes: [UInt8]
    var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    mutating func number(_ digits: Int) -> Int64? {
        guard index + digits <= bytes.count else { return nil }
        var value: Int64 = 0
        for _ in 0..<digits {
            guard let digit = decimalDigit(bytes[index]) else { return nil }
            value = value * 10 + digit
            index += 1
        }
        return value
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    mutating func skipDigits() -> Bool {
        let start = index
        while index < bytes.count, decimalDigit(bytes[index]) != nil { index += 1 }
        return index > start
    }
}

@inline(__always)
private func decimalDigit(_ byte: UInt8) -> Int64? {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? Int64(byte &- UInt8(ascii: "0")) : nil
}

// MARK: - Calendar

extension Time {
    /// Creates the moment of a civil date and time in UTC, with a year from 0 to 9999. Returns nil if the date or time
    /// doesn't exist.
    init?(year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.daysIn(month: month, year: year), (0..<24).contains(hour), (0..<60).contains(minute),
            (0..<60).contains(second)
        else { return nil }
        // Computes the days since 1970-01-01 in the proleptic Gregorian calendar. The 400-year eras start on March 1,
        // so that the leap day is the last day of its year.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        self.secondsSinceEpoch = days * 86_400 + hour * 3600 + minute * 60 + second
    }

    static func daysIn(month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func civil(daysSinceEpoch: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (daysSinceEpoch + 719_468).quotientAndRemainderFloored(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func quotientAndRemainderFloored(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

// MARK: - ASN.1

extension DERReader {
    /// Reads `Time` in the form that RFC 5280 § 4.1.2.5 prescribes: UTCTime `YYMMDDHHMMSSZ` or GeneralizedTime
    /// `YYYYMMDDHHMMSSZ`.
    ///
    /// A two-digit year of at least 50 is 19xx. The parser accepts a GeneralizedTime before 2050: § 4.1.2.5 is a rule
    /// for CAs, and such a time isn't ambiguous. With ``DERTimeForm``, the strict rules reject it.
    @_lifetime(self: copy self)
    mutating func nextTime(_ field: StaticString) throws(DERError) -> (time: Time, form: DERTimeForm) {
        let element = try next(field)
        let form: DERTimeForm
        var index = element.content
        var year: Int64
        switch element.tag {
        case DERTag.utcTime:
            guard element.contentCount == 13 else { throw malformedTime(element, field) }
            form = .utc
            let short = twoDigits(index)
            year = short >= 50 ? 1900 + short : 2000 + short
            if short < 0 { year = -1 }
            index += 2
        case DERTag.generalizedTime:
            guard element.contentCount == 15 else { throw malformedTime(element, field) }
            form = .generalized
            let high = twoDigits(index)
            let low = twoDigits(index + 2)
            year = high < 0 || low < 0 ? -1 : high * 100 + low
            index += 4
        default:
            throw element.unexpected(DERTag.utcTime, field)
        }
        // A field without digits is -1, which isn't a valid year, month, day, hour, minute or second.
        guard bytes[index + 10] == UInt8(ascii: "Z"),
            let time = Time(
                year: year, month: twoDigits(index), day: twoDigits(index + 2), hour: twoDigits(index + 4),
                minute: twoDigits(index + 6), second: twoDigits(index + 8))
        else { throw malformedTime(element, field) }
        return (time, form)
    }

    /// Returns the error for a time, with its value and the rule that it violates.
    @inline(never)
    private func malformedTime(_ element: DERElement, _ field: StaticString) -> DERError {
        let isUTC = element.tag == DERTag.utcTime
        let text = bytes.copy(ByteRange(element.content, min(element.end, element.content + 32)))
        let digits = text.prefix { decimalDigit($0) != nil }.count
        let expected = isUTC ? 12 : 14
        let fault =
            switch (text.dropFirst(digits).first, digits) {
            case (UInt8(ascii: "Z"), expected) where text.count == expected + 1: "isn't an existing date and time"
            case (UInt8(ascii: "Z"), expected - 2): "has no seconds"
            case (UInt8(ascii: "Z"), 14): "has a four-digit year"
            case (UInt8(ascii: "+"), _), (UInt8(ascii: "-"), _): "has an offset, but times must be in UTC"
            case (UInt8(ascii: "."), _), (UInt8(ascii: ","), _): "has a fraction of a second"
            case (nil, _): "doesn't end with Z"
            default: "isn't a time"
            }
        let rule =
            isUTC
            ? "a UTCTime is YYMMDDHHMMSSZ (RFC 5280 § 4.1.2.5.1)"
            : "a GeneralizedTime is YYYYMMDDHHMMSSZ (RFC 5280 § 4.1.2.5.2)"
        return DERError(
            .timeMalformed, in: field, at: element.start,
            detail: "\(DERError.quoted(bytes, element.contents)) \(fault); \(rule)")
    }

    /// Returns the number that two decimal digits encode, or -1 if they aren't digits.
    @inline(__always)
    private func twoDigits(_ index: Int) -> Int64 {
        let high = bytes[index] &- 0x30
        let low = bytes[index &+ 1] &- 0x30
        return high > 9 || low > 9 ? -1 : Int64(high &* 10 &+ low)
    }
}

/// The ASN.1 type of a time.
enum DERTimeForm: Sendable, Hashable {
    case utc
    case generalized
}
