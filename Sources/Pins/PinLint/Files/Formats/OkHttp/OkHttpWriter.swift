// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// Writes the call that creates OkHttp's `CertificatePinner`, in Kotlin or Java.
enum OkHttpWriter {
    /// Returns the code.
    /// - Throws: ``PinWritingError`` if no host is pinned.
    static func write(
        _ configuration: PinConfiguration, _ language: SourceLanguage
    ) throws(PinWritingError) -> [UInt8] {
        var lines: [String] = []
        for row in PinProjection(configuration).rows {
            for (pattern, rule) in patterns(row) where rule.mode == .enforced {
                for pin in rule.keysAnywhere {
                    lines.append("    .add(\"\(pattern)\", \"\(pin.key)\")\(SourceWriting.comment(pin.comment))")
                }
            }
        }
        guard !lines.isEmpty else { throw PinWritingError(.pinWritingNothing, .okHttp) }
        let (start, end) =
            language == .java
            ? ("CertificatePinner certificatePinner = new CertificatePinner.Builder()", "    .build();")
            : ("val certificatePinner = CertificatePinner.Builder()", "    .build()")
        let text = [start] + lines + [end]
        return Array((text.joined(separator: "\n") + "\n").utf8)
    }

    /// Returns the fewest patterns for the rules of a name. OkHttp unites the pins of all matching patterns.
    private static func patterns(_ row: PinProjection.Row) -> [(String, PinRule)] {
        if let further = row.further {
            // `**.` also covers the name itself, so one pattern is enough if all three rules are equivalent.
            var patterns = [("**.\(row.name)", further)]
            if let itself = row.itself, !itself.isEquivalent(to: further) {
                patterns.append((row.name.description, itself))
            }
            if let below = row.oneLabel, !below.isEquivalent(to: further) { patterns.append(("*.\(row.name)", below)) }
            return patterns
        }
        var patterns: [(String, PinRule)] = []
        if let itself = row.itself { patterns.append((row.name.description, itself)) }
        if let below = row.oneLabel { patterns.append(("*.\(row.name)", below)) }
        return patterns
    }
}
