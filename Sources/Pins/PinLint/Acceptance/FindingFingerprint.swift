// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The identity of a finding across runs: 32 hexadecimal digits. It stays the same if lines move or a message is
/// reworded.
///
/// It is the start of the SHA-256 digest of the rule, the hosts, the key path without indices, and the facts of the
/// message: pins, names, times and quoted values. A finding of the same rule about a different host, pin or date has a
/// different fingerprint. The file isn't part of the fingerprint.
package struct FindingFingerprint: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ finding: PinFinding) {
        let fields =
            [finding.rule.id, finding.subject ?? "", Self.withoutIndices(finding.location.keyPath)]
            + Self.facts(of: finding.message)
        // Each field is preceded by its length, so different lists of fields have different bytes.
        let bytes = ["servertrust finding 1"] + fields.map { "\($0.utf8.count):\($0)" }
        description = Hex.encode(Digests.sha256(Array(bytes.joined(separator: "\n").utf8)).prefix(16))
    }

    /// Returns a key path without `[0]`, because an element that is added above other elements changes their indices.
    private static func withoutIndices(_ path: String) -> String {
        var result = ""
        var rest = path[...]
        while let open = rest.firstIndex(of: "[") {
            result += rest[..<open]
            let inside = rest[rest.index(after: open)...]
            guard let close = inside.firstIndex(where: { !$0.isNumber }), inside[close] == "]",
                close > inside.startIndex
            else {
                result += "["
                rest = inside
                continue
            }
            rest = inside[inside.index(after: close)...]
        }
        return result + rest
    }

    /// Returns the words of a message that are data, sorted and without duplicates: pins, RFC 3339 times, names with a
    /// dot, and quoted values.
    private static func facts(of message: String) -> [String] {
        let quoted = message.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        let words = message.split { $0 == " " || $0 == "," || $0 == ";" || $0 == "\n" }.map { word in
            String(word.drop { $0 == "(" || $0 == "\"" }.reversed().drop { ".:)?\"".contains($0) }.reversed())
        }
        let facts = words.filter { word in
            word.hasPrefix("sha256/") || isTime(word) || word.dropFirst().dropLast().contains(".")
        }
        return Set(quoted + facts).sorted()
    }

    private static func isTime(_ word: String) -> Bool {
        word.hasSuffix("Z") && word.contains("T") && word.contains(":")
    }
}
