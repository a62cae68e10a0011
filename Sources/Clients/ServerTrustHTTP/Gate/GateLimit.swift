// SPDX-License-Identifier: Apache-2.0

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
    /// async-http-client owns the pool.
    package static let openConnection = GateLimit(
        "openConnection", "open connections aren't evaluated again when rules change")
    /// async-http-client handles the redirects.
    package static let redirect = GateLimit(
        "redirect", "redirects are evaluated with their hosts' rules, but the data they carry isn't checked")
}
