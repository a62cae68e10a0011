// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A timeline of the certificates' expiry dates, with a bar for each week or month. The table next to the timeline
/// contains the same data as text.
struct ExpiryDrawing {
    let calendar: ExpiryCalendar
    let hosts: [ReportedHost]

    /// Writes the drawing in a box that scrolls.
    func write(_ html: inout HTMLWriter) {
        ColumnDrawing(
            label: "Timeline of expiry dates", summary: summary, columns: calendar.periods.map(column)
        ).write(&html)
    }

    /// A sentence that describes the content.
    private var summary: String {
        let count = calendar.periods.map(\.hosts.count).reduce(0, +)
        let parts = calendar.periods.filter { !$0.hosts.isEmpty }.prefix(8).map { "\($0.name): \($0.hosts.count)" }
        return "The earliest expiry dates of \(counted(count, "host")) by \(calendar.unit). "
            + parts.joined(separator: ", ")
    }

    private func column(_ period: ExpiryCalendar.Period) -> ColumnDrawing.Column {
        let names = period.hosts.prefix(5).map { hosts[$0].name }.joined(separator: ", ")
        return ColumnDrawing.Column(
            label: period.label, year: period.year, tone: period.tone, count: period.hosts.count,
            title: "\(period.name): \(period.hosts.count), \(names)\(period.hosts.count > 5 ? ", …" : "")",
            isRest: period.isRest)
    }
}

extension ExpiryCalendar.Period {
    fileprivate var tone: HTMLTone {
        switch urgency {
        case .past: .bad
        case .soon: .caution
        case .later: .note
        }
    }
}
