// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Returns the text of a URL without its user and password, for error texts, events and logs.
///
/// Removes everything up to the last `@` if the URL names a user, or if its authority can't be parsed. In that case, an
/// apparent path may be the rest of a password (`https://user:pass/word@host/`).
package func withoutUserInformation(_ url: String) -> String {
    let bytes = url.utf8
    guard let sign = bytes.lastIndex(of: UInt8(ascii: "@")) else { return url }
    let rest = url[bytes.index(after: sign)...]
    guard let separator = bytes.firstRange(of: "://".utf8),
        // RFC 3986 § 3.1
        bytes[..<separator.lowerBound].allSatisfy({ $0.isLetterOrDigit || "+-.".utf8.contains($0) })
    else { return String(rest) }
    let authority = bytes[separator.upperBound...].prefix { !"/?#\\".utf8.contains($0) }
    guard authority.contains(UInt8(ascii: "@")) || !isReadable(authority) else { return url }
    return String(url[..<separator.upperBound] + rest)
}

/// Whether an authority has a host, and no port other than a number.
private func isReadable(_ authority: Substring.UTF8View) -> Bool {
    guard !authority.isEmpty else { return false }
    guard let colon = authority.lastIndex(of: UInt8(ascii: ":")) else { return true }
    let port = authority[authority.index(after: colon)...]
    // The colon belongs to an IPv6 address.
    if port.contains(UInt8(ascii: "]")) { return true }
    return port.allSatisfy { (0x30...0x39).contains($0) }
}
