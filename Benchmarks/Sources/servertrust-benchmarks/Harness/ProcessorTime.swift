// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Time that the processor has spent on this process.
///
/// The processor time of this thread. All measured work runs on one thread without waiting, so this is its duration on
/// an idle machine; other processes count only through shared caches and cores.
enum ProcessorTime {
    /// Nanoseconds since some moment.
    static func now() -> Double {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return .nan }
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
