// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import HTTPRules
import NIOHTTP1
import PKIX
import ServerTrustNIO

/// The choice of a proxy for each server: none, always the same one, or the one that the environment names.
///
/// ```swift
/// var configuration = TrustedHTTPConfiguration()
/// configuration.proxy = .always(.server(host: "proxy.example.com", port: 3128))
/// ```
/// TLS runs end to end inside the tunnel (HTTP `CONNECT`, SOCKS 5), so the client evaluates the server in the same way
/// as without a proxy. The proxy receives the name and port of the server and resolves the name. It sees only the TLS
/// records of `https` requests. The connection to the proxy itself isn't encrypted, so others can read the credentials
/// that you send to the proxy.
public struct ProxySelection: Sendable {
    /// Whether the proxy for an origin never changes.
    let isConstant: Bool
    /// Returns the proxy for an origin. Nil for a direct connection.
    package let proxy: @Sendable (Origin) throws(TrustedHTTPError) -> HTTPClient.Configuration.Proxy?

    /// - Parameter isConstant: whether the proxy for an origin never changes. If not, each request calls `proxy`.
    package init(
        isConstant: Bool = true,
        _ proxy: @escaping @Sendable (Origin) throws(TrustedHTTPError) -> HTTPClient.Configuration.Proxy?
    ) {
        self.isConstant = isConstant
        self.proxy = { origin throws(TrustedHTTPError) in
            let proxy = try proxy(origin)
            // async-http-client writes these fields unchanged into the `CONNECT` request.
            if let fields = proxy?.connectFields, RequestSyntax.problem(method: "CONNECT", fields: fields) != nil {
                throw TrustedHTTPError(
                    .proxyUnsupported, detail: "its authorization or a header field contains a forbidden character")
            }
            return proxy
        }
    }

    /// Direct connections, without reading the environment. The default.
    public static let none = ProxySelection { _ in nil }

    /// Connections through one proxy. async-http-client supports HTTP proxies with Basic or Bearer authorization, and
    /// SOCKS 5 without a password.
    public static func always(_ proxy: HTTPClient.Configuration.Proxy) -> ProxySelection {
        ProxySelection { _ in proxy }
    }

    /// The proxies that the environment names, as libcurl and Foundation on Linux read them.
    ///
    /// The variables are `https_proxy`, `HTTPS_PROXY`, `http_proxy` (in lower case only), `all_proxy` and `ALL_PROXY`.
    /// Hosts in `no_proxy` or `NO_PROXY` use no proxy. Each request reads the variables.
    ///
    /// A request fails with `ErrorCode.proxyUnsupported` if a value can't be read, or if its scheme isn't `http`,
    /// `socks5` or `socks5h`. A request never bypasses a proxy that the environment names.
    public static let environment = ProxySelection.environment(.process)

    /// Like ``environment``, with variables from another source.
    package static func environment(_ environment: ProxyEnvironment) -> ProxySelection {
        ProxySelection(isConstant: false) { origin throws(TrustedHTTPError) in
            guard let (variable, value) = environment.proxy(for: origin.host, isSecure: origin.isSecure) else {
                return nil
            }
            do throws(ProxyAddressError) { return try HTTPClient.Configuration.Proxy(address: value) } catch {
                // The value may contain a password.
                throw TrustedHTTPError(.proxyUnsupported, detail: "\(variable): \(error.description)")
            }
        }
    }
}

extension ProxySelection {
    /// Returns the proxy for an origin, for connections that async-http-client doesn't make. Nil for a direct
    /// connection.
    package func connectionProxy(for origin: Origin) throws(TrustedHTTPError) -> ConnectionProxy? {
        try proxy(origin).map { ConnectionProxy($0) }
    }
}

extension HTTPClient.Configuration.Proxy {
    /// The `CONNECT` request fields in the configuration, or nil if it has no such fields.
    fileprivate var connectFields: HTTPHeaders? {
        var fields = connectHeaders
        if let authorization { fields.add(name: "proxy-authorization", value: authorization.headerValue) }
        return fields.isEmpty ? nil : fields
    }

    /// Parses the address of a proxy. See `ConnectionProxy.init(address:)`.
    package init(address: String) throws(ProxyAddressError) { self.init(try ConnectionProxy(address: address)) }

    /// Converts a proxy to async-http-client's type.
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
    /// Converts a proxy from async-http-client's type.
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
