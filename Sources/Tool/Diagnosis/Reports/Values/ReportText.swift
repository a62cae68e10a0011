// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The format of untrusted text in reports.
package enum ReportText {
    /// The maximum number of scalars in a value.
    static let maximumSize = 2048

    /// Returns a text on one line, without characters that affect the display, with at most `maximum` scalars.
    static func shown(_ text: String, to maximum: Int = maximumSize) -> String { clipped(text, to: maximum) }

    /// Returns a text with a capital first letter. A first word that is a name or a pattern, such as `ap*.lab.test`,
    /// isn't changed.
    package static func capitalized(_ text: String) -> String {
        let first = text.prefix { $0 != " " && $0 != "," }
        guard first.allSatisfy({ $0.isLetter || "-':".contains($0) }) else { return text }
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
