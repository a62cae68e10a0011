// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import NIOTLS
import NIOWebSocket
import PKIX
import ServerTrust
import ServerTrustNIO

/// Events from the handlers above that end a WebSocket.
enum WebSocketEnd: Sendable {
    /// The client is done and sends its closing frame.
    case farewell
    case failure(WebSocketError)
}

extension WebSocketError {
    /// The code of the closing frame that reports the error (RFC 6455 § 7.4.1).
    fileprivate var closingCode: UInt16 {
        switch code {
        case .webSocketTooLarge: 1009
        case .webSocketTimedOut: 1001
        default: 1002
        }
    }
}

/// Checks the server's frames, answers its control frames and masks the client's frames.
final class FrameHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let received: Locked<WebSocketClosing?>
    private let compression: MessageCompression?
    private let timeout: TimeAmount
    /// Whether the client sends no more frames.
    private var isOver = false
    /// Whether the handler waits for the server's closing frame.
    private var isWaiting = false
    private var limit: Scheduled<Void>?

    /// - Parameters:
    ///   - received: receives the server's closing frame.
    ///   - compression: receives whether the next message is compressed. Nil if no message may be.
    ///   - timeout: the time limit from the client's closing frame to the end of the connection.
    init(_ received: Locked<WebSocketClosing?>, _ compression: MessageCompression?, timeout: TimeAmount) {
        self.received = received
        self.compression = compression
        self.timeout = timeout
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard !isOver else {
            if isWaiting, frame.opcode == .connectionClose { answered(frame.unmaskedData, context) }
            return
        }
        guard frame.maskKey == nil else {
            return violation("a masked frame", context)
        }
        let isStart = frame.opcode == .text || frame.opcode == .binary
        guard !frame.rsv1 || (isStart && compression != nil), !frame.rsv2, !frame.rsv3 else {
            return violation("a reserved bit", context)
        }
        if isStart { compression?.isCompressed = frame.rsv1 }
        switch frame.opcode {
        case .ping:
            // A server that reads nothing must not be able to fill the memory with answers.
            guard context.channel.isWritable else { return }
            send(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData), context)
        case .pong: break
        case .connectionClose: closed(frame.unmaskedData, context)
        case .text, .binary, .continuation: context.fireChannelRead(wrapInboundOut(Self.compacted(frame)))
        default: violation("an unknown frame type", context)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isOver else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        var frame = unwrapOutboundIn(data)
        frame.maskKey = .random()
        if frame.opcode == .connectionClose { isOver = true }
        context.write(wrapOutboundOut(frame), promise: promise)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event {
        case WebSocketEnd.farewell:
            guard !isOver else { break }
            isOver = true
            isWaiting = true
            sendClose(1000, context)
            startLimit(context)
            context.read()
        case WebSocketEnd.failure(let error): end(error.closingCode, context)
        default: return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed(())
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The client reads no more messages, so reading would stop before the closing frame.
        if isWaiting { context.read() }
        context.fireChannelReadComplete()
    }

    /// Waits for the server's closing frame if the client has sent its own. Otherwise, ends the connection without
    /// waiting for the server.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all else { return context.close(mode: mode, promise: promise) }
        context.channel.closeFuture.cascade(to: promise)
        // After the client's closing frame, the connection ends within the limit.
        guard limit == nil else { return }
        end(1001, context)
        hangUp(context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isWaiting { hangUp(context) }
        guard !isOver else { return }
        switch error {
        case is TrustRefusal, is ConnectionFailure:
            // The rules have changed. The server receives nothing more.
            isOver = true
            context.fireErrorCaught(error)
            hangUp(context)
        case let error as WebSocketError: fail(error, context)
        case NIOWebSocketError.invalidFrameLength: fail(WebSocketError(.webSocketTooLarge, detail: "a frame"), context)
        case is NIOWebSocketError: violation("\(error)", context)
        default: fail(WebSocketError(.webSocketCutOff, detail: "\(error)"), context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { cutOff(context) }
        if case TLSUserEvent.shutdownCompleted = event { cutOff(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        limit?.cancel()
        cutOff(context)
        context.fireChannelInactive()
    }

    /// The largest frame to copy, in bytes.
    private static let smallSize = 1 << 10

    /// Returns a small frame with memory for only its own bytes.
    ///
    /// A frame's bytes are a slice of everything that was read with them. Thousands of fragments may wait, each with a
    /// slice of a different read. The handler doesn't copy a complete text message, because it becomes a string at
    /// once.
    private static func compacted(_ frame: WebSocketFrame) -> WebSocketFrame {
        guard frame.data.readableBytes <= smallSize, !(frame.fin && frame.opcode == .text) else { return frame }
        var frame = frame
        frame.data = ByteBuffer(bytes: frame.data.readableBytesView)
        return frame
    }

    /// Reports an end without a closing frame. It does so before the event that would end the messages without an
    /// error.
    private func cutOff(_ context: ChannelHandlerContext) {
        if isWaiting { hangUp(context) }
        guard !isOver else { return }
        isOver = true
        context.fireErrorCaught(WebSocketError(.webSocketCutOff))
    }

    /// Answers the server's closing frame, and closes the connection.
    private func closed(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
        var data = data
        let code: UInt16? = data.readInteger()
        guard code != nil || data.readableBytes == 0 else {
            return violation("a closing code of one byte", context)
        }
        guard code.map({ Self.isSendable($0) }) ?? true else {
            return violation("the closing code \(code ?? 0)", context)
        }
        guard let reason = String(validating: data.readableBytesView, as: UTF8.self) else {
            return violation("a closing reason that isn't UTF-8", context)
        }
        let closing = WebSocketClosing(code: code.map { Int($0) }, reason: reason)
        received.withLock { $0 = closing }
        let isUsual = code == nil || code == 1000 || code == 1001
        if !isUsual { context.fireErrorCaught(WebSocketError(closing)) }
        end(code ?? 1000, context)
    }

    /// Whether a closing frame may contain a code (RFC 6455 § 7.4). 1004, 1005, 1006 and 1015 have no meaning in a frame.
    /// 1012 to 1014 are registered. Codes from 3000 are for libraries and applications.
    private static func isSendable(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// Handles the server's answer to the client's closing frame. The connection ends with TLS's closing handshake,
    /// within the same limit.
    private func answered(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
        var data = data
        isWaiting = false
        let code: UInt16? = data.readInteger()
        let reason = String(validating: data.readableBytesView, as: UTF8.self) ?? ""
        let isSendable = code.map { Self.isSendable($0) } ?? true
        received.withLock { $0 = WebSocketClosing(code: isSendable ? code.map { Int($0) } : nil, reason: reason) }
        context.close(promise: nil)
    }

    private func startLimit(_ context: ChannelHandlerContext) {
        limit = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { [self] in hangUp(context) }
    }

    private func hangUp(_ context: ChannelHandlerContext) {
        isWaiting = false
        context.closeAtOnce()
    }

    private func violation(_ detail: String, _ context: ChannelHandlerContext) {
        fail(WebSocketError(.webSocketProtocolViolation, detail: detail), context)
    }

    private func fail(_ error: WebSocketError, _ context: ChannelHandlerContext) {
        context.fireErrorCaught(error)
        end(error.closingCode, context)
    }

    /// Sends a closing frame without waiting for an answer, and closes the connection.
    private func end(_ code: UInt16, _ context: ChannelHandlerContext) {
        guard !isOver else { return }
        isOver = true
        sendClose(code, context)
        hangUp(context)
    }

    private func sendClose(_ code: UInt16, _ context: ChannelHandlerContext) {
        var data = context.channel.allocator.buffer(capacity: 2)
        data.writeInteger(code)
        send(WebSocketFrame(fin: true, opcode: .connectionClose, data: data), context)
    }

    private func send(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        var frame = frame
        frame.maskKey = .random()
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }
}

#endif
