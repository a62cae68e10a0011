// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import NIOHTTP1
import NIOWebSocket
import PKIX
import ServerTrust
import ServerTrustNIO

/// The channel of an open WebSocket.
struct OpenWebSocket: Sendable {
    let channel: NIOAsyncChannel<WebSocketMessage, WebSocketMessage>
    let subprotocol: String?
    let isCompressed: Bool
    /// The server's closing frame, or nil before it has arrived.
    let closing: Locked<WebSocketClosing?>
}

/// The exchange that opens a WebSocket over a connection to a trusted server.
struct WebSocketUpgrade: Sendable {
    let request: WebSocketRequest
    let client: TrustedWebSocketClient

    /// Sends the request. Call it on the channel's event loop.
    func start(on channel: any Channel) throws -> EventLoopFuture<OpenWebSocket> {
        let status = UpgradeStatusHandler()
        let upgrader = NIOTypedWebSocketClientUpgrader<OpenWebSocket>(
            maxFrameSize: client.maximumMessageSize, enableAutomaticErrorHandling: false
        ) { channel, answer in
            channel.eventLoop.makeCompletedFuture { try open(channel, answer) }
        }
        let configuration = NIOTypedHTTPClientUpgradeConfiguration<OpenWebSocket>(
            upgradeRequestHead: request.head, upgraders: [upgrader]
        ) { channel in
            // The code below adds the status to this error.
            channel.eventLoop.makeFailedFuture(WebSocketError(.webSocketNotUpgraded))
        }
        let pipeline = channel.pipeline.syncOperations
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = 64 << 10
        limits.maxHeaderFieldCount = 256
        // The bytes directly after the server's response are frames.
        let handlers: [any RemovableChannelHandler] = [
            HTTPRequestEncoder(),
            ByteToMessageHandler(
                HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits)),
            NIOHTTPRequestHeadersValidator(), status,
        ]
        let handler = NIOTypedHTTPClientUpgradeHandler(
            // The order is from the end of the pipeline, so that no message handler receives the bytes that the decoder
            // passes on.
            httpHandlers: handlers.reversed(), upgradeConfiguration: configuration)
        try pipeline.addHandlers(handlers.map { $0 as any ChannelHandler } + [handler])
        let limit = channel.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(clamping: client.timeout)) {
            status.isLate = true
            channel.closeAtOnce()
        }
        return handler.upgradeResultFuture.assumeIsolated().flatMapErrorThrowing { throw status.error(for: $0) }
            .nonisolated().always { _ in limit.cancel() }
    }

    private func open(_ channel: any Channel, _ answer: HTTPResponseHead) throws -> OpenWebSocket {
        let (subprotocol, parameters) = try request.choices(of: answer)
        // The server has already ended the connection, and the messages would end without an error.
        guard channel.isActive else { throw WebSocketError(.webSocketCutOff, number: 101) }
        let pipeline = channel.pipeline.syncOperations
        let closing = Locked<WebSocketClosing?>(nil)
        let compression = parameters.map { MessageCompression($0) }
        try pipeline.addHandler(
            FrameHandler(closing, compression, timeout: TimeAmount(clamping: min(client.timeout, Self.longestFarewell)))
        )
        if let interval = client.pingInterval {
            try pipeline.addHandler(
                KeepAliveHandler(
                    interval: TimeAmount(clamping: max(interval, .seconds(1))),
                    timeout: TimeAmount(clamping: max(client.pingTimeout, .milliseconds(1))), ping: Self.sendPing,
                    end: Self.endUnanswered))
        }
        try pipeline.addHandlers([
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 4096,
                maxAccumulatedFrameSize: client.maximumMessageSize),
            MessageHandler(compression, maximumSize: client.maximumMessageSize),
        ])
        return OpenWebSocket(
            channel: try NIOAsyncChannel(wrappingChannelSynchronously: channel), subprotocol: subprotocol,
            isCompressed: compression != nil, closing: closing)
    }

    private static func sendPing(_ number: Int, _ context: ChannelHandlerContext) {
        let data = ByteBuffer(integer: UInt64(number))
        context.writeAndFlush(NIOAny(WebSocketFrame(fin: true, opcode: .ping, data: data)), promise: nil)
    }

    private static func endUnanswered(_ context: ChannelHandlerContext) {
        let error = WebSocketError(.webSocketTimedOut, detail: "no answer to a ping")
        context.fireErrorCaught(error)
        context.triggerUserOutboundEvent(WebSocketEnd.failure(error), promise: nil)
    }

    /// The longest time to wait for the server's closing frame.
    private static let longestFarewell = Duration.seconds(5)
}

/// Records the status of the server's response for the error.
private final class UpgradeStatusHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart

    private var code: Int?
    /// Whether the response took too long.
    var isLate = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) { code = Int(head.status.code) }
        context.fireChannelRead(data)
    }

    func error(for error: any Error) -> any Error {
        switch error {
        case is TrustRefusal: error
        case let error as WebSocketError where error.number != nil: error
        case _ where isLate: WebSocketError(.webSocketTimedOut)
        case is WebSocketError, is NIOHTTPClientUpgradeError: WebSocketError(.webSocketNotUpgraded, number: code)
        default: WebSocketError(.webSocketNotUpgraded, number: code, detail: "\(error)")
        }
    }
}

#endif
