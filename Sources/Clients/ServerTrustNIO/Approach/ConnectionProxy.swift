// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A proxy to tunnel connections through: HTTP `CONNECT`, or SOCKS 5 without a password.
///
/// ```swift
/// let channel = try await ClientBootstrap(group: group).connect(
///     to: host, port: 443, through: .http(host: "proxy.example.com", port: 3128), serverTrust: tls) { … }
/// ```
/// The proxy receives the name and port of the server and resolves the name. TLS runs end to end inside the tunnel, so
/// the client evaluates the server in the same way as without a proxy. The connection to the proxy itself isn't
/// encrypted, so others can read the authorization that you send to the proxy.
public struct ConnectionProxy: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case http(Authorization?)
        case socks5
    }

    package let kind: Kind
    /// The name or address of the proxy.
    package let host: String
    /// The port of the proxy.
    package let port: Int
    /// The fields of the `CONNECT` request in addition to `Host` and `Proxy-Authorization`. Unused with SOCKS.
    package var fields: [Field] = []

    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(_ kind: Kind, host: String, port: Int, fields: [Field] = []) {
        self.kind = kind
        self.host = host
        self.port = port
        self.fields = fields
    }

    /// Credentials for an HTTP proxy.
    public struct Authorization: Sendable, Hashable {
        package enum Scheme: Sendable, Hashable {
            /// The Base64 encoding of `USER:PASSWORD`.
            case basic(String)
            case bearer(String)
        }
        package let scheme: Scheme

        package init(_ scheme: Scheme) { self.scheme = scheme }

        /// Basic authorization (RFC 7617), in UTF-8.
        public static func basic(user: String, password: String) -> Authorization {
            Authorization(.basic(Base64.encode(Array("\(user):\(password)".utf8))))
        }

        /// Bearer authorization (RFC 6750). If the token contains a character that isn't allowed in a header field, the
        /// connection fails.
        public static func bearer(_ token: String) -> Authorization { Authorization(.bearer(token)) }

        /// The value of `Proxy-Authorization`.
        package var fieldValue: String {
            switch scheme {
            case .basic(let credentials): "Basic \(credentials)"
            case .bearer(let token): "Bearer \(token)"
            }
        }
    }

    /// An HTTP proxy that opens tunnels with `CONNECT` (RFC 9110 § 9.3.6).
    /// - Parameters:
    ///   - host: the name or address of the proxy.
    ///   - port: the port of the proxy.
    ///   - authorization: the credentials to send for each tunnel. The default is nil.
    public static func http(host: String, port: Int, authorization: Authorization? = nil) -> ConnectionProxy {
        ConnectionProxy(.http(authorization), host: host, port: port)
    }

    /// A SOCKS 5 proxy (RFC 1928) without a password. It resolves names itself.
    /// - Parameters:
    ///   - host: the name or address of the proxy.
    ///   - port: the port of the proxy. The default is 1080.
    public static func socks5(host: String, port: Int = 1080) -> ConnectionProxy {
        ConnectionProxy(.socks5, host: host, port: port)
    }
}

extension ConnectionProxy: CustomStringConvertible {
    /// The address of the proxy, without its credentials.
    public var description: String {
        "\(kind == .socks5 ? "socks5" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
