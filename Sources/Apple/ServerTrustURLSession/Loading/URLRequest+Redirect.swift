// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import HTTPRules

    extension RedirectRules {
        /// The rules for a session's tasks. The target is checked after the delegate has agreed to it or changed it, as for every
        /// request (`TaskExchange.checkedURL(of:)`). As many redirects as libcurl's and Apple's limits allow for.
        static let session = RedirectRules(
            maximum: 20, allowsCycles: true, targets: .checkedByCaller, choosesCookiesAnew: true)
    }

    extension URLRequest {
        /// This request, sent on by a redirect; nil for a URL that Foundation can't read.
        func following(_ redirect: Redirect) -> URLRequest? {
            guard let target = URL(string: redirect.url) else { return nil }
            var next = self
            next.url = target
            if next.httpMethod ?? "GET" != redirect.method { next.httpMethod = redirect.method }
            if redirect.dropsBody { next.httpBody = nil }
            for name in redirect.removedFields { next.setValue(nil, forHTTPHeaderField: name) }
            return next
        }
    }
#endif
