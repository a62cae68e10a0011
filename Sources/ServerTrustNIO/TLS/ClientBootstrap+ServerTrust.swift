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
    ///   - tls: adds its handlers first.
    ///   - channelInitializer: adds the handlers above TLS. Gets the future of ``ServerTrustTLS/addHandlers(to:host:position:)``.
    /// - Throws: `TrustRefusal` for a host that the rules deny; NIO's errors when it connects.
    public func connect<Output: Sendable>(
        to host: Hostname, port: Int, connectingTo address: String? = nil, serverTrust tls: ServerTrustTLS,
        channelInitializer:
            @escaping @Sendable (any Channel, EventLoopFuture<EvaluatedServer>) -> EventLoopFuture<
                Output
            >
    ) async throws -> Output {
        try tls.requireNotDenied(host)
        return try await connect(host: address ?? host.description, port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try tls.addHandlers(to: channel.pipeline.syncOperations, host: host)
            }.flatMap { channelInitializer(channel, $0) }
        }
    }
}
