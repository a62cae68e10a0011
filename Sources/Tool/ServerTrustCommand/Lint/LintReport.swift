// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import PKIX
import PinLint
import ServerTrust

/// The report of `servertrust pins lint`, for people, programs and CI systems.
struct LintReport {
    var sources: [PinLintSource]
    /// The findings, ordered by file and line.
    var findings: [PinFinding]
    /// The errors for files that couldn't be opened. They are also on standard error.
    var unread: [(file: String, error: String)] = []

    /// The date that expiries were checked for, or nil for a report without a date.
    var date: Time?

    /// The parts that the forecast leaves out, as lines for people.
    var notes: [String] = []

    /// The folders that were searched.
    var searches: [LintInputs.Search] = []

    /// The files that were read, in order and without duplicates.
    var files: [String] {
        var seen: Set<String> = []
        return sources.map(\.file).filter { seen.insert($0).inserted }
    }

    /// The findings of each file.
    private var findingsByFile: [String: [PinFinding]] { Dictionary(grouping: findings, by: \.location.file) }

    func written(as format: LintFormat) -> [UInt8] {
        switch format {
        case .text: Array(text(Palette.forStandardOutput()).utf8)
        case .html: page(version: ToolVersion.current)
        case .json: json()
        case .sarif: SARIFLog(report: self).json()
        case .junit: junit().xml()
        }
    }
}

// MARK: - Text

extension LintReport {
    /// Returns the findings in the style of compilers. The first finding of a rule has its consequences, and the first
    /// one with a remedy has the remedy.
    /// - Parameter isByRule: whether the findings of a rule follow each other.
    func text(_ palette: Palette, isByRule: Bool = false) -> String {
        var lines: [String] = []
        let accepted = findings.count(where: \.isAccepted)
        let findings = findings.filter { !$0.isAccepted }
        var rules: [String] = []
        for finding in findings where !rules.contains(finding.rule.id) { rules.append(finding.rule.id) }
        var isSaid: Set<String> = []
        for finding in isByRule ? rules.flatMap({ rule in findings.filter { $0.rule.id == rule } }) : findings {
            lines.append(
                "\(printable(finding.location.shown)): \(paint(finding.severity, palette)) "
                    + "\(printable(finding.message)) " + palette.faint("[\(finding.rule.id)]"))
            if isSaid.insert(finding.rule.id).inserted { lines += labelled("why", finding.rule.why, palette) }
            if isSaid.insert(finding.rule.id + finding.fix).inserted { lines += labelled("fix", finding.fix, palette) }
        }
        if !lines.isEmpty { lines.append("") }
        let failing = Set(findings.filter(\.isFailure).map(\.location.file))
        for file in files where !failing.contains(file) {
            lines.append(palette.good("OK") + "    \(printable(file))")
        }
        let counts = [PinFinding.Severity.error, .warning, .note].map { severity in
            let count = findings.count { $0.severity == severity }
            return counted(count, severity.rawValue)
        }
        lines.append(counts.joined(separator: ", ") + " in \(counted(files.count, "file"))")
        for search in searches {
            lines.append("\(search.found) of \(counted(search.count, "file")) in \(printable(search.folder)) have pins")
            for skip in search.skips {
                lines +=
                    labelled("skipped", skip.words, palette) + (skip.fix.map { labelled("fix", $0, palette) } ?? [])
            }
        }
        if accepted > 0 { lines.append("\(accepted) accepted") }
        lines += notes
        return lines.joined(separator: "\n") + "\n"
    }

    private func paint(_ severity: PinFinding.Severity, _ palette: Palette) -> String {
        let word = severity.rawValue + ":"
        return switch severity {
        case .error: palette.bad(word)
        case .warning: palette.bold(word)
        case .note: word
        }
    }

    private func labelled(_ label: String, _ text: String, _ palette: Palette) -> [String] {
        wrapped(printable(text), to: 88).enumerated().map { index, line in
            (index == 0 ? "  \(palette.bold(label + ":")) " : "       ") + line
        }
    }
}

extension PinFileLocation {
    /// The file and line: `Info.plist:12`.
    var shown: String { file + (line.map { ":\($0)" } ?? "") }
}

// MARK: - JSON

extension LintReport {
    /// Returns a JSON array with an element for each file, its findings ordered by line. Files that couldn't be opened
    /// come last, with their errors. The first element also has the files that the search of a folder skipped.
    func json() -> [UInt8] {
        let findingsByFile = findingsByFile
        let formatsByFile = Dictionary(grouping: sources, by: \.file).mapValues { $0.compactMap(\.format?.name) }
        let elements = files.map { (file: $0, error: String?.none) } + unread.map { (file: $0.file, error: $0.error) }
        return JSONWriter.answer(of: elements.enumerated()) { json, element in
            let (place, (file, error)) = element
            let all = findingsByFile[file] ?? []
            let findings = all.filter { !$0.isAccepted }
            json.member("file", file)
            json.member("formats", formatsByFile[file] ?? [])
            json.member("outcome", error == nil ? Self.outcome(findings) : "undecided")
            json.objects("findings", of: findings) { Self.write($1, to: &$0) }
            json.objects("accepted", of: all.filter(\.isAccepted)) { Self.write($1, to: &$0) }
            if let error { json.member("error", error) }
            guard place == 0, !searches.isEmpty else { return }
            json.objects("skipped", of: searches.flatMap(\.skipped)) { json, skipped in
                json.member("file", skipped.path)
                json.member("reason", skipped.reason)
                json.member("fix", skipped.fix)
            }
        }
    }

    /// `clean`, `findings` or `undecided`.
    private static func outcome(_ findings: [PinFinding]) -> String {
        let faults = findings.filter(\.isFailure)
        return faults.isEmpty ? "clean" : faults.allSatisfy(\.isUndecided) ? "undecided" : "findings"
    }

    static func write(_ finding: PinFinding, to json: inout JSONWriter) {
        json.member("id", finding.rule.id)
        json.member("severity", finding.severity.rawValue)
        json.member("line", finding.location.line)
        json.member("key", finding.location.keyPath)
        json.member("hosts", finding.subject)
        json.member("message", finding.message)
        json.member("why", finding.rule.why)
        json.member("fix", finding.fix)
        json.member("fingerprint", FindingFingerprint(finding).description)
        guard let acceptance = finding.acceptance else { return }
        json.member("acceptedBy", acceptance.source.rawValue)
        json.member("reason", acceptance.reason)
    }
}

// MARK: - JUnit

extension LintReport {
    /// Returns a JUnit report. Each warning and error is a failed case, each accepted finding a skipped case, and each
    /// other file a passed case. Notes are the output of the file's case. Names contain no line numbers, so that the
    /// history of a case survives edits.
    func junit() -> JUnit {
        var cases: [JUnit.Case] = []
        let findingsByFile = findingsByFile
        for file in files {
            let findings = findingsByFile[file] ?? []
            for finding in findings where finding.isFailure || finding.isAccepted {
                cases.append(Self.junitCase(finding))
            }
            let notes = findings.filter { !$0.isFailure && !$0.isAccepted }.map(\.description)
            if !findings.contains(where: \.isFailure) || !notes.isEmpty {
                var passed = JUnit.Case(name: file, group: "servertrust.lint")
                passed.output = notes.isEmpty ? nil : notes.joined(separator: "\n")
                cases.append(passed)
            }
        }
        for unread in unread {
            cases.append(
                JUnit.Case(
                    name: unread.file, group: "servertrust.lint",
                    outcome: .error(type: "unreadable", message: unread.error)))
        }
        return JUnit(suite: "servertrust lint", cases: Self.numbered(cases))
    }

    private static func junitCase(_ finding: PinFinding) -> JUnit.Case {
        let words = [finding.location.file, finding.rule.id] + [finding.subject].compactMap { $0 }
        var testCase = JUnit.Case(name: words.joined(separator: " "), group: "servertrust.lint")
        if let acceptance = finding.acceptance {
            let reason = acceptance.reason.map { ": \($0)" } ?? ""
            testCase.outcome = .skipped(
                message: "accepted by \(acceptance.source.rawValue)\(reason): \(finding.message)")
        } else {
            testCase.outcome = .failure(
                type: finding.rule.id, message: "\(finding.severity.rawValue): \(finding.message)",
                details: "\(finding.location)\n\(finding.message)\nwhy: \(finding.rule.why)\nfix: \(finding.fix)")
        }
        return testCase
    }

    /// Returns the cases with `(2)`, `(3)` and so on appended to repeated names.
    private static func numbered(_ cases: [JUnit.Case]) -> [JUnit.Case] {
        var counts: [String: Int] = [:]
        return cases.map { testCase in
            var testCase = testCase
            counts[testCase.name, default: 0] += 1
            if let count = counts[testCase.name], count > 1 { testCase.name += " (\(count))" }
            return testCase
        }
    }
}

/// The format of the report.
enum LintFormat: String, CaseIterable, ExpressibleByArgument {
    /// Text for people. Its wording may change.
    case text
    /// An HTML page to view and share.
    case html
    /// JSON for programs: always an array, each element with `schemaVersion`.
    case json
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// JUnit XML for CI systems.
    case junit
}
