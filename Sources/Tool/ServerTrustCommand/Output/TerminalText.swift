// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The characters that a terminal is likely to support.
enum TerminalText {
    /// Whether the environment's locale uses UTF-8, checked in POSIX order: `LC_ALL`, `LC_CTYPE`, `LANG`.
    static let isUTF8 = hasUTF8(ProcessInfo.processInfo.environment)

    static func hasUTF8(_ environment: [String: String]) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }
}
