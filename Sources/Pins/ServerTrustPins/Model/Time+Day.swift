// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension Time {
    /// `yyyy-MM-dd` in UTC.
    package var day: String { String(description.prefix(10)) }
    /// Whether the time is the first second of a day in UTC.
    package var isMidnight: Bool { secondsSinceEpoch % 86_400 == 0 }
}
