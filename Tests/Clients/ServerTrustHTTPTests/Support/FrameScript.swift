// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL
import NIOTLS
import PKIX

/// The frames that an HTTP/2 server sends, whether or not the protocol allows them.
struct FrameScript: Sendable {
    enum Step: Sendable {
        case send([UInt8])
        /// Repeats a frame until the connection is closed, at most ``FrameScript/longestFlood`` times.
        case flood([UInt8])
        case pause(TimeAmount)
        /// Closes the connection immediately.
        case abort
    }

    /// More than the buffers of an unread connection can store.
    static let longestFlood = 4_000_000

    /// The steps after the TLS handshake.
    var greeting: [Step] = [.send(HTTP2Frames.settings)]
    /// The steps after the head of a request. The parameters are the request's number on the connection, from 0, and
    /// its stream.
    var answer: @Sendable (_ number: Int, _ stream: UInt8) -> [Step] = { _, stream in
        [.send(HTTP2Frames.answer(stream))]
    }
}

/// The server's side of a connection with a ``FrameScript``.
final class FrameScriptHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let batch = 10_000

    private let script: FrameScript
    private let number: Int
    private let state: Locked<HTTP2Server.Record>
    private var received: [UInt8] = []
    private var hasPreface = false
    private var requests = 0

    init(_ script: FrameScript, _ number: Int, _ state: Locked<HTTP2Server.Record>) {
        self.script = script
        self.number = number
        self.state = state
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent { run(script.greeting[...], context) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += Array(buffer: unwrapInboundIn(data))
        if !hasPreface {
            guard received.count >= HTTP2Frames.preface.count else { return }
            received.removeFirst(HTTP2Frames.preface.count)
            hasPreface = true
        }
        while received.count >= 9 {
            let length = 9 + Int(received[0]) << 16 + Int(received[1]) << 8 + Int(received[2])
            guard received.count >= length else { return }
            let (type, stream) = (received[3], received[8])
            received.removeFirst(length)
            // HEADERS. The tests never reach 127 streams.
            guard type == 1 else { continue }
            state.withLock { [number] in $0.requests.append((number, true, "\(stream)")) }
            let answer = script.answer(requests, stream)
            requests += 1
            // Continues reading.
            run(answer[...], context)
        }
    }

    private func run(_ steps: ArraySlice<FrameScript.Step>, _ context: ChannelHandlerContext) {
        guard let step = steps.first, context.channel.isActive else { return }
        let rest = steps.dropFirst()
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        switch step {
        case .send(let bytes):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            run(rest, context)
        case .flood(let frame): flood(frame, FrameScript.longestFlood / Self.batch, context)
        case .pause(let pause):
            context.eventLoop.scheduleTask(in: pause) { loopBound.value.0.run(rest, loopBound.value.1) }
        case .abort:
            // Closes below the TLS handler, which would send a close_notify.
            (try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self))?.close(promise: nil)
        }
    }

    private func flood(_ frame: [UInt8], _ batches: Int, _ context: ChannelHandlerContext) {
        guard batches > 0 else { return }
        let bytes = ByteBuffer(bytes: [[UInt8]](repeating: frame, count: Self.batch).joined())
        send(bytes, batches, context)
    }

    private func send(_ bytes: ByteBuffer, _ batches: Int, _ context: ChannelHandlerContext) {
        guard batches > 0 else { return }
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let isWritten = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: isWritten)
        isWritten.futureResult.whenSuccess {
            let (handler, context) = loopBound.value
            handler.state.withLock { $0.flooded += Self.batch }
            handler.send(bytes, batches - 1, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Answers a connection's first bytes unencrypted, and closes it.
final class ClearGreeter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let bytes: [UInt8]
    private var isDone = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else { return }
        isDone = true
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
        context.close(promise: nil)
    }
}
