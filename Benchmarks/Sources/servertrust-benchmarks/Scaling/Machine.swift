// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The machine of a run, in words.
enum Machine {
    static var description: String {
        let memory = Double(ProcessInfo.processInfo.physicalMemory) / Double(1 << 30)
        let parts = [
            model, "\(ProcessInfo.processInfo.activeProcessorCount) processors",
            "\(memory.formatted(decimals: 0)) GiB of memory", system, openSSLVersion,
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    /// The load before the run: the average number of running processes in the last minute, or nil if unknown.
    static var load: String? {
        (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?.split(separator: " ").first.map(String.init)
    }

    /// Whether the process takes precedence over all others, as after `chrt -r 10`. Other load then hardly affects
    /// rates.
    static var hasRealTimePriority: Bool {
        #if os(Linux)
        let policy = sched_getscheduler(0)
        return policy == SCHED_RR || policy == SCHED_FIFO
        #else
        return false
        #endif
    }

    private static var model: String? {
        guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":", maxSplits: 1).last.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static var system: String {
        #if os(Linux)
        let name = "Linux"
        #else
        let name = ProcessInfo.processInfo.operatingSystemVersionString
        #endif
        #if arch(x86_64)
        return "\(name) on x86-64"
        #elseif arch(arm64)
        return "\(name) on ARM64"
        #else
        return name
        #endif
    }
}
