// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

extension PinLinter {
    /// Accepts findings based on the comments in their files, and adds a finding for each comment that accepts nothing.
    ///
    /// Some rules need servers or other files. If a run lacks them, comments about these rules aren't reported.
    func accepting(_ findings: [PinFinding], in sources: [PinLintSource]) -> [PinFinding] {
        var findings = findings
        var indices: [String: [Int]] = [:]
        for (index, finding) in findings.enumerated() { indices[finding.location.file, default: []].append(index) }
        var seen: Set<String> = []
        for source in sources where source.isChecked && seen.insert(source.file).inserted {
            let comments = AcceptanceComment.comments(
                in: source.bytes, file: source.file, format: source.format)
            guard !comments.isEmpty else { continue }
            var isUsed = Array(repeating: false, count: comments.count)
            let table = CommentTable(comments)
            for index in indices[source.file] ?? [] {
                guard let comment = table.comment(for: findings[index]) else { continue }
                isUsed[comment] = true
                findings[index].acceptance = FindingAcceptance(.comment, reason: comments[comment].reason)
            }
            if source.configuration != nil { findings += remarks(comments, isUsed, source.file) }
        }
        return findings
    }

    /// Returns the findings about comments that accept nothing.
    private func remarks(_ comments: [AcceptanceComment], _ isUsed: [Bool], _ file: String) -> [PinFinding] {
        var findings: [PinFinding] = []
        for (comment, isUsed) in zip(comments, isUsed) {
            let location = PinFileLocation(file: file, line: comment.line)
            for error in comment.errors {
                findings.append(PinFinding(.acceptsUnknown, nil, at: location, error, fix: nil))
            }
            let isDecided = comment.selectors.contains { selector in
                !PinLintRule.all.contains { selector.selects($0) && $0.dependsOnOtherInputs }
            }
            guard !isUsed, !comment.isForeign, isDecided else { continue }
            let rules = comment.selectors.map(\.description).joined(separator: ", ")
            let lines = comment.lines.map { lines in
                lines.count == 1
                    ? " in line \(lines.lowerBound)" : " in lines \(lines.lowerBound) to \(lines.upperBound)"
            }
            findings.append(
                PinFinding(
                    .acceptsNothing, nil, at: location,
                    "\(rules) isn't found\(lines ?? ": nothing follows the comment")",
                    fix: nil))
        }
        if comments.count == AcceptanceComment.maximumCount {
            let location = PinFileLocation(file: file, line: comments.last?.line)
            findings.append(
                PinFinding(
                    .acceptsUnknown, nil, at: location,
                    "over \(AcceptanceComment.maximumCount) comments that accept findings; the rest isn't read",
                    fix: nil))
        }
        return findings
    }
}

/// The comments of a file, by the rules that they accept.
private struct CommentTable {
    private let comments: [AcceptanceComment]
    private var indices: [String: [Int]] = [:]

    init(_ comments: [AcceptanceComment]) {
        self.comments = comments
        for (index, comment) in comments.enumerated() {
            for id in Set(comment.selectors.map(\.id)) { indices[id, default: []].append(index) }
        }
    }

    /// Returns the innermost comment that accepts the finding, which is the last one that covers its place.
    func comment(for finding: PinFinding) -> Int? {
        // If a server can't be reached, lint has no result. A comment in a file can't replace that result.
        guard finding.rule.isAcceptable, !finding.isUndecided else { return nil }
        return indices[finding.rule.id]?.last { index in
            let comment = comments[index]
            let isCovered =
                finding.location.line.map { line in comment.lines?.contains(line) == true } ?? comment.coversFile
            return isCovered && finding.isSelected(by: comment.selectors)
        }
    }
}
