// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The address of a CRL or an OCSP responder in a certificate: an absolute `http://` URL with a host name, an IPv4
/// address or an IPv6 address in brackets.
package struct RevocationAddress: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of addresses.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A CRL in DER (RFC 5280 § 4.2.1.13).
        case crl
        /// An OCSP responder (RFC 5280 § 4.2.2.1, RFC 6960 Appendix A).
        case ocsp
    }

    /// The maximum size of an address in bytes.
    static let maximumSize = 1024

    /// The URL as the caller passed it.
    package let url: String

    package var description: String { url }

    /// Checks a URL, and stores it unchanged.
    ///
    /// Only `http` is accepted (RFC 5280 § 8). Over `https` a client would first need a CRL or OCSP response for the
    /// server that publishes them. Users, passwords and fragments are refused because clients treat them differently. A
    /// query in a responder's address is refused because GET adds the request to the path.
    ///
    /// It doesn't check whether the address is reachable.
    /// - Throws: ``RevocationAddressError``
    package init(_ url: String, kind: Kind) throws(RevocationAddressError) {
        func refused(_ found: String) -> RevocationAddressError { RevocationAddressError(kind: kind, found: found) }
        guard !url.isEmpty else { throw refused("an empty text") }
        guard url.utf8.count <= Self.maximumSize else { throw refused("\(url.utf8.count) bytes") }
        if let strange = url.unicodeScalars.first(where: { !Self.isOfURL($0) }) {
            throw refused("the character \(Self.name(strange))")
        }
        guard url.hasPrefix("http://") else {
            guard let end = url.firstRange(of: "://")?.lowerBound, end > url.startIndex else {
                throw refused("no http://")
            }
            throw refused("\(url[..<end].prefix(16))://")
        }
        guard Self.hasWholePercentEncoding(url) else { throw refused("% without two hexadecimal digits") }
        guard !url.contains("#") else { throw refused("a fragment") }
        let target: RequestTarget
        do throws(RequestTargetError) { target = try RequestTarget(url) } catch {
            switch error {
            case .userInformation: throw refused("a user")
            case .unsupportedScheme: throw refused("no http://")
            case .malformed(let reason): throw refused(reason)
            }
        }
        // Clients have other network interfaces.
        guard target.origin.host.zone == nil else { throw refused("an IPv6 zone") }
        guard !target.resource.contains(where: { "[]".contains($0) }) else { throw refused("brackets in the path") }
        guard kind == .crl || !target.resource.contains("?") else { throw refused("a query") }
        self.url = url
    }

    /// Whether a URL may contain a character (RFC 3986 § 2). All such characters are ASCII.
    private static func isOfURL(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: "-._~:/?#[]@!$&'()*+,;=%".unicodeScalars.contains(scalar)
        }
    }

    /// Returns a character for a message. Spaces, control and non-ASCII characters are shown as numbers.
    private static func name(_ scalar: Unicode.Scalar) -> String {
        let number = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - number.count)) + number
        return (0x21...0x7e).contains(scalar.value) ? "\(scalar)" : scalar == " " ? "U+0020 (space)" : code
    }

    private static func hasWholePercentEncoding(_ url: String) -> Bool {
        url.split(separator: "%", omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
            part.utf8.count >= 2 && part.prefix(2).allSatisfy(\.isHexDigit)
        }
    }
}

/// The error for a text that isn't the address of a CRL or an OCSP responder.
package struct RevocationAddressError: Error, Sendable, Hashable, CustomStringConvertible {
    let kind: RevocationAddress.Kind
    /// A description of what was found. It is printable ASCII unless the host isn't.
    let found: String

    package var description: String {
        let host = kind == .crl ? "crl.example.com/root.crl" : "ocsp.example.com/"
        return
            "found \(found), expected an address such as http://\(host) of at most \(RevocationAddress.maximumSize) characters, "
            + "without user\(kind == .crl ? "" : ", query") and fragment"
    }
}
