// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import NIOSSL
import PKIX
import ServerTrust

extension NIOSSLClientHandler {
    /// Creates a single handler for TLS to a server that a configuration evaluates.
    ///
    /// A refused connection fails with a NIOSSL error, and `observer` receives the verdict. With
    /// ``ServerTrustTLS/addHandlers(to:host:position:)``, the connection fails with the verdict.
    /// - Parameters:
    ///   - context: the TLS context, shared by connections. Create it with
    ///     `TLSConfiguration.clientForServerTrust(applicationProtocols:)`.
    ///   - host: the requested host, whatever address you connect to.
    ///   - trust: how to evaluate servers.
    ///   - observer: receives the server with its verdict, or nil if there was no verdict in time. It is called on the
    ///     event loop, before the handshake continues or fails.
    /// - Throws: ``ServerTrustContextError`` if servers could bypass the verdict with the context. NIOSSL's error for a
    ///   name that isn't valid in SNI. `TrustRefusal` if the rules deny the host, which is then not contacted.
    public convenience init(
        context: NIOSSLContext, host: Hostname, trust: ServerTrustConfiguration,
        observer: @escaping @Sendable (EvaluatedServer?) -> Void = { _ in }
    ) throws {
        // A callback doesn't know its connection, so it lists none.
        let tls = try ServerTrustTLS(
            VerdictSource(trust), context: context, handshakeTimeout: .seconds(10), evaluationTimeout: .seconds(10),
            open: nil)
        try tls.requireNotDenied(host)
        let evidence = tls.handshakeEvidence()
        try self.init(context: context, serverHostname: host.serverName) { presented, answer in
            tls.verify(evidence.chain(of: presented), of: host, on: answer.futureResult.eventLoop) { server in
                observer(server)
                answer.succeed(server.isTrusted ? .certificateVerified : .failed)
            }
        }
        evidence.request(by: self)
    }
}

#endif
