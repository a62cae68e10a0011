// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustVerdict: CustomStringConvertible {
    /// Several lines for people: the result, each failure with a hint, and the checks that weren't performed.
    public var description: String {
        let name = (referenceName ?? host)?.description ?? "the peer"
        var lines = ["\(name) is \(isTrusted ? "" : "not ")trusted at \(evaluationDate) (\(result.rawValue))"]
        if isTrusted {
            let names = path.map { $0.abridgedDescription(toBytes: ReportAllowance.nameSize(path.count)) }
            lines.append("  path: " + names.joined(separator: " < "))
            if let firstNotAfter { lines.append("  valid until: \(firstNotAfter)") }
            if let matchedPin {
                lines.append("  pin: \(matchedPin.pin)\(matchedPin.isBackup ? " (backup)" : "")")
            }
        }
        lines += revocation.map { "  revocation: \($0)" }
        if let anchor, !anchor.lists.isEmpty { lines.append("  anchor: \(anchor)") }
        if let transparency { lines.append("  transparency: \(transparency)") }
        var allowance = ReportAllowance()
        let shown = allowance.first(of: failures, part: 3, size: \.writtenSize)
        for (index, failure) in shown.kept.enumerated() {
            lines.append("  error: \(failure.message) [\(failure.code)]")
            // Several certificates may fail for the same reason. Print the hint once.
            if shown.kept.dropFirst(index + 1).first?.code != failure.code, let hint = failure.code.explanation {
                lines.append("  hint: \(hint)")
            }
        }
        if shown.omitted > 0 { lines.append("  and \(shown.omitted) more errors") }
        if isAcceptedByDelegate { lines.append("  accepted by the client's delegate") }
        for (label, failures) in [("excused", excused), ("report only", reported)] {
            let shown = allowance.first(of: failures, part: 3, size: \.writtenSize)
            lines += shown.kept.map { "  \(label): \($0.message) [\($0.code)]" }
            if shown.omitted > 0 { lines.append("  \(label): \(shown.omitted) more") }
        }
        if !notChecked.isEmpty { lines.append("  not checked: " + notChecked.map(\.name).joined(separator: ", ")) }
        for (label, texts) in [("fetched", fetched.map(\.description)), ("warning", warnings)] {
            let shown = allowance.first(of: texts.map { $0.abridged(toBytes: 1024) }, part: 3, size: \.writtenSize)
            lines += shown.kept.map { "  \(label): \($0)" }
            if shown.omitted > 0 { lines.append("  \(label): \(shown.omitted) more") }
        }
        return lines.joined(separator: "\n")
    }
}
