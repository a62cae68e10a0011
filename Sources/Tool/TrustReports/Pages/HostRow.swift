// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustSupport

/// The facts of a host in the table of a ``HostsPage``.
struct HostRow {
    let outcome: TrustReport.Outcome
    /// The first end of a certificate; nil without one.
    let end: Time?
    /// The time up to ``end`` in words: `in 12 days`.
    let daysLeft: String
    /// The issuer of the host's certificate; empty without one.
    let authority: String
    /// The code of the outcome; nil for none.
    let code: String?
    /// The sentence of the outcome; empty for a trusted host.
    let reason: String

    init(_ host: ReportedHost, at date: Time) {
        outcome = host.outcome
        end = host.firstEnd
        daysLeft = host.firstEnd.map { Self.words(from: date, to: $0) } ?? ""
        authority = host.authority ?? ""
        let decisive = host.decisive
        switch host.outcome {
        case .rejected, .undecided:
            code = decisive?.code
            reason = decisive.map { $0.reason ?? $0.headline } ?? "no result"
        case .expiring, .trusted:
            code = nil
            reason = host.remarks.first ?? ""
        }
    }

    /// The order of the page: by outcome, and then by the first end.
    var urgency: (Int, Int64) { (outcome.rank, end?.secondsSinceEpoch ?? .max) }

    private static func words(from date: Time, to end: Time) -> String {
        // Both lie between the years 1 and 9999.
        let days = (end.secondsSinceEpoch - date.secondsSinceEpoch) / 86_400
        if end < date { return days == 0 ? "ended today" : "ended \(-days) day\(days == -1 ? "" : "s") ago" }
        return days == 0 ? "ends today" : "in \(counted(Int(days), "day"))"
    }
}

extension HTMLWriter {
    /// Writes the code and the sentence of a host's outcome.
    mutating func reason(_ row: HostRow) {
        if let code = row.code {
            element(.code) { $0.foreign(code, maximum: 64) }
            text(" ")
        }
        sentence(row.reason, maximum: 160)
    }
}
