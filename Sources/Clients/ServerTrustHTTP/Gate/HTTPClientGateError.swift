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

#endif
