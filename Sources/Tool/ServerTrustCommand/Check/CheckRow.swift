// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis
import ServerTrust

/// A summary of a result in a few hundred bytes. Formats with one line per server store only this.
struct CheckRow: Sendable {
    let endpoint: ServerEndpoint
    let outcome: TrustReport.Outcome
    /// The code of the headline, or nil for a trusted server.
    let code: String?
    /// The headline: printable, and at most ``maximumHeadline`` scalars long.
    let headline: String
    /// The earliest end of validity on the path, or nil if the server sent no certificate.
    let notAfter: Time?
    let daysLeft: DaysLeft?
    /// The SHA-256 of the leaf, or nil if the server sent none.
    let leaf: [UInt8]?
    let milliseconds: Int

    private static let maximumHeadline = 300

    init(_ result: CheckResult) {
        endpoint = result.endpoint
        outcome = result.outcome
        code = result.code
        headline = clipped(result.headline, to: Self.maximumHeadline)
        // The row describes the server that the user named, not the targets of its redirects.
        let report = result.steps.first?.report
        let chain = report.map { $0.verdict.path.isEmpty ? $0.presentedChain.certificates : $0.verdict.path } ?? []
        let end = chain.map(\.notAfter).min()
        notAfter = end
        daysLeft = report.flatMap { report in end.map { DaysLeft(until: $0, at: report.verdict.evaluationDate) } }
        leaf = chain.first?.sha256
        milliseconds = result.milliseconds
    }

    /// Returns the width of the column of names. Longer names extend beyond it.
    static func nameWidth(_ endpoints: [ServerEndpoint]) -> Int {
        min(48, endpoints.lazy.map(\.description.count).max() ?? 0) + 2
    }

    /// Returns `OK    api.example.com:443  41 days left` or `FAIL  api.example.com:443  …`.
    func text(_ palette: Palette, nameWidth: Int) -> String {
        let name = endpoint.description.padded(to: nameWidth)
        let days = daysLeft.map { ", \($0)" } ?? ""
        return palette.mark(outcome) + name + headline + (outcome.isTrusted ? days : "")
    }
}

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
