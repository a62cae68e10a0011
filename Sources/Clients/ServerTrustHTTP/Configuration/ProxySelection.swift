// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import HTTPRules
import NIOHTTP1
import PKIX
import ServerTrustNIO

/// The choice of a proxy for each server: none, the same for all, or the one that the environment names.
///
/// ```swift
/// var configuration = TrustedHTTPConfiguration()
/// configuration.proxy = .always(.server(host: "proxy.example.com", port: 3128))
/// ```
/// TLS goes from end to end inside the tunnel (HTTP `CONNECT`, SOCKS 5), so that the server is evaluated as without a proxy. The proxy gets the
/// name and port of the server, resolves the name, and sees nothing but TLS of requests over `https`. The connection to the proxy itself is not
/// encrypted: it can read the credentials that it is sent.
public struct ProxySelection: Sendable {
    /// Whether the proxy of an origin stays the same.
    let isConstant: Bool
    /// Returns the proxy for an origin; nil for a direct connection.
    package let proxy: @Sendable (Origin) throws(TrustedHTTPError) -> HTTPClient.Configuration.Proxy?

    /// - Parameter isConstant: whether the proxy of an origin stays the same; otherwise each request asks for it.
    package init(
        isConstant: Bool = true,
        _ proxy: @escaping @Sendable (Origin) throws(TrustedHTTPError) -> HTTPClient.Configuration.Proxy?
    ) {
        self.isConstant = isConstant
        self.proxy = { origin throws(TrustedHTTPError) in
            let proxy = try proxy(origin)
            // Async-http-client writes them into the `CONNECT` request as they are.
            if let fields = proxy?.connectFields, RequestSyntax.problem(method: "CONNECT", fields: fields) != nil {
                throw TrustedHTTPError(
                    .proxyUnsupported, detail: "its authorization or a field has a character that a field can't have")
            }
            return proxy
        }
    }

    /// Direct connections; the environment is not read. The default.
    public static let none = ProxySelection { _ in nil }

    /// Connections through one proxy. Async-http-client has HTTP proxies with Basic or Bearer authorization, and SOCKS 5 without a password.
    public static func always(_ proxy: HTTPClient.Configuration.Proxy) -> ProxySelection {
        ProxySelection { _ in proxy }
    }

    /// The proxies of the environment, as libcurl and Foundation on Linux read them: `https_proxy`, `HTTPS_PROXY`, `http_proxy` (in lower
    /// case only), `all_proxy`, `ALL_PROXY`, but for hosts that `no_proxy` or `NO_PROXY` names. Read for each request.
    ///
    /// A request fails with `ErrorCode.proxyUnsupported` if a value can't be read, or is of another kind than `http`, `socks5` or
    /// `socks5h`; it never goes past a proxy that is named.
    public static let environment = ProxySelection.environment(.process)

    /// As ``environment``, with variables of another source.
    package static func environment(_ environment: ProxyEnvironment) -> ProxySelection {
        ProxySelection(isConstant: false) { origin throws(TrustedHTTPError) in
            guard let (variable, value) = environment.proxy(for: origin.host, isSecure: origin.isSecure) else {
                return nil
            }
            do throws(ProxyAddressError) { return try HTTPClient.Configuration.Proxy(address: value) } catch {
                // The value may have a password.
                throw TrustedHTTPError(.proxyUnsupported, detail: "\(variable): \(error.description)")
            }
        }
    }
}

extension ProxySelection {
    /// Returns the proxy for an origin, for connections that async-http-client doesn't make; nil for a direct one.
    package func connectionProxy(for origin: Origin) throws(TrustedHTTPError) -> ConnectionProxy? {
        try proxy(origin).map { ConnectionProxy($0) }
    }
}

extension HTTPClient.Configuration.Proxy {
    /// The fields of the `CONNECT` request that the configuration names; nil for none.
    fileprivate var connectFields: HTTPHeaders? {
        var fields = connectHeaders
        if let authorization { fields.add(name: "proxy-authorization", value: authorization.headerValue) }
        return fields.isEmpty ? nil : fields
    }

    /// Parses the address of a proxy; see `ConnectionProxy.init(address:)`.
    package init(address: String) throws(ProxyAddressError) { self.init(try ConnectionProxy(address: address)) }

    /// The proxy as async-http-client has it.
    package init(_ proxy: ConnectionProxy) {
        switch proxy.kind {
        case .socks5: self = .socksServer(host: proxy.host, port: proxy.port)
        case .http(let authorization):
            self = .server(
                host: proxy.host, port: proxy.port,
                authorization: authorization.map { authorization in
                    switch authorization.scheme {
                    case .basic(let credentials): .basic(credentials: credentials)
                    case .bearer(let token): .bearer(tokens: token)
                    }
                })
        }
    }
}

extension ConnectionProxy {
    /// The proxy of a configuration of async-http-client's.
    init(_ proxy: HTTPClient.Configuration.Proxy) {
        var bare = proxy
        bare.connectHeaders = [:]
        guard bare != .socksServer(host: proxy.host, port: proxy.port) else {
            self = .socks5(host: proxy.host, port: proxy.port)
            return
        }
        let authorization = proxy.authorization.map { authorization in
            let parts = authorization.headerValue.split(separator: " ", maxSplits: 1)
            let credentials = parts.count == 2 ? String(parts[1]) : ""
            return Authorization(parts.first == "Basic" ? .basic(credentials) : .bearer(credentials))
        }
        let fields = proxy.connectHeaders.filter { !["host", "proxy-authorization"].contains($0.name.lowercased()) }
        self.init(
            .http(authorization), host: proxy.host, port: proxy.port,
            fields: fields.map { Field(name: $0.name, value: $0.value) })
    }
}
