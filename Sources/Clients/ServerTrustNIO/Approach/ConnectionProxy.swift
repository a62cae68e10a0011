// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A proxy that connections are tunnelled through: HTTP `CONNECT`, or SOCKS 5 without a password.
///
/// ```swift
/// let channel = try await ClientBootstrap(group: group).connect(
///     to: host, port: 443, through: .http(host: "proxy.example.com", port: 3128), serverTrust: tls) { … }
/// ```
/// The proxy gets the name and port of the server and resolves the name. TLS goes from end to end inside the tunnel, so that the server is
/// evaluated as without a proxy. The connection to the proxy itself is not encrypted: it can read the authorization that it is sent.
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
    /// Fields of the `CONNECT` request beside `Host` and `Proxy-Authorization`; unused with SOCKS.
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
            /// The Base64 of `USER:PASSWORD`.
            case basic(String)
            case bearer(String)
        }
        package let scheme: Scheme

        package init(_ scheme: Scheme) { self.scheme = scheme }

        /// Basic authorization (RFC 7617), in UTF-8.
        public static func basic(user: String, password: String) -> Authorization {
            Authorization(.basic(Base64.encode(Array("\(user):\(password)".utf8))))
        }

        /// Bearer authorization (RFC 6750). A token with a character that fields can't have fails the connection.
        public static func bearer(_ token: String) -> Authorization { Authorization(.bearer(token)) }

        /// The value of `Proxy-Authorization`.
        package var fieldValue: String {
            switch scheme {
            case .basic(let credentials): "Basic \(credentials)"
            case .bearer(let token): "Bearer \(token)"
            }
        }
    }

    /// An HTTP proxy, asked with `CONNECT` (RFC 9110 § 9.3.6).
    /// - Parameters:
    ///   - host: the name or address of the proxy.
    ///   - port: the port of the proxy.
    ///   - authorization: the credentials that each tunnel is asked for with; none unless given.
    public static func http(host: String, port: Int, authorization: Authorization? = nil) -> ConnectionProxy {
        ConnectionProxy(.http(authorization), host: host, port: port)
    }

    /// A SOCKS 5 proxy (RFC 1928) without a password, which resolves names itself.
    /// - Parameters:
    ///   - host: the name or address of the proxy.
    ///   - port: the port of the proxy; 1080 unless given.
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
