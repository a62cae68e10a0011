// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOSSL
import PKIX
import ServerTrustNIO

/// The reason why a gate isn't reliable with a configuration or on a connection.
///
/// A configuration with this problem gets no gate. A connection with this problem is refused.
public struct HTTPClientGateError: TrustError, Hashable {
    /// The machine-readable kind of error.
    public let code: ErrorCode
    public let message: String

    private init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }

    package static let verificationTurnedOff = Self(
        .tlsVerificationTurnedOff,
        "the TLS configuration turns verification off; expected certificateVerification .fullVerification: a gate adds to it"
    )
    package static let renegotiation = Self(
        .tlsRenegotiation,
        "the TLS configuration allows renegotiation; expected renegotiationSupport .none")
    package static let preSharedKey = Self(
        .tlsPreSharedKey,
        "the TLS configuration has a pre-shared key, so servers send no certificate; expected none")
    package static let outdatedVersion = Self(
        .tlsOutdatedVersion,
        "the connection uses TLS below 1.2; expected minimumTLSVersion .tlsv12 or .tlsv13")
    /// The connection doesn't use NIOSSL. It uses plain HTTP or Network.framework's TLS.
    package static let notTLS = Self(
        ErrorCode("gateNotTLS"),
        "the connection doesn't use NIOSSL; expected https, on an event loop of NIOPosix")
    /// The connection has no server name, for example because it goes to an address or a Unix socket. The gate
    /// therefore doesn't know the host.
    package static let noServerName = Self(
        ErrorCode("gateNoServerName"),
        "the connection has no server name; expected a URL with a DNS name, or use TrustedHTTPClient")

    /// The TLS configuration has a client certificate. The server would receive it before the gate evaluates the server.
    package static let clientCertificate = Self(
        ErrorCode("gateClientCertificate"),
        "the TLS configuration has a client certificate, which a server receives before the gate evaluates it; expected none, or use TrustedHTTPClient"
    )
    /// The server selected another protocol than on its other open connections, HTTP/1.1 instead of HTTP/2 or the other
    /// way round. async-http-client can't handle that.
    package static let protocolChanged = Self(
        ErrorCode("gateProtocolChanged"),
        "the server selected another HTTP version than on its other open connections; expected the same version")

    /// Checks that the TLS configuration of a client or of a connection has no client certificate, and no callback that
    /// could return one.
    static func checkIdentity(_ tls: TLSConfiguration) throws(HTTPClientGateError) {
        guard tls.certificateChain.isEmpty, tls.privateKey == nil, tls.sslContextCallback == nil else {
            throw .clientCertificate
        }
    }

    /// Checks the TLS configuration of a client or of a connection.
    static func check(_ tls: TLSConfiguration) throws(HTTPClientGateError) {
        guard tls.certificateVerification == .fullVerification else { throw .verificationTurnedOff }
        guard tls.renegotiationSupport == .none else { throw .renegotiation }
        guard !tls.hasPreSharedKey else { throw .preSharedKey }
    }
}

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
