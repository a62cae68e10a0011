// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PinLint

extension LintReport {
    /// Returns the report as an HTML page in UTF-8 that loads nothing else.
    /// - Parameter version: the version of the program.
    func page(version: String) -> [UInt8] {
        let page = LintPage(self)
        return HTMLPage(
            title: "\(page.headline) · lint", kind: "Lint", version: version, date: date, content: page.write
        )
        .bytes()
    }
}

/// The content of a lint report's page: the counts, the findings of each file, and the files without findings.
struct LintPage {
    private let report: LintReport
    /// The findings that aren't accepted.
    private let open: [PinFinding]
    private let accepted: [PinFinding]
    /// The files with findings. Files with the most severe findings come first.
    private let faulty: [(file: String, findings: [PinFinding])]
    /// The files without errors, warnings and notes.
    private let clean: [String]
    /// The number of files without errors and warnings.
    private let passedCount: Int

    /// The maximum number of findings on the page, and of files without findings.
    private static let maximumRows = 2000

    init(_ report: LintReport) {
        self.report = report
        open = report.findings.filter { !$0.isAccepted }
        accepted = report.findings.filter(\.isAccepted)
        let byFile = Dictionary(grouping: open, by: \.location.file)
        let order = report.files.enumerated().compactMap { place, file in
            byFile[file].map { (place: place, file: file, findings: $0, worst: $0.map(\.severity).min() ?? .note) }
        }
        faulty = order.sorted { ($0.worst, $0.place) < ($1.worst, $1.place) }.map { ($0.file, $0.findings) }
        clean = report.files.filter { byFile[$0] == nil }
        passedCount = clean.count + faulty.count { !$0.findings.contains(where: \.isFailure) }
    }

    /// A sentence with the result.
    var headline: String {
        let files = report.files.count
        guard files > 0 else { return "No file was read" }
        let ofFiles = AuditWords.count(files, "file")
        guard passedCount < files else { return "\(ofFiles) without a problem" }
        return isMostlyGood
            ? "\(AuditWords.number(passedCount)) of \(ofFiles) without a problem"
            : "Problems in \(AuditWords.number(files - passedCount)) of \(ofFiles)"
    }

    /// Whether some files have problems, but more than half have none. The heading is neutral then, and the counts
    /// below show the details.
    private var isMostlyGood: Bool { passedCount < report.files.count && 2 * passedCount > report.files.count }

    private var tone: HTMLTone {
        if !isMostlyGood, open.contains(where: { $0.severity == .error }) { return .bad }
        if !report.unread.isEmpty || report.files.isEmpty { return .caution }
        return passedCount == report.files.count ? .good : isMostlyGood ? .note : .caution
    }

    /// Writes the content.
    func write(_ html: inout HTMLWriter) {
        html.banner(tone, title: { $0.text(headline) }) { html in
            for search in report.searches {
                html.element(.p) { html in
                    html.text("\(search.found) of \(AuditWords.count(search.count, "file")) in ")
                    html.foreign(search.folder)
                    html.text(search.found == 1 ? " has pins." : " have pins.")
                }
            }
            guard let date = report.date else { return }
            html.element(.p, [.classes("quiet")]) { html in
                html.text("Checked for ")
                html.time(date)
                html.text(".")
            }
        }
        tally(&html)
        contents(&html)
        unread(&html)
        var left = Self.maximumRows
        for (place, file) in faulty.enumerated() where left > 0 {
            section(file.file, HTMLIdentifier("file", place), &html) { html in
                LintTable(file.findings.prefix(left), label: "Findings of file \(place + 1)").write(&html)
            }
            left -= file.findings.count
        }
        if left < 0 {
            html.element(
                .p,
                text:
                    "\(AuditWords.count(-left, "more finding")) are left out. The report’s JSON contains all findings.")
        }
        acceptedFindings(&html)
        cleanFiles(&html)
    }

    private func count(_ severity: PinFinding.Severity) -> Int { open.count { $0.severity == severity } }

    private func tally(_ html: inout HTMLWriter) {
        let items: [(HTMLTone, Int, String)] = [
            (.bad, count(.error), "error"), (.caution, count(.warning), "warning"), (.note, count(.note), "note"),
            (.note, accepted.count, "accepted"), (.good, passedCount, "without a problem"),
        ]
        html.element(.ul, [.classes("tally")]) { html in
            for (tone, number, words) in items {
                let isPlural = number != 1 && ["error", "warning", "note"].contains(words)
                html.element(.li, number > 0 ? [.tone(tone)] : [.classes("zero")]) { html in
                    html.element(.strong, text: AuditWords.number(number))
                    html.text(words == "without a problem" ? number == 1 ? "file " : "files " : "")
                    html.text(words + (isPlural ? "s" : ""))
                }
            }
        }
    }

    // MARK: - Sections

    /// Writes a section with a file's name as its title.
    private func section(
        _ file: String, _ id: HTMLIdentifier, _ html: inout HTMLWriter, _ content: (inout HTMLWriter) -> Void
    ) {
        let heading = id.part("title")
        html.element(.section, [.id(id), .labelled(by: heading)]) { html in
            html.element(.h2, [.id(heading)]) { $0.foreign(file) }
            content(&html)
        }
    }

    private func contents(_ html: inout HTMLWriter) {
        guard faulty.count > 1 else { return }
        html.element(.nav, [.classes("contents"), .label("Files with findings")]) { html in
            html.element(.ul) { html in
                for (place, file) in faulty.prefix(100).enumerated() {
                    html.element(.li) { html in
                        html.element(.a, [.link(.place(HTMLIdentifier("file", place)))]) { $0.foreign(file.file) }
                        html.element(.span, [.classes("quiet")], text: " \(file.findings.count)")
                    }
                }
            }
        }
    }

    private func unread(_ html: inout HTMLWriter) {
        guard !report.unread.isEmpty else { return }
        html.section("Not read", id: HTMLIdentifier("unread")) { html in
            html.element(.ul) { html in
                for entry in report.unread.prefix(Self.maximumRows) {
                    html.element(.li) { $0.sentence(entry.error, maximum: 600) }
                }
            }
        }
    }

    private func acceptedFindings(_ html: inout HTMLWriter) {
        guard !accepted.isEmpty else { return }
        html.section("Accepted", id: HTMLIdentifier("accepted")) { html in
            let title = AuditWords.count(accepted.count, "accepted finding")
            html.card(summary: { $0.text(title) }) { html in
                LintTable(accepted.prefix(Self.maximumRows), label: "Accepted findings", hasFiles: true).write(&html)
            }
        }
    }

    private func cleanFiles(_ html: inout HTMLWriter) {
        guard !clean.isEmpty else { return }
        html.section("Files without findings", id: HTMLIdentifier("clean")) { html in
            html.element(.ul) { html in
                for file in clean.prefix(Self.maximumRows) { html.element(.li) { $0.foreign(file) } }
            }
            let count = clean.count - Self.maximumRows
            if count > 0 { html.element(.p, text: "and \(AuditWords.count(count, "more file"))") }
        }
    }
}
