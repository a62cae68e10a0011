// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrust

/// The text about SCTs and the anchor's conditions, for people.
enum TransparencyTable {
    /// Returns the result, the list of logs, and a line for each SCT. Empty for a verdict without a transparency
    /// finding.
    static func lines(_ verdict: TrustVerdict, _ palette: Palette) -> [String] {
        guard let finding = verdict.transparency else { return [] }
        let words = printable(finding.words)
        let isBad = finding.status.isChecked && finding.status != .complies
        var lines = ["", "transparency", "  " + (isBad ? palette.bad(words) : words)]
        if let list = finding.listWords { lines.append("  " + palette.faint(printable(list))) }
        let shown = finding.timestamps.prefix(maximumRows)
        for timestamp in shown {
            let facts = [timestamp.operatorName, timestamp.state, timestamp.origin].compactMap { $0 }
            lines.append(
                "  " + (timestamp.reason == nil ? palette.good("yes") : palette.bad("no") + " ")
                    + " \(timestamp.time)  " + printable(timestamp.logName)
                    + palette.faint(" (\(printable(facts.joined(separator: ", "))))"))
            if let reason = timestamp.reason { lines.append("        " + reason.words) }
        }
        if finding.timestamps.isEmpty { lines.append("  no SCT came with the certificate") }
        if finding.timestamps.count > shown.count {
            lines.append("  and \(finding.timestamps.count - shown.count) more")
        }
        return lines
    }

    /// Returns the root lists, and the constraints that were met. Empty for an anchor without a list.
    static func anchorLines(_ verdict: TrustVerdict) -> [String] {
        let lines = verdict.anchor?.lines ?? []
        return lines.isEmpty ? [] : ["", "root"] + lines.map { "  " + printable($0) }
    }

    private static let maximumRows = 32
}
