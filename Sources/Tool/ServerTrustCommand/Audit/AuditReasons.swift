// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrust

/// The section of an audit's page on failures: their codes with counts and meanings, and a guide to each code.
struct AuditReasons {
    let summary: AuditSummary

    static let title = "Reasons"
    static let id = HTMLIdentifier("reasons")

    /// The codes that have a guide on the page. Codes of first failures come before the others.
    private let guided: [String]

    init(summary: AuditSummary) {
        self.summary = summary
        var seen: Set<String> = []
        guided =
            (summary.reasons.ranked.prefix(AuditSection.maximumRows)
            + summary.codes.ranked.prefix(AuditSection.maximumRows))
            .map(\.name).filter {
                seen.insert($0).inserted && FailureCodes.guide(to: $0) != nil
            }
    }

    /// Writes the section, or nothing if the run has no failures.
    func write(_ html: inout HTMLWriter) {
        guard !summary.reasons.isEmpty else { return }
        html.section(Self.title, id: Self.id) { html in
            html.element(
                .p, [.classes("quiet")],
                text: "The first and most specific failure of each answer. Each code links to its guide.")
            table(&html, "Reasons", summary.reasons)
            html.card(id: HTMLIdentifier("codes"), summary: { $0.text("Answers by all of their failures") }) { html in
                html.element(
                    .p, [.classes("quiet")],
                    text:
                        "An answer counts once for each of its codes, so the numbers add up to more than the number of answers."
                )
                table(&html, "Answers by all of their failures", summary.codes)
            }
            guard !guided.isEmpty else { return }
            html.element(.h3, text: "Meanings and remedies")
            for (place, name) in guided.enumerated() {
                if let guide = FailureCodes.guide(to: name) { write(guide, place, &html) }
            }
        }
    }

    private func table(_ html: inout HTMLWriter, _ label: String, _ table: AuditTable) {
        let ranked = table.ranked
        let others = AuditOthers(table, ranked)
        let most = ranked.first?.count.answers ?? 0
        let whole = summary.verdicts.answers
        html.table(label: label, columns: ["Code", "Answers", "Share", "Verdicts", "Meaning"], numbers: [1, 2]) {
            html in
            for row in ranked.prefix(AuditSection.maximumRows) {
                self.row(&html, row.count, most, whole, name: { name(&$0, row.name) }) { html in
                    html.prose(meaning(of: row.name))
                }
            }
            if let others {
                self.row(&html, others.count, nil, whole, name: { $0.text(others.words) }, meaning: { _ in })
            }
        }
    }

    private func row(
        _ html: inout HTMLWriter, _ count: AuditCount, _ most: Int?, _ whole: Int, name: (inout HTMLWriter) -> Void,
        meaning: (inout HTMLWriter) -> Void
    ) {
        html.element(.tr) { html in
            html.element(.th, [.rowScope, .classes("name")], name)
            html.element(.td, [.classes("number")], text: AuditWords.number(count.answers))
            html.element(.td, [.classes("number")], text: AuditWords.share(count.answers, of: whole))
            html.bar(count, of: most)
            html.element(.td, [.classes("words")], meaning)
        }
    }

    private func name(_ html: inout HTMLWriter, _ name: String) {
        guard let place = guided.firstIndex(of: name) else { return html.element(.code) { $0.name(name) } }
        html.element(.a, [.link(.place(HTMLIdentifier("code", place)))]) { html in
            html.element(.code) { $0.name(name) }
        }
    }

    private func meaning(of name: String) -> String {
        FailureCodes.guide(to: name)?.meaning ?? "This version doesn’t know this code."
    }

    private func write(_ guide: Book.Entry, _ place: Int, _ html: inout HTMLWriter) {
        html.card(id: HTMLIdentifier("code", place), tone: .bad) { html in
            html.element(.code, text: guide.name)
        } _: { html in
            html.element(.p) { $0.prose(guide.meaning) }
            html.element(.p) { $0.prose(guide.sign) }
            list(&html, "Usual causes", guide.causes)
            list(&html, "On the server", guide.remedies)
            list(&html, "Never", guide.never)
            html.lines("servertrust explain \(guide.name)")
        }
    }

    private func list(_ html: inout HTMLWriter, _ title: String, _ texts: [String]) {
        guard !texts.isEmpty else { return }
        html.element(.h4, text: title)
        html.element(.ul) { html in
            for text in texts { html.element(.li) { $0.prose(text) } }
        }
    }
}
