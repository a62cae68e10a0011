// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import NIOHTTP1
import NIOPosix
import PKIX
import ServerTrust
import ServerTrustNIO

/// A WebSocket client that evaluates every server before it sends the request to open a WebSocket.
///
/// ```swift
/// let client = try TrustedWebSocketClient(trust: ServerTrustConfiguration(manager))
/// try await client.withConnection(to: "wss://api.example.com/feed") { socket in
///     try await socket.send("hello")
///     for try await message in socket.messages { print(message) }
/// }
/// ```
/// It implements RFC 6455 over TLS, with the extension permessage-deflate (``compression``). If a server is refused, the client sends it no data of the
/// request and throws `TrustRefusal`. The client doesn't follow redirects.
///
/// When the rules of the configuration's manager change, the client evaluates open WebSockets again, and closes those to
/// servers that are no longer trusted (``reevaluateConnections()``).
///
/// Not checked: Certificate Transparency and revocation, unless the configuration asks for them. The verdict shows
/// which checks ran.
public struct TrustedWebSocketClient: Sendable {
    /// The size limit of a message, and of a frame, in bytes. The default is 1 MiB. For a compressed message, the limit
    /// also applies to the message without its compression.
    public var maximumMessageSize = 1 << 20
    /// The compression to offer to the server. The default is `.disabled`.
    public var compression = WebSocketCompression.disabled
    /// The time without data from the server after which the client sends a ping (RFC 6455 § 5.5.2). The default is nil,
    /// which sends none. Values below one second count as one second.
    public var pingInterval: Duration?
    /// The longest time that the client waits for data after a ping. The default is 10 seconds. If none arrives, the
    /// messages end with `ErrorCode.webSocketTimedOut`. While you don't read the messages, the WebSocket stays open.
    public var pingTimeout = Duration.seconds(10)
    /// The time limit of each phase: from the connection to the end of the handshake, from there to the server's
    /// response, and at the end to the server's closing frame.
    ///
    /// The default is 10 seconds. For the closing frame, the limit is at most 5 seconds.
    public var timeout = Duration.seconds(10)
    /// The proxy to reach servers through, which resolves their names. The default is nil.
    public var proxy: ConnectionProxy?

    private let tls: ServerTrustTLS
    private let group: any EventLoopGroup

    /// - Parameters:
    ///   - trust: how to evaluate servers.
    ///   - eventLoopGroup: where connections run. The default is NIO's shared group.
    /// - Throws: NIOSSL's error if it can't create a context.
    public init(
        trust: ServerTrustConfiguration, eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) throws {
        self.init(tls: try ServerTrustTLS(trust, applicationProtocols: ["http/1.1"]), eventLoopGroup: eventLoopGroup)
    }

    /// - Parameters:
    ///   - tls: TLS with custom settings, such as a client certificate. Its application protocols must be `http/1.1` or
    ///     none.
    ///   - eventLoopGroup: where connections run. The default is NIO's shared group.
    public init(
        tls: ServerTrustTLS, eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) {
        self.tls = tls
        self.group = eventLoopGroup
    }

    /// Evaluates the chains of all open WebSockets again with the current rules, and closes those whose servers are no
    /// longer trusted. Their messages end with `TrustRefusal`.
    ///
    /// This happens by itself when the rules of the configuration's manager change. Call it to wait for that, or when
    /// something else that the rules depend on has changed: a certificate expired, or there is a new CRL. It covers this
    /// client and its copies.
    /// - Returns: the refused servers with their new verdicts, in no particular order. The method returns when their
    ///   connections are closed.
    @discardableResult
    public func reevaluateConnections() async -> [EvaluatedServer] { await tls.reevaluateConnections() }

    /// Opens a WebSocket, and closes it after `body` has returned or thrown. After `body` has returned, the client
    /// waits up to ``timeout`` for the server's answer to its closing frame.
    /// - Parameters:
    ///   - url: the URL, `wss://HOST[:PORT]/PATH`. The client evaluates the server for the URL's host.
    ///   - protocols: the subprotocols that the server may choose from, the preferred one first. Empty by default.
    ///   - headers: additional header fields of the request, such as `Authorization`.
    ///   - address: where to connect instead of the host: a name or an IP literal. The client still evaluates the
    ///     server for the host.
    ///   - body: a closure that uses the WebSocket.
    /// - Throws: `TrustRefusal` if the server isn't trusted, or if the rules deny the host. In that case, the client
    ///   doesn't contact it. `ConnectionFailure` if a connection ends without a verdict. ``WebSocketError`` if the
    ///   server doesn't open the WebSocket. NIO's errors while connecting, and the error of `body`.
    public func withConnection<Result>(
        to url: String, protocols: [String] = [], headers: HTTPHeaders = [:], connectingTo address: String? = nil,
        _ body: (TrustedWebSocket) async throws -> Result
    ) async throws -> Result {
        let request = try WebSocketRequest(url, protocols: protocols, headers: headers, compression: compression)
        let (socket, server) = try await open(request, address)
        return try await socket.channel.executeThenClose { inbound, outbound in
            let result = try await body(
                TrustedWebSocket(
                    messages: inbound, subprotocol: socket.subprotocol, isCompressed: socket.isCompressed,
                    server: server, received: socket.closing, outbound: outbound))
            try? await socket.channel.channel.triggerUserOutboundEvent(WebSocketEnd.farewell).get()
            return result
        }
    }

    private func open(
        _ request: WebSocketRequest, _ address: String?
    ) async throws -> (OpenWebSocket, EvaluatedServer) {
        var tls = tls
        tls.handshakeTimeout = timeout
        tls.evaluationTimeout = timeout
        let upgrade = WebSocketUpgrade(request: request, client: self)
        let bootstrap = ClientBootstrap(group: group).connectTimeout(TimeAmount(clamping: timeout)).resolver(
            ConcurrentNameResolver(limit: timeout))
        return try await bootstrap.connect(
            to: request.host, port: request.port, connectingTo: address, through: proxy, serverTrust: tls
        ) { channel, handshake in
            // This waits until TLS is established and the verdict is good. Before that, there is no request to send.
            let socket = handshake.flatMap { server in
                channel.eventLoop.makeCompletedFuture { try upgrade.start(on: channel) }.flatMap { $0 }
                    .map { ($0, server) }
            }
            return channel.eventLoop.makeSucceededFuture(ConnectingChannel(channel, output: socket))
        }.get()
    }
}

/// An open WebSocket to a trusted server.
public struct TrustedWebSocket: Sendable {
    /// The complete messages from the server.
    ///
    /// The sequence ends normally after a closing frame from the server with the code 1000 or 1001, or without a code.
    /// Otherwise, it throws ``WebSocketError``, or `TrustRefusal` if the rules changed and now refuse the server. You can
    /// iterate it once.
    public let messages: NIOAsyncChannelInboundStream<WebSocketMessage>
    /// The subprotocol that the server has chosen, or nil for none.
    public let subprotocol: String?
    /// Whether the server has accepted the client's offer of compression.
    public let isCompressed: Bool
    /// The server, with its verdict.
    public let server: EvaluatedServer

    /// The server's closing frame, or nil before it has arrived. It has arrived when the messages end without
    /// `ErrorCode.webSocketCutOff`.
    public var closing: WebSocketClosing? { received.withLock { $0 } }

    let received: Locked<WebSocketClosing?>
    let outbound: NIOAsyncChannelOutboundWriter<WebSocketMessage>

    /// Sends a message. Waits while the server isn't reading.
    /// - Throws: an error if the WebSocket is closed.
    public func send(_ message: WebSocketMessage) async throws { try await outbound.write(message) }

    /// Sends a text message.
    /// - Throws: an error if the WebSocket is closed.
    public func send(_ text: String) async throws { try await send(.text(text)) }
}

#endif
