// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The characters that a terminal can be expected to show.
enum TerminalText {
    /// Whether the locale of the environment has UTF-8, by the order of POSIX: `LC_ALL`, `LC_CTYPE`, `LANG`.
    static let isUTF8 = hasUTF8(ProcessInfo.processInfo.environment)

    static func hasUTF8(_ environment: [String: String]) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }
}
