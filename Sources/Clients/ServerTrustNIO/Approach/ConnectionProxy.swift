// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import Foundation
import PKIX
import ServerTrust

/// A proxy to tunnel connections through: HTTP `CONNECT`, in the clear or over TLS, or SOCKS 5.
///
/// ```swift
/// let channel = try await ClientBootstrap(group: group).connect(
///     to: host, port: 443, through: .https(host: "proxy.example.com"), serverTrust: tls) { … }
/// ```
/// The proxy receives the name and port of the server and resolves the name. TLS runs end to end inside the tunnel, so
/// the client evaluates the server in the same way as without a proxy.
///
/// With ``https(host:port:authorization:)``, the client also evaluates the proxy, for the proxy's name and with the
/// same rules as any host. If your manager only allows hosts with a rule, the proxy needs one, too. A proxy that isn't
/// trusted receives no byte of `CONNECT`. With the other kinds, the connection to the proxy isn't encrypted, so others
/// can read the credentials that you send to it.
public struct ConnectionProxy: Sendable, Hashable {
    package enum Kind: Sendable {
        case http
        case https
        case socks5
    }

    package let kind: Kind
    /// The name or address of the proxy.
    package let host: String
    /// The port of the proxy.
    package let port: Int
    /// The fields of the `CONNECT` request in addition to `Host` and `Proxy-Authorization`. Unused with SOCKS.
    package let fields: [Field]
    /// The credentials for an HTTP proxy.
    package private(set) var authorization: Authorization?
    /// The credentials for a SOCKS proxy.
    package let login: Secret<Login>?

    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A user and a password for SOCKS 5.
    package struct Login: Sendable, Hashable {
        package let user: String
        package let password: String
    }

    package init(
        _ kind: Kind, host: String, port: Int, authorization: Authorization? = nil, login: Login? = nil,
        fields: [Field] = []
    ) {
        self.kind = kind
        self.host = host
        self.port = port
        self.authorization = authorization
        self.login = login.map { Secret($0) }
        self.fields = fields
    }

    /// Credentials for an HTTP proxy. Their description contains no secret.
    public struct Authorization: Sendable, Hashable {
        package enum Scheme: Sendable, Hashable {
            /// The Base64 encoding of `USER:PASSWORD`.
            case basic(Secret<String>)
            case bearer(Secret<String>)
            case computed(Computed)
        }
        package let scheme: Scheme

        package init(_ scheme: Scheme) { self.scheme = scheme }

        /// Basic authorization (RFC 7617), in UTF-8.
        public static func basic(user: String, password: String) -> Authorization {
            Authorization(.basic(Secret(Base64.encode(Array("\(user):\(password)".utf8)))))
        }

        /// Bearer authorization (RFC 6750). If the token contains a character that isn't allowed in a header field, the
        /// connection fails.
        public static func bearer(_ token: String) -> Authorization { Authorization(.bearer(Secret(token))) }

        /// Returns the value of `Proxy-Authorization` for a tunnel, or nil without one.
        /// - Parameter target: the target of the `CONNECT` request, `HOST:PORT`. Nil to leave out computed values.
        func fieldValue(for target: String?) -> String? {
            switch scheme {
            case .basic(let credentials): "Basic \(credentials.value)"
            case .bearer(let token): "Bearer \(token.value)"
            case .computed(let computed): target.flatMap { computed.value($0) }
            }
        }
    }

    /// A value of `Proxy-Authorization` that is different for each tunnel, as with Digest. Two of them are equal if
    /// their `id` is.
    package struct Computed: Sendable, Hashable {
        let id: Secret<[String]>
        let value: @Sendable (_ target: String) -> String?

        package init(id: [String], _ value: @escaping @Sendable (_ target: String) -> String?) {
            self.id = Secret(id)
            self.value = value
        }

        package static func == (left: Computed, right: Computed) -> Bool { left.id == right.id }
        package func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    /// An HTTP proxy that opens tunnels with `CONNECT` (RFC 9110 § 9.3.6).
    /// - Parameters:
    ///   - host: the name or address of the proxy.
    ///   - port: the port of the proxy.
    ///   - authorization: the credentials to send for each tunnel. The default is nil.
    public static func http(host: String, port: Int, authorization: Authorization? = nil) -> ConnectionProxy {
        ConnectionProxy(.http, host: host, port: port, authorization: authorization)
    }

    /// An HTTP proxy that opens tunnels with `CONNECT` over TLS. The client evaluates it for `host`.
    /// - Parameters:
    ///   - host: the name or address of the proxy.
    ///   - port: the port of the proxy. The default is 443.
    ///   - authorization: the credentials to send for each tunnel, after the proxy is trusted. The default is nil.
    public static func https(host: String, port: Int = 443, authorization: Authorization? = nil) -> ConnectionProxy {
        ConnectionProxy(.https, host: host, port: port, authorization: authorization)
    }

    /// A SOCKS 5 proxy (RFC 1928) without a password. It resolves names itself.
    /// - Parameters:
    ///   - host: the name or address of the proxy.
    ///   - port: the port of the proxy. The default is 1080.
    public static func socks5(host: String, port: Int = 1080) -> ConnectionProxy {
        ConnectionProxy(.socks5, host: host, port: port)
    }

    /// A SOCKS 5 proxy (RFC 1928) with a user name and a password (RFC 1929). It resolves names itself.
    ///
    /// The client sends both in the clear, and only if the proxy selects this method. If one of them doesn't have 1 to
    /// 255 bytes of UTF-8, the connection fails.
    /// - Parameters:
    ///   - host: the name or address of the proxy.
    ///   - port: the port of the proxy. The default is 1080.
    ///   - user: the user name.
    ///   - password: the password.
    public static func socks5(host: String, port: Int = 1080, user: String, password: String) -> ConnectionProxy {
        ConnectionProxy(.socks5, host: host, port: port, login: Login(user: user, password: password))
    }
}

extension ConnectionProxy {
    /// Whether the connection to the proxy uses TLS.
    package var isSecure: Bool { kind == .https }

    /// The host to evaluate the proxy for. Nil for a proxy without TLS, and for a host that can't be read.
    package var tlsHost: Hostname? { isSecure ? try? Hostname(host) : nil }

    /// Returns the proxy with other credentials. A SOCKS proxy doesn't change.
    package func with(_ authorization: Authorization) -> ConnectionProxy {
        var proxy = self
        if kind != .socks5 { proxy.authorization = authorization }
        return proxy
    }

    /// The reason why the client can't use the proxy with these settings. Nil without a problem. It contains no secret.
    package var problem: String? {
        if let login,
            ![login.value.user, login.value.password].allSatisfy({ (1...255).contains($0.utf8.count) })
        {
            return "the user name and the password must have 1 to 255 bytes each with SOCKS (RFC 1929)"
        }
        if isSecure, tlsHost == nil { return "its host can't be read; expected a name or an address" }
        return connectFields(to: nil).allSatisfy(\.isValid)
            ? nil : "its authorization or a header field contains a forbidden character"
    }

    /// Returns the fields of the `CONNECT` request in addition to `Host`.
    /// - Parameter target: the target of the request. Nil to leave out computed values.
    func connectFields(to target: String?) -> [Field] {
        guard let value = authorization?.fieldValue(for: target) else { return fields }
        return fields + [Field(name: "proxy-authorization", value: value)]
    }
}

extension ConnectionProxy.Field {
    /// Whether a request may contain the name and the value (`RequestSyntax`, and only ASCII).
    var isValid: Bool {
        RequestSyntax.isToken(name) && RequestSyntax.isValue(value) && value.utf8.allSatisfy { $0 < 0x80 }
    }
}

extension ConnectionProxy: CustomStringConvertible {
    /// The address of the proxy, without its credentials.
    public var description: String {
        "\(kind)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}

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
            self.init(.socks5, host: host, port: port ?? 1080, login: login)
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

/// A value that neither a description nor a dump shows.
package struct Secret<Value: Sendable & Hashable>: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    package let value: Value

    package init(_ value: Value) { self.value = value }

    package var description: String { "…" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

#endif
