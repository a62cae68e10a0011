// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Time that the processor has spent on this process.
///
/// Everything that is measured runs on one thread and waits for nothing, so this is how long it takes on a machine with
/// nothing else to do, and what else the machine does is not counted (but for caches and cores that are shared).
enum ProcessorTime {
    /// Nanoseconds since some moment.
    static func now() -> Double {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return .nan }
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
