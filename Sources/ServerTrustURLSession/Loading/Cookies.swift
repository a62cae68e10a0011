// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import HTTPRules
    import PKIX

    /// The configuration's cookies (RFC 6265).
    struct Cookies {
        private let storage: HTTPCookieStorage
        private let policy: HTTPCookie.AcceptPolicy

        init?(_ configuration: URLSessionConfiguration) {
            guard configuration.httpShouldSetCookies, let storage = configuration.httpCookieStorage else { return nil }
            self.storage = storage
            self.policy = configuration.httpCookieAcceptPolicy
        }

        /// The value of `Cookie`; nil for none.
        func header(for url: URL) -> String? {
            guard let cookies = storage.cookies(for: url), !cookies.isEmpty else { return nil }
            return HTTPCookie.requestHeaderFields(with: cookies)["Cookie"]
        }

        /// Keeps the cookies of a response, as far as the server may set them.
        /// - Parameter fields: the values of `Set-Cookie`, one by one: a comma in a date is none between cookies.
        func store(_ fields: [String], from url: URL, mainDocument: URL?) {
            guard policy != .never else { return }
            let cookies = fields.flatMap {
                HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": $0], for: url)
            }.filter { Self.mayBeSet($0, by: url) }
            guard !cookies.isEmpty else { return }
            storage.setCookies(cookies, for: url, mainDocumentURL: mainDocument)
        }

        /// RFC 6265 § 5.3: the host itself, or a domain above it that isn't a public suffix. Foundation on Linux doesn't ask.
        static func mayBeSet(_ cookie: HTTPCookie, by url: URL) -> Bool {
            guard let host = url.host?.asciiLowercased else { return false }
            let domain = cookie.domain.asciiLowercased
            let name = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
            if name == host { return true }
            guard let parent = try? Hostname(name), case .dns = parent.kind else { return false }
            return host.hasSuffix("." + name) && !parent.isPublicSuffix
        }
    }
#endif
