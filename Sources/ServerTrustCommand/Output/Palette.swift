// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Colours for a terminal. Never the only carrier of a meaning: `OK` and `FAIL` stand beside them.
struct Palette {
    private let isOn: Bool

    /// No colours.
    static let plain = Palette(isOn: false)

    /// On if standard output is a terminal that has colours and nobody objects (https://no-color.org).
    static func forStandardOutput() -> Palette {
        let environment = ProcessInfo.processInfo.environment
        let isUnwanted = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        return Palette(isOn: StandardStream.output.isTerminal && !isUnwanted)
    }

    func good(_ text: String) -> String { paint(text, "32;1") }
    func bad(_ text: String) -> String { paint(text, "31;1") }
    func bold(_ text: String) -> String { paint(text, "1") }
    func faint(_ text: String) -> String { paint(text, "2") }

    private func paint(_ text: String, _ code: String) -> String { isOn ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text }
}
