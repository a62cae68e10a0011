// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOTLS

/// The end of a connection that explores: finds out the protocol that the server selected, and whether it sends HTTP/2's SETTINGS.
///
/// Stands above ``TrustGate``, and keeps HTTP/2 away from async-http-client's handlers, which believe in HTTP/1.1. Removes itself if the
/// server selected that.
final class HTTP2Greeting: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Whether the server selected HTTP/2.
    private(set) var isSelected = false
    private let settings: EventLoopPromise<Bool>
    private var received = ByteBuffer()
    private var context: ChannelHandlerContext?

    init(_ eventLoop: any EventLoop) { settings = eventLoop.makePromise(of: Bool.self) }

    // A handler that never got into a pipeline.
    deinit { settings.succeed(false) }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        settings.succeed(false)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        guard case .handshakeCompleted(let negotiated) = event as? TLSUserEvent else { return }
        isSelected = negotiated == "h2"
        if !isSelected { context.pipeline.syncOperations.removeHandler(context: context, promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isSelected else { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        guard received.readableBytes < Self.frameHead else { return }
        received.writeBuffer(&bytes)
        // Length, type, flags, stream (RFC 9113 § 4.1); SETTINGS of stream 0 come first (§ 3.4).
        guard received.readableBytes >= Self.frameHead else { return }
        let isSettings =
            received.getInteger(at: received.readerIndex + 3, as: UInt8.self) == 4
            && received.getInteger(at: received.readerIndex + 5, as: UInt32.self) == 0
        settings.succeed(isSettings)
    }

    private static let frameHead = 9

    /// Sends the preface and SETTINGS of a client, on the event loop.
    /// - Returns: whether the server's SETTINGS come within that time.
    func greet(within limit: TimeAmount) -> EventLoopFuture<Bool> {
        if let context {
            var greeting = ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            // An empty frame of SETTINGS.
            greeting.writeBytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
            context.writeAndFlush(wrapOutboundOut(greeting), promise: nil)
            let settings = settings
            let timer = context.eventLoop.scheduleTask(in: limit) { settings.succeed(false) }
            settings.futureResult.whenComplete { _ in timer.cancel() }
        }
        return settings.futureResult
    }
}
