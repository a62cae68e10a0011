// SPDX-License-Identifier: Apache-2.0

/// The expandable reports on one host of a ``HostsPage``.
struct HostCard {
    let host: ReportedHost
    let row: HostRow
    /// The host's index on the page.
    let index: Int
    /// Whether certificates are shown with only the most common fields.
    let isBrief: Bool

    private var id: HTMLIdentifier { HTMLIdentifier("host", index) }

    /// - Parameter isWhole: whether the page has enough room for the reports.
    func write(_ html: inout HTMLWriter, isWhole: Bool) {
        let attributes: [HTMLAttribute] = [
            .tone(row.outcome.tone, "card"), .id(id), .outcome(row.outcome), .name(host.name),
        ]
        html.element(.details, attributes) { html in
            html.element(.summary) { html in
                html.element(.strong) { $0.foreign(host.name, maximum: 120) }
                html.text(" ")
                html.badge(row.outcome.tone, row.outcome.words)
                html.text(" ")
                html.element(.span, [.classes("quiet")]) { $0.reason(row) }
            }
            html.element(.div, [.classes("inside")]) { html in
                for remark in host.remarks { html.element(.p) { $0.foreign(remark) } }
                guard isWhole else {
                    return html.element(
                        .p, text: "This report would make the page too large. Check this host separately.")
                }
                for (step, report) in host.reports.enumerated() {
                    report.writeResult(to: &html)
                    report.writeSections(to: &html, id: id.part("report", step), level: 3, isBrief: isBrief)
                }
            }
        }
    }
}
