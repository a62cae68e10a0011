// SPDX-License-Identifier: Apache-2.0

/// A property of connections that a gate for an `HTTPClient` can't check, or checks later than `TrustedHTTPClient`. The set grows.
public struct GateLimit: Sendable, Hashable, CustomStringConvertible {
    /// The name, such as `deniedHost`. Stable.
    public let name: String
    /// The limit, for people. The wording may change.
    public let description: String

    private init(_ name: String, _ description: String) {
        self.name = name
        self.description = description
    }

    /// The gate comes after the handshake.
    package static let deniedHost = GateLimit(
        "deniedHost", "a host that the rules deny is contacted, and refused before a request")
    /// The gate sees no server name for these.
    package static let hostByAddress = GateLimit(
        "hostByAddress", "hosts by address and Unix sockets are refused, whatever their rules")
    /// The client inside sends its own hello.
    package static let staple = GateLimit("staple", "no OCSP staple is requested")
    /// The pool belongs to async-http-client.
    package static let openConnection = GateLimit(
        "openConnection", "open connections aren't evaluated again when rules change")
    /// Redirects belong to async-http-client.
    package static let redirect = GateLimit(
        "redirect", "redirects are evaluated by their hosts' rules, but what they carry isn't checked")
}
