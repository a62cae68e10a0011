// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import PKIX
import ServerTrust

/// Cookies in memory (RFC 6265), for ``TrustedHTTPConfiguration/cookies``.
///
/// The store refuses cookies that the server isn't allowed to set: for another host, for a public suffix, `Secure` ones
/// over `http`, and ones that break the rules of their prefix (`__Secure-`, `__Host-`). `Max-Age` takes precedence over
/// `Expires`. As in RFC 6265, the port of a host doesn't matter.
///
/// A cookie has at most 4096 bytes. A site, which is a registrable domain with its subdomains, has at most 180 cookies,
/// and the store at most 3000. Above a limit, the store removes the cookies that it hasn't sent for the longest time. A
/// request contains at most 8190 bytes of cookies.
///
/// Not checked: `SameSite`, because a client has no pages of other sites. The store isn't saved to a file.
public final class CookieStore: Sendable {
    private let jar = Locked(CookieJar())

    /// Creates an empty store.
    public init() {}

    /// The number of cookies. Expired ones may count until the store needs their space.
    public var count: Int { jar.withLock { $0.count } }

    /// Removes all cookies, for example when a user logs out.
    public func removeAll() { jar.withLock { $0.removeAll() } }

    /// Stores cookies as if a server had set them in a response.
    /// - Parameters:
    ///   - fields: the values of `Set-Cookie` fields, one by one. Only the last 180 count. The store ignores those that
    ///     the server isn't allowed to set.
    ///   - url: the URL of the request. If a request can't have this URL, the method does nothing.
    public func store(_ fields: [String], from url: String) {
        guard !fields.isEmpty, let target = CookieTarget(url) else { return }
        jar.withLock { $0.store(fields, from: target, now: .now()) }
    }

    /// Returns the value of the `Cookie` field for a request. Nil if there are no cookies for its URL.
    public func field(for url: String) -> String? {
        guard let target = CookieTarget(url) else { return nil }
        return jar.withLock { $0.field(for: target, now: .now()) }
    }
}

extension CookieTarget {
    /// Returns nil for a URL that the client doesn't send requests to.
    fileprivate init?(_ url: String) {
        guard let target = try? RequestTarget(url) else { return nil }
        self.init(
            host: target.origin.host.description, path: String(target.resource.prefix { $0 != "?" }),
            isSecure: target.origin.isSecure)
    }
}

#endif
