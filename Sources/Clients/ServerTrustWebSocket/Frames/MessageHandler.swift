// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOWebSocket

/// Converts frames to messages and back. Add it after the handler that joins fragments.
final class MessageHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketMessage
    typealias OutboundIn = WebSocketMessage
    typealias OutboundOut = WebSocketFrame

    private var hasFailed = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasFailed else { return }
        let frame = unwrapInboundIn(data)
        guard frame.opcode == .text else {
            return context.fireChannelRead(wrapInboundOut(.binary(frame.unmaskedData)))
        }
        guard let text = String(validating: frame.unmaskedData.readableBytesView, as: UTF8.self) else {
            return fail(WebSocketError(.webSocketProtocolViolation, detail: "text that isn't UTF-8"), context)
        }
        context.fireChannelRead(wrapInboundOut(.text(text)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let frame =
            switch unwrapOutboundIn(data) {
            case .text(let text): WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
            case .binary(let bytes): WebSocketFrame(fin: true, opcode: .binary, data: bytes)
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
