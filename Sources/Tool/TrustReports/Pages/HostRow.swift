// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The facts of a host in the table of a ``HostsPage``.
struct HostRow {
    let outcome: TrustReport.Outcome
    /// The first end of a certificate; nil without one.
    let end: Time?
    /// The time up to ``end`` in words: `in 12 days`.
    let daysLeft: String
    /// The issuer of the host's certificate; empty without one.
    let authority: String
    /// The code and sentence of the outcome; empty for a trusted host.
    let reason: String

    init(_ host: ReportedHost, at date: Time) {
        outcome = host.outcome
        end = host.firstEnd
        daysLeft = host.firstEnd.map { Self.words(from: date, to: $0) } ?? ""
        authority = host.authority ?? ""
        let decisive = host.decisive
        reason =
            switch host.outcome {
            case .rejected, .undecided: decisive?.reasonWithCode ?? "no result"
            case .expiring, .trusted: host.remarks.first ?? ""
            }
    }

    /// The order of the page: by outcome, and then by the first end.
    var urgency: (Int, Int64) { (outcome.rank, end?.secondsSinceEpoch ?? .max) }

    private static func words(from date: Time, to end: Time) -> String {
        // Both lie between the years 1 and 9999.
        let days = (end.secondsSinceEpoch - date.secondsSinceEpoch) / 86_400
        if end < date { return days == 0 ? "ended today" : "ended \(-days) day\(days == -1 ? "" : "s") ago" }
        return days == 0 ? "ends today" : "in \(days) day\(days == 1 ? "" : "s")"
    }
}

extension TrustReport {
    /// The code and the reason.
    fileprivate var reasonWithCode: String {
        let message = reason ?? headline
        return code.map { "\($0): \(message)" } ?? message
    }
}
