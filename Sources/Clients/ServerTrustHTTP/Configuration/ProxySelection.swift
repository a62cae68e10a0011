// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import Foundation
import PKIX
import ServerTrust
import ServerTrustNIO

/// The choice of a proxy for each server: none, always the same one, or the one that the environment names.
///
/// ```swift
/// var configuration = TrustedHTTPConfiguration()
/// configuration.proxy = .always(.https(host: "proxy.example.com"))
/// ```
/// TLS runs end to end inside the tunnel (HTTP `CONNECT`, SOCKS 5), so the client evaluates the server in the same way
/// as without a proxy. The proxy receives the name and port of the server and resolves the name. It sees only the TLS
/// records of `https` requests.
///
/// The client evaluates an `https` proxy with its own rules, for the proxy's name. A request fails with `TrustRefusal`
/// if the proxy isn't trusted, and the proxy then receives neither the server's name nor credentials. The connection to
/// any other proxy isn't encrypted, so others can read the credentials that you send to it.
///
/// Requests use HTTP/1.1 through an `https` proxy, and through a SOCKS proxy with a password.
public struct ProxySelection: Sendable {
    /// Whether the proxy for an origin never changes.
    package let isConstant: Bool
    /// Returns the proxy for an origin. Nil for a direct connection.
    package let proxy: @Sendable (Origin) throws(TrustedHTTPError) -> ConnectionProxy?

    /// - Parameter isConstant: whether the proxy for an origin never changes. If not, each request calls `proxy`.
    package init(
        isConstant: Bool = true, _ proxy: @escaping @Sendable (Origin) throws(TrustedHTTPError) -> ConnectionProxy?
    ) {
        self.isConstant = isConstant
        self.proxy = { origin throws(TrustedHTTPError) in
            let proxy = try proxy(origin)
            if let problem = proxy?.problem { throw TrustedHTTPError(.proxyUnsupported, detail: problem) }
            return proxy
        }
    }

    /// Direct connections, without reading the environment. The default.
    public static let none = ProxySelection { _ in nil }

    /// Connections through one proxy.
    public static func always(_ proxy: ConnectionProxy) -> ProxySelection { ProxySelection { _ in proxy } }

    /// Connections through one proxy, with async-http-client's type.
    public static func always(_ proxy: HTTPClient.Configuration.Proxy) -> ProxySelection {
        .always(ConnectionProxy(proxy))
    }

    /// The proxies that the environment names, as libcurl and Foundation on Linux read them.
    ///
    /// The variables are `https_proxy`, `HTTPS_PROXY`, `http_proxy` (in lower case only), `all_proxy` and `ALL_PROXY`.
    /// Hosts in `no_proxy` or `NO_PROXY` use no proxy. Each request reads the variables. A value is `HOST:PORT` or
    /// `SCHEME://[USER:PASSWORD@]HOST[:PORT]` with a percent-encoded user and password.
    ///
    /// A request fails with `ErrorCode.proxyUnsupported` if a value can't be read, or if its scheme isn't `http`,
    /// `https`, `socks5` or `socks5h`. A request never bypasses a proxy that the environment names.
    public static let environment = ProxySelection.environment(.process)

    /// Like ``environment``, with variables from another source.
    package static func environment(_ environment: ProxyEnvironment) -> ProxySelection {
        ProxySelection(isConstant: false) { origin throws(TrustedHTTPError) in
            guard let (variable, value) = environment.proxy(for: origin.host, isSecure: origin.isSecure) else {
                return nil
            }
            do throws(ProxyAddressError) { return try ConnectionProxy(address: value) } catch {
                // The value may contain a password.
                throw TrustedHTTPError(.proxyUnsupported, detail: "\(variable): \(error.description)")
            }
        }
    }
}

extension HTTPClient.Configuration.Proxy {
    /// Converts a proxy to async-http-client's type. Returns nil for a kind that async-http-client doesn't support.
    init?(_ proxy: ConnectionProxy) {
        switch (proxy.kind, proxy.authorization?.scheme) {
        case (.socks5, _) where proxy.login == nil: self = .socksServer(host: proxy.host, port: proxy.port)
        case (.http, nil): self = .server(host: proxy.host, port: proxy.port)
        case (.http, .basic(let credentials)?):
            self = .server(
                host: proxy.host, port: proxy.port, authorization: .basic(credentials: credentials.value))
        case (.http, .bearer(let token)?):
            self = .server(host: proxy.host, port: proxy.port, authorization: .bearer(tokens: token.value))
        case (.http, .computed?), (.https, _), (.socks5, _): return nil
        }
        for field in proxy.fields { connectHeaders.add(name: field.name, value: field.value) }
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
            return Authorization(parts.first == "Basic" ? .basic(Secret(credentials)) : .bearer(Secret(credentials)))
        }
        let fields = proxy.connectHeaders.filter { !["host", "proxy-authorization"].contains($0.name.lowercased()) }
        self.init(
            .http, host: proxy.host, port: proxy.port, authorization: authorization,
            fields: fields.map { Field(name: $0.name, value: $0.value) })
    }
}

/// The proxies that environment variables name, read as in libcurl, which Foundation uses on Linux:
///
/// * For `https`, the variables are `https_proxy`, `HTTPS_PROXY`, `all_proxy`, `ALL_PROXY`, in this order. For `http`,
///   they are `http_proxy`, `all_proxy`, `ALL_PROXY`. `http_proxy` is read in lower case only, because web servers pass
///   a request's `Proxy` header as `HTTP_PROXY` to the programs they run. An empty variable counts as unset.
/// * `no_proxy`, otherwise `NO_PROXY`, lists the hosts to connect to directly, separated by commas or blanks. A single
///   `*` matches all hosts. A name, with or without a leading dot, matches itself and all names below it. An address
///   matches itself, or a network if it has `/BITS`. IPv6 addresses have no brackets. There are no other wildcards, and
///   entries with a port never match.
package struct ProxyEnvironment: Sendable {
    /// Returns the value of a variable.
    package let value: @Sendable (String) -> String?

    package init(_ value: @escaping @Sendable (String) -> String?) { self.value = value }

    /// The environment of this process at the time it is read.
    package static let process = ProxyEnvironment { getenv($0).map { String(cString: $0) } }

    /// Returns the variable that names the proxy for a host, and its value. Nil for a direct connection.
    package func proxy(for host: Hostname, isSecure: Bool) -> (variable: String, value: String)? {
        let variables = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        guard let (variable, value) = first(of: variables + ["all_proxy", "ALL_PROXY"]) else { return nil }
        if let (_, list) = first(of: ["no_proxy", "NO_PROXY"]), Self.names(host, in: list) { return nil }
        return (variable, value)
    }

    private func first(of names: [String]) -> (name: String, value: String)? {
        for name in names {
            if let value = value(name), !value.isEmpty { return (name, value) }
        }
        return nil
    }

    private static func names(_ host: Hostname, in list: String) -> Bool {
        if list == "*" { return true }
        return list.utf8.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            .contains { matches(host, Substring($0)) }
    }

    /// Whether an entry matches the host.
    package static func matches(_ host: Hostname, _ entry: Substring) -> Bool {
        switch host.kind {
        case .dns(let name): contains(name, entry)
        case .ip(let address): contains(address, entry)
        }
    }

    /// Whether an entry is the name or a parent of the name.
    private static func contains(_ name: String, _ entry: Substring) -> Bool {
        var entry = entry.utf8
        if entry.last == UInt8(ascii: ".") { entry = entry.dropLast() }
        if entry.first == UInt8(ascii: ".") { entry = entry.dropFirst() }
        guard !entry.isEmpty else { return false }
        let suffix = String(Substring(entry)).asciiLowercased
        return name == suffix || name.hasSuffix("." + suffix)
    }

    /// Whether an entry is the address, or a network that contains it. Like libcurl, the method reads `/0` as an
    /// address without a length, so that the entry doesn't match more than it does in libcurl.
    private static func contains(_ address: IPAddress, _ entry: Substring) -> Bool {
        let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let network = IPAddress(parts[0]), network.bytes.count == address.bytes.count else { return false }
        let width = network.bytes.count * 8
        guard parts.count == 2 else { return network == address }
        guard let bits = Int(parts[1]), (0...width).contains(bits) else { return false }
        return address.begins(with: network.bytes, bits: bits == 0 ? width : bits)
    }
}

extension IPAddress {
    /// Whether the first bits of the address are those of a prefix.
    func begins(with prefix: [UInt8], bits: Int) -> Bool {
        (0..<bits).allSatisfy { (bytes[$0 / 8] ^ prefix[$0 / 8]) & (0x80 >> UInt8($0 % 8)) == 0 }
    }
}

#endif
