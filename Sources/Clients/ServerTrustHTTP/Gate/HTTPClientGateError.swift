// SPDX-License-Identifier: Apache-2.0

import NIOSSL
import ServerTrustNIO

/// The reason why a gate can't be relied on: in a configuration, where it is put into none, or on a connection, which is refused.
public enum HTTPClientGateError: String, Error, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// NIOSSL doesn't verify path and host.
    case verificationTurnedOff
    /// Renegotiation is allowed: a server could show other certificates after it was evaluated.
    case renegotiation
    /// A pre-shared key is set: a server that has it shows no certificate.
    case preSharedKey
    /// The server speaks TLS below 1.2.
    case outdatedVersion
    /// The connection isn't one of NIOSSL: plain HTTP, or TLS by Network.framework.
    case notTLS
    /// The connection was made without a server name, as to an address or a Unix socket: the host isn't known.
    case noServerName

    public var description: String {
        switch self {
        case .verificationTurnedOff:
            "the TLS configuration turns verification off; expected certificateVerification .fullVerification: a gate adds to it"
        case .renegotiation: "the TLS configuration allows renegotiation; expected renegotiationSupport .none"
        case .preSharedKey: "the TLS configuration has a pre-shared key, with which servers show no certificate"
        case .outdatedVersion: "the server speaks TLS below 1.2; expected minimumTLSVersion .tlsv12 or .tlsv13"
        case .notTLS: "the connection isn't one of NIOSSL; expected https, on an event loop of NIOPosix"
        case .noServerName:
            "the connection has no server name; expected a URL with a DNS name, or use TrustedHTTPClient"
        }
    }

    /// Checks the TLS configuration of a client or of a connection.
    static func check(_ tls: TLSConfiguration) throws(HTTPClientGateError) {
        guard tls.certificateVerification == .fullVerification else { throw .verificationTurnedOff }
        guard tls.renegotiationSupport == .none else { throw .renegotiation }
        guard !tls.hasPreSharedKey else { throw .preSharedKey }
    }
}
