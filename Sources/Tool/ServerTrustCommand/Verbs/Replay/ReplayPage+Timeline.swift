// SPDX-License-Identifier: Apache-2.0

import Diagnosis

/// The timeline of a replay's page: a chart and a table.
struct TimelineSection {
    let report: ReplayReport

    /// The maximum number of rows. JSON and CSV have all.
    private static let maximumRows = 1000

    func write(_ html: inout HTMLWriter) {
        guard let timeline = report.summary.timeline, let headline = report.timelineHeadline else { return }
        html.section("Timeline", id: HTMLIdentifier("timeline")) { html in
            html.element(.p, text: "\(headline).")
            if let note = report.timelineNote { html.element(.p, [.classes("quiet")], text: note) }
            if timeline.count(.breaks).records > 0 {
                StepDrawing(
                    label: "Chart of broken connections", counts: timeline.broken,
                    start: day(timeline.period.start.description), end: day(timeline.period.end.description),
                    words: AuditWords.short
                )
                .write(&html)
            }
            let rows = report.timelineRows
            guard !rows.isEmpty else { return html.element(.p, text: "Nothing changes.") }
            table(&html, rows.prefix(Self.maximumRows))
            let others = rows.count - Self.maximumRows
            if others > 0 {
                html.element(.p, text: "And \(AuditWords.count(others, "other")), which --format json or csv lists.")
            }
            if let rest = report.timelineRest { html.element(.p, [.classes("quiet")], text: rest) }
        }
    }

    private func table(_ html: inout HTMLWriter, _ rows: ArraySlice<TimelineRow>) {
        html.table(label: "Timeline", columns: ["From", "Host", "Kind", "First code", "Why"], numbers: [0]) { html in
            for row in rows {
                html.element(.tr) { html in
                    html.element(.td, [.classes("number")], text: day(row.fact.from.description))
                    html.element(.th, [.rowScope, .classes("name")]) { $0.name(row.host ?? "records without a host") }
                    html.element(.td, text: row.fact.kind.words)
                    html.element(.td) { html in if let code = row.fact.code { html.code(code) } }
                    html.element(.td, [.classes("words")]) { html in
                        html.sentence(report.reason(of: row.fact), maximum: 1100)
                        if let until = row.fact.until {
                            html.element(.div, [.classes("quiet")], text: "Until \(until).")
                        }
                        if let remedy = row.fact.remedy { html.element(.div) { $0.sentence(remedy, maximum: 1100) } }
                    }
                }
            }
        }
    }

    private func day(_ time: String) -> String { String(time.prefix(10)) }
}
