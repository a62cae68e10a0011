// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import ServerTrust

extension RedirectRules {
    /// The redirect rules for a session's tasks. As with every request, the target is checked after the delegate
    /// has accepted or changed it (`TaskExchange.checkedURL(of:)`). The number of redirects is limited as in
    /// libcurl and on Apple platforms.
    static let session = RedirectRules(
        maximum: 20, allowsCycles: true, targets: .checkedByCaller, choosesCookiesAnew: true)
}

extension URLRequest {
    /// Returns this request for the target of a redirect, or nil if Foundation can't parse the URL.
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
