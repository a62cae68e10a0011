// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import HTTPRules
import PKIX

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
        self.proxy = proxy
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
    /// A request fails with ``TrustedHTTPError/Reason/proxyUnsupported`` if a value can't be read, or is of another kind than `http`, `socks5` or
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

/// The reason why the address of a proxy can't be used. It doesn't repeat the address, which may have a password.
package struct ProxyAddressError: Error, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

extension HTTPClient.Configuration.Proxy {
    /// Parses the address of a proxy as libcurl does: `[SCHEME://][USER[:PASSWORD]@]HOST[:PORT][/]`, `http` if there is no scheme and
    /// 1080 if there is no port.
    /// - Throws: ``ProxyAddressError`` for other schemes, for a user with SOCKS, and for anything that can't be read.
    package init(address: String) throws(ProxyAddressError) {
        var rest = address[...]
        var scheme = "http"
        if let range = rest.firstRange(of: "://") {
            scheme = rest[..<range.lowerBound].lowercased()
            rest = rest[range.upperBound...]
        }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        var user: Substring?
        if let at = rest.lastIndex(of: "@") {
            user = rest[..<at]
            rest = rest[rest.index(after: at)...]
        }
        let (host, port) = try Self.hostAndPort(rest)
        switch scheme {
        case "http":
            self = try .server(
                host: host, port: port,
                authorization: user.map { user throws(ProxyAddressError) in try Self.basic(user) })
        case "socks5", "socks5h", "socks":
            guard user == nil else { throw ProxyAddressError("SOCKS with a password isn't supported; expected none") }
            self = .socksServer(host: host, port: port)
        default:
            throw ProxyAddressError(
                "the scheme \"\(scheme.prefix(32))\" isn't supported; expected http, socks5 or socks5h")
        }
    }

    private static func hostAndPort(_ text: Substring) throws(ProxyAddressError) -> (host: String, port: Int) {
        var host = text
        var port = 1080
        // A colon behind the last bracket begins the port.
        let end = text.lastIndex(of: "]").map { text.index(after: $0) } ?? text.startIndex
        if let colon = text[end...].lastIndex(of: ":") {
            guard let number = Int(text[text.index(after: colon)...]), (1...65_535).contains(number),
                text[text.index(after: colon)...].allSatisfy(\.isNumber)
            else { throw ProxyAddressError("the port can't be read; expected HOST:PORT") }
            host = text[..<colon]
            port = number
        }
        guard let name = try? Hostname(String(host)) else {
            throw ProxyAddressError("the host can't be read; expected HOST:PORT")
        }
        return (name.description, port)
    }

    private static func basic(_ user: Substring) throws(ProxyAddressError) -> HTTPClient.Authorization {
        let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = decoded(parts[0]), let password = parts.count == 2 ? decoded(parts[1]) : "" else {
            throw ProxyAddressError("the user can't be read; expected USER:PASSWORD with percent-encoding")
        }
        return .basic(username: name, password: password)
    }

    /// Returns a text without percent-encoding; nil if it isn't UTF-8, or if a percent sign begins nothing.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap({ Hex.value(ofDigit: $0) }),
                let low = rest.popFirst().flatMap({ Hex.value(ofDigit: $0) })
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
