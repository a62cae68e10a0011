// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The numbers of lines and answers of a run.
struct BatchCounts: Codable, Equatable, Sendable {
    /// The number of lines or records that the run read.
    var lines = 0
    var verdicts = AuditCount()

    var answers: Int { verdicts.answers }

    static func += (left: inout BatchCounts, right: BatchCounts) {
        left.lines += right.lines
        left.verdicts.numbers = zip(left.verdicts.numbers, right.verdicts.numbers).map { $0 + $1 }
    }

    /// Returns the last line of a run.
    func line(_ format: InputFormat) -> String {
        "\(counted(lines, format == .csv ? "record" : "line")) read, \(counted(answers, "answer")): "
            + "\(verdicts.trusted) trusted, \(verdicts.rejected) rejected, \(verdicts.unreadable) unreadable"
    }
}
