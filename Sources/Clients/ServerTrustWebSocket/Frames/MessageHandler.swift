// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import NIOWebSocket

/// Converts frames to messages and back. Add it after the handler that joins fragments.
final class MessageHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketMessage
    typealias OutboundIn = WebSocketMessage
    typealias OutboundOut = WebSocketFrame

    private let compression: MessageCompression?
    private let maximumSize: Int
    private var hasFailed = false

    /// - Parameters:
    ///   - compression: compresses and decompresses messages. Nil if no message may be compressed.
    ///   - maximumSize: the largest message to accept, in bytes, without its compression.
    init(_ compression: MessageCompression?, maximumSize: Int) {
        self.compression = compression
        self.maximumSize = maximumSize
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasFailed else { return }
        var frame = unwrapInboundIn(data)
        if let compression, compression.isCompressed {
            do throws(WebSocketError) {
                frame.data = try compression.inflate(frame.unmaskedData, limit: maximumSize)
            } catch {
                return fail(error, context)
            }
        }
        guard frame.opcode == .text else {
            return context.fireChannelRead(wrapInboundOut(.binary(frame.unmaskedData)))
        }
        guard let text = String(validating: frame.unmaskedData.readableBytesView, as: UTF8.self) else {
            return fail(WebSocketError(.webSocketProtocolViolation, detail: "text that isn't UTF-8"), context)
        }
        context.fireChannelRead(wrapInboundOut(.text(text)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var frame =
            switch unwrapOutboundIn(data) {
            case .text(let text): WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
            case .binary(let bytes): WebSocketFrame(fin: true, opcode: .binary, data: bytes)
            }
        if let compressed = compression?.deflate(frame.data) {
            frame.data = compressed
            frame.rsv1 = true
        }
        context.write(wrapOutboundOut(frame), promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !hasFailed else { return }
        switch error {
        case let error as NIOWebSocketFrameAggregator.Error:
            let isSize = error == .accumulatedFrameSizeIsTooLarge || error == .tooManyFragments
            fail(WebSocketError(isSize ? .webSocketTooLarge : .webSocketProtocolViolation, detail: "\(error)"), context)
        default:
            hasFailed = true
            context.fireErrorCaught(error)
        }
    }

    private func fail(_ error: WebSocketError, _ context: ChannelHandlerContext) {
        hasFailed = true
        context.fireErrorCaught(error)
        context.triggerUserOutboundEvent(WebSocketEnd.failure(error), promise: nil)
    }
}

#endif
