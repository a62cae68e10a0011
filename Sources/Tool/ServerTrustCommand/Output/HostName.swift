// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// A host name as people write it on a command line, including non-ASCII names (``InternationalName``). A wrong guess
/// would query another host.
enum HostName {
    /// Returns the name in A-labels.
    /// - Parameter text: a name or an address. A text in ASCII is returned unchanged, for `Hostname` to parse.
    /// - Throws: ``HostNameError`` for a non-ASCII name that isn't unambiguous.
    static func ascii(_ text: String) throws(HostNameError) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        // Ideographic full stops count as dots (UTS #46 § 2.3).
        let name = String(String.UnicodeScalarView(text.unicodeScalars.map { Self.dots.contains($0) ? "." : $0 }))
        // A name with full-width letters is pure ASCII to Foundation. It has to be written in ASCII.
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { throw HostNameError(text: text) }
        do throws(RequestTargetError) { return try InternationalName.aLabels(of: name[...]) } catch {
            throw HostNameError(text: text)
        }
    }

    /// Returns the non-ASCII name that a host's A-labels represent, for people. Returns nil if there isn't one.
    static func unicode(_ host: Hostname) -> String? {
        guard case .dns(let name) = host.kind, hasALabel(name) else { return nil }
        guard let unicode = unicode(name), unicode != name,
            (try? InternationalName.aLabels(of: unicode[...])) == name
        else { return nil }
        return unicode
    }

    private static func hasALabel(_ name: String) -> Bool { name.hasPrefix("xn--") || name.contains(".xn--") }

    private static let dots: Set<Unicode.Scalar> = ["\u{3002}", "\u{ff0e}", "\u{ff61}"]

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
