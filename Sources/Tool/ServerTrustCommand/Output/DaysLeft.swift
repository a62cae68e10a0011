// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The time from a verify date to a certificate's expiry, in whole days.
struct DaysLeft: Hashable, Sendable {
    /// The seconds until expiry. Negative afterwards.
    let seconds: Int64

    init(until end: Time, at now: Time) {
        let (seconds, isOverflow) = end.secondsSinceEpoch.subtractingReportingOverflow(now.secondsSinceEpoch)
        self.seconds = isOverflow ? .max : seconds
    }

    /// The days until expiry, rounded down. Negative afterwards.
    var days: Int64 { seconds >= 0 ? seconds / 86_400 : -((-(seconds + 1)) / 86_400) - 1 }
}

extension DaysLeft: CustomStringConvertible {
    /// `41 days left`, `1 day left`, `less than a day left`, `ended 1 day ago`.
    var description: String {
        switch days {
        case 0: "less than a day left"
        case 1: "1 day left"
        case -1: "ended less than a day ago"
        case -2: "ended 1 day ago"
        case ..<0: "ended \(-days - 1) days ago"
        default: "\(days) days left"
        }
    }
}
