// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import PKIX
import ServerTrust

extension ClientBootstrap {
    /// Connects to a host over TLS that a configuration evaluates. The rules are asked first: a host that they deny is refused before
    /// its name is looked up.
    ///
    /// ```swift
    /// let channel = try await ClientBootstrap(group: group).connect(to: host, port: 443, serverTrust: tls) { channel, server in
    ///     channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
    /// }
    /// ```
    /// - Parameters:
    ///   - host: the name to look up, to send in SNI and to hold the leaf against.
    ///   - port: of the server.
    ///   - address: where to connect to instead of the host: a name or an IP literal. The host is evaluated all the same.
    ///   - proxy: the proxy that the server is reached through, which resolves its name; none unless given.
    ///   - prologue: the exchange in the clear before TLS; none unless given.
    ///   - tls: adds its handlers first. Its `handshakeTimeout` holds from the connection to the end of the handshake, proxy and prologue
    ///     included.
    ///   - channelInitializer: adds the handlers above TLS. Gets the future of ``ServerTrustTLS/addHandlers(to:host:position:)``. Called before
    ///     the connection is made; with a proxy or a prologue afterwards, when TLS begins.
    /// - Throws: `TrustRefusal` for a host that the rules deny; ``ConnectionFailure`` if the proxy or the prologue fails; NIO's errors when
    ///   it connects.
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
            return try await connect(host: route.peer.host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try tls.addHandlers(to: channel.pipeline.syncOperations, host: host)
                }.flatMap { channelInitializer(channel, $0) }
            }
        }
        return try await connect(over: route, tls, channelInitializer)
    }

    /// Connects, opens the tunnel, goes through the prologue and adds TLS.
    private func connect<Output: Sendable>(
        over route: ConnectionRoute, _ tls: ServerTrustTLS,
        _ initializer: @escaping @Sendable (any Channel, EventLoopFuture<EvaluatedServer>) -> EventLoopFuture<Output>
    ) async throws -> Output {
        let connecting: ConnectingChannel<Output>
        do {
            connecting = try await connect(host: route.peer.host, port: route.peer.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let output = try route.open(channel, timeout: TimeAmount(clamping: tls.handshakeTimeout))
                        .flatMapThrowing {
                            rest in
                            var tls = tls
                            tls.handshakeTimeout = Duration(rest)
                            return try tls.addHandlers(to: channel.pipeline.syncOperations, host: route.host)
                        }.flatMap { initializer(channel, $0) }
                    return ConnectingChannel(channel: channel, output: output)
                }
            }
        } catch {
            throw route.connectionError(error)
        }
        return try await connecting.get()
    }
}

/// A channel that is connected, and the future of what is made of it.
private struct ConnectingChannel<Output: Sendable>: Sendable {
    let channel: any Channel
    let output: EventLoopFuture<Output>

    /// Waits for it. The channel is closed on errors and on cancellation.
    func get() async throws -> Output {
        do {
            return try await withTaskCancellationHandler {
                try await output.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch {
            channel.close(promise: nil)
            throw Task.isCancelled ? CancellationError() : error
        }
    }
}
