// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import NIOCore

/// Responds to any input, usually a ClientHello, in plain HTTP.
final class PlainHTTPHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let text = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: text)))
            .whenComplete { _ in loopBound.value.close(promise: nil) }
    }
}

/// Sends the first 60 bytes of the server's first flight, and then closes the connection.
final class HandshakeTruncationHandler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    static let length = 60
    private var isCut = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var buffer = unwrapOutboundIn(data)
        guard !isCut, let start = buffer.readSlice(length: min(Self.length, buffer.readableBytes)) else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        isCut = true
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(start)).whenComplete { _ in loopBound.value.close(promise: nil) }
        promise?.succeed()
    }
}

/// Sends a fixed flight after it receives the first bytes, usually a ClientHello, and nothing afterward.
final class FlightHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var flight: [UInt8]?
    private let closes: Bool

    /// - Parameter closes: whether the server closes the connection after the flight.
    init(_ flight: [UInt8], closes: Bool) { (self.flight, self.closes) = (flight, closes) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let flight else { return }
        self.flight = nil
        let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: flight)))
        guard closes else { return }
        written.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }
}

#endif
