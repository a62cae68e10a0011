// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Converts a host with U-labels (`bücher.example`) to A-labels (`xn--bcher-kva.example`), the form for DNS,
/// certificates, SNI and HTTP.
///
/// Foundation converts the labels with its tables for UTS 46: nontransitional processing, with the rules for
/// right-to-left names (RFC 5893) and joiners (RFC 5892 appendix A). UTS 46 also maps characters, and Foundation's
/// parser decodes percent-encoding. So `127。0。0。1`, `①.1.1.1` and `ﬃ.example` would turn into addresses and another
/// name. This conversion only accepts labels that stay what they are: apart from upper case and Unicode normalization,
/// an A-label must convert back to the label in the URL. Outside ASCII, it only accepts letters, marks and digits, as
/// IDNA 2008 does. ASCII labels don't change.
///
/// Not checked: letters that look like other letters, such as Cyrillic `а` (UTS 39), and the Punycode of ASCII labels.
package enum InternationalName {
    /// The maximum number of bytes. A name has at most 253 characters of at most four bytes each.
    private static let maximumSize = 1_024

    /// Converts a host with at least one character outside ASCII.
    /// - Throws: ``RequestTargetError`` with the label and the reason.
    package static func aLabels(of host: Substring) throws(RequestTargetError) -> String {
        guard host.utf8.count <= maximumSize else { throw .malformed("the host has \(host.utf8.count) bytes") }
        let labels = self.labels(host)
        // Foundation would treat other ASCII characters as delimiters or as percent-encoding.
        if let index = labels.firstIndex(where: { !$0.unicodeScalars.allSatisfy(isUsual) }) {
            throw .malformed("expected letters, digits and hyphens in \(place(index, labels[index])) of the host")
        }
        var names: [String] = []
        for (index, label) in labels.enumerated() {
            guard !isASCII(label) else {
                names.append(label.lowercased())
                continue
            }
            guard let name = encoded(label) else {
                throw .malformed("\(place(index, label)) of the host isn't valid (UTS 46)")
            }
            // A mapped full stop would add a label. An ASCII name isn't what the URL shows.
            guard name.hasPrefix("xn--"), !name.utf8.contains(UInt8(ascii: ".")),
                decoded(name)?.lowercased() == label.lowercased()
            else { throw .malformed("\(place(index, label)) of the host would become another name (UTS 46)") }
            names.append(name)
        }
        let name = names.joined(separator: ".")
        // Some rules are about the whole host: its length, empty labels, and the direction of letters.
        guard encoded(host)?.lowercased() == name else {
            throw .malformed("the labels of the host can't be combined (UTS 46, RFC 5893)")
        }
        return name
    }

    /// Returns Foundation's A-labels, or nil if it rejects the name.
    private static func encoded(_ name: Substring) -> String? {
        URLComponents(string: "https://\(name)/")?.encodedHost
    }

    /// Returns the U-labels that Foundation reads from A-labels, or nil if it can't.
    private static func decoded(_ name: String) -> String? { URLComponents(string: "https://\(name)/")?.host }

    private static func isASCII(_ label: Substring) -> Bool { label.utf8.allSatisfy { $0 < 0x80 } }

    /// Splits at full stops. A `Character` could also contain combining marks.
    private static func labels(_ host: Substring) -> [Substring] {
        host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// Whether a character is a letter, a mark, a digit, a hyphen, or one that is allowed between certain letters (RFC
    /// 5892 appendix A).
    private static func isUsual(_ scalar: Unicode.Scalar) -> Bool {
        if ["-", "\u{200c}", "\u{200d}", "\u{b7}", "\u{30fb}"].contains(scalar) { return true }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            return true
        default: return false
        }
    }

    /// Returns `label 1 (U+FB03)`: the position of a label and its characters outside ASCII, at most four.
    private static func place(_ index: Int, _ label: Substring) -> String {
        let scalars = label.unicodeScalars.filter { !$0.isASCII }
        guard !scalars.isEmpty else { return "label \(index + 1)" }
        let numbers = scalars.prefix(4).map { "U+" + String($0.value, radix: 16, uppercase: true) }
        return "label \(index + 1) (\((numbers + (scalars.count > 4 ? ["…"] : [])).joined(separator: " ")))"
    }
}
