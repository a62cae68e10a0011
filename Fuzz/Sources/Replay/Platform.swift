// SPDX-License-Identifier: Apache-2.0

import Foundation

/// System calls whose types differ between Linux and Apple's systems.
enum Platform {
    #if canImport(Darwin)
    typealias FileActions = posix_spawn_file_actions_t?
    static var noFileActions: FileActions { nil }
    #else
    typealias FileActions = posix_spawn_file_actions_t
    static var noFileActions: FileActions { posix_spawn_file_actions_t() }
    #endif

    static func limitAddressSpace(megabytes: Int) {
        var limit = rlimit(rlim_cur: rlim_t(megabytes) << 20, rlim_max: rlim_t(megabytes) << 20)
        #if canImport(Darwin)
        _ = setrlimit(RLIMIT_AS, &limit)
        #else
        _ = setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        #endif
    }

    static func forbidCoreFiles() {
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Darwin)
        _ = setrlimit(RLIMIT_CORE, &limit)
        #else
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        #endif
    }

    /// Returns the peak memory of this process, in megabytes.
    static func peakMegabytes() -> Int {
        var usage = rusage()
        #if canImport(Darwin)
        _ = getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss >> 20
        #else
        _ = getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss >> 10
        #endif
    }

    /// Returns the processor time of this process.
    static func processorNanoseconds() -> UInt64 { time(CLOCK_PROCESS_CPUTIME_ID) }

    /// Returns the time since a start that all processes share, in nanoseconds.
    static func monotonicNanoseconds() -> UInt64 { time(CLOCK_MONOTONIC) }

    private static func time(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        _ = clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
