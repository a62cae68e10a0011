// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import ServerTrust
import NIOHTTP1
import PKIX
import ServerTrustNIO

/// The authentication of one task with HTTP proxies that require it (407).
///
/// The credentials have a separate memory, so they are never sent to a server. They are used for every server behind
/// the proxy, and replace those of the configuration.
struct ProxyAuthenticator {
    private var authenticator: HTTPAuthenticator

    init(session: CredentialMemory, storage: URLCredentialStorage?) {
        authenticator = HTTPAuthenticator(session: session, storage: storage, isForProxies: true)
    }

    /// Returns a proxy with the credentials that the task or the session knows for it.
    mutating func authorized(_ proxy: ConnectionProxy?) -> ConnectionProxy? {
        guard let proxy, let url = Self.url(of: proxy),
            let authorization = authenticator.tunnelAuthorization(for: url)
        else { return proxy }
        return proxy.with(authorization)
    }

    /// Records that a proxy has opened its tunnel.
    mutating func succeeded() { authenticator.succeeded(info: nil) }

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
        switch try await authenticator.answer(challenges, response, to: request, proxy, of: url) {
        case .retry: return true
        case .deliver: return false
        }
    }

    /// The address of an HTTP proxy.
    private static func url(of proxy: ConnectionProxy) -> URL? {
        if case .socks5 = proxy.kind { nil } else { URL(string: "\(proxy)/") }
    }
}
#endif

#endif
