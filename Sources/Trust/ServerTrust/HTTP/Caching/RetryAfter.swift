// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A parser for `Retry-After` (RFC 9110 § 10.2.3).
package enum RetryAfter {
    /// Returns the number of seconds to wait, from 0 to 2³¹.
    ///
    /// A date counts from the response's `Date`, so the client's clock doesn't matter, or from `now` without a valid
    /// `Date`. A date in the past means 0.
    /// - Parameters:
    ///   - now: the time of receipt.
    ///   - fields: returns the values of all fields with a name, which is in lower case.
    /// - Returns: nil if there is no such field, several of them, or one that is neither a number of digits nor a date.
    package static func seconds(now: Time, fields: (_ name: String) -> [String]) -> Int? {
        let values = fields("retry-after")
        guard values.count == 1, let text = values.first?.withoutOuterSpace else { return nil }
        if let seconds = FreshnessLifetime.deltaSeconds(text) { return seconds }
        guard let end = HTTPDate.parse(text, now: now) else { return nil }
        let start = fields("date").first.flatMap { HTTPDate.parse($0.withoutOuterSpace, now: now) } ?? now
        let (seconds, overflow) = end.secondsSinceEpoch.subtractingReportingOverflow(start.secondsSinceEpoch)
        return overflow ? 0 : Int(min(max(seconds, 0), Int64(FreshnessLifetime.maximum)))
    }
}
