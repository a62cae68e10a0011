// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import TrustSupport

/// A host as a person writes it on a command line, also beyond ASCII (UTS #46, non-transitional, with the contextual and bidirectional rules of
/// IDNA 2008).
///
/// The mapping is Foundation's, which is ICU's. A name is refused unless it comes out the same when it is mapped there and back, and each of its
/// characters is a letter, a mark or a digit, as IDNA 2008 asks and UTS #46 doesn't: a wrong guess would ask another host. A name that is mapped to
/// ASCII alone, as from letters of double width, is refused as well.
enum HostName {
    /// Returns the name in A-labels.
    /// - Parameter text: a name or an address; one in ASCII alone is returned as it is, for `Hostname` to read.
    /// - Throws: ``HostNameError`` for a name beyond ASCII that isn't surely one.
    static func ascii(_ text: String) throws(HostNameError) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        // The ideographic full stops are dots (UTS #46 § 2.3).
        let name = String(String.UnicodeScalarView(text.unicodeScalars.map { Self.dots.contains($0) ? "." : $0 }))
        guard name.utf8.count <= 1024, name.unicodeScalars.allSatisfy(isUsual) else { throw HostNameError(text: text) }
        guard let ascii = mapped(name), ascii.utf8.allSatisfy({ $0 < 0x80 }), let unicode = unicode(ascii),
            mapped(unicode) == ascii, hasALabel(ascii)
        else { throw HostNameError(text: text) }
        return ascii
    }

    /// The name beyond ASCII that a host's A-labels stand for, for people; nil for one without.
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
        // Between letters that need them, which the mapping checks.
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

/// An error for a name beyond ASCII that isn't surely a host's.
struct HostNameError: Error, CustomStringConvertible {
    let text: String

    var description: String {
        "\"\(clipped(text, to: 100))\" is no host name that is surely one; write it in A-labels (xn--…)"
    }
}

extension Hostname {
    /// Both forms of a name beyond ASCII, `bücher.example (xn--bcher-kva.example)`; the name alone of another one.
    var inBothForms: String { HostName.unicode(self).map { "\($0) (\(self))" } ?? description }
}
