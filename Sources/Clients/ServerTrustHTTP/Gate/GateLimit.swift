// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

/// A property of connections that a gate for an `HTTPClient` can't check, or checks later than `TrustedHTTPClient`. New
/// versions may add limits.
public struct GateLimit: Sendable, Hashable, CustomStringConvertible {
    /// The name, such as `deniedHost`. Stable.
    public let name: String
    /// A human-readable description of the limit. Its wording may change.
    public let description: String

    private init(_ name: String, _ description: String) {
        self.name = name
        self.description = description
    }

    /// The gate runs after the handshake.
    package static let deniedHost = GateLimit(
        "deniedHost", "the client contacts a host that the rules deny, and refuses it before sending a request")
    /// The gate sees no server name for these hosts.
    package static let hostByAddress = GateLimit(
        "hostByAddress", "the client refuses IP addresses and Unix sockets, whatever their rules")
    /// The inner client sends its own ClientHello.
    package static let staple = GateLimit("staple", "the client requests no OCSP staple")
    /// A request can have its own TLS configuration, which the gate sees after the handshake.
    package static let requestIdentity = GateLimit(
        "requestIdentity",
        "a client certificate in a request's own TLS configuration is presented before the gate refuses the connection")
    /// async-http-client repeats nothing for the gate.
    package static let ruleChange = GateLimit(
        "ruleChange", "when rules change, a request may fail that a new connection could serve")
    /// The gate runs after the server's SETTINGS.
    package static let missingSettings = GateLimit(
        "missingSettings",
        "a server that selects HTTP/2 and sends no SETTINGS delays requests and the client's shutdown")
    /// async-http-client handles the redirects.
    package static let redirect = GateLimit(
        "redirect", "redirects are evaluated with their hosts' rules, but the data they carry isn't checked")
}

#endif
