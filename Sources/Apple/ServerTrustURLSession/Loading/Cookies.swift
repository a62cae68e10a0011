// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import ServerTrust
import PKIX

/// The configuration's cookies (RFC 6265).
///
/// Foundation's storage stores them, so that apps can read and change them. On Linux it checks too little: it
/// accepts any path, keeps expired cookies, ignores `Max-Age`, and doesn't know public suffixes. So this type
/// decides which cookies are stored and which are sent.
struct Cookies {
    /// The largest number of cookies of a domain, as in browsers (RFC 6265 § 6.1). The server chooses how many it
    /// sets. Each cookie costs memory, a search through all others, and space in every request.
    static let maximumPerDomain = CookieJar.maximumPerSite

    private let storage: HTTPCookieStorage
    private let policy: HTTPCookie.AcceptPolicy

    init?(_ configuration: URLSessionConfiguration) {
        guard configuration.httpShouldSetCookies, let storage = configuration.httpCookieStorage else { return nil }
        self.storage = storage
        self.policy = configuration.httpCookieAcceptPolicy
    }

    /// Returns the value of `Cookie`, or nil if no cookie matches. Cookies with longer paths come first, then older
    /// ones (§ 5.4).
    func header(for url: URL) -> String? {
        guard let target = CookieTarget(url), let stored = storage.cookies(for: url) else { return nil }
        let now = Date()
        let chosen = stored.filter { cookie in
            guard cookie.expiresDate.map({ $0 > now }) ?? true else { return false }
            // A leading dot means that hosts below the domain get the cookie too.
            let isHostOnly = !cookie.domain.hasPrefix(".")
            let domain = (isHostOnly ? cookie.domain[...] : cookie.domain.dropFirst()).asciiLowercased
            return target.receives(
                domain: domain, isHostOnly: isHostOnly, path: cookie.path, isSecure: cookie.isSecure)
        }.sorted {
            ($1.path.utf8.count, Self.creation($0), $0.name) < ($0.path.utf8.count, Self.creation($1), $1.name)
        }
        return CookieField.value(chosen.lazy.map { ($0.name, $0.value) })
    }

    /// Whether Foundation set the `Cookie` field of a new task's request. Foundation replaces the app's own field
    /// wherever the storage has a cookie for the host, whatever the cookie's path and date.
    func haveField(of request: URLRequest) -> Bool {
        request.url.flatMap { storage.cookies(for: $0) }?.isEmpty == false
    }

    /// Stores the cookies of a response that the server is allowed to set, and removes the cookies that it expires.
    /// If a domain has too many cookies, the oldest are removed.
    /// - Parameter fields: the values of `Set-Cookie`, one by one.
    func store(_ fields: [String], from url: URL, mainDocument: URL?) {
        guard policy != .never, !fields.isEmpty, let target = CookieTarget(url) else { return }
        let now = Time.now()
        let cookies = fields.suffix(Self.maximumPerDomain).compactMap { SetCookie($0, from: target, now: now) }
            .compactMap { HTTPCookie($0) }
        guard !cookies.isEmpty else { return }
        // The storage rejects an expired cookie and removes the stored cookie of the same name, domain and path.
        storage.setCookies(cookies, for: url, mainDocumentURL: mainDocument)
        for domain in Set(cookies.map(\.domain)) { removeExcess(of: domain, at: url) }
    }

    private func removeExcess(of domain: String, at url: URL) {
        let stored = (storage.cookies(for: url) ?? []).filter { $0.domain == domain }
        guard stored.count > Self.maximumPerDomain else { return }
        let oldest = stored.sorted { Self.creation($0) < Self.creation($1) }
        for cookie in oldest.prefix(stored.count - Self.maximumPerDomain) { storage.deleteCookie(cookie) }
    }

    /// Returns the creation time in seconds since Foundation's reference date.
    private static func creation(_ cookie: HTTPCookie) -> Double {
        cookie.properties?[HTTPCookiePropertyKey(rawValue: "Created")] as? Double ?? 0
    }
}

extension CookieTarget {
    /// Returns nil for a URL without a host.
    fileprivate init?(_ url: URL) {
        guard let host = url.host else { return nil }
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        self.init(host: host, path: path, isSecure: url.scheme?.asciiLowercased == "https")
    }
}

extension HTTPCookie {
    fileprivate convenience init?(_ cookie: SetCookie) {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: cookie.name, .value: cookie.value, .path: cookie.path,
            .domain: cookie.isHostOnly ? cookie.domain : "." + cookie.domain,
        ]
        if let end = cookie.expires {
            properties[.expires] = Date(timeIntervalSince1970: TimeInterval(end.secondsSinceEpoch))
        } else {
            properties[.discard] = "TRUE"
        }
        if cookie.isSecure { properties[.secure] = "TRUE" }
        if cookie.isHTTPOnly { properties[HTTPCookiePropertyKey(rawValue: "HttpOnly")] = "TRUE" }
        self.init(properties: properties)
    }
}
#endif
