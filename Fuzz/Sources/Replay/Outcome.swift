// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The result of a target.
struct Outcome {
    enum Kind: Equatable {
        case passed
        /// The process ended by a signal, or by a call of `exit`.
        case crash
        /// An input took longer than the limit on the clock.
        case hang
        case tooSlow
        case tooLarge
        /// The target has no files to start from, or they can't be read.
        case noInputs
        /// The process ended before its first input, or didn't come to it.
        case notStarted
        /// The run was interrupted.
        case interrupted
    }

    struct Finding {
        var bytes: [UInt8]
        var number: Int
        /// The path of the file that the input is, or that it was made from.
        var base: String
        var isMutated: Bool
    }

    let target: FuzzTarget
    var kind: Kind
    /// An explanation of a failure.
    var reason = ""
    /// Inputs that ended.
    var finished = 0
    /// Processor time of the process, in seconds.
    var seconds = 0.0
    /// Processor time of the slowest input, in milliseconds.
    var slowest = 0.0
    /// Checksum over all inputs that ended: equal for equal inputs.
    var checksum: UInt64 = 0
    var finding: Finding?
    /// The last lines that the process wrote.
    var output: [String] = []

    /// The line of the table.
    var line: String {
        let name = target.name.padding(toLength: 27, withPad: " ", startingAt: 0)
        let inputs = String(format: "%7d inputs %6.1f s", finished, seconds)
        let rest = String(format: "  slowest %7.1f ms  checksum ", slowest) + Checksum.text(checksum, digits: 8)
        return name + inputs + rest + (kind == .passed ? "  passed" : "  FAILED: \(reason)")
    }

    /// The start of the name of a file with the finding.
    var findingKind: String {
        switch kind {
        case .hang: "hang"
        case .tooSlow: "slow"
        case .tooLarge: "memory"
        default: "crash"
        }
    }
}
