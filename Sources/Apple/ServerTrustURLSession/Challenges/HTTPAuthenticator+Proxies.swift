// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import ServerTrust
import NIOHTTP1
import PKIX
import ServerTrustNIO

// The authentication of one task with HTTP proxies that require it (407).
//
// The credentials have a separate memory, so they are never sent to a server. They are used for every server behind the
// proxy, and replace those of the configuration.
extension HTTPAuthenticator {
    /// Returns a proxy with the credentials that the task or the session knows for it.
    mutating func authorized(_ proxy: ConnectionProxy?) -> ConnectionProxy? {
        guard let proxy, let url = Self.url(of: proxy),
            let authorization = tunnelAuthorization(for: url)
        else { return proxy }
        return proxy.with(authorization)
    }

    /// Finds an answer to a proxy that requires credentials.
    /// - Parameter challenges: the values of `Proxy-Authenticate`.
    /// - Returns: whether to send the request again.
    /// - Throws: `URLError` if the delegate cancels, or chooses something that isn't supported.
    mutating func answer(
        _ challenges: [String], of tunnel: ConnectionProxy, _ proxy: DelegateProxy
    ) async throws -> Bool {
        let fields = challenges.map { ("Proxy-Authenticate", $0) }
        guard let url = Self.url(of: tunnel), let origin = Origin(url: proxy.url.absoluteString),
            let response = ResponseHead.response(407, HTTPHeaders(fields), at: proxy.url)
        else { return false }
        let request = DigestRequest(tunnelTo: "\(origin.host):\(origin.port)")
        return try await answer(challenges, response, to: request, proxy, of: url) == .retry
    }

    /// The address of an HTTP proxy.
    private static func url(of proxy: ConnectionProxy) -> URL? {
        if case .socks5 = proxy.kind { nil } else { URL(string: "\(proxy)/") }
    }
}
#endif
