// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension TrustReport {
    /// Returns the report as a self-contained HTML page, which runs only a script of this package.
    ///
    /// The page is well-formed as XML, can be printed, and works with a keyboard and a screen reader. Text from
    /// certificates and servers is escaped, and all links stay within the page. A page from a decoded report is as safe
    /// as one from this process, regardless of the report's contents.
    public func html() -> String { String(decoding: page().bytes(), as: UTF8.self) }

    /// Returns the page.
    /// - Parameters:
    ///   - version: the version of the program that writes the page, or nil to omit it.
    ///   - home: the link to a page in the same folder, or nil for no link.
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
    var words: String {
        switch self {
        case .trusted: "Trusted"
        case .expiring: "Trusted, expires soon"
        case .rejected: "Not trusted"
        case .undecided: "Not checked"
        }
    }

    /// The tone of the outcome.
    var tone: HTMLTone {
        switch self {
        case .trusted: .good
        case .expiring: .caution
        case .rejected: .bad
        case .undecided: .caution
        }
    }
}

extension TrustReport {
    /// The tone of the banner. It isn't `good` for a peer that is trusted because of an exception or without a
    /// validated path.
    private var tone: HTMLTone {
        guard isTrusted else { return outcome.tone }
        return isExempted || checks.contains { $0.status == .excused } ? .caution : outcome.tone
    }

    /// Writes the result in one sentence, and the first step to take.
    private func writeBanner(to html: inout HTMLWriter) {
        html.banner(tone) { html in
            html.foreign(name, maximum: 300)
            switch outcome {
            case .trusted: html.text(" is trusted")
            case .expiring: html.text(" is trusted, but a certificate expires soon")
            case .rejected: html.text(" is not trusted")
            case .undecided: html.text(" could not be checked")
            }
        } _: { html in
            writeResult(to: &html)
        }
    }

    /// The reason with a capital letter, or the headline for a trusted peer. The meaning of the code replaces a long
    /// reason, because the table of checks already lists its pins or names.
    private var sentence: String {
        guard let reason else { return headline }
        let text = reason.count > 180 ? explanations.first?.meaning ?? reason : reason
        let sentence = ReportText.capitalized(text)
        return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    /// Writes the paragraphs of the banner.
    func writeResult(to html: inout HTMLWriter) {
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
                html.text("Valid for \(RemainingTime.span(from: date, to: validUntil)), until ")
                html.time(validUntil)
                html.text(". ")
            } else if let firstEnd, isTrusted, firstEnd >= date {
                html.text("The first certificate expires in \(RemainingTime.span(from: date, to: firstEnd)), on ")
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
    ///   - id: the prefix of the sections' identifiers. It must be unique among the reports of a page.
    ///   - level: the level of the headings.
    ///   - isBrief: whether certificates show only the most common fields, for a page with many reports.
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
