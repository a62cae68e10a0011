// SPDX-License-Identifier: Apache-2.0

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
