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
    /// - Parameter version: the version of the program that writes the page, or nil to omit it.
    package func page(version: String? = nil) -> HTMLPage {
        let headline: Report.Words = [.foreign(name, maximum: 300), .text(" \(outcome.sentence)")]
        return Report(tone: tone, headline: headline, lead: result, blocks: sections(id: HTMLIdentifier("report")))
            .page(title: "\(outcome.words): \(name)", kind: "Trust report", version: version, date: date)
    }
}

extension TrustReport.Outcome {
    private static let texts: [TrustReport.Outcome: (tone: HTMLTone, words: String, sentence: String)] = [
        .trusted: (.good, "Trusted", "is trusted"),
        .expiring: (.caution, "Trusted, expires soon", "is trusted, but a certificate expires soon"),
        .rejected: (.bad, "Not trusted", "is not trusted"),
        .undecided: (.caution, "Not checked", "could not be checked"),
    ]

    /// The outcome in a word or two.
    var words: String { Self.texts[self]?.words ?? rawValue }
    /// The outcome after the peer's name.
    fileprivate var sentence: String { Self.texts[self]?.sentence ?? rawValue }
    /// The tone of the outcome.
    var tone: HTMLTone { Self.texts[self]?.tone ?? .caution }
}

extension TrustReport {
    /// The tone of the banner. It isn't `good` for a peer that is trusted because of an exception or without a
    /// validated path.
    private var tone: HTMLTone {
        guard isTrusted else { return outcome.tone }
        return isExempted || checks.contains { $0.status == .excused } ? .caution : outcome.tone
    }

    /// The reason with a capital letter, or the headline for a trusted peer. The meaning of the code replaces a long
    /// reason, because the table of checks already lists its pins or names.
    private var sentence: String {
        guard let reason else { return headline }
        let text = reason.count > 180 ? explanations.first?.meaning ?? reason : reason
        let sentence = ReportText.capitalized(text)
        return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    /// The result in one sentence, the first step to take, and the dates.
    var result: [Report.Block] {
        let isNameless = isTrusted && checks.contains { $0.name == "identity" && $0.status == .notChecked }
        let end: Report.Words = [.sentence(sentence), .text(isNameless ? "; no name was compared." : ".")]
        var blocks = [Report.Block.lead(code.map { end + [" ", .code($0)] } ?? end)]
        if let step = nextSteps.first(where: { $0.kind != .client && $0.kind != .never }), !isTrusted {
            blocks.append(.paragraph([.strong("What to do: "), .prose(step.text)]))
        }
        var dates: Report.Words = []
        if let validUntil, validUntil >= date {
            let span = DaysLeft(until: validUntil, at: date).span
            dates = ["Valid for \(span), until ", .time(validUntil), ". "]
        } else if let firstEnd, isTrusted, firstEnd >= date {
            let span = DaysLeft(until: firstEnd, at: date).span
            dates = ["The first certificate expires in \(span), on ", .time(firstEnd), ". "]
        }
        return blocks + [.quiet(dates + ["Evaluated for ", .time(date), "."])]
    }

    /// Returns the sections below the banner.
    /// - Parameters:
    ///   - id: the prefix of the sections' identifiers. It must be unique among the reports of a page.
    ///   - isBrief: whether certificates show only the most common fields, for a page with many reports.
    package func sections(id: HTMLIdentifier, isBrief: Bool = false) -> [Report.Block] {
        ReportSections(report: self, id: id, isBrief: isBrief).blocks
    }
}
