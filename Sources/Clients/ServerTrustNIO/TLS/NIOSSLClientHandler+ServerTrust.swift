// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL
import PKIX
import ServerTrust

extension NIOSSLClientHandler {
    /// TLS to a server that a configuration evaluates, as a handler alone.
    ///
    /// A refused connection fails with an error of NIOSSL's, and `observer` gets the verdict. With
    /// ``ServerTrustTLS/addHandlers(to:host:position:)`` it fails with the verdict.
    /// - Parameters:
    ///   - context: the TLS context, shared by connections; one made with
    ///     `TLSConfiguration.clientForServerTrust(applicationProtocols:)` is right.
    ///   - host: the host that was asked for, by any address.
    ///   - trust: how the server is evaluated.
    ///   - observer: called with the outcome on the event loop, before the handshake goes on or fails.
    /// - Throws: ``ServerTrustContextError`` for a context that would let servers past the verdict; NIOSSL's error for a
    ///   name that has no place in SNI; `TrustRefusal` for a host that the rules deny, which is not contacted.
    public convenience init(
        context: NIOSSLContext, host: Hostname, trust: ServerTrustConfiguration,
        observer: @escaping @Sendable (VerificationOutcome) -> Void = { _ in }
    ) throws {
        let tls = try ServerTrustTLS(VerdictSource(trust), context: context)
        try tls.requireNotDenied(host)
        let verification = tls.verification(host)
        let evidence = tls.handshakeEvidence()
        try self.init(context: context, serverHostname: host.serverName) { presented, answer in
            verification.verify(evidence.chain(of: presented), on: answer.futureResult.eventLoop) { outcome in
                observer(outcome)
                answer.succeed(outcome.isTrusted ? .certificateVerified : .failed)
            }
        }
        evidence.request(by: self)
    }
}
