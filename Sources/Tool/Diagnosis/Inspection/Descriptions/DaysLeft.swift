// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The time from a date to a certificate's expiry, in whole days.
package struct DaysLeft: Hashable, Sendable {
    /// The seconds until expiry. Negative afterwards.
    package let seconds: Int64

    package init(until end: Time, at now: Time) {
        // A decoded report may contain any times. The number can always be negated.
        let (seconds, isOverflow) = end.secondsSinceEpoch.subtractingReportingOverflow(now.secondsSinceEpoch)
        self.seconds = isOverflow ? end < now ? -.max : .max : max(seconds, -.max)
    }

    /// The days until expiry, rounded down. Negative afterwards.
    package var days: Int64 { seconds >= 0 ? seconds / 86_400 : -((-(seconds + 1)) / 86_400) - 1 }

    /// The whole days before or after expiry: `41 days`, `1 day` or `less than a day`.
    package var span: String {
        let count = Int(clamping: days >= 0 ? days : -days - 1)
        return count == 0 ? "less than a day" : counted(count, "day")
    }
}

extension DaysLeft: CustomStringConvertible {
    /// `41 days left`, `less than a day left` or `expired 3 days ago`.
    package var description: String { days >= 0 ? "\(span) left" : "expired \(span) ago" }
}
