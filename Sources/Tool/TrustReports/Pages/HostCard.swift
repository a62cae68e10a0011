// SPDX-License-Identifier: Apache-2.0

/// The reports on one host of a ``HostsPage``, to open.
struct HostCard {
    let host: ReportedHost
    let row: HostRow
    /// The host's place on the page.
    let index: Int
    /// Whether certificates are shown with the usual fields alone.
    let isBrief: Bool

    private var id: HTMLIdentifier { HTMLIdentifier("host", index) }

    /// - Parameter isWhole: whether there is place for the reports.
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
                        .p, text: "The page would be too large with this report. Check this host separately.")
                }
                for (step, report) in host.reports.enumerated() {
                    report.writeResult(to: &html)
                    report.writeSections(to: &html, id: id.part("report", step), level: 3, isBrief: isBrief)
                }
            }
        }
    }
}
