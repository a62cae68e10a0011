// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The result of a target.
struct Outcome {
    enum Kind: Equatable {
        case passed
        /// A signal or a call of `exit` ended the process.
        case crash
        /// An input exceeded the limit of elapsed time.
        case hang
        case tooSlow
        case tooLarge
        /// The target has no files to start from, or they can't be read.
        case noInputs
        /// The process ended before its first input, or never reached it.
        case notStarted
        /// The run was interrupted.
        case interrupted
    }

    struct Finding {
        var bytes: [UInt8]
        var number: Int
        /// The path of the file that is the input, or that the input was made from.
        var base: String
        var isMutated: Bool
    }

    let target: FuzzTarget
    var kind: Kind
    /// An explanation of a failure.
    var reason = ""
    /// The number of inputs that finished.
    var finished = 0
    /// The processor time of the process, in seconds.
    var seconds = 0.0
    /// The processor time of the slowest input, in milliseconds.
    var slowest = 0.0
    /// A checksum over all finished inputs. Equal inputs have equal checksums.
    var checksum: UInt64 = 0
    var finding: Finding?
    /// The last lines that the process wrote.
    var output: [String] = []

    /// The row of the table.
    var line: String {
        let name = target.name.padding(toLength: 27, withPad: " ", startingAt: 0)
        let inputs = String(format: "%7d inputs %6.1f s", finished, seconds)
        let rest = String(format: "  slowest %7.1f ms  checksum ", slowest) + Checksum.text(checksum, digits: 8)
        return name + inputs + rest + (kind == .passed ? "  passed" : "  FAILED: \(reason)")
    }

    /// The prefix of the name of a file with the finding.
    var findingKind: String {
        switch kind {
        case .hang: "hang"
        case .tooSlow: "slow"
        case .tooLarge: "memory"
        default: "crash"
        }
    }
}
