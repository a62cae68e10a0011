// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import TrustSupport

/// A host name as people write it on a command line, including non-ASCII names (UTS #46, non-transitional, with the
/// contextual and bidirectional rules of IDNA 2008).
///
/// Foundation maps names with ICU. A name is accepted only if mapping it to A-labels and back returns the same name,
/// and each of its characters is a letter, a mark or a digit. IDNA 2008 requires the latter, UTS #46 doesn't. A wrong
/// guess would query another host. A name that is mapped to pure ASCII, such as one with full-width letters, is also
/// refused.
enum HostName {
    /// Returns the name in A-labels.
    /// - Parameter text: a name or an address. A text in ASCII is returned unchanged, for `Hostname` to parse.
    /// - Throws: ``HostNameError`` for a non-ASCII name that isn't unambiguous.
    static func ascii(_ text: String) throws(HostNameError) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        // Ideographic full stops count as dots (UTS #46 § 2.3).
        let name = String(String.UnicodeScalarView(text.unicodeScalars.map { Self.dots.contains($0) ? "." : $0 }))
        guard name.utf8.count <= 1024, name.unicodeScalars.allSatisfy(isUsual) else { throw HostNameError(text: text) }
        guard let ascii = mapped(name), ascii.utf8.allSatisfy({ $0 < 0x80 }), let unicode = unicode(ascii),
            mapped(unicode) == ascii, hasALabel(ascii)
        else { throw HostNameError(text: text) }
        return ascii
    }

    /// Returns the non-ASCII name that a host's A-labels represent, for people. Returns nil if there isn't one.
    static func unicode(_ host: Hostname) -> String? {
        guard case .dns(let name) = host.kind, hasALabel(name) else { return nil }
        guard let unicode = unicode(name), unicode != name, unicode.unicodeScalars.allSatisfy(isUsual),
            mapped(unicode) == name
        else { return nil }
        return unicode
    }

    private static func hasALabel(_ name: String) -> Bool { name.hasPrefix("xn--") || name.contains(".xn--") }

    private static let dots: Set<Unicode.Scalar> = ["\u{3002}", "\u{ff0e}", "\u{ff61}"]

    private static func isUsual(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "." || scalar == "-" || scalar == "_" { return true }
        // Allowed between letters that need them. The mapping checks this.
        if scalar == "\u{200c}" || scalar == "\u{200d}" || scalar == "\u{b7}" || scalar == "\u{30fb}" { return true }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            return true
        default: return false
        }
    }

    /// Maps a name to A-labels.
    private static func mapped(_ name: String) -> String? {
        URL(string: "https://\(name)")?.host?.lowercased()
    }

    /// Maps A-labels back.
    private static func unicode(_ ascii: String) -> String? {
        var components = URLComponents()
        components.encodedHost = ascii
        return components.host
    }
}

/// An error for a non-ASCII host name that isn't unambiguous.
struct HostNameError: Error, CustomStringConvertible {
    let text: String

    var description: String {
        "\"\(clipped(text, to: 100))\" isn't an unambiguous host name; write it in A-labels (xn--…)"
    }
}

extension Hostname {
    /// Both forms of a non-ASCII name: `bücher.example (xn--bcher-kva.example)`. For other hosts, only the name.
    var inBothForms: String { HostName.unicode(self).map { "\($0) (\(self))" } ?? description }
}
