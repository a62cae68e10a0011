// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Foundation

/// The colors for a terminal. They never carry information by themselves: `OK` and `FAIL` are next to them.
struct Palette {
    private let isOn: Bool

    /// A palette without colors.
    static let plain = Palette(isOn: false)

    /// Returns a palette for standard output. It has colors if standard output is a terminal that supports them and
    /// `NO_COLOR` (https://no-color.org) is unset.
    static func forStandardOutput() -> Palette { Palette(for: .output) }

    /// Returns a palette for a report on standard error.
    static func forStandardError() -> Palette { Palette(for: .error) }

    private init(isOn: Bool) { self.isOn = isOn }

    private init(for stream: StandardStream) {
        let environment = ProcessInfo.processInfo.environment
        let isUnwanted = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        isOn = stream.isTerminal && !isUnwanted
    }

    func good(_ text: String) -> String { paint(text, "32;1") }
    func bad(_ text: String) -> String { paint(text, "31;1") }
    func bold(_ text: String) -> String { paint(text, "1") }
    func faint(_ text: String) -> String { paint(text, "2") }

    /// Returns the mark before a headline: `OK`, `SOON` or `FAIL`.
    func mark(_ outcome: TrustReport.Outcome) -> String {
        switch outcome {
        case .trusted: good("OK") + "    "
        case .expiring: bold("SOON") + "  "
        case .rejected, .undecided: bad("FAIL") + "  "
        }
    }

    /// Returns `error: MESSAGE [CODE]`, or the same with another label.
    func finding(_ label: String, _ message: String, _ code: String) -> String {
        bold("\(label):") + " " + printable(message) + " " + faint("[\(code)]")
    }

    func fix(_ text: String) -> String { bold("fix:") + "   " + printable(text) }
    func hint(_ text: String) -> String { bold("hint:") + "  " + printable(text) }

    private func paint(_ text: String, _ code: String) -> String { isOn ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text }
}

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
