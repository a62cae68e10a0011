// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The exit codes. They never change. `servertrust help exit-codes` documents them.
enum ExitCodes {
    /// A rejected server or chain, or a finding.
    static let rejected = ExitCode(1)
    /// An error of input or output, or unreadable input.
    static let couldNotEvaluate = ExitCode(2)
    /// A rehearsal whose records don't contain the answer.
    static let notKnown = ExitCode(3)
}
