// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import NIOPosix
import PKIX
import ServerTrust

/// The route to a server up to TLS: a connection to the server or to a proxy, the proxy's tunnel, and a prologue.
package struct ConnectionRoute: Sendable {
    /// Adds the handlers for TLS to a proxy, with a time limit for the handshake. See
    /// `ServerTrustTLS.addHandlers(to:host:position:)`.
    package typealias ProxyTLS =
        @Sendable (
            ChannelPipeline.SynchronousOperations, Hostname, ChannelPipeline.SynchronousOperations.Position, Duration
        ) throws -> EventLoopFuture<EvaluatedServer>

    /// The host to evaluate the server for.
    package let host: Hostname
    /// The port of the server.
    package let port: Int
    /// The name or address to connect to instead of the host. Nil to connect to the host.
    package var address: String?
    /// The proxy, or nil for a direct connection.
    package var proxy: ConnectionProxy?
    /// The exchange before TLS, or nil for none.
    package var prologue: TLSPrologue?
    /// The TLS to the proxy. It must be set for a proxy that uses TLS.
    package var proxyTLS: ProxyTLS?

    package init(
        _ host: Hostname, port: Int, address: String? = nil, proxy: ConnectionProxy? = nil,
        prologue: TLSPrologue? = nil
    ) {
        self.host = host
        self.port = port
        self.address = address
        self.proxy = proxy
        self.prologue = prologue
    }

    /// The name or address of the server for a proxy. It has no zone, because the proxy has other interfaces.
    var target: String { address.map { String($0.prefix { $0 != "%" }) } ?? host.description }

    /// The peer of the TCP connection. With a proxy, the resolver doesn't receive the server's name.
    package var peer: (host: String, port: Int) {
        proxy.map { ($0.host, $0.port) } ?? (address ?? host.resolverName, port)
    }

    /// Whether the connection begins with TLS.
    package var isDirect: Bool { proxy == nil && prologue == nil }

    /// Adds the handlers of the tunnel and of the prologue. Call it on the event loop of a channel that isn't connected
    /// yet.
    /// - Parameters:
    ///   - timeout: the time limit from the connection to the start of TLS.
    ///   - position: where to add the handlers. With `.first`, they go below existing handlers.
    /// - Returns: a future with the rest of the timeout. It completes on the event loop when TLS must begin, before
    ///   another byte is read, so its callback must add TLS at once. It fails with ``ConnectionFailure``, or with
    ///   `TrustRefusal` for a proxy that isn't trusted, and the connection is then closed.
    package func open(
        _ channel: any Channel, timeout: TimeAmount, position: ChannelPipeline.SynchronousOperations.Position = .last
    ) throws -> EventLoopFuture<TimeAmount> {
        guard !isDirect else { return channel.eventLoop.makeSucceededFuture(timeout) }
        let handler = ApproachHandler(self, timeout: timeout, eventLoop: channel.eventLoop)
        try channel.pipeline.syncOperations.addHandler(handler, position: position)
        return handler.opened
    }

    /// Names the proxy in the error of a connection that ended in its TLS handshake with the server.
    func naming(_ error: any Error) -> any Error {
        guard let proxy, let failure = error as? ConnectionFailure else { return error }
        return failure.naming(proxy)
    }

    /// Adds TLS to the proxy.
    /// - Returns: a future with the trusted proxy.
    func addProxyTLS(
        to pipeline: ChannelPipeline.SynchronousOperations, before next: ApproachHandler, until deadline: NIODeadline
    ) throws -> EventLoopFuture<EvaluatedServer> {
        guard let tls = proxyTLS, let host = proxy?.tlsHost else {
            throw ConnectionFailure(.connectionNotEvaluated, host: self.host)
        }
        return try tls(pipeline, host, .before(next), Duration(deadline - .now()))
    }

    /// Converts an error of TLS to the proxy. The refusal of a proxy stays a `TrustRefusal`.
    func proxyError(_ error: any Error) -> any Error {
        guard let proxy, !(error is TrustRefusal) else { return error }
        guard let error = error as? ConnectionFailure else {
            return ConnectionFailure(TunnelProblem(error), of: proxy, to: host, port: port)
        }
        let isTimeout = error.code == .connectionTimedOut || error.code == .connectionEvaluationTimedOut
        let problem =
            isTimeout
            ? .silent
            : TunnelProblem("TLS isn't established: \(error.detail.replacing("the server", with: "the proxy"))")
        return ConnectionFailure(problem, of: proxy, to: host, port: port)
    }

    /// Converts an error of the TCP connection, or the refusal of a proxy. If the connection goes to a proxy, the result
    /// is the proxy's error.
    package func connectionError(_ error: any Error) -> any Error {
        guard let proxy else { return (error as? ConnectionFailure)?.of(host, port) ?? error }
        if let refusal = error as? TrustRefusal {
            let problem = TunnelProblem("it isn't trusted: \(refusal.headline.message)")
            return ConnectionFailure(problem, of: proxy, to: host, port: port)
        }
        guard
            error is NIOConnectionError || error is IOError || error is ChannelError
                || (error as? ConnectionFailure)?.isOfAddresses == true
        else { return error }
        return ConnectionFailure(TunnelProblem(error), of: proxy, to: host, port: port)
    }
}

#endif
