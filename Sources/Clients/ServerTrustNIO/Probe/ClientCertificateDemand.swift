// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import NIOSSL
import PKIX

/// A server's request for a client certificate.
package struct ClientCertificateDemand: Sendable, Hashable {
    /// The DER names of the CAs whose certificates the server accepts. Empty if the server names none, nil if they
    /// aren't known.
    package let authorities: [[UInt8]]?


    /// Returns the names of the first CAs as strings of at most `size` bytes each. Nil if the names aren't known. The
    /// result leaves out names that can't be parsed.
    package func authorityNames(_ maximumCount: Int, toBytes size: Int) -> [String]? {
        authorities?.prefix(maximumCount).compactMap { name in
            guard name.count <= Self.maximumNameSize else { return "a name of \(name.count) bytes" }
            return (try? DistinguishedName(der: name))?.description.abridged(toBytes: size)
        }
    }

    /// The size in bytes above which a name isn't parsed. CA names are usually a few hundred bytes long.
    private static let maximumNameSize = 4096
}

/// The state of a request during a handshake.
struct CertificateRequestRecord {
    /// The channel, or nil before TLS begins.
    var channel: (any Channel)?
    private(set) var found: ClientCertificateDemand?

    /// Reads the request. Call it on the channel's event loop while NIOSSL answers the request.
    mutating func note() {
        let handler = channel?.pipeline.syncOperations.serverTLS
        found = ClientCertificateDemand(
            authorities: handler.flatMap { try? NIOSSLInternals($0) }?.requestedAuthorities)
    }
}

extension TLSConfiguration {
    /// Sets the closure to call on the connection's event loop when the server requests a certificate.
    ///
    /// BoringSSL's callback for certificates calls NIOSSL's callback for a context by name. On a client, this happens
    /// after the server has requested a certificate and before the client sends one.
    mutating func onCertificateRequest(_ note: @escaping @Sendable () -> Void) {
        sslContextCallback = { _, promise in
            note()
            promise.succeed(.noChanges)
        }
    }
}

extension ConnectionFailure {
    /// Returns the failure for a handshake that ended after a server's request for a client certificate. The request is
    /// the reason unless time ran out.
    /// - Parameter wasAnswered: whether the client had a certificate to send.
    func after(_ request: ClientCertificateDemand, wasAnswered: Bool) -> ConnectionFailure {
        let codes: [ErrorCode] = [
            .connectionHandshakeFailed, .connectionNotEvaluated, .connectionSentTooEarly, .connectionHandshakeAlert,
            .connectionClosed, .connectionClientCertificateRequired,
        ]
        guard codes.contains(code) else { return self }
        return ConnectionFailure(
            .connectionClientCertificateRequired, host: host, port: port, alert: alert,
            exactly: wasAnswered
                ? "the server refuses the client certificate" : "the server requires a client certificate")
    }
}

#endif
