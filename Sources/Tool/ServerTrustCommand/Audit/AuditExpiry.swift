// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX

/// The section of an audit's page with a chart of the weeks when certificates expire.
struct AuditExpiry {
    let expiry: AuditWeeks
    /// The date of the run, or nil if each row has its own date.
    let date: Time?

    static let title = "When certificates expire"
    static let id = HTMLIdentifier("expiry")

    /// Writes the section, or nothing if no answer has a leaf.
    func write(_ html: inout HTMLWriter) {
        guard !expiry.isEmpty else { return }
        let calendar = AuditCalendar(expiry, from: date)
        html.section(Self.title, id: Self.id) { html in
            html.element(.p, [.classes("quiet")]) { html in
                html.text("Leaf certificates by the \(calendar.unit.rawValue) when they expire, in UTC. ")
                html.text(
                    calendar.unit == .week
                        ? "Weeks begin on Monday." : "A week belongs to the \(calendar.unit.rawValue) of its Monday.")
            }
            ColumnDrawing(
                label: "Chart of certificate expiry", summary: summary(calendar), columns: columns(calendar)
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
        return
            "Certificates by the \(calendar.unit.rawValue) when they expire. The highest: \(highest.joined(separator: ", "))."
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
            label: "Certificate expiry", columns: ["When"] + AuditRow.columns, numbers: AuditRow.numbers,
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
