// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension TrustReport {
    /// Returns the report as one page of HTML, which needs nothing from elsewhere and runs no script of others.
    ///
    /// It is well-formed as XML, prints, and can be read with a keyboard and a screen reader. Text of certificates and servers is
    /// escaped, and no link leads out of the page. A decoded report makes a page as safe as one of this process, regardless of its contents.
    public func html() -> String { String(decoding: page().bytes(), as: UTF8.self) }

    /// Returns the page.
    /// - Parameters:
    ///   - version: the version of the program that writes it; nil for none.
    ///   - home: the link to a page beside it; nil for none.
    package func page(version: String? = nil, home: HTMLPage.Link? = nil) -> HTMLPage {
        HTMLPage(
            title: "\(outcome.words): \(name)", kind: "Trust report", version: version, date: date, home: home
        ) { html in
            let id = HTMLIdentifier("report")
            writeBanner(to: &html)
            writeSections(to: &html, id: id, level: 2)
        }
    }
}

extension TrustReport.Outcome {
    /// The outcome in a word or two.
    package var words: String {
        switch self {
        case .trusted: "Trusted"
        case .expiring: "Trusted, ends soon"
        case .rejected: "Not trusted"
        case .undecided: "Not checked"
        }
    }

    /// The tone of the outcome.
    package var tone: HTMLTone {
        switch self {
        case .trusted: .good
        case .expiring: .caution
        case .rejected: .bad
        case .undecided: .caution
        }
    }
}

extension TrustReport {
    /// The tone of the banner: a peer that is trusted by an exception, or without a validated path, isn't shown as a good one.
    private var tone: HTMLTone {
        guard isTrusted else { return outcome.tone }
        return isExempted || checks.contains { $0.status == .excused } ? .caution : outcome.tone
    }

    /// Writes the result in one sentence, and the first measure.
    private func writeBanner(to html: inout HTMLWriter) {
        html.banner(tone) { html in
            html.foreign(name, maximum: 300)
            switch outcome {
            case .trusted: html.text(" is trusted")
            case .expiring: html.text(" is trusted, and ends soon")
            case .rejected: html.text(" is not trusted")
            case .undecided: html.text(" could not be checked")
            }
        } _: { html in
            writeResult(to: &html)
        }
    }

    /// The reason with a capital letter, or the headline of a trusted peer; the meaning of the code in the place of a reason that lists
    /// pins or names, which the table of checks has.
    private var sentence: String {
        guard let reason else { return headline }
        let text = reason.count > 180 ? explanations.first?.meaning ?? reason : reason
        let sentence = ReportText.capitalized(text)
        return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    /// Writes the paragraphs of the banner.
    package func writeResult(to html: inout HTMLWriter) {
        html.element(.p, [.classes("lead")]) { html in
            html.sentence(sentence, maximum: 1200)
            if isTrusted, checks.contains(where: { $0.name == "identity" && $0.status == .notChecked }) {
                html.text("; no name was compared")
            }
            html.text(".")
            if let code {
                html.text(" ")
                html.element(.code) { $0.foreign(code, maximum: 64) }
            }
        }
        if let step = nextSteps.first(where: { $0.kind != .client && $0.kind != .never }), !isTrusted {
            html.element(.p) { html in
                html.element(.strong, text: "What to do: ")
                html.prose(step.text)
            }
        }
        html.element(.p, [.classes("quiet")]) { html in
            if let validUntil, validUntil >= date {
                html.text("Holds for \(RemainingTime.span(from: date, to: validUntil)), until ")
                html.time(validUntil)
                html.text(". ")
            } else if let firstEnd, isTrusted, firstEnd >= date {
                html.text("The first certificate ends in \(RemainingTime.span(from: date, to: firstEnd)), on ")
                html.time(firstEnd)
                html.text(". ")
            }
            html.text("Evaluated for ")
            html.time(date)
            html.text(".")
        }
    }

    /// Writes the sections below the banner.
    /// - Parameters:
    ///   - id: the identifier that theirs begin with; on a page of several reports each has another.
    ///   - level: the level of their headings.
    ///   - isBrief: whether fields of certificates are limited to the usual ones, on a page of many reports.
    package func writeSections(to html: inout HTMLWriter, id: HTMLIdentifier, level: Int, isBrief: Bool = false) {
        let sections = ReportSections(report: self, id: id, level: level, isBrief: isBrief)
        sections.writeDrawing(to: &html)
        sections.writeNextSteps(to: &html)
        sections.writeCertificates(to: &html)
        sections.writeChecks(to: &html)
        sections.writeRevocation(to: &html)
        sections.writeTransparency(to: &html)
        sections.writeAnchor(to: &html)
        sections.writePins(to: &html)
        sections.writeOtherPaths(to: &html)
        sections.writeFetched(to: &html)
        sections.writeFacts(to: &html)
    }
}
