// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The caching rules in a response's header fields (RFC 9111), for a private cache: `s-maxage` and `private` have no
/// effect.
package struct FreshnessLifetime: Sendable, Hashable {
    /// The longest lifetime, in seconds, that a recipient must support (§ 1.2.2). Longer lifetimes are shortened to
    /// this value.
    static let maximum = 1 << 31

    /// Whether the response must not be stored, because it has `no-store` or its directives can't be separated.
    package let forbidsStoring: Bool

    /// The number of seconds after receipt during which the response may be used without asking the server. This is its
    /// `max-age`, or else `Expires` minus `Date`, less its `Age` (§ 4.2.1).
    ///
    /// 0 in these cases:
    /// - The response must be validated before each use (`no-cache`, with or without field names).
    /// - Its max-age isn't a number, or occurs twice with different numbers.
    /// - Its `Expires` isn't a date, or occurs twice with different values.
    ///
    /// Nil if the server states no lifetime, which includes `Expires` without a valid `Date`.
    package let seconds: Int?

    /// Computes the lifetime of a response.
    /// - Parameters:
    ///   - now: the time of receipt, for dates with two-digit years.
    ///   - fields: returns the values of all fields with a name, which is in lower case.
    package init(now: Time, fields: (_ name: String) -> [String]) {
        let control = CacheControl(fields("cache-control"))
        forbidsStoring = control.isMalformed || control.contains("no-store")
        guard !control.isMalformed, !control.contains("no-cache") else {
            seconds = 0
            return
        }
        let age = fields("age").first.flatMap { Self.age($0) } ?? 0
        let lifetime =
            Self.maximumAge(control)
            ?? Self.untilExpiry(fields("expires"), fields("date"), now)
        seconds = lifetime.map { max(0, $0 - age) }
    }

    /// Parses `delta-seconds` (§ 1.2.2). Accepts only digits: no sign, fraction, exponent, "inf" or "nan".
    /// - Returns: at most ``maximum``, or nil for any other text.
    static func deltaSeconds(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        // Digits that don't fit an Int are a larger number.
        return min(Int(text) ?? maximum, maximum)
    }

    /// Returns the first member of a list. An age that isn't a number is ignored (§ 5.1).
    private static func age(_ field: String) -> Int? {
        deltaSeconds(field.prefix { $0 != "," }.withoutOuterSpace)
    }

    private static func maximumAge(_ control: CacheControl) -> Int? {
        let arguments = control.arguments(of: "max-age")
        guard let first = arguments.first else { return nil }
        guard let first, let seconds = deltaSeconds(first),
            arguments.allSatisfy({ $0.flatMap { deltaSeconds($0) } == seconds })
        else { return 0 }
        return seconds
    }

    private static func untilExpiry(_ expires: [String], _ date: [String], _ now: Time) -> Int? {
        guard let first = expires.first else { return nil }
        // "An Expires of 0" and other texts that aren't dates count as past (§ 5.3).
        guard expires.allSatisfy({ $0 == first }), let end = HTTPDate.parse(first.withoutOuterSpace, now: now) else {
            return 0
        }
        guard let text = date.first, let start = HTTPDate.parse(text.withoutOuterSpace, now: now) else { return nil }
        let (seconds, overflow) = end.secondsSinceEpoch.subtractingReportingOverflow(start.secondsSinceEpoch)
        return overflow ? 0 : Int(min(max(seconds, 0), Int64(maximum)))
    }
}
