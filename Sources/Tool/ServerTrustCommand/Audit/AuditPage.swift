// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX

/// The content of an audit's page.
struct AuditPage {
    let summary: AuditSummary
    let run: AuditRun

    /// The maximum number of inputs that the page names.
    private static let maximumInputs = 10

    private var verdicts: AuditCount { summary.verdicts }

    /// A sentence with the result.
    var headline: String {
        guard verdicts.answers > 0 else { return "No answers" }
        if isMostlyTrusted {
            let share = AuditWords.share(verdicts.trusted, of: verdicts.answers)
            let rejected = AuditWords.number(verdicts.rejected)
            return "\(share) of \(AuditWords.count(verdicts.answers, "answer")) trusted, \(rejected) rejected"
        }
        let parts = [
            (verdicts.trusted, "trusted"), (verdicts.rejected, "rejected"), (verdicts.unreadable, "unreadable"),
        ]
        .filter { $0.0 > 0 }.map { "\(AuditWords.number($0.0)) \($0.1)" }
        return "\(AuditWords.count(verdicts.answers, "answer")): \(parts.joined(separator: ", "))"
    }

    /// Writes the content.
    func write(_ html: inout HTMLWriter) {
        html.banner(tone, title: { $0.text(headline) }) { html in
            writeRun(&html)
            for problem in problems {
                html.element(.p) { html in
                    html.element(.strong, text: "The numbers don’t match: ")
                    html.text(problem)
                }
            }
        }
        tally(&html)
        guard verdicts.answers > 0 else { return }
        ShareBar(verdicts.parts, of: verdicts.answers, isTall: true).write(to: &html)
        contents(&html)
        AuditReasons(summary: summary).write(&html)
        for section in sections { section.write(&html) }
        validity(&html)
        AuditExpiry(expiry: summary.expiry, date: run.evaluationDate).write(&html)
        for section in evidence { section.write(&html) }
    }

    // MARK: - Verdicts

    private var tone: HTMLTone {
        if verdicts.rejected > 0, !isMostlyTrusted { return .bad }
        if !summary.isComplete(run) || verdicts.answers == 0 { return .caution }
        return isMostlyTrusted ? .note : verdicts.unreadable > 0 ? .caution : .good
    }

    /// Whether some answers are rejected, but more than half are trusted. The heading is neutral then, and the counts
    /// below show the details.
    private var isMostlyTrusted: Bool { verdicts.rejected > 0 && 2 * verdicts.trusted > verdicts.answers }

    /// The differences between the numbers of lines, answers and counted answers.
    private var problems: [String] {
        var problems: [String] = []
        if !run.hasAllAnswers {
            problems.append(
                "\(AuditWords.count(run.lines, "line")) read, but \(AuditWords.count(run.answers, "answer")) written. "
                    + "A complete run has one answer for each line.")
        }
        if run.answers != verdicts.answers {
            problems.append(
                "\(AuditWords.count(run.answers, "answer")) written, but \(AuditWords.number(verdicts.answers)) counted here."
            )
        }
        return problems
    }

    private func writeRun(_ html: inout HTMLWriter) {
        html.element(.p) { html in
            html.text("\(AuditWords.count(run.lines, "line")) read as ")
            html.element(.code) { $0.foreign(run.format, maximum: 64) }
            html.text(" from ")
            for (place, name) in run.inputs.prefix(Self.maximumInputs).enumerated() {
                if place > 0 { html.text(", ") }
                html.foreign(name, maximum: 300)
            }
            if run.inputs.isEmpty { html.text("no input") }
            let others = run.inputs.count - Self.maximumInputs
            if others > 0 { html.text(" and \(AuditWords.count(others, "other"))") }
            html.text(".")
        }
        html.element(.p, [.classes("quiet")]) { html in
            guard let date = run.evaluationDate else {
                return html.text("Each row was evaluated for its own date, or for the time of the run if it has none.")
            }
            html.text("Rows without their own date were evaluated for ")
            html.time(date)
            html.text(".")
        }
    }

    private func tally(_ html: inout HTMLWriter) {
        let items: [(HTMLTone, Int, String)] = [
            (.good, verdicts.trusted, "trusted"), (.bad, verdicts.rejected, "rejected"),
            (.caution, verdicts.unreadable, "unreadable"),
            (summary.isComplete(run) ? .note : .caution, run.lines, run.lines == 1 ? "line read" : "lines read"),
        ]
        html.element(.ul, [.classes("tally")]) { html in
            for (tone, number, words) in items {
                // A count of zero needs no warning color.
                html.element(.li, number > 0 ? [.tone(tone)] : [.classes("zero")]) { html in
                    html.element(.strong, text: AuditWords.number(number))
                    html.text(words)
                    if tone != .note, words != "lines read", words != "line read" {
                        html.element(
                            .span, [.classes("quiet")], text: " · \(AuditWords.share(number, of: verdicts.answers))")
                    }
                }
            }
        }
    }

    // MARK: - Sections

    private func contents(_ html: inout HTMLWriter) {
        var links: [(title: String, id: HTMLIdentifier)] = []
        if !summary.reasons.isEmpty { links.append((AuditReasons.title, AuditReasons.id)) }
        links += sections.filter { !$0.isEmpty }.map { ($0.title, $0.id) }
        if !summary.validity.isEmpty { links.append((Self.validityTitle, Self.validityID)) }
        if !summary.expiry.isEmpty { links.append((AuditExpiry.title, AuditExpiry.id)) }
        links += evidence.filter { !$0.isEmpty }.map { ($0.title, $0.id) }
        guard !links.isEmpty else { return }
        html.element(.nav, [.classes("contents"), .label("Sections")]) { html in
            html.element(.ul) { html in
                for link in links {
                    html.element(.li) { $0.element(.a, [.link(.place(link.id))], text: link.title) }
                }
            }
        }
    }

    /// The tables about certificates.
    private var sections: [AuditSection] {
        [
            AuditSection(
                title: "Issuers", column: "Issuer of the leaf", id: HTMLIdentifier("issuers"), table: summary.issuers,
                whole: verdicts),
            AuditSection(
                title: "Roots", column: "Trust anchor", id: HTMLIdentifier("roots"), table: summary.roots,
                whole: verdicts),
            AuditSection(
                title: "Keys", column: "Key of the leaf", id: HTMLIdentifier("keys"), table: summary.keys,
                whole: verdicts),
            AuditSection(
                title: "Signature algorithms", column: "Signature of the leaf", id: HTMLIdentifier("signatures"),
                table: summary.signatureAlgorithms, whole: verdicts),
        ]
    }

    /// The tables about Certificate Transparency and revocation, empty unless the run checks these.
    private var evidence: [AuditSection] {
        [
            AuditSection(
                title: "Certificate Transparency", column: "Finding", id: HTMLIdentifier("transparency"),
                table: summary.transparency, whole: verdicts,
                absence: "No answer has a result: this run didn’t check Certificate Transparency."),
            AuditSection(
                title: "Revocation", column: "Status of the leaf", id: HTMLIdentifier("revocation"),
                table: summary.revocation, whole: verdicts,
                absence: "No answer has a status: this run didn’t check revocation."),
        ]
    }

    private static let validityTitle = "Validity"
    private static let validityID = HTMLIdentifier("validity")

    private func validity(_ html: inout HTMLWriter) {
        guard !summary.validity.isEmpty else { return }
        let most = summary.validity.counts.map(\.answers).max() ?? 0
        html.section(Self.validityTitle, id: Self.validityID) { html in
            html.table(
                label: Self.validityTitle, columns: ["Validity of the leaf"] + AuditRow.columns + ["Meaning"],
                numbers: AuditRow.numbers
            ) {
                html in
                for (step, count) in zip(AuditValidity.steps, summary.validity.counts) {
                    AuditRow(count: count, most: most, whole: verdicts.answers).write(&html) {
                        $0.text(step.name)
                    } _: { html in
                        html.element(.td, [.classes("words", "quiet")], text: step.meaning)
                    }
                }
            }
            html.missing(summary.validity.none)
        }
    }
}

extension AuditCount {
    /// The segments of a bar.
    var parts: [(tone: HTMLTone, count: Int)] { [(.good, trusted), (.bad, rejected), (.caution, unreadable)] }
}
