// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import Foundation
import PKIX

/// The reason why the address of a proxy can't be used. It doesn't contain the address, which may include a password.
package struct ProxyAddressError: Error, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

extension ConnectionProxy {
    /// Parses the address of a proxy like libcurl does: `[SCHEME://][USER[:PASSWORD]@]HOST[:PORT][/]`. The default
    /// scheme is `http`, and the default port is 443 for `https` and 1080 for all other schemes.
    ///
    /// User and password are percent-encoded.
    /// - Throws: ``ProxyAddressError`` for schemes other than `http`, `https`, `socks5` and `socks5h`, and for an
    ///   address that can't be parsed.
    package init(address: String) throws(ProxyAddressError) {
        var rest = address[...]
        var scheme = "http"
        if let range = rest.firstRange(of: "://") {
            scheme = rest[..<range.lowerBound].lowercased()
            rest = rest[range.upperBound...]
        }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        var login: Login?
        if let at = rest.lastIndex(of: "@") {
            login = try Self.login(rest[..<at])
            rest = rest[rest.index(after: at)...]
        }
        let (host, port) = try Self.hostAndPort(rest)
        let authorization = login.map { Authorization.basic(user: $0.user, password: $0.password) }
        switch scheme {
        case "http": self = .http(host: host, port: port ?? 1080, authorization: authorization)
        case "https": self = .https(host: host, port: port ?? 443, authorization: authorization)
        case "socks5", "socks5h", "socks":
            self.init(.socks5(login.map { Secret($0) }), host: host, port: port ?? 1080)
        default:
            // The string before `://` may be part of a password.
            let shown = Self.otherSchemes.contains(scheme) ? "the scheme \(scheme)" : "its scheme"
            throw ProxyAddressError("\(shown) isn't supported; expected http, https, socks5 or socks5h")
        }
        if let problem { throw ProxyAddressError(problem) }
    }

    /// The proxy schemes that only other clients support.
    private static let otherSchemes: Set<String> = ["socks4", "socks4a"]

    private static func hostAndPort(_ text: Substring) throws(ProxyAddressError) -> (host: String, port: Int?) {
        var host = text
        var port: Int?
        // A colon after the last bracket precedes the port.
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
        return (name.resolverName, port)
    }

    private static func login(_ user: Substring) throws(ProxyAddressError) -> Login {
        let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts[0].removingPercentEncoding,
            let password = parts.count == 2 ? parts[1].removingPercentEncoding : ""
        else {
            throw ProxyAddressError("the user can't be read; expected USER:PASSWORD with percent-encoding")
        }
        return Login(user: name, password: password)
    }
}

#endif
