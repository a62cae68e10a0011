// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL
import PKIX

/// A server's request for a client certificate.
package struct ClientCertificateDemand: Sendable, Hashable {
    /// The names in DER of the CAs whose certificates the server accepts; empty if it names none, nil if they aren't known.
    package let authorities: [[UInt8]]?

    package init(authorities: [[UInt8]]?) { self.authorities = authorities }

    /// Returns the names of the first CAs as texts of at most so many bytes each; nil if they aren't known. A name that can't be read is left out.
    package func authorityNames(_ maximumCount: Int, toBytes size: Int) -> [String]? {
        authorities?.prefix(maximumCount).compactMap { name in
            guard name.count <= Self.maximumNameSize else { return "a name of \(name.count) bytes" }
            return (try? DistinguishedName(der: name))?.description.abridged(toBytes: size)
        }
    }

    /// The size in bytes above which a name isn't read; names of CAs have some hundred.
    private static let maximumNameSize = 4096
}

/// The state of a request during a handshake.
struct CertificateRequestRecord {
    /// nil before TLS begins.
    var channel: (any Channel)?
    private(set) var found: ClientCertificateDemand?

    /// Reads the request, on the channel's event loop while the request is answered.
    mutating func note() {
        let handler = try? channel?.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
        found = ClientCertificateDemand(
            authorities: handler.flatMap { try? NIOSSLInternals($0) }?.requestedAuthorities)
    }
}

extension TLSConfiguration {
    /// Sets the call for a server's request for a certificate, on the connection's event loop.
    ///
    /// NIOSSL's callback for a context by name is called by BoringSSL's for certificates. On a client that is when the server has asked for one
    /// and before it is sent.
    mutating func onCertificateRequest(_ note: @escaping @Sendable () -> Void) {
        sslContextCallback = { _, promise in
            note()
            promise.succeed(.noChanges)
        }
    }
}

extension ConnectionFailure {
    /// Returns the failure for a handshake that ended behind a server's request for a client certificate. The request is its reason unless
    /// time ran out.
    /// - Parameter wasAnswered: whether there was a certificate to send.
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
