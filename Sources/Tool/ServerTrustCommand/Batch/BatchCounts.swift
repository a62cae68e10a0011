// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The numbers of lines and answers of a run.
struct BatchCounts: Codable, Equatable, Sendable {
    /// The number of lines or records that the run read.
    var lines = 0
    var trusted = 0
    var rejected = 0
    var unreadable = 0

    var answers: Int { trusted + rejected + unreadable }

    /// Counts an answer.
    mutating func add(_ verdict: BatchAnswer.Verdict) {
        switch verdict {
        case .trusted: trusted += 1
        case .rejected: rejected += 1
        case .unreadable: unreadable += 1
        }
    }

    static func += (left: inout BatchCounts, right: BatchCounts) {
        left.lines += right.lines
        left.trusted += right.trusted
        left.rejected += right.rejected
        left.unreadable += right.unreadable
    }

    /// Returns the last line of a run.
    func line(_ format: InputFormat) -> String {
        "\(counted(lines, format == .csv ? "record" : "line")) read, \(counted(answers, "answer")): "
            + "\(trusted) trusted, \(rejected) rejected, \(unreadable) unreadable"
    }
}
