// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Diagnosis

/// The WCAG 2.2 contrast between colors that pages use together. axe-core can't compute the contrast in drawings and
/// symbols.
@Suite("Page colors")
struct ColorTests {
    /// Returns a scheme's colors by name. If several blocks set a name, the last block counts.
    private static func colors(_ blocks: Range<Int>) -> [String: String] {
        let parts = HTMLFiles.style.components(separatedBy: ":root {").dropFirst()
        var colors: [String: String] = [:]
        for part in Array(parts)[blocks] {
            for line in (part.components(separatedBy: "}").first ?? "").components(separatedBy: ";") {
                let pair = line.components(separatedBy: ":").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
                if pair.count == 2, pair[0].hasPrefix("--") { colors[String(pair[0].dropFirst(2))] = pair[1] }
            }
        }
        return colors
    }

    private static func luminance(_ color: String) throws -> Double {
        var digits = String(color.dropFirst())
        if digits.count == 3 { digits = digits.map { "\($0)\($0)" }.joined() }
        let value = try #require(Int(digits, radix: 16), "\(color)")
        let parts = [value >> 16, (value >> 8) & 0xff, value & 0xff].map { part in
            let share = Double(part) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    static func contrast(_ first: String, _ second: String) throws -> Double {
        let (one, two) = (try luminance(first), try luminance(second))
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    @Test(
        "Text has a contrast of at least 4.5, and meaningful edges have at least 3",
        arguments: ["light", "dark", "print"])
    func contrasts(_ scheme: String) throws {
        let colors = Self.colors(scheme == "light" ? 0..<1 : scheme == "dark" ? 1..<2 : 2..<3)
        #expect(colors.count >= 15)
        func expect(_ text: String, on back: String, _ minimum: Double) throws {
            let ratio = try Self.contrast(try #require(colors[text]), try #require(colors[back]))
            #expect(ratio >= minimum, "\(text) on \(back) in \(scheme): \(ratio)")
        }
        for back in ["paper", "panel", "raised"] {
            for text in ["ink", "muted", "link"] { try expect(text, on: back, 4.5) }
        }
        for back in ["paper", "panel"] { try expect("edge", on: back, 3) }
        for tone in HTMLTone.allCases.map(\.rawValue) {
            for back in ["paper", "panel", "\(tone)-back"] { try expect(tone, on: back, 4.5) }
            for text in ["ink", "muted"] { try expect(text, on: "\(tone)-back", 4.5) }
        }
    }

    @Test("Black on white has a contrast of 21, and a color on itself has a contrast of 1")
    func scale() throws {
        #expect(abs(try Self.contrast("#000", "#ffffff") - 21) < 0.001)
        #expect(try Self.contrast("#123456", "#123456") == 1)
    }
}
