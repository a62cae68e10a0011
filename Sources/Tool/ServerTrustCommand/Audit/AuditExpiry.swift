// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustReports

/// The section of an audit's page with a chart of the weeks in which certificates end.
struct AuditExpiry {
    let expiry: AuditWeeks
    /// The date of the run; nil if each row has its own.
    let date: Time?

    static let title = "When certificates end"
    static let id = HTMLIdentifier("expiry")

    /// Writes the section; nothing if no answer has a leaf.
    func write(_ html: inout HTMLWriter) {
        guard !expiry.isEmpty else { return }
        let calendar = AuditCalendar(expiry, from: date)
        html.section(Self.title, id: Self.id) { html in
            html.element(.p, [.classes("quiet")]) { html in
                html.text("The ends of leaf certificates by \(calendar.unit.rawValue), in UTC. ")
                html.text(
                    calendar.unit == .week
                        ? "Weeks begin on Monday." : "A week counts in the \(calendar.unit.rawValue) of its Monday.")
            }
            ColumnDrawing(
                label: "Chart of the ends of certificates", summary: summary(calendar), columns: columns(calendar)
            )
            .write(&html)
            html.card(summary: { $0.text("The chart as a table") }) { html in
                self.table(&html, calendar)
            }
            html.missing(expiry.none)
        }
    }

    private func summary(_ calendar: AuditCalendar) -> String {
        let highest = calendar.periods.filter { $0.count.answers > 0 }
            .sorted { $0.count.answers > $1.count.answers }.prefix(5)
            .map { "\($0.name): \(AuditWords.number($0.count.answers))" }
        return "Ends of certificates by \(calendar.unit.rawValue). The highest: \(highest.joined(separator: ", "))."
    }

    private func columns(_ calendar: AuditCalendar) -> [ColumnDrawing.Column] {
        calendar.periods.map { period in
            ColumnDrawing.Column(
                label: period.label, year: period.year, tone: period.tone, count: period.count.answers,
                countLabel: AuditWords.short(period.count.answers),
                title: "\(period.name): \(AuditWords.number(period.count.answers))", isRest: period.isRest)
        }
    }

    private func table(_ html: inout HTMLWriter, _ calendar: AuditCalendar) {
        let shown = calendar.periods.filter { $0.count.answers > 0 }
        let most = shown.filter { !$0.isRest }.map(\.count.answers).max() ?? 0
        let whole = shown.reduce(0) { $0 + $1.count.answers }
        html.table(
            label: "Ends of certificates", columns: ["When"] + AuditRow.columns, numbers: AuditRow.numbers,
            classes: .classes("counts")
        ) { html in
            for period in shown {
                AuditRow(count: period.count, most: period.isRest ? nil : most, whole: whole).write(&html) {
                    $0.text(period.name)
                }
            }
        }
    }
}
