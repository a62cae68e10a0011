// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Cookies in memory (RFC 6265 § 5.3 and § 5.4).
///
/// Servers choose how many cookies they set. So there are limits for a site, which is a registrable domain with its
/// subdomains, and for the jar. Above a limit, the jar removes the cookies that were used the longest time ago. The
/// site's limit comes first, so a site with many subdomains can't displace the cookies of other sites.
package struct CookieJar: Sendable {
    /// The largest number of cookies of a site, as in browsers (RFC 6265 § 6.1 asks for at least 50 of a domain).
    package static let maximumPerSite = 180
    /// The largest number of cookies (RFC 6265 § 6.1 asks for at least 3000).
    static let maximum = 3000

    private struct Stored {
        var cookie: SetCookie
        /// The number of the first cookie with this name, domain and path. It determines the order in requests.
        var creation: Int
        /// The number of the last use.
        var use: Int
    }

    /// The cookies by site.
    private var sites: [String: [Stored]] = [:]
    private var lastNumber = 0

    package private(set) var count = 0

    package init() {}

    /// Stores the cookies that a server may set, and removes those that it expires.
    /// - Parameters:
    ///   - fields: the values of the response's `Set-Cookie` fields. Only the last 180 count.
    ///   - target: the target of the request.
    ///   - now: the time of receipt.
    package mutating func store(_ fields: [String], from target: CookieTarget, now: Time) {
        let cookies = fields.suffix(Self.maximumPerSite).compactMap { SetCookie($0, from: target, now: now) }
        guard !cookies.isEmpty else { return }
        let site = Self.site(target.host)
        var stored = sites[site] ?? []
        count -= stored.count
        stored.removeAll { $0.cookie.hasExpired(now) }
        for cookie in cookies { Self.put(cookie, &stored, number(), now, isSecure: target.isSecure) }
        if stored.count > Self.maximumPerSite {
            stored.sort { $0.use < $1.use }
            stored.removeFirst(stored.count - Self.maximumPerSite)
        }
        sites[site] = stored.isEmpty ? nil : stored
        count += stored.count
        if count > Self.maximum { removeExcess(now) }
    }

    /// Returns the value of `Cookie`, or nil if no cookie matches. Cookies with longer paths come first, then older
    /// ones (§ 5.4).
    package mutating func field(for target: CookieTarget, now: Time) -> String? {
        let site = Self.site(target.host)
        guard var stored = sites[site] else { return nil }
        let use = number()
        var chosen: [Stored] = []
        for index in stored.indices {
            let cookie = stored[index].cookie
            guard !cookie.hasExpired(now),
                target.receives(
                    domain: cookie.domain, isHostOnly: cookie.isHostOnly, path: cookie.path, isSecure: cookie.isSecure)
            else { continue }
            stored[index].use = use
            chosen.append(stored[index])
        }
        guard !chosen.isEmpty else { return nil }
        sites[site] = stored
        chosen.sort { ($1.cookie.path.utf8.count, $0.creation) < ($0.cookie.path.utf8.count, $1.creation) }
        return CookieField.value(chosen.lazy.map { ($0.cookie.name, $0.cookie.value) })
    }

    package mutating func removeAll() {
        sites = [:]
        count = 0
    }

    private mutating func number() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// A host without a registrable domain is a separate site: an address, a public suffix, or a name without dots.
    private static func site(_ host: String) -> String { (try? Hostname(host))?.registrableDomain ?? host }

    /// Stores a cookie instead of the one with the same name, domain and path.
    ///
    /// A server reached over `http` can't replace a `Secure` cookie, because an attacker on the network can act as that
    /// server (RFC 6265bis § 5.7).
    private static func put(
        _ cookie: SetCookie, _ stored: inout [Stored], _ number: Int, _ now: Time, isSecure: Bool
    ) {
        if !isSecure, stored.contains(where: { $0.cookie.isShadowed(by: cookie) }) { return }
        let old = stored.firstIndex { $0.cookie.isSame(as: cookie) }
        let creation = old.map { stored.remove(at: $0).creation } ?? number
        guard !cookie.hasExpired(now) else { return }
        stored.append(Stored(cookie: cookie, creation: creation, use: number))
    }

    private mutating func removeExcess(_ now: Time) {
        var all = sites.values.joined().filter { !$0.cookie.hasExpired(now) }.sorted { $0.use < $1.use }
        // Leaves room, so that not every cookie sorts all others.
        if all.count > Self.maximum { all.removeFirst(all.count - Self.maximum * 9 / 10) }
        sites = Dictionary(grouping: all) { Self.site($0.cookie.domain) }
        count = all.count
    }
}

extension SetCookie {
    fileprivate func hasExpired(_ now: Time) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether both have the same name, domain, scope and path.
    fileprivate func isSame(as other: SetCookie) -> Bool {
        isNamed(other.name) && domain.utf8.elementsEqual(other.domain.utf8) && isHostOnly == other.isHostOnly
            && path.utf8.elementsEqual(other.path.utf8)
    }

    /// Whether this is a `Secure` cookie that a server could hide or replace with another one.
    fileprivate func isShadowed(by other: SetCookie) -> Bool {
        isSecure && isNamed(other.name)
            && (CookieTarget(host: domain, path: "/", isSecure: true).matches(domain: other.domain)
                || CookieTarget(host: other.domain, path: "/", isSecure: true).matches(domain: domain))
            && CookieTarget(host: domain, path: other.path, isSecure: true).matches(path: path)
    }

    private func isNamed(_ other: String) -> Bool { name.utf8.elementsEqual(other.utf8) }
}
