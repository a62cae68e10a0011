// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A host's row in the table of a ``HostsPage``.
struct HostRow {
    let outcome: TrustReport.Outcome
    /// The first expiry date of the host's certificates, or nil if it has none.
    let end: Time?
    /// The time until ``end`` in words: `in 12 days`.
    let daysLeft: String
    /// The issuer of the host's certificate, empty without a certificate.
    let authority: String
    /// The code of the outcome, if any.
    let code: String?
    /// The sentence that explains the outcome, empty for a trusted host.
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

    /// The sort key of the page: the outcome, and then the first expiry date.
    var urgency: (Int, Int64) { (outcome.rank, end?.secondsSinceEpoch ?? .max) }

    private static func words(from date: Time, to end: Time) -> String {
        // Both dates are between the years 1 and 9999.
        let days = (end.secondsSinceEpoch - date.secondsSinceEpoch) / 86_400
        if end < date { return days == 0 ? "expired today" : "expired \(-days) day\(days == -1 ? "" : "s") ago" }
        return days == 0 ? "expires today" : "in \(counted(Int(days), "day"))"
    }
}

extension HTMLWriter {
    /// Writes the code and the sentence that explain a host's outcome.
    mutating func reason(_ row: HostRow) {
        if let code = row.code {
            element(.code) { $0.foreign(code, maximum: 64) }
            text(" ")
        }
        sentence(row.reason, maximum: 160)
    }
}
