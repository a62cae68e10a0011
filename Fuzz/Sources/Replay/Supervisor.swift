// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs targets, each in a separate process, and stops processes that exceed their time.
struct Supervisor {
    var jobs = 1
    var seed: UInt64 = 1
    /// The number of mutated inputs for each target, instead of the target's own number.
    var mutations: Int?
    /// The only input to run, or nil for all inputs.
    var file: String?

    /// The longest time in seconds that a process may take to read its inputs.
    static let secondsForReading = 300.0

    /// Runs targets and reports each outcome as soon as it is available. Returns the outcomes in the order in which the
    /// targets end.
    func run(_ targets: [FuzzTarget], report: (Outcome) -> Void = { _ in }) throws -> [Outcome] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-replay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        Interruption.watch()
        var waiting = targets[...]
        var running: [ChildProcess] = []
        var outcomes: [Outcome] = []
        while !waiting.isEmpty || !running.isEmpty {
            while running.count < jobs, let target = waiting.popFirst() {
                running.append(try ChildProcess(target, self, folder: folder))
            }
            var ended: [Int] = []
            for (index, child) in running.enumerated() {
                guard let outcome = child.outcome() else { continue }
                ended.append(index)
                outcomes.append(outcome)
                report(outcome)
            }
            for index in ended.reversed() { running.remove(at: index) }
            if Interruption.isRequested { waiting = [] }
            if ended.isEmpty { usleep(20_000) }
        }
        return outcomes
    }
}

/// The user's request to stop.
enum Interruption {
    static func watch() {
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { _ in interruptions = 1 } }
    }

    static var isRequested: Bool { interruptions != 0 }
}

/// Only a signal handler writes this, always with the same value.
private nonisolated(unsafe) var interruptions: sig_atomic_t = 0
