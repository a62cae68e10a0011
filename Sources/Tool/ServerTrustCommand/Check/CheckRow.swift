// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import TrustSupport

/// The summary of a result in a few hundred bytes: all that is kept of a server in formats with a line for each.
struct CheckRow: Sendable {
    let endpoint: ServerEndpoint
    let outcome: CheckResult.Outcome
    /// The code of the headline; nil for a trusted server.
    let code: String?
    /// The headline, printable and at most ``maximumHeadline`` scalars long.
    let headline: String
    /// The end of the first certificate of the path to end; nil if no certificate came.
    let notAfter: Time?
    let daysLeft: DaysLeft?
    /// SHA-256 of the leaf; nil if none came.
    let leaf: [UInt8]?
    let milliseconds: Int

    private static let maximumHeadline = 300

    init(_ result: CheckResult) {
        endpoint = result.endpoint
        outcome = result.outcome
        code = result.code
        headline = clipped(result.headline, to: Self.maximumHeadline)
        // The server that was named, not those that it redirects to.
        let report = result.steps.first?.report
        let chain = report.map { $0.verdict.path.isEmpty ? $0.presentedChain.certificates : $0.verdict.path } ?? []
        notAfter = chain.map(\.notAfter).min()
        daysLeft = report.flatMap { report in
            chain.map(\.notAfter).min().map { DaysLeft(until: $0, at: report.verdict.evaluationDate) }
        }
        leaf = chain.first?.sha256
        milliseconds = result.milliseconds
    }

    /// Returns the width of a column of names; longer ones stand out.
    static func nameWidth(_ endpoints: [ServerEndpoint]) -> Int {
        min(48, endpoints.lazy.map(\.description.count).max() ?? 0) + 2
    }

    /// Returns `OK    api.example.com:443  41 days left` or `FAIL  api.example.com:443  …`.
    func text(_ palette: Palette, nameWidth: Int) -> String {
        let name = endpoint.description.padded(to: nameWidth)
        let days = daysLeft.map { ", \($0)" } ?? ""
        return switch outcome {
        case .trusted: palette.good("OK") + "    " + name + "trusted" + days
        case .expiring: palette.bold("SOON") + "  " + name + headline + days
        case .rejected, .undecided: palette.bad("FAIL") + "  " + name + headline
        }
    }
}
