// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import HTTPRules
    import PKIX

    /// The configuration's cookies (RFC 6265).
    ///
    /// Foundation's storage keeps them, for apps to read and to change. It asks for too little on Linux: it takes any path, keeps cookies that have
    /// expired, ignores `Max-Age`, and knows no public suffixes. So it is decided here which cookies are stored, and which are sent.
    struct Cookies {
        /// The largest number of cookies of a domain, as in browsers (RFC 6265 § 6.1). The server chooses their number, and each one costs
        /// memory, a search through all others, and a place in every request.
        static let maximumPerDomain = 180

        private let storage: HTTPCookieStorage
        private let policy: HTTPCookie.AcceptPolicy

        init?(_ configuration: URLSessionConfiguration) {
            guard configuration.httpShouldSetCookies, let storage = configuration.httpCookieStorage else { return nil }
            self.storage = storage
            self.policy = configuration.httpCookieAcceptPolicy
        }

        /// The value of `Cookie`; nil for none. Cookies of longer paths come first, then older ones (§ 5.4).
        func header(for url: URL) -> String? {
            guard let target = CookieTarget(url), let stored = storage.cookies(for: url) else { return nil }
            let now = Date()
            let chosen = stored.filter { cookie in
                guard cookie.expiresDate.map({ $0 > now }) ?? true else { return false }
                // The dot says that hosts below the domain get the cookie too.
                let isHostOnly = !cookie.domain.hasPrefix(".")
                let domain = (isHostOnly ? cookie.domain[...] : cookie.domain.dropFirst()).asciiLowercased
                return target.receives(
                    domain: domain, isHostOnly: isHostOnly, path: cookie.path, isSecure: cookie.isSecure)
            }.sorted {
                ($1.path.utf8.count, Self.creation($0), $0.name) < ($0.path.utf8.count, Self.creation($1), $1.name)
            }
            return chosen.isEmpty ? nil : HTTPCookie.requestHeaderFields(with: chosen)["Cookie"]
        }

        /// Whether the `Cookie` field of a new task's request is Foundation's: it replaces the app's own wherever the storage has a cookie for
        /// the host, whatever its path and its date.
        func haveField(of request: URLRequest) -> Bool {
            request.url.flatMap { storage.cookies(for: $0) }?.isEmpty == false
        }

        /// Keeps the cookies of a response, as far as the server may set them, and removes those that it ends. Where a domain has too many,
        /// the oldest ones go.
        /// - Parameter fields: the values of `Set-Cookie`, one by one.
        func store(_ fields: [String], from url: URL, mainDocument: URL?) {
            guard policy != .never, !fields.isEmpty, let target = CookieTarget(url) else { return }
            let now = Time.now()
            let cookies = fields.suffix(Self.maximumPerDomain).compactMap { SetCookie($0, from: target, now: now) }
                .compactMap { HTTPCookie($0) }
            guard !cookies.isEmpty else { return }
            // The storage removes a cookie whose time is over, and the one of that name, domain and path with it.
            storage.setCookies(cookies, for: url, mainDocumentURL: mainDocument)
            for domain in Set(cookies.map(\.domain)) { removeExcess(of: domain, at: url) }
        }

        private func removeExcess(of domain: String, at url: URL) {
            let stored = (storage.cookies(for: url) ?? []).filter { $0.domain == domain }
            guard stored.count > Self.maximumPerDomain else { return }
            let oldest = stored.sorted { Self.creation($0) < Self.creation($1) }
            for cookie in oldest.prefix(stored.count - Self.maximumPerDomain) { storage.deleteCookie(cookie) }
        }

        /// In seconds of Foundation's reference date.
        private static func creation(_ cookie: HTTPCookie) -> Double {
            cookie.properties?[HTTPCookiePropertyKey(rawValue: "Created")] as? Double ?? 0
        }
    }

    extension CookieTarget {
        /// nil for a URL without a host.
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
