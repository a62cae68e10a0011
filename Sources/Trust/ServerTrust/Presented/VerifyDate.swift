// SPDX-License-Identifier: Apache-2.0

import PKIX

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The date for which a chain is evaluated.
public enum VerifyDate: Sendable, Hashable {
    /// The machine's clock at the start of the evaluation.
    case now
    /// This date.
    case at(Time)

    /// The date as a time. For ``now``, the current time.
    package var time: Time {
        switch self {
        case .now: .now()
        case .at(let time): time
        }
    }
}

extension Time {
    /// Returns the machine's time, to the second.
    public static func now() -> Time { Time(secondsSinceEpoch: Int64(Date().timeIntervalSince1970.rounded(.down))) }
}
