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
    private let hosts: [ReportedHost]
    private let rows: [HostRow]
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
        let rows = hosts.map { HostRow($0, at: date) }
        let order = rows.indices.sorted {
            (rows[$0].urgency.0, rows[$0].urgency.1, $0) < (rows[$1].urgency.0, rows[$1].urgency.1, $1)
        }
        self.hosts = order.map { hosts[$0] }
        self.rows = order.map { rows[$0] }
        self.date = date
        self.version = version
        self.maximumSize = maximumSize
    }

    /// Returns the page in UTF-8.
    package func bytes() -> [UInt8] {
        HTMLPage(title: "\(summary) · trust report", kind: "Trust report", version: version, date: date, content: write)
            .bytes()
    }

    private func count(_ outcome: TrustReport.Outcome) -> Int { rows.count { $0.outcome == outcome } }

    private var summary: String {
        let trusted = count(.trusted) + count(.expiring)
        let isPart = trusted > 0 && trusted < rows.count
        // The share is rounded down: a page with a refused host never says 100 %.
        let share = isPart ? " (\(max(1, trusted * 100 / rows.count))%)" : ""
        let count = "\(trusted) of \(counted(rows.count, "host")) trusted\(share)"
        let soon = self.count(.expiring)
        if trusted == rows.count, soon > 0 { return "\(count), \(soon) expire\(soon == 1 ? "s" : "") soon" }
        guard trusted == 0, rows.count == 1, hosts[0].reports.count > 1, hosts[0].reports[0].isTrusted else {
            return count
        }
        return "\(count): the first server is trusted, but another one along the way isn’t"
    }

    /// The tone of the heading. It is neutral if most hosts are trusted and some are refused. The counts below the
    /// heading show the refused ones.
    private var tone: HTMLTone {
        let trusted = count(.trusted) + count(.expiring)
        if count(.rejected) > 0 { return 2 * trusted > rows.count ? .note : .bad }
        return count(.trusted) == rows.count ? .good : .caution
    }

    private func write(_ html: inout HTMLWriter) {
        html.banner(tone, title: { $0.text(summary) }) { html in
            html.element(.p) { html in
                html.text("Checked ")
                html.time(date)
                html.text(". Each row of the table links to the report on its host.")
            }
        }
        tally(&html)
        timeline(&html)
        table(&html)
    }

    private func tally(_ html: inout HTMLWriter) {
        html.element(.ul, [.classes("tally")]) { html in
            for outcome in TrustReport.Outcome.urgent {
                // A count of zero isn't highlighted.
                html.element(.li, count(outcome) > 0 ? [.tone(outcome.tone)] : [.classes("zero")]) { html in
                    html.element(.strong, text: "\(count(outcome))")
                    html.text(outcome.words)
                }
            }
        }
    }

    private func timeline(_ html: inout HTMLWriter) {
        let ends = rows.enumerated().compactMap { index, row in row.end.map { (host: index, end: $0) } }
        guard !ends.isEmpty else { return }
        let calendar = ExpiryCalendar(ends, from: date)
        html.section("When certificates expire", id: HTMLIdentifier("timeline")) { html in
            html.element(.p, [.classes("quiet")]) { html in
                html.text("Each host's first certificate to expire, by \(calendar.unit)")
                html.text(ends.count < rows.count ? "; \(rows.count - ends.count) hosts sent none." : ".")
            }
            ExpiryDrawing(calendar: calendar, hosts: hosts).write(&html)
            html.card(summary: { $0.text("The timeline as a table") }) { html in
                html.table(
                    label: "Expiry dates by \(calendar.unit)", columns: ["When", "Hosts", "Which"], numbers: [1]
                ) {
                    html in
                    for period in calendar.periods where !period.hosts.isEmpty { self.period(&html, period) }
                }
            }
        }
    }

    private func period(_ html: inout HTMLWriter, _ period: ExpiryCalendar.Period) {
        html.element(.tr) { html in
            html.element(.td, [.classes("date")], text: period.name)
            html.element(.td, [.classes("number")], text: "\(period.hosts.count)")
            html.element(.td, [.classes("words")]) { html in
                for (place, host) in period.hosts.prefix(20).enumerated() {
                    if place > 0 { html.text(", ") }
                    html.foreign(hosts[host].name, maximum: 100)
                }
                if period.hosts.count > 20 { html.text(" and \(period.hosts.count - 20) more") }
            }
        }
    }

    // MARK: - The table

    private static let columns: [(title: String, kind: StaticString)] = [
        ("Host", "text"), ("Outcome", "number"), ("First expiry", "number"), ("Issued by", "text"), ("Reason", "text"),
    ]

    private func table(_ html: inout HTMLWriter) {
        html.section("Hosts", id: HTMLIdentifier("hosts")) { html in
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
                        for index in rows.indices { row(&html, index) }
                    }
                }
            }
            // The reports belong to this section because the filters only reach later siblings.
            reports(&html)
        }
    }

    private func filters(_ html: inout HTMLWriter) {
        let all = HTMLIdentifier("show-all")
        html.element(.fieldset, [.classes("filters")]) { html in
            html.element(.legend, text: "Show")
            html.element(.input, [.radioType, .group("show"), .id(all), .checked])
            html.element(.label, [.labels(all)], text: "All \(rows.count)")
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

    private func row(_ html: inout HTMLWriter, _ index: Int) {
        let (host, row) = (hosts[index], rows[index])
        html.element(.tr, [.outcome(row.outcome), .name(host.name)]) { html in
            html.element(.th, [.rowScope, .classes("name")]) { html in
                html.element(.a, [.link(.place(HTMLIdentifier("host", index)))]) { $0.foreign(host.name, maximum: 120) }
            }
            html.element(.td, [.order(Int64(row.outcome.rank))]) { $0.badge(row.outcome.tone, row.outcome.words) }
            html.element(.td, [.classes("date"), .order(row.end?.secondsSinceEpoch ?? .max)]) { html in
                guard let end = row.end else { return html.text("–") }
                html.text(row.daysLeft)
                html.element(.div, [.classes("quiet")], text: "\(end.description.prefix(10))")
            }
            html.element(.td, [.classes("name")]) { $0.value(row.authority) }
            html.element(.td, [.classes("words")]) { html in
                if !row.reason.isEmpty { html.reason(row) }
            }
        }
    }

    // MARK: - Reports

    private func reports(_ html: inout HTMLWriter) {
        html.element(.h2, [.id(HTMLIdentifier("reports"))], text: "Reports")
        if hosts.count > Self.whole {
            html.element(
                .p, [.classes("quiet")],
                text:
                    "This page shows only the most common fields of each certificate. The page of a single host shows every field and the PEM."
            )
        }
        html.element(.div, [.classes("hosts")]) { html in
            let start = html.bytes.count
            for index in hosts.indices {
                let card = HostCard(
                    host: hosts[index], row: rows[index], index: index, isBrief: hosts.count > Self.whole)
                card.write(&html, isWhole: html.bytes.count - start < maximumSize)
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
