// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A page on many hosts: the counts, a timeline of the expiry dates of their certificates, a sortable table, and a
/// report on each host.
///
/// ```swift
/// let page = HostsPage(hosts, date: .now(), version: "1.0")
/// try file.write(page.bytes())
/// ```
package struct HostsPage {
    /// The hosts, the most urgent first.
    private let hosts: [ReportedHost]
    private let date: Time
    private let version: String?
    /// The maximum size in bytes of the reports below the table. Further hosts appear only in the table.
    private let maximumSize: Int

    /// The maximum number of hosts on a page that shows every field of certificates.
    private static let whole = 20

    /// Creates the page.
    /// - Parameters:
    ///   - hosts: the hosts in any order. The page shows the most urgent hosts first.
    ///   - date: the date of the page. Remaining days count from this date.
    ///   - version: the version of the program, or nil to omit it.
    ///   - maximumSize: the maximum size of the reports in bytes. Further hosts appear only in the table.
    package init(_ hosts: [ReportedHost], date: Time, version: String? = nil, maximumSize: Int = 24 << 20) {
        self.hosts = hosts.map { (host: $0, urgency: $0.urgency) }.enumerated().sorted {
            ($0.element.urgency.0, $0.element.urgency.1, $0.offset)
                < ($1.element.urgency.0, $1.element.urgency.1, $1.offset)
        }.map(\.element.host)
        self.date = date
        self.version = version
        self.maximumSize = maximumSize
    }

    /// Returns the page in UTF-8.
    package func bytes() -> [UInt8] {
        let counts = TrustReport.Outcome.urgent.map { outcome in
            Report.Count(outcome.tone, "\(count(outcome))", Report.Words(stringLiteral: outcome.words))
        }
        return Report(
            tone: tone, headline: Report.Words(stringLiteral: summary),
            lead: [
                .paragraph(["Checked ", .time(date), ". Each row of the table links to the report on its host."])
            ],
            blocks: [.tally(counts)] + timeline + [.section("Hosts", id: HTMLIdentifier("hosts"), [.drawing(table)])]
        )
        .page(title: "\(summary) · trust report", kind: "Trust report", version: version, date: date).bytes()
    }

    private func count(_ outcome: TrustReport.Outcome) -> Int { hosts.count { $0.outcome == outcome } }

    private var trusted: Int { count(.trusted) + count(.expiring) }

    private var summary: String {
        let isPart = trusted > 0 && trusted < hosts.count
        // The share is rounded down: a page with a refused host never says 100 %.
        let share = isPart ? " (\(max(1, trusted * 100 / hosts.count))%)" : ""
        let count = "\(trusted) of \(counted(hosts.count, "host")) trusted\(share)"
        let soon = self.count(.expiring)
        if trusted == hosts.count, soon > 0 { return "\(count), \(soon) expire\(soon == 1 ? "s" : "") soon" }
        guard trusted == 0, hosts.count == 1, hosts[0].reports.count > 1, hosts[0].reports[0].isTrusted else {
            return count
        }
        return "\(count): the first server is trusted, but another one along the way isn’t"
    }

    /// The tone of the heading. A single refused host makes it bad.
    private var tone: HTMLTone {
        count(.rejected) > 0 ? .bad : count(.trusted) == hosts.count ? .good : .caution
    }

    private var timeline: [Report.Block] {
        let ends = hosts.enumerated().compactMap { index, host in host.firstEnd.map { (host: index, end: $0) } }
        guard !ends.isEmpty else { return [] }
        let calendar = ExpiryCalendar(ends, from: date)
        let names = hosts.map(\.name)
        let others = ends.count < hosts.count ? "; \(hosts.count - ends.count) hosts sent none." : "."
        let table = Report.Block.table(
            "Expiry dates by \(calendar.unit)", [.date("When"), .number("Hosts"), .words("Which")],
            calendar.periods.filter { !$0.hosts.isEmpty }.map { period in
                let shown = period.hosts.prefix(20).map { Report.Span.foreign(names[$0], maximum: 100) }
                let more = period.hosts.count > 20 ? " and \(period.hosts.count - 20) more" : ""
                return ["\(period.name)", "\(period.hosts.count)", Report.Words(listing: shown) + [.text(more)]]
            })
        return [
            .section(
                "When certificates expire", id: HTMLIdentifier("timeline"),
                [
                    .quiet("Each host's first certificate to expire, by \(calendar.unit)\(others)"),
                    .drawing(ColumnDrawing(calendar: calendar, names: names).write),
                    .card("The timeline as a table", [table]),
                ])
        ]
    }

    // MARK: - The table

    private static let columns: [(title: String, kind: StaticString)] = [
        ("Host", "text"), ("Outcome", "number"), ("First expiry", "number"), ("Issued by", "text"), ("Reason", "text"),
    ]

    private func table(_ html: inout HTMLWriter) {
        filters(&html)
        html.element(.p, [.id(HTMLIdentifier("sort-status")), .classes("unseen"), .role("status")])
        html.scroller(label: "Hosts") { html in
            html.element(.table, [.classes("sorts"), .label("Hosts")]) { html in
                html.element(.thead) { html in
                    html.element(.tr) { html in
                        for (title, kind) in Self.columns {
                            html.element(.th, [.columnScope, .sorts(kind)], text: title)
                        }
                    }
                }
                html.rows(of: Self.columns.map(\.title)) { html in
                    for (index, host) in hosts.enumerated() { row(&html, host, id: HTMLIdentifier("host", index)) }
                }
            }
        }
        // The reports belong to this section because the filters only reach later siblings.
        reports(&html)
    }

    private func filters(_ html: inout HTMLWriter) {
        let all = HTMLIdentifier("show-all")
        html.element(.fieldset, [.classes("filters")]) { html in
            html.element(.legend, text: "Show")
            html.element(.input, [.radioType, .group("show"), .id(all), .checked])
            html.element(.label, [.labels(all)], text: "All \(hosts.count)")
            for outcome in TrustReport.Outcome.urgent where count(outcome) > 0 {
                html.element(.input, [.radioType, .group("show"), .id(outcome.filter)])
                html.element(.label, [.labels(outcome.filter)], text: "\(outcome.words) \(count(outcome))")
            }
        }
        let search = HTMLIdentifier("search")
        html.element(.p, [.classes("search"), .search, .hidden]) { html in
            html.element(.label, [.labels(search)], text: "Name contains")
            html.element(.input, [.searchType, .id(search)])
        }
    }

    private func row(_ html: inout HTMLWriter, _ host: ReportedHost, id: HTMLIdentifier) {
        let outcome = host.outcome
        let end = host.firstEnd
        html.element(.tr, [.outcome(outcome), .name(host.name)]) { html in
            html.element(.th, [.rowScope, .classes("name")]) {
                $0.words([.link(id, [.foreign(host.name, maximum: 120)])])
            }
            html.element(.td, [.order(Int64(outcome.rank))]) { $0.badge(outcome.tone, outcome.words) }
            html.element(.td, [.classes("date"), .order(end?.secondsSinceEpoch ?? .max)]) { html in
                guard let end else { return html.text("–") }
                html.words([
                    .text(ReportedHost.words(from: date, to: end)), .note("\(end.description.prefix(10))"),
                ])
            }
            html.element(.td, [.classes("name")]) { $0.words([.value(host.authority)]) }
            html.element(.td, [.classes("words")]) {
                $0.words(host.reason + (host.isUncheckedForRevocation ? [.note("not checked: revocation")] : []))
            }
        }
    }

    // MARK: - Reports

    private func reports(_ html: inout HTMLWriter) {
        let isBrief = hosts.count > Self.whole
        html.element(.h2, [.id(HTMLIdentifier("reports"))], text: "Reports")
        if isBrief {
            html.write([
                .quiet(
                    "This page shows only the most common fields of each certificate. The page of a single host shows every field and the PEM."
                )
            ])
        }
        html.element(.div, [.classes("hosts")]) { html in
            let start = html.bytes.count
            for (index, host) in hosts.enumerated() {
                let isWhole = html.bytes.count - start < maximumSize
                host.write(&html, id: HTMLIdentifier("host", index), isBrief: isBrief, isWhole: isWhole)
            }
        }
    }
}

extension TrustReport.Outcome {
    /// The button that shows only hosts with this outcome. The style sheet uses the same name.
    fileprivate var filter: HTMLIdentifier {
        switch self {
        case .rejected: HTMLIdentifier("show-rejected")
        case .undecided: HTMLIdentifier("show-undecided")
        case .expiring: HTMLIdentifier("show-expiring")
        case .trusted: HTMLIdentifier("show-trusted")
        }
    }
}

extension ReportedHost {
    /// The code of the outcome, if any, and the sentence that explains it. Empty for a trusted host.
    var reason: Report.Words {
        guard !outcome.isTrusted else { return Report.Words(remarks.prefix(1).map { .sentence($0, maximum: 160) }) }
        let decisive = decisive
        let text = decisive.map { $0.reason ?? $0.headline } ?? "no result"
        return Report.Words(decisive?.code.map { [.code($0), " "] } ?? []) + [.sentence(text, maximum: 160)]
    }

    /// Whether a server's certificates were evaluated without a status from CRLs, OCSP or filters.
    fileprivate var isUncheckedForRevocation: Bool {
        reports.contains { report in
            report.checks.contains { $0.name == CheckGroup.revocation.rawValue && $0.status == .notChecked }
        }
    }

    /// The sort key of the page: the outcome, and then the first expiry date.
    var urgency: (Int, Int64) { (outcome.rank, firstEnd?.secondsSinceEpoch ?? .max) }

    /// Returns the time until a date in words: `in 12 days`.
    static func words(from date: Time, to end: Time) -> String {
        // Both dates are between the years 1 and 9999.
        let days = (end.secondsSinceEpoch - date.secondsSinceEpoch) / 86_400
        if end < date { return days == 0 ? "expired today" : "expired \(counted(Int(-days), "day")) ago" }
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
