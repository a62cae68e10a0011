// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PinLint

extension LintReport {
    /// Returns the report as an HTML page in UTF-8 that loads nothing else.
    /// - Parameter version: the version of the program.
    func page(version: String) -> [UInt8] {
        let page = LintPage(self)
        return page.content.page(title: "\(page.headline) · lint", kind: "Lint", version: version, date: date).bytes()
    }

    /// The findings that aren't accepted, as a part of another report.
    var openFindings: [Report.Block] {
        let cards = LintPage(self).cards
        return cards.isEmpty ? [.paragraph("No findings in the pin file.")] : cards
    }
}

/// The content of a lint report's page: the counts, an index of the rules, the findings of each rule, and the files
/// without findings.
struct LintPage {
    /// The findings of one rule.
    private struct Group {
        let rule: PinLintRule
        let findings: [PinFinding]
        let place: Int
        let id: HTMLIdentifier

        var worst: PinFinding.Severity { findings.map(\.severity).min() ?? .note }
        var files: Int { Set(findings.map(\.location.file)).count }
    }

    private let report: LintReport
    /// The findings that aren't accepted.
    private let open: [PinFinding]
    private let accepted: [PinFinding]
    /// The rules with findings. The most severe ones come first.
    private let groups: [Group]
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
        let byRule = Dictionary(grouping: open, by: \.rule.id)
        groups = PinLintRule.all.enumerated().compactMap { place, rule in
            byRule[rule.id].map { Group(rule: rule, findings: $0, place: place, id: HTMLIdentifier("rule", place)) }
        }.sorted { ($0.worst, -$0.findings.count, $0.place) < ($1.worst, -$1.findings.count, $1.place) }
        let faulty = Set(open.map(\.location.file))
        clean = report.files.filter { !faulty.contains($0) }
        passedCount = report.files.count - Set(open.filter(\.isFailure).map(\.location.file)).count
    }

    var headline: String {
        let files = report.files.count
        guard files > 0 else { return "No file was read" }
        let ofFiles = AuditWords.count(files, "file")
        return passedCount < files
            ? "Problems in \(AuditWords.number(files - passedCount)) of \(ofFiles)" : "\(ofFiles) without a problem"
    }

    private var tone: HTMLTone {
        if open.contains(where: { $0.severity == .error }) { return .bad }
        return report.unread.isEmpty && !report.files.isEmpty && passedCount == report.files.count ? .good : .caution
    }

    var content: Report {
        var lead: [Report.Block] = report.searches.map { search in
            let count = "\(search.found) of \(AuditWords.count(search.count, "file")) in "
            return .paragraph([.text(count), .foreign(search.folder), search.found == 1 ? " has pins." : " have pins."])
        }
        if let date = report.date { lead.append(.quiet(["Checked for ", .time(date), "."])) }
        let errors = report.unread.prefix(Self.maximumRows).map { Report.Words([.sentence($0.error, maximum: 600)]) }
        let unread = Report.Block.section("Not read", id: HTMLIdentifier("unread"), [.list(errors)])
        return Report(
            tone: tone, headline: "\(headline)", lead: lead,
            blocks: [
                tally, index, unread, .section("Findings", id: HTMLIdentifier("findings"), cards), acceptedFindings,
                skippedFiles, cleanFiles,
            ])
    }

    private var tally: Report.Block {
        let severities: [Report.Count] = [PinFinding.Severity.error, .warning, .note].map { severity in
            let count = open.count { $0.severity == severity }
            let plural = count == 1 ? "" : "s"
            return Report.Count(severity.tone, AuditWords.number(count), "\(severity.rawValue)\(plural)")
        }
        let passed = "file\(passedCount == 1 ? "" : "s") without a problem"
        return .tally(
            severities + [
                Report.Count(.note, AuditWords.number(accepted.count), "accepted"),
                Report.Count(.good, AuditWords.number(passedCount), "\(passed)"),
            ])
    }

    // MARK: - Sections

    private var index: Report.Block {
        .table(
            "Rules with findings",
            [.head("Rule"), .plain("Severity"), .words("Problem"), .number("Findings"), .number("Files")],
            groups.map { group -> [Report.Cell] in
                [
                    [.link(group.id, [.code(group.rule.id)])], [.badge(group.worst.tone, group.worst.rawValue)],
                    [.sentence(group.rule.title)], "\(AuditWords.number(group.findings.count))",
                    "\(AuditWords.number(group.files))",
                ]
            })
    }

    /// The findings of each rule in the order of their files, with the rule's reason and remedy once. Only another
    /// remedy is next to its finding. The page shows the notes of a rule on request.
    fileprivate var cards: [Report.Block] {
        var left = Self.maximumRows
        var blocks: [Report.Block] = []
        for group in groups where left > 0 {
            blocks.append(card(group, group.findings.prefix(left)))
            left -= group.findings.count
        }
        guard left < 0 else { return blocks }
        let more = AuditWords.count(-left, "more finding")
        return blocks + [.paragraph("\(more) are left out. The report’s JSON contains all findings.")]
    }

    private func card(_ group: Group, _ findings: some Collection<PinFinding>) -> Report.Block {
        var files: [String] = []
        for finding in findings where files.last != finding.location.file { files.append(finding.location.file) }
        let byFile = Dictionary(grouping: findings, by: \.location.file)
        let fixes = Dictionary(grouping: findings, by: \.fix)
        let common = fixes.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key ?? group.rule.fix
        let items = files.map { file in
            let spans = byFile[file, default: []].flatMap { Self.spans(of: $0, among: group.worst, unless: common) }
            return Report.Words([.mono(shown(file))] + spans)
        }
        return .card(
            [
                .badge(group.worst.tone, group.worst.rawValue), " ", .code(group.rule.id), " ",
                .quiet([.sentence(group.rule.title), .text(" · \(AuditWords.number(group.findings.count))")]),
            ], id: group.id, isOpen: group.worst != .note,
            [.paragraph([.prose(group.rule.why), " ", .strong("Fix:"), " ", .prose(common)]), .list(items)])
    }

    /// Returns the name of a file without the folder, if only one folder was searched.
    private func shown(_ file: String) -> String {
        guard let folder = report.searches.first?.folder, report.searches.count == 1, file.hasPrefix(folder + "/")
        else {
            return file
        }
        return String(file.dropFirst(folder.count + 1))
    }

    private static func spans(
        of finding: PinFinding, among severity: PinFinding.Severity, unless common: String
    ) -> [Report.Span] {
        let line = finding.location.line.map { "line \($0): " } ?? ""
        let other = finding.severity == severity ? "" : "\(finding.severity.rawValue): "
        let text = Report.Span.line([.quiet([.text(line + other)]), .sentence(finding.message)])
        return finding.fix == common ? [text] : [text, .note([.strong("Fix:"), " ", .prose(finding.fix)])]
    }

    private var acceptedFindings: Report.Block {
        let items = accepted.prefix(Self.maximumRows).map { finding -> Report.Words in
            let source = "Accepted by the \(finding.acceptance?.source.rawValue ?? "")"
            let reason: [Report.Span] = finding.acceptance?.reason.map { [": ", .foreign($0, maximum: 600)] } ?? ["."]
            return Report.Words(
                [.mono(shown(finding.location.file)), " ", .code(finding.rule.id)]
                    + Self.spans(of: finding, among: finding.severity, unless: finding.fix)
                    + [.note(Report.Words([.text(source)] + reason))])
        }
        let title = AuditWords.count(accepted.count, "accepted finding")
        return .section(
            "Accepted", id: HTMLIdentifier("accepted"), items.isEmpty ? [] : [.card("\(title)", [.list(items)])])
    }

    private var skippedFiles: Report.Block {
        let skips = report.searches.flatMap(\.skips).map { skip in
            Report.Words(
                [.sentence(skip.words)] + (skip.fix.map { [.note([.strong("Fix:"), " ", .prose($0)])] } ?? []))
        }
        return .section("Skipped", id: HTMLIdentifier("skipped"), [.list(skips)])
    }

    private var cleanFiles: Report.Block {
        let files: [Report.Words] = clean.prefix(Self.maximumRows).map { [.foreign(shown($0))] }
        let count = clean.count - files.count
        var blocks: [Report.Block] = [.list(files)]
        if count > 0 { blocks.append(.paragraph("and \(AuditWords.count(count, "more file"))")) }
        return .section("Files without findings", id: HTMLIdentifier("clean"), blocks)
    }
}

extension PinFinding.Severity {
    fileprivate var tone: HTMLTone {
        switch self {
        case .error: .bad
        case .warning: .caution
        case .note: .note
        }
    }
}
