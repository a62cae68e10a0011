// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix
import PKIX
import ServerTrust
import ServerTrustNIO

/// A web socket client that evaluates every server before its request to open a socket goes out.
///
/// ```swift
/// let client = try TrustedWebSocketClient(trust: ServerTrustConfiguration(manager))
/// try await client.withConnection(to: "wss://api.example.com/feed") { socket in
///     try await socket.send("hello")
///     for try await message in socket.messages { print(message) }
/// }
/// ```
/// RFC 6455 over TLS, without extensions. A refused server gets no byte and throws `TrustRefusal`. Redirects aren't followed.
///
/// Not checked: certificate transparency and revocation unless the configuration asks for them, as the verdict says.
public struct TrustedWebSocketClient: Sendable {
    /// The maximum size of a message, and of a frame, in bytes; 1 MiB unless set.
    public var maximumMessageSize = 1 << 20
    /// The limit from the connection to the end of the handshake, again to the server's answer, and again, but at most 5 seconds, to its closing
    /// frame; 10 seconds unless set.
    public var timeout = Duration.seconds(10)
    /// The proxy that servers are reached through, which resolves their names; none unless set.
    public var proxy: ConnectionProxy?

    private let tls: ServerTrustTLS
    private let group: any EventLoopGroup

    /// - Parameters:
    ///   - trust: how servers are evaluated.
    ///   - eventLoopGroup: where connections run; NIO's shared one unless given.
    /// - Throws: NIOSSL's error when it can't make a context.
    public init(
        trust: ServerTrustConfiguration, eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) throws {
        self.init(tls: try ServerTrustTLS(trust, applicationProtocols: ["http/1.1"]), eventLoopGroup: eventLoopGroup)
    }

    /// - Parameters:
    ///   - tls: TLS with settings of its own, such as a client certificate. Its application protocols have to be `http/1.1` or none.
    ///   - eventLoopGroup: where connections run; NIO's shared one unless given.
    public init(
        tls: ServerTrustTLS, eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) {
        self.tls = tls
        self.group = eventLoopGroup
    }

    /// Opens a web socket, and closes it when `body` has returned or thrown. After `body` has returned, the server has the time of ``timeout`` to
    /// answer the closing frame.
    /// - Parameters:
    ///   - url: `wss://HOST[:PORT]/PATH`; its host is evaluated.
    ///   - protocols: the subprotocols that the server may choose from, the preferred one first; none unless given.
    ///   - headers: further fields of the request, such as `Authorization`.
    ///   - address: where to connect to instead of the host: a name or an IP literal. The host is evaluated all the same.
    ///   - body: uses the socket.
    /// - Throws: `TrustRefusal` for a server that isn't trusted and for a host that the rules deny, which isn't contacted;
    ///   `ConnectionFailure` if it didn't come to a verdict; ``WebSocketError`` if the server doesn't open the socket; NIO's errors when it
    ///   connects; the error of `body`.
    public func withConnection<Result>(
        to url: String, protocols: [String] = [], headers: HTTPHeaders = [:], connectingTo address: String? = nil,
        _ body: (TrustedWebSocket) async throws -> Result
    ) async throws -> Result {
        let request = try WebSocketRequest(url, protocols: protocols, headers: headers)
        let opening = try await open(request, address)
        let (socket, server) = try await opening.get()
        return try await socket.channel.executeThenClose { inbound, outbound in
            let result = try await body(
                TrustedWebSocket(
                    messages: inbound, subprotocol: socket.subprotocol, server: server, received: socket.closing,
                    outbound: outbound))
            try? await socket.channel.channel.triggerUserOutboundEvent(WebSocketEnd.farewell).get()
            return result
        }
    }

    private func open(_ request: WebSocketRequest, _ address: String?) async throws -> Opening {
        var tls = tls
        let limit = TimeAmount(clamping: timeout)
        tls.handshakeTimeout = timeout
        tls.evaluationTimeout = timeout
        let upgrade = WebSocketUpgrade(request: request, maximumMessageSize: maximumMessageSize, timeout: limit)
        let bootstrap = ClientBootstrap(group: group).connectTimeout(limit).resolver(
            ConcurrentNameResolver(limit: timeout))
        return try await bootstrap.connect(
            to: request.host, port: request.port, connectingTo: address, through: proxy, serverTrust: tls
        ) { channel, handshake in
            // Not before TLS is up and the verdict is good: nothing of the request is there to be sent.
            let socket = handshake.flatMap { server in
                channel.eventLoop.makeCompletedFuture { try upgrade.start(on: channel) }.flatMap { $0 }
                    .map { ($0, server) }
            }
            return channel.eventLoop.makeSucceededFuture(Opening(channel: channel, socket: socket))
        }
    }

    /// A connection whose socket is about to open.
    private struct Opening: Sendable {
        let channel: any Channel
        let socket: EventLoopFuture<(OpenWebSocket, EvaluatedServer)>

        /// Waits for it. The channel is closed on errors and on cancellation.
        func get() async throws -> (OpenWebSocket, EvaluatedServer) {
            do {
                return try await withTaskCancellationHandler {
                    try await socket.get()
                } onCancel: {
                    channel.hangUp()
                }
            } catch {
                channel.hangUp()
                throw Task.isCancelled ? CancellationError() : error
            }
        }
    }
}
