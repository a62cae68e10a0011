// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import NIOPosix
import PKIX
import ServerTrust

extension ClientBootstrap {
    /// Connects to a host over TLS, and evaluates its server with a configuration.
    ///
    /// If the rules deny the host, the method throws before it looks up the name. It connects to the addresses of a name
    /// side by side (RFC 8305), and the first established connection counts. If its server is refused, the method
    /// doesn't try the other addresses.
    ///
    /// ```swift
    /// let channel = try await ClientBootstrap(group: group).connect(to: host, port: 443, serverTrust: tls) { channel, server in
    ///     channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
    /// }
    /// ```
    /// - Parameters:
    ///   - host: the name to look up, to send in SNI and to evaluate the leaf for.
    ///   - port: the port of the server.
    ///   - address: where to connect instead of the host: a name or an IP literal. The client still evaluates the
    ///     server for the host.
    ///   - proxy: the proxy to reach the server through, which resolves the server's name. The default is nil.
    ///   - prologue: the exchange in the clear before TLS. The default is nil.
    ///   - tls: the TLS settings. Its handlers are added first. Its `handshakeTimeout` covers the time from the
    ///     connection to the end of the handshake, including proxy and prologue.
    ///   - channelInitializer: adds the handlers above TLS. It receives the future of
    ///     ``ServerTrustTLS/addHandlers(to:host:position:)``. It runs before the connection is established. With a
    ///     proxy or a prologue, it runs afterward, when TLS begins.
    /// - Throws: `TrustRefusal` if the rules deny the host, and if an `https` proxy isn't trusted. ``ConnectionFailure``
    ///   if no address answers in time, or if the proxy or the prologue fails. NIO's other errors while connecting.
    ///   `CancellationError` if the task is canceled while connecting.
    public func connect<Output: Sendable>(
        to host: Hostname, port: Int, connectingTo address: String? = nil, through proxy: ConnectionProxy? = nil,
        prologue: TLSPrologue? = nil, serverTrust tls: ServerTrustTLS,
        channelInitializer:
            @escaping @Sendable (any Channel, EventLoopFuture<EvaluatedServer>) -> EventLoopFuture<
                Output
            >
    ) async throws -> Output {
        try tls.requireNotDenied(host)
        let route = ConnectionRoute(host, port: port, address: address, proxy: proxy, prologue: prologue)
        guard !route.isDirect else {
            do {
                return try await connect(to: route.peer, AddressAttempts()) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try tls.addHandlers(to: channel.pipeline.syncOperations, host: host)
                    }.flatMap { channelInitializer(channel, $0) }
                }
            } catch {
                throw route.connectionError(error)
            }
        }
        return try await connect(over: route, tls, channelInitializer)
    }

    /// Connects, opens the tunnel, runs the prologue and adds TLS.
    private func connect<Output: Sendable>(
        over route: ConnectionRoute, _ tls: ServerTrustTLS,
        _ initializer: @escaping @Sendable (any Channel, EventLoopFuture<EvaluatedServer>) -> EventLoopFuture<Output>
    ) async throws -> Output {
        var route = route
        if let proxy = route.proxy, proxy.isSecure {
            try tls.source.requireNotDenied(proxy.tlsHost)
            route.proxyTLS = try tls.forProxy().toProxies
        }
        let connecting: ConnectingChannel<Output>
        do {
            connecting = try await connect(to: route.peer, AddressAttempts()) { [route] channel in
                channel.eventLoop.makeCompletedFuture {
                    let output = try route.open(channel, timeout: TimeAmount(clamping: tls.handshakeTimeout))
                        .flatMapThrowing {
                            rest in
                            var tls = tls
                            tls.handshakeTimeout = Duration(rest)
                            return try tls.addHandlers(to: channel.pipeline.syncOperations, host: route.host)
                                .flatMapErrorThrowing { throw route.naming($0) }
                        }.flatMap { initializer(channel, $0) }
                    return ConnectingChannel(channel, output: output)
                }
            }
        } catch {
            throw route.connectionError(error)
        }
        return try await connecting.get()
    }
}

/// A connected channel, and the future of its output.
package struct ConnectingChannel<Output: Sendable>: Sendable {
    private let channel: any Channel
    private let output: EventLoopFuture<Output>

    package init(_ channel: any Channel, output: EventLoopFuture<Output>) {
        self.channel = channel
        self.output = output
    }

    /// Waits for the output. Closes the channel on errors and on cancellation.
    package func get() async throws -> Output {
        do {
            return try await withTaskCancellationHandler {
                try await output.get()
            } onCancel: {
                close()
            }
        } catch {
            close()
            throw Task.isCancelled ? CancellationError() : error
        }
    }

    private func close() { channel.eventLoop.execute { channel.closeAtOnce() } }
}

#endif
