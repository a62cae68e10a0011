// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ReportedHost {
    /// The code of the outcome, if any, and the sentence that explains it. Empty for a trusted host.
    var reason: Report.Words {
        guard !outcome.isTrusted else { return Report.Words(remarks.prefix(1).map { .sentence($0, maximum: 160) }) }
        let decisive = decisive
        let text = decisive.map { $0.reason ?? $0.headline } ?? "no result"
        return Report.Words(decisive?.code.map { [.code($0), " "] } ?? []) + [.sentence(text, maximum: 160)]
    }

    /// The sort key of the page: the outcome, and then the first expiry date.
    var urgency: (Int, Int64) { (outcome.rank, firstEnd?.secondsSinceEpoch ?? .max) }

    /// Returns the time until a date in words: `in 12 days`.
    static func words(from date: Time, to end: Time) -> String {
        // Both dates are between the years 1 and 9999.
        let days = (end.secondsSinceEpoch - date.secondsSinceEpoch) / 86_400
        if end < date { return days == 0 ? "expired today" : "expired \(-days) day\(days == -1 ? "" : "s") ago" }
        return days == 0 ? "expires today" : "in \(counted(Int(days), "day"))"
    }

    /// Writes the reports.
    /// - Parameters:
    ///   - isBrief: whether certificates are shown with only the most common fields.
    ///   - isWhole: whether the page has enough room for the reports.
    func write(_ html: inout HTMLWriter, id: HTMLIdentifier, isBrief: Bool, isWhole: Bool) {
        html.element(.details, [.tone(outcome.tone, "card"), .id(id), .outcome(outcome), .name(name)]) { html in
            html.element(.summary) { html in
                html.words([
                    .strong(name), " ", .badge(outcome.tone, outcome.words), " ", .quiet(reason),
                ])
            }
            html.element(.div, [.classes("inside")]) { html in
                html.write(remarks.map { .paragraph([.foreign($0)]) })
                guard isWhole else {
                    return html.write([
                        .paragraph("This report would make the page too large. Check this host separately.")
                    ])
                }
                for (step, report) in reports.enumerated() {
                    html.write(report.result + report.sections(id: id.part("report", step), isBrief: isBrief), level: 3)
                }
            }
        }
    }
}
