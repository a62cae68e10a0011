// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import PKIX
import ServerTrust
import ServerTrustNIO

/// The properties that two requests must share to use the same connection.
struct ConnectionKey: Sendable, Hashable {
    let origin: Origin
    /// The address to connect to instead of the origin's host. Nil to use the resolver.
    var address: IPAddress?
    /// Whether the client withholds its certificate from the server, even if the server requests one.
    var isAnonymous = false
    /// The proxy of the connection, or nil for a direct one.
    var proxy: ConnectionProxy?

    var host: Hostname { origin.host }
    var isSecure: Bool { origin.isSecure }

    init(_ origin: Origin, address: IPAddress? = nil, isAnonymous: Bool = false) {
        self.origin = origin
        self.address = address
        self.isAnonymous = isAnonymous
    }

    /// Returns the name or address to connect to, as written in a URL.
    /// - Parameter overrides: addresses or names to use instead of the resolver's result, by host.
    func connectName(overrides: [String: String]) -> String {
        if let address { return address.bytes.count == 16 ? "[\(address)]" : address.description }
        guard let override = overrides[host.description] else { return origin.resolverName }
        return IPAddress(override)?.bytes.count == 16 ? "[\(override)]" : override
    }

    /// Returns the route through the proxy. Nil for a direct connection.
    /// - Parameter overrides: addresses or names to use instead of the resolver's result, by host.
    func route(overrides: [String: String]) -> ConnectionRoute? {
        proxy.map { proxy in
            ConnectionRoute(
                host, port: origin.port, address: address?.description ?? overrides[host.description], proxy: proxy)
        }
    }
}

/// Unix socket URLs for async-http-client.
enum UnixSocket {
    /// Returns `http+unix://PATH`. In the path, every byte except letters, digits, `-`, `.`, `_` and `~` is
    /// percent-encoded (RFC 3986 § 2.3).
    static func urlPrefix(of path: String) -> String {
        let unreserved = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
        return path.utf8.reduce(into: "http+unix://") { text, byte in
            text += unreserved.contains(byte) ? "\(UnicodeScalar(byte))" : "%" + Hex.encode([byte]).uppercased()
        }
    }
}

#endif
