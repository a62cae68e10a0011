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
        let open = findings.filter { !$0.isAccepted }
        return open.isEmpty
            ? [.paragraph("No findings in the pin file.")] : [LintPage.table(open, label: "Findings in the pin file")]
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
            blocks: [tally, contents, unread] + files + [acceptedFindings, cleanFiles])
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

    private var contents: Report.Block {
        var links: [(title: Report.Words, id: HTMLIdentifier, count: Int?)] = []
        for (place, file) in faulty.prefix(100).enumerated() where faulty.count > 1 {
            links.append(([.foreign(file.file)], HTMLIdentifier("file", place), file.findings.count))
        }
        return .contents("Files with findings", links)
    }

    private var files: [Report.Block] {
        var left = Self.maximumRows
        var blocks: [Report.Block] = []
        for (place, file) in faulty.enumerated() where left > 0 {
            let table = Self.table(file.findings.prefix(left), label: "Findings of file \(place + 1)")
            blocks.append(.section([.foreign(file.file)], id: HTMLIdentifier("file", place), [table]))
            left -= file.findings.count
        }
        guard left < 0 else { return blocks }
        let more = AuditWords.count(-left, "more finding")
        return blocks + [.paragraph("\(more) are left out. The report’s JSON contains all findings.")]
    }

    private var acceptedFindings: Report.Block {
        let table = Self.table(accepted.prefix(Self.maximumRows), label: "Accepted findings", hasFiles: true)
        let title = AuditWords.count(accepted.count, "accepted finding")
        return .section(
            "Accepted", id: HTMLIdentifier("accepted"), accepted.isEmpty ? [] : [.card("\(title)", [table])])
    }

    private var cleanFiles: Report.Block {
        let files: [Report.Words] = clean.prefix(Self.maximumRows).map { [.foreign($0)] }
        let count = clean.count - files.count
        var blocks: [Report.Block] = [.list(files)]
        if count > 0 { blocks.append(.paragraph("and \(AuditWords.count(count, "more file"))")) }
        return .section("Files without findings", id: HTMLIdentifier("clean"), blocks)
    }

    /// Returns a table of findings.
    /// - Parameter hasFiles: whether the table names the file of each finding.
    static func table(
        _ findings: some Collection<PinFinding>, label: String, hasFiles: Bool = false
    ) -> Report.Block {
        .table(
            label, [.head("Rule"), .plain("Severity"), .words("Place"), .words("Finding"), .words("Fix")],
            style: "findings",
            findings.map { finding -> [Report.Cell] in
                [
                    [.code(finding.rule.id)], [.badge(finding.severity.tone, finding.severity.rawValue)],
                    place(of: finding, hasFile: hasFiles), message(of: finding), [.prose(finding.fix)],
                ]
            })
    }

    private static func place(of finding: PinFinding, hasFile: Bool) -> Report.Cell {
        let location = finding.location
        var spans: [Report.Span] = hasFile ? [.line([.foreign(location.file)])] : []
        if let line = location.line { spans.append(.line("line \(line)")) }
        if !location.keyPath.isEmpty { spans.append(.note([.foreign(location.keyPath)])) }
        return Report.Words(spans.isEmpty ? ["whole file"] : spans)
    }

    private static func message(of finding: PinFinding) -> Report.Cell {
        var spans: [Report.Span] = [.line([.sentence(finding.message)]), .note([.prose(finding.rule.why)])]
        if let acceptance = finding.acceptance {
            let source = "Accepted by the \(acceptance.source.rawValue)"
            let reason: [Report.Span] = acceptance.reason.map { [": ", .foreign($0, maximum: 600)] } ?? ["."]
            spans.append(.note(Report.Words([.text(source)] + reason)))
        }
        return Report.Words(spans)
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
