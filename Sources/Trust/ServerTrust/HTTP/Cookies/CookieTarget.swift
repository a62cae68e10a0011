// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The parts of a request's URL that determine its cookies (RFC 6265 § 5.1).
package struct CookieTarget: Sendable, Hashable {
    /// The host in lower case. IPv6 addresses have brackets if they have them in the stored cookies.
    package let host: String
    /// The path, percent-encoded and without the query. May be empty.
    let path: String
    /// Whether the scheme is `https`.
    let isSecure: Bool

    package init(host: String, path: String, isSecure: Bool) {
        self.host = host.asciiLowercased
        self.path = path
        self.isSecure = isSecure
    }

    /// Returns whether to send a stored cookie with the request (§ 5.4 step 1). Not checked: whether the cookie has
    /// expired.
    ///
    /// A domain above the host that is a public suffix never matches, because other software may have stored a cookie
    /// for it.
    /// - Parameters:
    ///   - domain: the domain in lower case, without a leading dot.
    ///   - isHostOnly: whether the cookie is for this host only, and not for its subdomains.
    package func receives(domain: String, isHostOnly: Bool, path: String, isSecure: Bool) -> Bool {
        guard self.isSecure || !isSecure, matches(path: path) else { return false }
        guard !isSame(host, domain) else { return true }
        return !isHostOnly && matches(domain: domain) && !Self.isPublicSuffix(domain)
    }

    /// Returns whether the domain is the host itself or a parent domain (§ 5.1.3). An address has no parent domain.
    func matches(domain: String) -> Bool {
        if isSame(host, domain) { return true }
        let (name, parent) = (host.utf8, domain.utf8)
        guard !parent.isEmpty, name.count > parent.count + 1, name.suffix(parent.count).elementsEqual(parent),
            name.dropLast(parent.count).last == UInt8(ascii: ".")
        else { return false }
        if let known = try? Hostname(host), case .ip = known.kind { return false }
        return true
    }

    /// Returns whether the path is the request's path or a parent of it (§ 5.1.4).
    func matches(path cookiePath: String) -> Bool {
        let request = (path.isEmpty ? "/" : path).utf8
        let cookie = cookiePath.utf8
        guard request.starts(with: cookie) else { return false }
        return request.count == cookie.count || cookie.last == UInt8(ascii: "/")
            || request.dropFirst(cookie.count).first == UInt8(ascii: "/")
    }

    /// The path of a cookie that names no path: the request's folder (§ 5.1.4).
    var defaultPath: String {
        guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            slash > path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }

    /// Returns whether the domain is a public suffix. True if the domain can't be parsed.
    static func isPublicSuffix(_ domain: String) -> Bool { (try? Hostname(domain))?.isPublicSuffix ?? true }

    /// Compares bytes, because Unicode treats some different texts as equal.
    private func isSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
}
