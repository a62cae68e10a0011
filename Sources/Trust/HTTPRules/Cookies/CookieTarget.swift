// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The parts of a request's URL that decide about its cookies (RFC 6265 § 5.1).
package struct CookieTarget: Sendable, Hashable {
    /// In lower case, with the brackets or without them as the stored cookies have them.
    package let host: String
    /// Percent-encoded, without the query; empty for none.
    package let path: String
    /// Whether the scheme is `https`.
    package let isSecure: Bool

    package init(host: String, path: String, isSecure: Bool) {
        self.host = host.asciiLowercased
        self.path = path
        self.isSecure = isSecure
    }

    /// Whether a stored cookie goes along with the request (§ 5.4 step 1). Not checked: whether it has expired.
    ///
    /// A domain above the host that is a public suffix never matches. Other software may have stored a cookie for one.
    /// - Parameters:
    ///   - domain: in lower case, without a leading dot.
    ///   - isHostOnly: whether the cookie is for that host, and not for those below it.
    package func receives(domain: String, isHostOnly: Bool, path: String, isSecure: Bool) -> Bool {
        guard self.isSecure || !isSecure, matches(path: path) else { return false }
        guard !isSame(host, domain) else { return true }
        return !isHostOnly && matches(domain: domain) && !Self.isPublicSuffix(domain)
    }

    /// § 5.1.3: the host itself, or a name above it. An address has no names above it.
    package func matches(domain: String) -> Bool {
        if isSame(host, domain) { return true }
        let (name, parent) = (host.utf8, domain.utf8)
        guard !parent.isEmpty, name.count > parent.count + 1, name.suffix(parent.count).elementsEqual(parent),
            name.dropLast(parent.count).last == UInt8(ascii: ".")
        else { return false }
        if let known = try? Hostname(host), case .ip = known.kind { return false }
        return true
    }

    /// § 5.1.4: the path itself, or one below it.
    package func matches(path cookiePath: String) -> Bool {
        let request = (path.isEmpty ? "/" : path).utf8
        let cookie = cookiePath.utf8
        guard request.starts(with: cookie) else { return false }
        return request.count == cookie.count || cookie.last == UInt8(ascii: "/")
            || request.dropFirst(cookie.count).first == UInt8(ascii: "/")
    }

    /// § 5.1.4: the path of a cookie that names none, the folder of the request.
    package var defaultPath: String {
        guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            slash > path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }

    /// Whether names are registered below the domain, as far as it can be read.
    static func isPublicSuffix(_ domain: String) -> Bool { (try? Hostname(domain))?.isPublicSuffix ?? true }

    /// By bytes: different texts can be the same to Unicode.
    private func isSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
}
