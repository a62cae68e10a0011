// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis

/// The number of results for each outcome, and the resulting exit code.
struct CheckTally: Sendable {
    /// The number of servers to check.
    let total: Int
    private(set) var counts: [TrustReport.Outcome: Int] = [:]

    init(total: Int) { self.total = total }

    mutating func count(_ result: CheckResult) { counts[result.outcome, default: 0] += 1 }

    subscript(outcome: TrustReport.Outcome) -> Int { counts[outcome] ?? 0 }

    var checked: Int { counts.values.reduce(0, +) }

    /// The number of servers without a result because the run was stopped.
    var unchecked: Int { total - checked }

    /// The text: `41 of 50 trusted, 2 with a certificate that expires soon, 3 not checked`.
    var text: String {
        var text = "\(self[.trusted] + self[.expiring]) of \(total) trusted"
        if self[.expiring] > 0 { text += ", \(self[.expiring]) with a certificate that expires soon" }
        if unchecked > 0 { text += ", \(unchecked) not checked" }
        return text
    }

    /// The exit code, or nil if all servers are trusted and there are no findings.
    var exitCode: ExitCode? {
        if self[.rejected] + self[.expiring] > 0 { return ExitCodes.rejected }
        return self[.undecided] + unchecked > 0 ? ExitCodes.couldNotEvaluate : nil
    }
}
